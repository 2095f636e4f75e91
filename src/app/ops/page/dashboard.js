/*! Ballast's dashboard, made from web/ by `npm run generate`. It contains Preact (MIT), (c) 2015-present Jason Miller. */
var O,Yt,ss,le,pt,Ke,Qt,Ue,Zt,gt,ft,en,Ae=Symbol.for("pv"),je={},Ge=[],rs=/^m(i|n|o|s|text|space)$/,yt=Array.isArray,tn=Ge.slice,he=Object.assign;function fe(e){
e&&e.parentNode&&e.remove()}function Ve(e,n,o,s,a){var r={type:e,props:n,key:o,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Ae,__v:a||++Yt,__i:-1,__u:0};return!a&&O.vnode&&O.
vnode(r),r}function g(e){return e.children}function We(e,n){this.props=e,this.context=n,this.__g=0}function ce(e,n){if(n==null)return e.__&&ce(e.__,e.__i+1);for(var o;n<e.
__k.length;n++)if((o=e.__k[n])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:ce(e)}function as(e){var n,o=e.__v,s=o.__e,a=[],r=[],i=e.__P;
i&&((n=he({constructor:Ae},o)).__v=o.__v+1,O.vnode&&O.vnode(n),vt(i,n,o,e.__n,i.namespaceURI,32&o.__u?[s]:null,a,s||ce(o),32&o.__u,r),n.__v=o.__v,n.__.__k[n.__i]=
n,ln(a,n,r),o.__=o.__e=null,n.__e!=s&&nn(n))}function nn(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(n){return n&&(e.__e=n.__e)}),
nn(e)}function ht(e){(8&e.__g||(e.__g|=8,le.push(e),Ke++))&&pt==O.debounceRendering||((pt=O.debounceRendering)||queueMicrotask)(on)}function on(){try{for(var e,
n=1;le.length;)le.length>n&&le.sort(Qt),e=le.shift(),n=le.length,8&e.__g&&as(e)}finally{(Ke=le.length)&&(pt||queueMicrotask)(on)}}function sn(e,n,o,s,a,r,i,l,c,u,d){
var p,f,m,y,_,h,w=s.__k||Ge,S=n.length;for(c=is(o,n,w,c,S),p=0;p<S;p++)(m=o.__k[p])!=null&&(f=~m.__i&&w[m.__i]||je,m.__i=p,h=vt(e,m,f,a,r,i,l,c,u,d),y=m.__e,(f.
ref!=m.ref||8&f.__u)&&(f.ref&&bt(f.ref,null,m,f),m.ref&&d.push(m.ref,m.__c||y,m)),_=_||y,4&m.__u?(c=rn(m,c,e,!f.__v),f.__e&&(f.__e=null)):typeof m.type=="functi\
on"&&h!==void 0?c=h:y&&(c=y.nextSibling),m.__u&=-21);return o.__e=_,c}function is(e,n,o,s,a){var r,i,l,c,u,d,p,f,m,y=o.length,_=y,h=0,w=0,S=e.__k=Array(a);for(r=
0;r<a;r++)(i=n[r])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=S[r]=Ve(null,i):yt(i)?i=S[r]=Ve(g,{children:i}):
i.constructor===Ae&&i.__b?i=S[r]=Ve(i.type,i.props,i.key,i.ref,i.__v):S[r]=i,c=r+h,i.__=e,i.__b=e.__b+1,l=null,~(u=i.__i=ls(i,o,c,_))&&(_--,(l=o[u])&&(l.__u|=2)),
l&&l.__v?(i.__u|=16,u==c-1?h--:u==c+1?h++:u!=c&&(u>c?h--:h++,w=1)):(~u||(a>y?h--:a<y&&h++),typeof i.type!="function"&&(i.__u|=4))):S[r]=null;if(w){for(d=[],p=[],
r=0;r<a;r++)if((i=S[r])&&16&i.__u){for(h=0,f=d.length;h<f;)d[m=h+f>>1]<i.__i?h=m+1:f=m;d[h]=i.__i,p[r]=h+1}for(h=d.length;r--;)p[r]&&(p[r]==h?h--:S[r].__u|=4)}if(_)
for(r=0;r<y;r++)!(l=o[r])||2&l.__u||(l.__e==s&&(s=ce(l)),_t(l,l));return s}function rn(e,n,o,s){var a,r,i,l;if(typeof e.type=="function"){if(e.props.__P)return n;
if(a=e.__k)for(r=0;r<a.length;r++)a[r]&&(a[r].__=e,n=rn(a[r],n,o,!1));return n}for(n&&!n.parentNode&&(n=ce(e))&&!n.parentNode&&(n=null),i=e.__e,l=n;l&&l.nodeType==
8;)l=l.nextSibling;for(i!=l&&(!s&&o.moveBefore&&i.parentNode?o.moveBefore(i,n):o.insertBefore(i,n||null)),n=i;(n=n&&n.nextSibling)&&n.nodeType==8&&!n.data.startsWith(
"$s"););return n}function ls(e,n,o,s){var a,r=e.key,i=e.type,l=n[o],c=l&&!(2&l.__u);if(l===null&&r==null||c&&r==l.key&&i==l.type)return o;if(s>(c?1:0)){for(a=o-1;a>=0;a--)if((l=
n[a])&&!(2&l.__u)&&r==l.key&&i==l.type)return a;for(a=o+1;a<n.length;a++)if((l=n[a])&&!(2&l.__u)&&r==l.key&&i==l.type)return a}return-1}function zt(e,n,o){o==null&&
(o=""),n[0]=="-"?e.setProperty(n,o):e[n]=o}function He(e,n,o,s,a){var r,i;if(n=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof s=="string"&&(e.style.
cssText=s=""),s)for(n in s)o&&n in o||zt(e.style,n);if(o)for(n in o)s&&o[n]==s[n]||zt(e.style,n,o[n])}else if(n[0]=="o"&&n[1]=="n")typeof o!="function"&&(o=null),
typeof s!="function"&&(s=null),(e.__e||(e.__e={}))[n]=o,o&&s||(i=ft[n]||(ft[n]=cs(n)),(e.__a||(e.__a={}))[n]=gt,r=n!=(n=n.replace(Zt,"$1")),(n=n.slice(2))[0]<"a"&&
(n=n.toLowerCase()),o?e.addEventListener(n,i,r):e.removeEventListener(n,i,r));else{if(a=="http://www.w3.org/2000/svg")n=n.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(n!="width"&&n!="height"&&n!="href"&&n!="list"&&n!="form"&&n!="tabIndex"&&n!="download"&&n!="rowSpan"&&n!="colSpan"&&n!="role"&&n!="popover"&&n in e)
try{return void(e[n]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&n[4]!="-"?e.removeAttribute(n):e.setAttribute(n,n=="popover"&&o==1?"":o)}}function cs(e){
return function(n){var o=this.__e;if(o){if(o=o[e],n[Ue]==null)n[Ue]=gt++;else if(n[Ue]<this.__a[e])return;return o(O.event?O.event(n):n)}}}function vt(e,n,o,s,a,r,i,l,c,u){
var d,p,f,m,y,_,h,w,S,A,E,oe,Se,me,P,Gt,ie,pe,se=n.type;if(n.constructor!==Ae)return null;128&o.__u&&(c=32&o.__u,d=o.__c.__z)&&(n.__u|=c,p=r=[],d.nodeType==8?l=
qe(d,r):r.push(d),l=r[0]||l),(d=O.__b)&&d(n);e:if(typeof se=="function"){f=i.length;try{if(w=n.props,S=(d=se.prototype)&&d.render,A=(d=se.contextType)&&s[d.__c],
E=d?A?A.props.value:d.__:s,(m=o.__c)?(n.__c=m,2&m.__g&&(m.__g|=1)):(S?n.__c=m=new se(w,E):(n.__c=m=new We(w,E),m.constructor=se,m.render=ds),A&&A.sub(m),m.state||
(m.state={}),m.__n=s,m.__g|=8,m.__h=[],m.__k=[]),S&&(m.__s||(m.__s=m.state),se.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=he({},m.__s)),he(m.__s,se.getDerivedStateFromProps(
w,m.__s)))),y=m.props,_=m.state,m.__v=n,o.__c){if(w!==y&&S&&!se.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(w,E),n.__v==o.
__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(w,m.__s,E)===!1){n.__v!=o.__v&&(m.props=w,m.state=m.__s,m.__g&=-9),n.__e=o.__e,n.__k=
o.__k,n.__k.some(function(G){G&&(G.__=n)}),Ge.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&i.push(m),l=ce(o);break e}m.componentWillUpdate&&m.componentWillUpdate(
w,m.__s,E),S&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(y,_,h)})}else S&&!se.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),
S&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=E,m.props=w,m.__P=e,m.__g&=-5,oe=O.__r,Se=S?25:0;do m.__g&=-9,oe&&oe(n),d=m.render(m.props,m.state=
m.__s,m.context);while(8&m.__g&&++Se<25);S&&(Ge.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(s=he({},s,m.getChildContext())),S&&o.__c&&m.
getSnapshotBeforeUpdate&&(h=m.getSnapshotBeforeUpdate(y,_)),me=d&&d.type===g&&d.key==null?d.props.children:d,w.__P&&(d=l,a=(e=w.__P).namespaceURI,c=r=null,o.props&&
o.props.__P!=e&&(o.__k.some(function(G){G&&_t(G,G)}),o.__k=null),l=o.__k?ce(o,0):null),l=sn(e,yt(me)?me:[me],n,o,s,a,r,i,l,c,u),w.__P&&(n.__e=null,l=d),n.__u&=-161,
p&&p.some(fe),m.__h.length&&i.push(m),1&m.__g&&(m.__g&=-4)}catch(G){if(i.length=f,n.__v=null,c||r)if(G&&G.then){if(n.__u|=128|c,r){for(~(ie=r.indexOf(l||void 0))||
(ie=r.length);(pe=r[ie-1])&&pe.nodeType==8;)ie--;for(;ie<r.length;ie++)if(pe=r[ie])if(r[ie]=null,P){if(pe==Gt)break}else{if(pe.nodeType!=8)break;pe.data.startsWith(
"$s")&&(Gt=qe(P=pe))}}if(!P){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;P=l}(d=qe(P=n.__c.__z||(n.__c.__z=P)))?(n.__e=P,l=d):n.__e=l,l=l&&l.nextSibling}else
r&&r.some(fe);else n.__e=o.__e;n.__k||(n.__k=o.__k||[]),G&&G.then||an(n),O.__e(G,n,o)}}else l=n.__e=us(o.__e,n,o,s,a,r,i,c,u,e);return(d=O.diffed)&&d(n),l}function qe(e,n){
if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.data.startsWith("/$s")&&!--o)
return e}n&&n.push(e)}}function an(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(an))}function ln(e,n,o){for(var s=0;s<o.length;)bt(o[s++],o[s++],o[s++]);O.__c&&
O.__c(n,e),e.some(function(a){try{e=a.__h,a.__h=[],e.some(function(r){r.call(a)})}catch(r){O.__e(r,a.__v)}})}function us(e,n,o,s,a,r,i,l,c,u){var d,p,f,m,y,_,h,
w,S=o.props||je,A=n.props,E=n.type;if(E=="svg"?a="http://www.w3.org/2000/svg":E=="math"?a="http://www.w3.org/1998/Math/MathML":a||(a="http://www.w3.org/1999/xht\
ml"),r){for(d=0;d<r.length;d++)if((y=r[d])&&(E?y.localName==E:y.nodeType==3)){e=y,r[d]=null;break}}if(!e){if(w=u.ownerDocument||document,!E)return w.createTextNode(
A);e=w.createElementNS(a,E,A.is?A:u),l&&(O.__m&&O.__m(n,r),l=!1),r=null}if(E){if(u=E=="template"&&e.content||e,r=E=="textarea"&&A.defaultValue!=null?null:r&&tn.
call(u.childNodes),!l&&r)for(S={},d=0;d<e.attributes.length;d++)S[(y=e.attributes[d]).name]=y.value;for(d in S)y=S[d],d=="dangerouslySetInnerHTML"?f=y:d=="child\
ren"||d in A||d=="value"&&"defaultValue"in A||d=="checked"&&"defaultChecked"in A||He(e,d,null,y,a);for(d in A)y=A[d],d=="children"?m=y:d=="dangerouslySetInnerHT\
ML"?p=y:d=="value"?_=y:d=="checked"?h=y:l&&typeof y!="function"||S[d]===y||He(e,d,y,S[d],a);p?(l||f&&(p.__html==f.__html||p.__html==e.innerHTML)||(e.innerHTML=p.
__html),n.__k=[]):(f&&(e.textContent=""),(E=="foreignObject"||a=="http://www.w3.org/1998/Math/MathML"&&rs.test(E))&&(a="http://www.w3.org/1999/xhtml"),sn(u,yt(m)?
m:[m],n,o,s,a,r,i,r?r[0]:o.__k&&ce(o,0),l,c),r&&r.some(fe)),l&&E!="textarea"||(d="value",E=="progress"&&_==null?e.removeAttribute(d):_==null||_===e[d]&&(E!="pro\
gress"||_)||He(e,d,_,S[d],a),d="checked",h!=null&&h!=e[d]&&He(e,d,h,S[d],a))}else S===A||l&&e.data==A||(e.data=A);return e}function bt(e,n,o,s){try{typeof e=="f\
unction"?n?n.__x=e(n)||1:s&&(s=s.__c||s.__e)&&(n=s.__x)&&(s.__x=null,typeof n=="function"?n():e(null)):e.current=n}catch(a){O.__e(a,o)}}function _t(e,n,o){var s,
a,r,i;if(O.unmount&&O.unmount(e),!(s=e.ref)||s.current&&s.current!=e.__e||bt(s,null,n,e),s=e.__c){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(l){
O.__e(l,n)}s.__P=s.__n=null}if(s=e.__k)for(i=0;i<s.length;i++)s[i]&&_t(s[i],n,typeof e.type!="function"||o&&!e.props.__P);!o&&(s=e.__c)&&(s=s.__z)&&(a=qe(s,r=[]))&&
(s==e.__e&&r.some(fe),fe(a),fe(s)),o||fe(e.__e),e.__e=e.__c=e.__=null}function ds(e,n,o){return this.constructor(e,o)}function cn(e,n){var o,s,a,r;O.__&&O.__(e,
n),n.nodeType==9&&(n=n.documentElement),s=(o=e&&32&e.__u)?null:n.__k,n.__k=Ve(g,{children:[e]}),a=[],r=[],vt(n,n.__k,s||je,je,n.namespaceURI,s?null:n.firstChild?
tn.call(n.childNodes):null,a,s?s.__e:n.firstChild,o,r),ln(a,n.__k,r),n.__k.props.children=null}function ze(e){function n(o){var s,a;return this.getChildContext||(s=new Set,(a={})[n.__c]=this,this.getChildContext=function(){return a},this.shouldComponentUpdate=
function(r){this.props.value!=r.value&&s.forEach(function(i){i.__g|=4,ht(i)})},this.sub=function(r){s.add(r);var i=r.componentWillUnmount;r.componentWillUnmount=
function(){s.delete(r),i&&i.call(r)}}),o.children}return n.__c="__cC"+en++,n.__=e,n.Provider=(n.Consumer=function(o,s){return o.children(s)}).contextType=n,n}O={__e:function(e,n,o,s){for(var a,r,i;n=n.__;)if((a=n.__c)&&!(1&a.__g)){a.__g|=4;try{if((i=(r=a.constructor)&&r.getDerivedStateFromError)&&a.setState(r.getDerivedStateFromError(
e)),a.componentDidCatch&&(a.componentDidCatch(e,s||{}),i=1),i&&8&a.__g)return void(a.__g|=2)}catch(l){e=l}}throw Ke=0,e}},Yt=0,ss=function(e){return e!=null&&e.
constructor===Ae},We.prototype.setState=function(e,n){var o=this.__s;o&&o!=this.state||(o=this.__s=he({},this.state)),typeof e=="function"&&(e=e(he({},o),this.props)),
e&&(he(o,e),this.__v&&(n&&this.__k.push(n),ht(this)))},We.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),ht(this))},We.prototype.render=
g,le=[],Ke=0,Qt=function(e,n){return e.__v.__b-n.__v.__b},Ue=Symbol(),Zt=/(PointerCapture)$|Capture$/i,gt=0,ft={},en=0;var ge,X,wt,un,kt=Object.is,Ye=0,bn=[],St=[],H=O,dn=H.__b,mn=H.__r,pn=H.diffed,fn=H.__c,hn=H.unmount,gn=H.__;function Pe(e,n){H.__h&&H.__h(X,e,Ye||n),Ye=0;var o=X.
__H||(X.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function v(e){return Ye=1,ms(wn,e)}function ms(e,n,o){var s=Pe(ge++,2);if(s.t=e,!s.__c&&
(s.__=[o?o(n):wn(void 0,n),function(r){var i=(s.__N||s.__)[0],l=s.t(i,r);kt(i,l)||(s.__N=[l,s.__[1]],s.__c.setState({}))}],s.__c=X,!X.__f)){X.__f=!0;var a=X.shouldComponentUpdate;
X.shouldComponentUpdate=function(r,i,l){var c=this.__H;if(!c)return!0;var u=!1,d=this.props!=r;if(c.__.some(function(f){f.__N&&(u=!0,kt(f.__[0],f.__N[0])||(d=!0))}),
a){var p=a.call(this,r,i,l);return u?p||d:p}return!u||d}}return s.__}function M(e,n){var o=Pe(ge++,3);!H.__s&&_n(o.__H,n)&&(o.__P=!0,o.__=e,o.u=n,X.__H.__h.push(
o))}function V(e){return Ye=5,ps(function(){return{current:e}},[])}function ps(e,n){var o=Pe(ge++,7);return _n(o.__H,n)&&(o.__=e(),o.__H=n),o.__}function xe(e){var n=X.context[e.__c],o=Pe(ge++,9);return o.c=e,n?(o.__==null&&(o.__=!0,n.sub(X)),n.props.value):e.__}function ue(){var e=Pe(ge++,11);if(!e.__){for(var n=X.__v;!n.__m&&n.__;)n=n.__;var o=n.__m||(n.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function fs(){var e;
do{for(;e=St.shift();)try{Me(e)}catch(o){H.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=bn.shift();){var n=e.__H;if(e.__P&&n)try{n.__h.some(Me),n.__h.some(xt),n.__h=[]}catch(o){
n.__h=[],H.__e(o,e.__v)}}}while(St.length)}H.__b=function(e){X=null,dn&&dn(e)},H.__=function(e,n){e&&n.__k&&n.__k.__m&&(e.__m=n.__k.__m),gn&&gn(e,n)},H.__r=function(e){
mn&&mn(e),ge=0;var n=(X=e.__c).__H;n&&(wt==X?X.__h=[]:(n.__h.some(Me),n.__h.some(xt),ge=0),n.__h=[],n.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),
wt=X},H.diffed=function(e){pn&&pn(e);var n=e.__c;n&&n.__H&&(n.__H.__h.length&&vn(bn.push(n)),n.__H.__.some(function(o){o.u&&(o.__H=o.u)})),wt=X=null},H.__c=function(e,n){
n.some(function(o){try{o.__h.some(Me),o.__h=o.__h.filter(function(s){return!s.__||xt(s)})}catch(s){o.__h=[function(){throw s}]}}),fn&&fn(e,n)},H.unmount=function(e){
hn&&hn(e);var n,o,s=e.__c;s&&s.__H&&(s.__H.__.some(function(a){try{if(a.__P&&a.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}a.__P=o,
vn(St.push(a))}else Me(a)}catch(r){n=r}}),s.__H=void 0,n&&H.__e(n,s.__v))};var yn=typeof requestAnimationFrame=="function";function hs(e){var n,o=function(){clearTimeout(
s),yn&&cancelAnimationFrame(n),setTimeout(e)},s=setTimeout(o,35);yn&&(n=requestAnimationFrame(o))}function vn(e){e!=1&&un==H.requestAnimationFrame||((un=H.requestAnimationFrame)||
hs)(fs)}function Me(e){var n=X,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),X=n}function xt(e){var n=X;e.__c=e.__(),X=n}function _n(e,n){return!e||e.length!=
n.length||n.some(function(o,s){return!kt(o,e[s])})}function wn(e,n){return typeof n=="function"?n(e):n}function W(e){if(e<6e4)return`${Math.max(0,Math.floor(e/1e3))} s`;if(e<36e5)return`${Math.floor(e/6e4)} min`;if(e>=2*864e5)return`${Math.floor(e/864e5)} d`;let n=Math.
floor(e%36e5/6e4);return`${Math.floor(e/36e5)} h${n===0?"":` ${n} min`}`}function kn(e){return Number.isFinite(e)?`${new Date(e).toISOString().slice(0,16).replace(
"T"," ")} UTC`:"an unknown time"}function x(e){let[n="",o=""]=e.split(":");return{symbol:o.toUpperCase(),chain:L(n)}}function L(e){return e.replace(/(^|_)([a-z])/g,(n,o,s)=>(o?" ":"")+s.toUpperCase())}
function T(e){let n=e.startsWith("-")?"−":"",[o="0",s=""]=e.replace("-","").split(".");if(o.length>Sn)return`${n}${T(`${o.slice(0,-6)}.${o.slice(-6)}`)} M`;let a=o===
"0"?/^0*/.exec(s)?.[0].length??0:-o.length,r=s.slice(0,Sn+a).replace(/0+$/,""),i=o.replace(/\B(?=(\d{3})+$)/g," ");return`${n}${i}${r===""?"":`.${r}`}`}var Sn=6;
function b(e){if(e===null)return"unknown";let n=Math.abs(Number(e));if(n>=1e7)return`${xn(e)}$${T(String(Math.trunc(n)))}`;let o=n>=1e3?0:n!==0&&n<.01?4:2,s=n.toLocaleString(
"en-US",{minimumFractionDigits:o,maximumFractionDigits:o});return`${xn(e)}$${s}`}function Re(e){return Number(e)>0?`+${b(e)}`:b(e)}function De(e,n){let o=Number(
n)===0?0:100*Number(e)/Number(n);return`${o<0?"−":""}${Math.abs(o).toFixed(Math.abs(o)<10?2:1)}%`}function xn(e){return e.startsWith("-")&&Number(e)!==0?"−":
""}function re(e){return e===null?"unknown":`${(e/100).toFixed(2)}%`}function Qe(e,n){let o=Date.parse(e)-n;return Number.isNaN(o)?e:Math.abs(o)<1500?"now":o>0?
`in ${W(o)}`:`${W(-o)} ago`}function D(e,n=Date.now()){let o=new Date(e),s=o.toLocaleTimeString("en-GB");return o.toDateString()===new Date(n).toDateString()?s:
`${o.toLocaleDateString("en-GB",{day:"numeric",month:"short"})}, ${s}`}function Z(e){return e.replace(/[-_]/g," ")}function $t(e){return e.length<=18?e:`${e.slice(
0,8)}…${e.slice(-6)}`}function ye(e){return e==="completed"?"good":e==="held"?"bad":e==="awaiting-approval"||e.startsWith("refund")?"warn":e==="rejected"||e===
"abandoned"?"calm":"busy"}var I=class extends Error{status;reasons;constructor(n,o){super(o.map(({message:s})=>s).join(" ")),this.status=n,this.reasons=o}},Ze="ballast.csrf";async function $n(){
try{return{...await q("GET","session"),csrf:localStorage.getItem(Ze)}}catch(e){if(e instanceof I&&e.status===401)return null;throw e}}async function Cn(e){let n=await q(
"POST","session",{token:e});return localStorage.setItem(Ze,n.csrf),n}async function En(){await q("DELETE","session").catch(()=>{}),localStorage.removeItem(Ze)}async function q(e,n,o){
let s=await Ct(e,n,o).catch(()=>{throw new I(0,[{code:"page.silent",message:"The daemon does not answer."}])}),a=await s.json().catch(()=>null);if(s.ok)return a;
let{reasons:r}=a??{};throw new I(s.status,r??[{code:"page.answer",message:`The daemon answered ${s.status}.`}])}function Ct(e,n,o,s){return fetch(`/api/v1/${n}`,
{method:e,headers:{"x-ballast-csrf":localStorage.getItem(Ze)??"",...o===void 0?{}:{"content-type":"application/json"}},...o===void 0?{}:{body:JSON.stringify(o)},
...s===void 0?{}:{signal:s}})}var z={lastMs:Date.now(),failing:!1,loggedOut:!1,streaming:!1},Et=new Map,Ot=new Set;function $(e,n=5e3){let[,o]=v(0),[s,a]=v(null),[r,i]=v(0);return M(()=>{if(e===
null)return;let c=!1;async function u(){if(!(e===null||document.hidden))try{if(Et.set(e,await q("GET",e)),c)return;z.lastMs=Date.now(),z.failing=!1,a(null),o(f=>f+
1)}catch(f){if(c||!(f instanceof I))return;f.status===401&&(z.loggedOut=!0),f.status===0&&(z.failing=!0),a(f)}}let d=()=>{u()};u();let p=setInterval(d,n);return Ot.
add(d),document.addEventListener("visibilitychange",d),()=>{c=!0,clearInterval(p),Ot.delete(d),document.removeEventListener("visibilitychange",d)}},[e,n,r]),{value:e===
null?null:Et.get(e)??null,error:s,refresh:()=>i(c=>c+1)}}function ve(){for(let e of Ot)e()}function Tn(){Et.clear()}var gs=700,On=4e4;async function An(e){let n=0,
o=()=>{n===0&&(n=window.setTimeout(()=>{n=0,ve()},gs))};for(;!e.aborted;)await ys(e,o).catch(()=>{}),z.streaming=!1,await new Promise(s=>setTimeout(s,2e3))}async function ys(e,n){
let o=new AbortController,s=setTimeout(()=>o.abort(),On),a=await Ct("GET","events",void 0,AbortSignal.any([e,o.signal]));if(!a.ok||a.body===null)return;z.streaming=
!0;let r=a.body.pipeThrough(new TextDecoderStream).getReader();for(let i=await r.read();!i.done;i=await r.read())clearTimeout(s),s=setTimeout(()=>o.abort(),On),
i.value.includes("data:")&&n();clearTimeout(s)}function K(){let[e,n]=v(Date.now());return M(()=>{let o=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(
o)},[]),e}function Mn(){let[e,n]=v(location.hash);return M(()=>{let o=()=>n(location.hash);return addEventListener("hashchange",o),()=>removeEventListener("hash\
change",o)},[]),e.replace(/^#\/?/,"").split("/").map(o=>decodeURIComponent(o))}var vs=Symbol.for("pv"),bs=0;function t(e,n,o,s,a,r){n||(n={});var i,l,c=n;if("ref"in c&&typeof e!="function")for(l in c={},n)l=="ref"?i=n[l]:c[l]=n[l];var u={type:e,props:c,key:o,ref:i,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:vs,__v:--bs,__i:-1,__u:0};return(a||r)&&(u.__source=a,u.__self=r),O.vnode&&O.vnode(u),u}var Tt=ze(e=>e);function U({text:e}){return t(g,{children:xe(Tt)(e)})}var Ne=ze([]),_s=10;function $e(){let e=xe(Ne);return n=>{let o=e.indexOf(n.split(":")[0]??
"");return o===-1?"chain-none":`chain-${o%_s}`}}function j({id:e}){let n=$e();return t("span",{class:"chain-name",children:[t("i",{class:n(e)}),L(e.split(":")[0]??
"")]})}function R({tone:e,children:n}){return t("span",{class:`pill ${e}`,children:n})}function k(e){return t("section",{class:e.wide?"card wide":"card",children:[
t("header",{children:[t("h2",{children:e.link===void 0?e.title:t("a",{href:e.link,children:e.title})}),e.note===void 0?null:t("span",{class:"note",children:e.note})]}),
e.children]})}function J({children:e,note:n}){return t("header",{class:"title",children:[t("h1",{tabIndex:-1,children:e}),n===void 0?null:t("p",{class:"note",children:n})]})}
function B({amount:e,asset:n,chain:o=!0,symbol:s=!0}){let a=x(n);return t("span",{class:"amount",title:`${e??"no reading"} ${n}`,"data-exact":e??void 0,children:[
t("b",{children:e===null?"no reading":T(e)}),s?` ${a.symbol}`:null,o?t("small",{children:[" ",a.chain]}):null]})}var At=ze(!1);function be({fiat:e}){return t("s\
pan",{title:`${e} usd`,"data-exact":e,children:b(e)})}function C({at:e,clock:n=!1}){let o=K(),s=xe(At)||n;return e===null?t("span",{class:"quiet",children:"neve\
r"}):t("time",{dateTime:e,title:e,children:s?D(e,o):Qe(e,o)})}function Y({reasons:e,none:n=null}){let o=[...new Map(e.map(s=>[s.message,s])).values()];return o.
length===0?n===null?null:t("p",{class:"quiet",children:n}):t("ul",{class:"reasons",children:o.map(({code:s,message:a})=>t("li",{title:s,children:t(U,{text:a})},
a))})}function Q({hash:e,link:n=null,what:o}){return t("span",{class:"hash",children:[n===null?t("code",{title:e,children:$t(e)}):t("a",{href:n,target:"_blank",
rel:"noopener noreferrer",title:e,children:[t("code",{children:$t(e)}),t("span",{class:"hidden",children:" (opens the explorer)"})]}),t(_e,{text:e,what:o})]})}function _e({
text:e,what:n}){let[o,s]=v(!1);return t("button",{type:"button",class:"copy",onClick:()=>{navigator.clipboard?.writeText(e).then(()=>{s(!0),setTimeout(()=>s(!1),
1500)})},"aria-label":`Copy ${n}`,children:o?"copied":"copy"})}function N({live:e,children:n}){return e.value!==null?t(g,{children:n(e.value)}):e.error===null?t(
"p",{class:"quiet",children:"Reading…"}):t("p",{class:"notice bad",children:e.error.message})}function F({children:e}){return t("p",{class:"empty",children:e})}
function ee(e){return t("table",{class:e.figures?"figures":void 0,children:[t("caption",{class:"hidden",children:e.caption}),t("thead",{children:t("tr",{children:e.
columns.map(n=>t("th",{scope:"col",children:n},n))})}),t("tbody",{children:e.rows.map(({key:n,cells:o})=>t("tr",{children:o.map((s,a)=>t("td",{"data-label":e.columns[a],
children:t("div",{children:s})},e.columns[a]))},n))})]})}function et({percent:e,label:n}){let o=e>=100?"bad":e>=80?"warn":"good";return t("svg",{class:`meter ${o}`,
viewBox:"0 0 100 6",preserveAspectRatio:"none",role:"img","aria-label":n,children:[t("rect",{class:"track",width:"100",height:"6"}),t("rect",{class:"fill",width:Math.
max(0,Math.min(100,e)),height:"6"})]})}function Ce({pairs:e}){return t("dl",{class:"pairs",children:e.map(([n,o])=>t("div",{children:[t("dt",{children:n}),t("dd",
{children:o})]},n))})}var ws="An alarm is open as long as its cause lasts. A pause by an alarm ends when a person acknowledges it (Resume, on the overview).";function Rn({overview:e}){
let n=$("alerts?limit=100",1e4);return t(g,{children:[t(J,{note:ws,children:"Alarms"}),t(N,{live:n,children:o=>{let s=o.alerts.filter(({closed:i})=>i===null),a=e.
value?.problems??[],r=o.alerts.filter(({closed:i})=>i!==null);return t(g,{children:[t(k,{title:s.length===0?"No alarm is open":`${s.length} open`,wide:!0,children:s.
length===0?t(F,{children:"Nothing needs you here."}):t(Pn,{alerts:s,problems:a})}),r.length===0?null:t(k,{title:"Over",note:`${r.length} of the last 100`,wide:!0,
children:t(Pn,{alerts:r})})]})}})]})}function Pn({alerts:e,problems:n=[]}){return t("ul",{class:"plain alarms",children:e.map(({at:o,order:s,reason:a,closed:r})=>t(
"li",{children:[t("p",{children:[t(R,{tone:r===null?"bad":"calm",children:r===null?"open":`over after ${W(Date.parse(r)-Date.parse(o))}`})," ",t("b",{children:t(
U,{text:a.message})})]}),t("p",{class:"line quiet",children:[t("span",{title:o,children:D(o)}),t(C,{at:o}),t("code",{children:a.code}),s===null?null:t("a",{href:`\
#/orders/${s}`,children:["Order ",s.slice(0,8)]})]}),t(ks,{problem:n.find(i=>i.code===a.code&&i.order===s)})]},`${o} ${a.code} ${s}`))})}function ks({problem:e}){
if(e===void 0)return null;let{meaning:n,todo:o,command:s}=e;return t(g,{children:[t("p",{children:[n," ",t(U,{text:o})]}),s===null?null:t("p",{class:"hash",children:[
t("code",{children:s}),t(_e,{text:s,what:"the command"})]})]})}function Dn(e){let n=$("books",2e4);return t(g,{children:[t(J,{note:"Swaps of the last 52 weeks, by the ledger. A week begins on Monday, 00:00 UTC.",children:"B\
ooks"}),t(N,{live:n,children:({weeks:o,rules:s,total:a,at:r})=>t(g,{children:[t("div",{class:"grid thirds",children:[t(Mt,{name:"Volume",value:b(a.volume),note:`${a.
orders} orders`}),t(Mt,{name:"Cost of swaps",value:b(a.swapCost),note:`${re(a.costBps)} of the volume, network fees included`}),t(Mt,{name:"Network fees",value:b(
a.networkFees),note:a.unpriced===0?"all priced":`${a.unpriced} without a price are not in it`})]}),t("div",{class:"grid thirds",children:[t(k,{title:"Volume by \
week",children:t(Pt,{weeks:o,series:[{name:"volume",of:i=>Number(i.volume),tone:"a"}]})}),t(k,{title:"Cost by week",children:t(Pt,{weeks:o,series:[{name:"cost o\
f swaps",of:i=>Number(i.swapCost),tone:"b"}]})}),t(k,{title:"Network fees by week",children:t(Pt,{weeks:o,series:[{name:"network fees",of:i=>Number(i.networkFees),
tone:"c"}]})})]}),t(k,{title:"By rule",note:t(C,{at:r}),wide:!0,children:s.length===0?t(F,{children:"No order in these weeks."}):t(Ss,{lines:[...s,a]})})]})})]})}
function Mt({name:e,value:n,note:o}){return t("section",{class:"card figure",children:[t("h2",{children:e}),t("p",{class:"big",children:n}),t("p",{class:"note",
children:o})]})}function Pt({weeks:e,series:n}){let[o]=n;if(o===void 0)return t(F,{children:"Nothing to plot."});let s=Math.max(...e.map(o.of),0),a=240/e.length;
return t("figure",{class:"plot",children:[t("p",{class:"scale quiet",children:t("span",{children:b(String(s))})}),t("svg",{viewBox:"0 0 240 100",preserveAspectRatio:"\
none","aria-hidden":"true",children:[t("line",{x1:"0",x2:"240",y1:"99.5",y2:"99.5"}),t("line",{x1:"0",x2:"240",y1:"50",y2:"50",class:"soft"}),t("line",{x1:"0",x2:"\
240",y1:"0.5",y2:"0.5",class:"soft"}),e.map((r,i)=>{let l=s===0?0:98*o.of(r)/s;return t("rect",{class:o.tone,x:(i+.1)*a,width:.8*a,y:99-l,height:l,rx:"1",children:t(
"title",{children:`Week of ${r.group}: ${b(String(o.of(r)))}`})},r.group)})]}),t("p",{class:"scale quiet",children:[t("span",{children:e[0]?.group}),t("span",{children:e.
at(-1)?.group})]}),t("div",{class:"hidden",children:t("table",{children:[t("caption",{children:[o.name," by week"]}),t("tbody",{children:e.map(r=>t("tr",{children:[
t("th",{scope:"row",children:r.group}),t("td",{children:b(String(o.of(r)))})]},r.group))})]})})]})}function Ss({lines:e}){let n=e.map(o=>({key:o.group,cells:[t(
"b",{children:o.group},"group"),Object.entries(o.counts).map(([s,a])=>`${a} ${Z(s)}`).join(", "),b(o.volume),b(o.swapCost),b(o.networkFees),re(o.costBps)]}));return t(
ee,{caption:"Swaps by rule",columns:["Rule","Orders","Volume","Cost","Network fees","Cost of volume"],rows:n})}var xs="Why did a rule do something, or nothing? The same answer in a row is one line with its number of times.";function Ln({detail:e,overview:n,known:o}){let s=e===
null?"":`rule=${encodeURIComponent(e)}&`,a=$(`decisions?${s}limit=40`,1e4);return t(g,{children:[t(J,{note:xs,children:e===null?"Decisions":`Decisions of ${e}`}),
t("nav",{class:"filters","aria-label":"Rules",children:[t("a",{class:"chip",href:"#/decisions","aria-current":e===null?"page":void 0,children:"all rules"}),(n.value?.
rules??[]).map(({id:r})=>t("a",{class:"chip",href:`#/decisions/${encodeURIComponent(r)}`,"aria-current":r===e?"page":void 0,children:r},r))]}),t(N,{live:a,children:r=>t(
"section",{class:"card",children:[r.decisions.length===0?t(F,{children:"No decision yet."}):null,r.decisions.map(i=>t($s,{decision:i,known:o},i.id))]})})]})}function $s({
decision:e,known:n}){let{id:o,at:s,lastAt:a,times:r,rule:i,verdict:l,reasons:c,proposals:u,orders:d}=e,p=`ballast replay ${o}`;return t("article",{class:"propos\
al",children:[t("p",{class:"line",children:[t("b",{title:s,children:D(s)}),t("a",{href:`#/decisions/${encodeURIComponent(i)}`,children:i}),t(R,{tone:l==="propos\
ed"?"good":"calm",children:l==="proposed"?"proposed":"did nothing"}),r>1?t("span",{class:"quiet",children:[r," times, last ",t(C,{at:a})]}):null]}),u.map(f=>t("\
p",{class:"line",children:[t(B,{amount:f.amount,asset:f.from})," →"," ",t(B,{amount:f.receive,asset:f.to}),f.cost===null?null:t("span",{class:"quiet",children:[
"cost ",b(f.cost)]})]},`${f.from} ${f.to} ${f.amount}`)),t(Y,{reasons:c.map(f=>n.humane(f,u[0]??null))}),t("p",{class:"line quiet",children:[d.map(f=>t("a",{href:`\
#/orders/${f}`,children:["Order ",f.slice(0,8)]},f)),t("span",{class:"hash",children:[t("code",{children:p}),t(_e,{text:p,what:"the command that computes this d\
ecision again"})]})]}),t(Cs,{decision:o,known:n})]})}function Cs({decision:e,known:n}){let[o,s]=v(null);return t(g,{children:[t("button",{type:"button",onClick:()=>{
q("GET",`decisions/${encodeURIComponent(e)}/replay`).catch(i=>i).then(s)},"aria-label":`Replay ${e}`,children:"Replay"}),t("div",{"aria-live":"polite",children:o===
null?null:t(Es,{replay:o,known:n})})]})}function Es({replay:e,known:n}){if(e instanceof I)return t("p",{class:"notice bad",children:e.message});let{same:o,again:s,
stored:a}=e;return o?t("p",{class:"notice",children:[t(R,{tone:"good",children:"same decision"})," The stored inputs give the stored result again."]}):t("div",{
class:"notice bad",children:[t("p",{children:[t("b",{children:"Another decision."})," The stored inputs give another result now."]}),t("div",{class:"grid even",
children:[t(Nn,{name:"Stored",of:a,known:n}),t(Nn,{name:"Now",of:s,known:n})]})]})}function Nn({name:e,of:n,known:o}){let s=n.proposals,a=s[0]??null;return t("s\
ection",{"aria-label":e,children:[t("h3",{children:e}),s.map(({from:r,to:i,units:l})=>t("p",{children:["Sell ",t(B,{amount:o.amountOf(l,r),asset:r})," for ",t(U,
{text:i})]},`${r} ${i} ${l}`)),t(Y,{reasons:[...s.flatMap(({why:r})=>r),...n.reasons].map(r=>o.humane(r,a)),none:"No reason."})]})}var Le=class extends Error{name="AppError";code;disposition;details;constructor(n){super(n.message,n.cause===void 0?void 0:{cause:n.cause}),this.code=n.code,this.
disposition=n.disposition,this.details=n.details??{}}};function Xn(e,n){let o=e.length;for(;o>0&&e[o-1]===n;)o--;return e.slice(0,o)}function tt(e,n){let o=e<0n?"-":"",s=(e<0n?-e:e).toString().padStart(n+1,"0"),a=s.slice(0,s.length-n),r=Xn(s.slice(s.length-n),"0");return`${o}${a}${r===""?"":`\
.${r}`}`}function Jn(e){return e===null?n=>n:(n,o=null)=>{let[,s=null]=Ts.exec(n)??[],[,a=null]=As.exec(n)??[],r=(s===null?null:Rt(e,`${s}:native`))??Rt(e,a)??Rt(e,o);if(r===
null)return n;let i=l=>`${tt(BigInt(l),r.decimals)} ${r.name}`;return n.replace(Ls,(l,c)=>`within ${W(Number(c)*1e3)}`).replace(Ps,(l,c,u)=>`(${i(c)}, at most ${i(
u)})`).replace(Ns,(l,c,u)=>`within the range of ${i(c)} to ${i(u)}`).replace(Ds,(l,c,u)=>`(${c} usd, at most ${u} usd)`).replace(Ms,(l,c)=>i(c)).replace(Xs,l=>r.
decimals<Js?l:i(l))}}function Fn(e,n,o){let s=n.asset??(Os.includes(n.code)?o?.to:o?.from)??null;return{...n,message:e(n.message,s)}}var Os=["alarm.payout_short",
"quote.too_good","quote.unproven"],In="[a-z0-9_]+:[a-z0-9._-]+",Ts=/units of (?:the coin|the native coin) of ([a-z0-9_]+)/i,As=new RegExp(`\\d (?:smallest )?(?:u\
nits of )?(${In})`,"i"),Ms=new RegExp(`(?<![\\w.])(\\d+) (?:smallest )?units(?: of the coin of [a-z0-9_]+| of ${In})?`,"gi"),Ps=/(?<=larger than one order may be |would sell more than allowed )\((\d+), at most (\d+)\)/g,
Rs=["worth more than one order may be","would be worth more than allowed","would cost more than allowed"],Ds=new RegExp(`(?<=(?:${Rs.join("|")}) )\\(([\\d.]+), at\
 most ([\\d.]+)\\)`,"g"),Ns=/within the range of (\d{1,40}) to (\d{1,40})(?![\d.])/gi,Ls=/(?<=Orders |orders )within (\d+) s\b/g,Xs=/(?<![\w.:-])\d{10,}(?![\w.:])(?!\s(?:units|smallest))/g,
Js=6;function Rt({assets:e,chains:n},o){let s=e.find(r=>r.id===o);if(s!==void 0)return{decimals:s.decimals,name:s.id};let a=n.find(({chain:r})=>`${r}:native`===
o)?.nativeCoin;return a===void 0?null:{decimals:a.decimals,name:a.symbol}}function Dt(e){if(!/^[a-z0-9_-]+:[a-z0-9_.-]+$/.test(e)){let n="<chain>:<asset>, for example base_sepolia:wbtc";throw new Le({code:"domain.asset_id",disposition:"\
refused",message:`"${e}" is not an asset id; expected ${n}`,details:{text:e}})}return e}function Fs(e){return e.slice(0,e.indexOf(":"))}function Bn(e){return Fs(
Dt(`${e}:x`))}function Hn(e){let n=Jn(e===null?null:{assets:e.assets.map(({id:a,decimals:r})=>({id:Dt(a),decimals:r})),chains:e.chains.map(({chain:a,nativeCoin:r})=>({chain:Bn(
a),nativeCoin:{...r,token:null}}))}),o=new Set(e?.assets.map(({id:a})=>a)),s=new Set(e?.chains.map(({chain:a})=>a));return{chains:[...s],linkOf:(a,r)=>{let l=(e?.
chains.find(c=>c.chain===a)?.explorer??null)?.tx.replace("{tx}",encodeURIComponent(r))??null;return l?.startsWith("https://")===!0?l:null},amountOf:(a,r)=>{let i=e?.
assets.find(({id:l})=>l===r)?.decimals;return i===void 0?null:tt(BigInt(a),i)},humane:(a,r=null)=>Fn(n,a,r),speak:a=>a.replace(Is,r=>o.has(r)?Vs(r):r).replace(Bs,
r=>s.has(r)?L(r):r).replace(Hs,"").replace(Us,r=>D(r))}}var Is=/\b[a-z0-9_]+:[a-z0-9._-]*[a-z0-9]/g,Bs=/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g,Hs=/ \[[a-z_]+(?:\.[a-z_]+)+\]/g,
Us=/\b\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g;function Vs(e){let{symbol:n,chain:o}=x(e);return`${n} on ${o}`}function Un({overview:e}){let n=$("settings",6e4);return t(g,{children:[t(J,{note:"What Ballast may still sell, and what it has used.",children:"Limits"}),t(N,{
live:e,children:({limits:o})=>{let s=({used:a,unit:r})=>Number(a)===0&&r.includes(":");return t("div",{class:"grid even",children:[o.filter(a=>!s(a)).toSorted((a,r)=>r.
percent-a.percent).map(a=>t(Ws,{limit:a},a.name)),t(qs,{limits:o.filter(s)})]})}}),t(N,{live:n,children:({guards:o})=>t(Nt,{guards:o})})]})}function Ws({limit:e}){
let{name:n,used:o,max:s,left:a,unit:r,percent:i}=e,l=`${i}% used`;return t(k,{title:Vn(n),note:i>=80?t(R,{tone:i>=100?"bad":"warn",children:l}):l,children:[t("p",
{class:"big",children:[Xt(a,r)," ",t("small",{children:"left"})]}),t(et,{percent:i,label:l}),t("p",{class:"note",children:[Lt(o,s,r)," used"]})]})}function qs({
limits:e}){return e.length===0?null:t(k,{title:"Not used yet",children:t("dl",{class:"pairs",children:e.map(({name:n,left:o,unit:s})=>t("div",{children:[t("dt",
{children:Vn(n)}),t("dd",{children:[Xt(o,s)," left"]})]},n))})})}function Nt({guards:e}){return t(k,{title:"Every guard",note:"as the configuration in force say\
s",wide:!0,children:t("dl",{class:"pairs",children:e.map(({guard:n,means:o})=>t("div",{children:[t("dt",{children:t("code",{children:n})}),t("dd",{children:t(U,
{text:Ks(o)})})]},n))})})}function Lt(e,n,o){return o==="usd"?`${b(e)} of ${b(n)}`:`${T(e)} of ${Xt(n,o)}`}function Xt(e,n){return n==="usd"?b(e):`${T(e)} ${n.includes(
":")?x(n).symbol:n}`}function Ks(e){let n=e.split(", ").map(a=>a.split(" ")),[[o=""]=[]]=n;return n.length>1&&n.every(([a,r="",...i])=>a===o&&r.includes(":")&&i.
length===0)?`${o} of each asset`:e}function Vn(e){let[n=""]=e.split(" ");if(!n.includes(":"))return e.slice(0,1).toUpperCase()+e.slice(1);let{symbol:o,chain:s}=x(
n);return`${o} on ${s}${e.slice(n.length)}`}function Wn({onLogin:e}){let[n,o]=v(""),[s,a]=v(!1),[r,i]=v(null);async function l(c){c.preventDefault(),a(!0);try{e(await Cn(n.trim()))}catch(u){i(u instanceof
I?u.message:"The page failed"),a(!1)}}return t("main",{class:"login",children:t("form",{class:"card",onSubmit:l,children:[t("img",{src:"/icon.svg",alt:"",width:"\
44",height:"44"}),t("h1",{children:"Ballast"}),t("p",{class:"note",children:["Log in with one of the tokens of ",t("code",{children:"ops.token"})," or ",t("code",
{children:"ops.tokens"}),". What you can do here is what the token's scopes allow."]}),t("label",{for:"token",children:"Token"}),t("input",{id:"token",type:"pas\
sword",autocomplete:"current-password",value:n,onInput:c=>o(c.currentTarget.value)}),r===null?null:t("p",{class:"notice bad",role:"alert",children:r}),t("button",
{type:"submit",class:"main",disabled:n===""||s,children:"Log in"})]})})}function qn({payoutDeadline:e},n){if(e===void 0)return null;let{at:o,height:s}=e,a=js(e);if(o===null)return`before its lock ends, at an unknown time; ${a}`;let r=Date.
parse(o)-(n??0),i=r>0?`${W(r)} left`:`over since ${W(-r)}`,l=[`height ${s??"unknown"}`,...n===null?[]:[i],"estimated"];return`before ${kn(Date.parse(o))} (${l.join(
", ")}); ${a}`}function js({offerUnits:e,capUnits:n}){let o=n===null?"":`, and one may offer up to ${n}`;return e===null?`no redemption of ours is signed yet${o}${o===
""?"":" of the coin's smallest units"}`:`our newest redemption offers at most ${e}${o} of the coin's smallest units`}function Kn({secret:e,ownSecret:n}){if(n===void 0)return e==="service"?"chosen by the service":"not chosen yet";let{status:o,revealedAt:s}=n,a=s===null?"":` at ${s}`;
return{unknown:"our own, told to no other party",revealed:`our own, revealed${a}`,withheld:"our own, withheld for ever",lost:`our own, revealed${a}, and the pay\
out went back to the solver`}[o]}var Gs=1e3,Jt=4;function jn({order:e,scopes:n}){let[o,s]=v(!1),a=n.includes("approve");return t(g,{children:[t("button",{type:"button",class:"main","data-key":"\
approve",disabled:!a,title:a?void 0:"Your token lacks the scope approve",onClick:()=>s(!0),children:"Approve"}),o?t(zs,{order:e,onClose:()=>s(!1)}):null]})}function zs({
order:e,onClose:n}){let o=V(null),s=ue(),[a,r]=v(""),[i,l]=v(null),c=tr(e);M(()=>o.current?.showModal(),[]);let u=c||a.trim()===e.destinationOwner.slice(-Jt);async function d(){
try{await q("POST",`orders/${e.id}/approve`,{intent:e.intent}),ve(),n()}catch(p){p instanceof I&&l(p)}}return t("dialog",{ref:o,class:"approve","aria-labelledby":s,
onClose:n,children:[t("h2",{id:s,tabIndex:-1,children:["Approve ",e.fiat===null?"this order":b(e.fiat),"?"," ",t("small",{children:["ends ",t(C,{at:e.approveBefore})]})]}),
t(Qs,{address:e.destinationOwner,isOurs:c}),t(Zs,{order:e}),c?null:t(Ys,{typed:a,onType:r}),i===null?null:t("p",{class:"notice bad",role:"alert",children:i.message}),
t("footer",{children:[t("button",{type:"button",onClick:n,children:"Later"}),t(er,{disabled:!u,onHeld:()=>{d()}})]}),t("details",{children:[t("summary",{children:"\
All fields that are signed"}),t("dl",{class:"pairs small",children:Object.entries(e.intentFields??{}).map(([p,f])=>t("div",{children:[t("dt",{children:p}),t("dd",
{children:t("code",{children:f})})]},p))})]})]})}function Ys(e){let n=ue();return t(g,{children:[t("label",{for:n,children:["Type the last ",Jt," characters of \
the address"]}),t("input",{id:n,value:e.typed,maxLength:Jt,autocomplete:"off",spellcheck:!1,onInput:o=>e.onType(o.currentTarget.value)})]})}function Qs({address:e,
isOurs:n}){return t("p",{class:n?"payee":"payee foreign",children:[n?"Pays our own wallet":"▲ Pays an address that is not this daemon's wallet",t("code",{children:e.
match(/.{1,4}/g)?.join(" ")})]})}function Zs({order:e}){let n=x(e.from),o=x(e.to),s=e.costParts.refundAtMostFiat;return t("dl",{class:"pairs",children:[t("div",
{children:[t("dt",{children:"Sends"}),t("dd",{children:[t("b",{children:e.amount})," ",n.symbol,", ",n.chain]})]}),t("div",{children:[t("dt",{children:"Receives"}),
t("dd",{children:[t("b",{children:e.destinationAmount})," ",o.symbol,", ",o.chain]})]}),t("div",{children:[t("dt",{children:"Costs"}),t("dd",{children:[e.costFiat===
null?"unknown":b(e.costFiat)," (",re(e.costBps),")"]})]}),t("div",{children:[t("dt",{children:"Why it asks"}),t("dd",{children:[e.askedBy??e.rule," wants more t\
han one order may send without a person"]})]}),t("div",{children:[t("dt",{children:"At worst"}),t("dd",{children:["the deposit comes back after its timelock",s===
null?"":`, for a fee of up to ${b(s)}`]})]})]})}function er(e){let n=V(0),[o,s]=v(!1),a=()=>{e.disabled||n.current!==0||(s(!0),n.current=window.setTimeout(()=>{
r(),e.onHeld()},Gs))},r=()=>{clearTimeout(n.current),n.current=0,s(!1)};M(()=>r,[]);let i=({key:l})=>l==="Enter"||l===" ";return t("button",{type:"button",class:o?
"main hold holding":"main hold",disabled:e.disabled,onPointerDown:a,onPointerUp:r,onPointerLeave:r,onKeyDown:l=>i(l)?a():void 0,onKeyUp:r,onBlur:r,onContextMenu:l=>l.
preventDefault(),children:"Hold to approve"})}function tr({to:e,destinationOwner:n}){let{value:o}=$("status",6e4),s=e.split(":")[0];return o?.chains.some(a=>a.chain===
s&&a.account===n)??!1}function nr({change:e,onClose:n}){let o=V(null),[s,a]=v(""),[r,i]=v(!1),[l,c]=v(null),u=ue(),d=ue();M(()=>o.current?.showModal(),[]);let p=s.trim()===e.word;async function f(m){
if(m.preventDefault(),!(!p||r)){i(!0);try{let y=await q("POST",e.path,e.body);ve(),n(),e.onDone?.(y)}catch(y){y instanceof I&&c(y),i(!1)}}}return t("dialog",{ref:o,
"aria-labelledby":u,onClose:n,children:t("form",{onSubmit:f,children:[t("h2",{id:u,children:e.title}),e.children,t("label",{for:d,children:["Type ",t("code",{class:"\
word",children:e.word})," to confirm"]}),t("input",{id:d,value:s,autocomplete:"off",spellcheck:!1,onInput:m=>a(m.currentTarget.value)}),l===null?null:t("p",{class:"\
notice bad",role:"alert",children:l.message}),t("footer",{children:[t("button",{type:"button",onClick:n,children:"Cancel"}),t("button",{type:"submit",class:e.danger?
"main danger":"main",disabled:!p||r,children:r?"Sending…":e.button})]})]})})}function te(e){let[n,o]=v(!1),s=e.scopes.includes(e.scope);return t(g,{children:[
t("button",{type:"button",class:e.change.danger?"danger":e.main?"main":"",disabled:!s,title:s?void 0:`Your token lacks the scope ${e.scope}`,onClick:()=>o(!0),children:e.
change.button}),n?t(nr,{change:e.change,onClose:()=>o(!1)}):null]})}function Gn({order:e,scopes:n}){if(e.state==="awaiting-approval")return t(sr,{order:e,scopes:n});if(!e.held&&e.state!=="disarmed")return null;let o=(a,r)=>{let i=a.
slice(0,1).toUpperCase()+a.slice(1);return{title:`${i} this order?`,word:a,button:i,path:`orders/${e.id}/${a}`,body:{},danger:a==="abandon",children:t("p",{children:r})}},
s=o("abandon","You answer for the end of this order: Ballast ends it once no deposit can land.");return t("div",{class:"actions",children:[e.held?t(g,{children:[
t(te,{change:o("retry","Ballast goes on from where the order was held."),scope:"operate",scopes:n,main:!0}),t(te,{change:o("refund","Ballast takes the deposit b\
ack as soon as the HTLC allows it."),scope:"operate",scopes:n})]}):null,t(te,{change:s,scope:"operate",scopes:n})]})}function or({people:e}){if(e===void 0)return"";
let n=e.approved.map(({by:s})=>s).join(", "),o=e.needed-e.approved.length;return` · approved by ${n===""?"none":n}; ${o} more must approve`}function sr({order:e,
scopes:n}){let o=`${e.amount} ${x(e.from).symbol}`,s={title:"Reject this order?",word:"reject",button:"Reject",path:`orders/${e.id}/reject`,body:{},danger:!0,children:t(
"p",{children:["Nothing was deposited. The order ends, and ",o," stay in the wallet."]})};return t("div",{class:"actions",children:[t(jn,{order:e,scopes:n}),t(te,
{change:s,scope:"approve",scopes:n}),t("span",{class:"note",children:["Approve before ",t(C,{at:e.approveBefore,clock:!0})," (",t(C,{at:e.approveBefore}),")",or(
e)]})]})}function zn({events:e,seen:n,outcome:o,state:s,approval:a,updatedAt:r,createdAt:i}){let l=(...m)=>e.find(({type:y})=>m.includes(y))?.at??null,c=s==="awaiting-ap\
proval"||a!==null,u=n.sourceRefunded!=null||s.startsWith("refund")||o==="refunded",d=[{name:"Requested",at:i},{name:"Quoted",at:l("quote.accepted")},{name:"Orde\
red",at:l("order.created")},{name:"Verified",at:l("deposit.verified")},...c?[{name:"Approved",at:a?.at??null}]:[],{name:"Deposited",at:n.sourceInitiated?.at??null},
...u?[{name:"Refunded",at:n.sourceRefunded?.at??null}]:[{name:"Solver deposited",at:n.destinationInitiated?.at??null},{name:"Paid out",at:n.destinationRedeemed?.
at??null}],{name:o===null?"Final":rr(o),at:o===null?null:r}],p=d.findLastIndex(({at:m})=>m!==null),f=o==="rejected"||o==="abandoned";return d.map((m,y)=>{if(f&&
y===d.length-1)return{...m,state:"failed"};if(y<=p&&!(f&&m.at===null))return{...m,state:"done"};let _=y===p+1;return{...m,state:_&&o===null?s==="held"?"failed":
"now":"open"}}).filter(({at:m,state:y})=>!(o!==null&&m===null&&y==="open"))}function Yn(e){let n=e.from.split(":")[0]??"",o=e.to.split(":")[0]??"",s=(a,r,i)=>({
what:r,chain:i,service:e.reportedTxs[a],seen:e.seen[a]??null});return[s("sourceInitiated","Our deposit",n),s("destinationInitiated","The solver's deposit",o),s(
"destinationRedeemed","The payout to us",o),s("sourceRedeemed","The solver takes our deposit",n),s("sourceRefunded","The refund to us",n)]}function Qn({service:e,
seen:n},o){return n!==null&&e.includes(n.tx)?{tone:"good",says:"agree"}:n!==null&&e.length>0?{tone:"warn",says:"another transaction"}:n!==null?{tone:"good",says:"\
proven"}:e.length>0?{tone:o?"calm":"warn",says:"only reported"}:{tone:"calm",says:"not yet"}}function rr(e){return e.slice(0,1).toUpperCase()+Z(e).slice(1)}function Zn(e){
let[n]=Object.entries(ar).filter(([s])=>s===e);return n!==void 0?{who:n[1][0],says:n[1][1]}:{who:e.startsWith("operator.")?"operator":"Ballast",says:e.replaceAll(
/[._]/g," ")}}var ar={"order.opened":["Ballast","opens the order"],"work.deferred":["Ballast","waits and looks again later"],"quote.accepted":["service","quotes\
 a price that all guards accept"],"quote.outdated":["service","no longer accepts the quote; Ballast asks again"],"order.created":["service","creates the order"],
"order.declined":["Ballast","declines to go on"],"deposit.verified":["Ballast","compared the deposit with the order; every field agrees"],"operator.approved":["\
operator","approves the order"],"operator.rejected":["operator","rejects the order"],"operator.retried":["operator","asks to try again"],"operator.abandoned":["\
operator","gives the order up"],"operator.refunded":["operator","asks for a refund"],"operator.redeemed":["operator","asks for the redemption of the payout"],"a\
pproval.expired":["Ballast","ends the wait for an approval"],"allowance.ready":["chain","shows the allowance that the deposit needs"],"transaction.planned":["Ba\
llast","plans a transaction"],"transaction.signed":["Ballast","signs a transaction and stores it"],"transaction.sent":["Ballast","sends the transaction"],"trans\
action.mined":["chain","shows the transaction in a block"],"transaction.pending":["chain","shows the transaction as pending"],"transaction.unseen":["chain","doe\
s not show the transaction; it is sent again"],"transaction.stuck":["chain","does not take the transaction up"],"transaction.excluded":["chain","shows that the \
transaction can never land"],"transaction.late":["Ballast","finds that the time for the transaction is over"],"gasless.signed":["Ballast","signs the typed data \
for the relay"],"gasless.submitted":["service","takes the signature for its relay"],"gasless.initiated":["chain","shows the deposit of the relay"],"gasless.miss\
ing":["chain","does not show the deposit of the relay yet"],"order.observed":["chain","shows the state of both HTLCs"],"order.unfunded":["chain","proves that th\
e HTLC never had the deposit"]};function to(e){let n=$(`orders/${encodeURIComponent(e.detail)}`,3e3);return t(N,{live:n,children:o=>t(ir,{order:o,desk:e})})}function ir({order:e,desk:n}){let o=`\
#/decisions/${encodeURIComponent(e.rule)}`,s=n.overview.value?.orders.find(({id:a})=>a===e.id)??null;return t(g,{children:[t(J,{note:t(g,{children:["Order ",t("\
code",{children:e.id.slice(0,8)})," of rule ",t("a",{href:o,children:e.rule}),", requested ",t(C,{at:e.createdAt})]}),children:[t(B,{amount:e.amount,asset:e.from}),
" →"," ",t(B,{amount:e.destinationAmount,asset:e.to})]}),t("section",{class:`card wide place ${ye(e.state)}`,children:[t("p",{children:t(R,{tone:ye(e.state),children:Z(
e.state)})}),t("p",{class:"money",children:[t("span",{class:"quiet",children:"Where is the money?"})," ",t("b",{children:e.money})]}),s?.left==null?null:t("p",{
children:[t("b",{children:s.left})," left",s.ends===null?"":`: ${s.ends}`]}),t(Y,{reasons:e.reasons.map(a=>n.known.humane(a,e))}),t(Gn,{order:e,scopes:n.scopes})]}),
t(k,{title:"The way of the order",wide:!0,children:t(lr,{stages:zn(e)})}),t(k,{title:"The service's word and the chain's word",note:"Ballast believes only the c\
hain.",wide:!0,children:t(cr,{order:e,desk:n})}),t("div",{class:"grid even",children:[t(k,{title:"Transactions",children:t(dr,{order:e,desk:n})}),t(k,{title:"Te\
rms",children:t(mr,{order:e})})]}),t(k,{title:"Everything that happened",note:`${e.events.length} events`,wide:!0,children:t(pr,{order:e})})]})}function lr({stages:e}){
return t("ol",{class:"stages",children:e.map(({name:n,at:o,state:s},a)=>{let r=e.slice(0,a).findLast(l=>l.at!==null)?.at??null,i=o===null||r===null?null:Date.parse(
o)-Date.parse(r);return t("li",{class:s,"aria-current":s==="now"?"step":void 0,children:[t("span",{class:"mark","aria-hidden":"true"}),t("b",{children:n}),o===null?
t("small",{children:s==="now"?"next":s==="done"?"passed":"not yet"}):t("small",{title:o,children:[D(o),i===null||i<0?"":` · +${i<1e4?`${(i/1e3).toFixed(1)} s`:
W(i)}`]})]},n)})})}function cr({order:e,desk:n}){let o=Yn(e).filter(({what:s,service:a,seen:r})=>a.length>0||r!==null||s!=="The refund to us").map(({what:s,chain:a,
service:r,seen:i})=>{let{tone:l,says:c}=Qn({service:r,seen:i},e.outcome!==null),u=[t("span",{children:[t("b",{children:s}),t("small",{class:"block",children:["o\
n ",L(a)]})]},"what"),t(ur,{chain:a,txs:r,desk:n},"service"),i===null?t("span",{class:"quiet",children:"shows nothing"},"seen"):t("span",{children:[t(Q,{hash:i.
tx,link:n.known.linkOf(a,i.tx),what:"the transaction"}),t("small",{class:"block",children:[D(i.at),", ",i.final?"final":"not final yet"]})]},"seen"),t(R,{tone:l,
children:c},"judgement")];return{key:s,cells:u}});return t(ee,{caption:"The service's word and the chain's word",columns:["About","The service says","Our own no\
de shows","Together"],rows:o})}var eo=3;function ur({chain:e,txs:n,desk:o}){if(n.length===0)return t("span",{class:"quiet",children:"says nothing"});let s=n.length-
eo;return t("span",{children:[n.slice(0,eo).map(a=>t("span",{class:"block",children:t(Q,{hash:a,link:o.known.linkOf(e,a),what:"the transaction"})},a)),s>0?t("sm\
all",{class:"block",children:["and ",s," more"]}):null]})}function dr({order:e,desk:n}){let o=e.from.split(":")[0]??"";return e.transactions.length===0?t("p",{class:"\
empty",children:e.deposit==="gasless"&&e.depositTx!==null?"Ballast signed no transaction of its own: the relay made the deposit and paid its fee.":"Ballast has \
signed no transaction for this order."}):t("ul",{class:"plain",children:e.transactions.map(({purpose:s,attempt:a,tx:r})=>t("li",{children:[t("b",{children:s}),"\
 ",t("small",{children:a>0?`attempt ${a+1}`:`on ${L(o)}`}),t(Q,{hash:r,link:n.known.linkOf(o,r),what:"the transaction"})]},r))})}function mr({order:e}){let n=x(
e.to).symbol,o=qn(e,null),s=[["Order",t(Q,{hash:e.id,what:"the order's id"},"id")],["Order at the service",e.serviceOrderId===null?"none":t(Q,{hash:e.serviceOrderId,
what:"the service's id"},"s")],["Service",e.service??"none yet"],["Solver",e.solver===null?"none yet":t(Q,{hash:e.solver,what:"the solver's id"},"solver")],["Se\
cret",Kn(e)],...o===null?[]:[["Payout must be redeemed",o]],["Value",e.fiat===null?"unknown":b(e.fiat)],["Cost, network fees so far included",`${b(e.costFiat)} \
(quote: ${re(e.costBps)})`],["Deposit",e.deposit==="gasless"?"by a relay, without a fee of ours":"by our own transaction"],["Pays to",t(Q,{hash:e.destinationOwner,
what:"the address"},"d")],["Fee that the payout may lose",e.payoutFee===null?"unknown":`${T(e.payoutFee)} ${n}`],["Refund possible at height",e.refundableAtHeight??
"not known yet"],["Approved",e.approval===null?"no approval was needed or given":`by ${e.approval.by}, ${D(e.approval.at)}`],["Acts next",e.who]];return t(g,{children:[
t(Ce,{pairs:s}),e.calls.length===0?null:t(g,{children:[t("h3",{children:"Asked by people"}),t("ul",{class:"plain",children:e.calls.map(({at:a,caller:r,source:i,
action:l})=>t("li",{children:[t("b",{children:l})," by ",r," from ",i,", ",t(C,{at:a})]},`${a} ${l}`))})]})]})}function pr({order:e}){let[n,o]=v(!1),s=n?e.events:
e.events.slice(-40);return t(g,{children:[e.events.length>s.length?t("button",{type:"button",onClick:()=>o(!0),children:["Show the ",e.events.length-s.length," \
earlier events"]}):null,t("ol",{class:"events",children:s.map(({at:a,type:r,state:i},l)=>{let{who:c,says:u}=Zn(r);return t("li",{class:c,children:[t("time",{dateTime:a,
title:a,children:D(a)}),t("span",{class:"who",children:c}),t("span",{children:[u," ",t("small",{children:["→ ",Z(i)]})]})]},`${a} ${l}`)})})]})}var no={id:({id:e})=>e,requested:({createdAt:e})=>e,changed:({updatedAt:e})=>e,state:({state:e})=>e,rule:({rule:e})=>e,service:({service:e})=>e,sent:({amount:e})=>e,
sent_asset:({from:e})=>e,received:({destinationAmount:e})=>e,received_asset:({to:e})=>e,value_usd:({fiat:e})=>e,cost_usd:({costFiat:e})=>e,cost_bps:({costBps:e})=>e,
deposit_tx:({depositTx:e})=>e,payout_tx:({destinationTx:e})=>e};function oo(e){return[Object.keys(no),...e.map(o=>Object.values(no).map(s=>String(s(o)??"")))].map(
o=>`${o.map(fr).join(",")}\r
`).join("")}function fr(e){let n=/^[=+@\t\r]|^-(?![\d.])/.test(e)?`'${e}`:e;return/[",\r\n]/.test(n)?`"${n.replaceAll('"','""')}"`:n}var hr=1e3;async function so(e,n){let o=[],s=null;do{let i=s===null?"":`&cursor=${s}`,l=await q("GET",`orders?${e}&limit=${hr}${i}`);o.push(...l.orders),n(o.length),
s=l.next}while(s!==null);let a=URL.createObjectURL(new Blob([oo(o)],{type:"text/csv"})),r=document.createElement("a");r.href=a,r.download=`orders-${new Date().toISOString().
slice(0,10)}.csv`,r.click(),URL.revokeObjectURL(a)}var nt=["quoted","ordered","verified","signed","deposited","solver deposited","paid out"],gr={quoting:0,creating:1,verifying:2,"awaiting-approval":3,allowing:3,
"gasless-signing":3,"deposit-planning":3,"deposit-signing":3,"deposit-sending":4,"gasless-submitting":4,"deposit-confirming":4,"gasless-confirming":4,funded:5,revealing:6,
revealed:6,"redeem-reported":6,completed:7};function ro({state:e,deposited:n}){let o=gr[e]??(n?5:3),s=["completed","refunded","rejected","abandoned"].includes(e),
a=ye(e),r=nt[o];return t("svg",{class:`steps ${a}`,viewBox:"0 0 69 6",role:"img","aria-label":s||r===void 0?`${o} of ${nt.length} stages`:`${o} of ${nt.length} \
stages, next: ${r}`,children:nt.map((i,l)=>t("rect",{class:l<o?"passed":l===o&&!s?"next":"track",x:l*10,width:"9",height:"6",rx:"1"},i))})}var yr=[{name:"all",query:""},{name:"needs you",query:"state=awaiting-approval"},{name:"open",query:"open=true"},{name:"held",query:"state=held"},{name:"complet\
ed",query:"state=completed"},{name:"refunded",query:"state=refunded"},{name:"rejected",query:"state=rejected"}],lo={"24 h":1,"7 days":7,"30 days":30,"1 year":365},
vr=864e5,ao=50,Ee="",br=60,io={state:"",rule:Ee,pair:Ee,service:Ee,since:Ee,text:""};function co({overview:e}){let[n,o]=v(io),[s,a]=v([]),r=uo(n),i=s.at(-1),l=$(
`orders?${r}&limit=${ao}${i===void 0?"":`&cursor=${i}`}`),c=V(null);c.current=l.value??c.current;let u={...l,value:c.current};return t(g,{children:[t(J,{children:"\
Orders"}),t(_r,{filter:n,onChange:p=>{o(f=>({...f,...p})),a([])},overview:e.value,rows:c.current?.orders??[]}),t(N,{live:u,children:({orders:p,next:f})=>t("sect\
ion",{class:"card",children:[t(Ft,{orders:p.map(m=>({...m,since:m.updatedAt,left:null})),none:n===io?"No order yet. A rule or a new swap makes the first one.":"\
No order matches."}),t(Sr,{first:s.length*ao,count:p.length,onNewer:s.length===0?null:()=>a(s.slice(0,-1)),onOlder:f===null?null:()=>a([...s,f])})]})})]})}function uo({
state:e,rule:n,pair:o,service:s,since:a,text:r}){let[i="",l=""]=o.split(" "),c=lo[a],u={rule:n,from:i,to:l,service:s,since:c===void 0?"":`${new Date(Date.now()-
c*vr).toISOString().slice(0,16)}:00Z`,text:r.trim().toLowerCase()};return[...e===""?[]:[e],...Object.entries(u).filter(([,d])=>d!=="").map(([d,p])=>`${d}=${encodeURIComponent(
p)}`)].join("&")}function _r(e){let{filter:n,onChange:o,overview:s,rows:a}=e,r=$("flows",6e4).value,i=[...(s?.rules??[]).map(({id:u})=>u),...(r?.rules??[]).map(
({name:u})=>u),...a.map(({rule:u})=>u)],l=[...r?.pairs??[],...a].map(({from:u,to:d})=>`${u} ${d}`),c=[...(s?.services??[]).map(({name:u})=>u),...a.flatMap(({service:u})=>u??
[])];return t("div",{class:"filters",children:[t("fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"Show"}),yr.map(({name:u,query:d},p)=>t(
"button",{type:"button","data-key":p===0?"filter":void 0,"aria-pressed":d===n.state,onClick:()=>o({state:d}),children:u},u))]}),t(ot,{name:"Any time",value:n.since,
values:Object.keys(lo),isSorted:!0,onChange:u=>o({since:u})}),t(ot,{name:"Every rule",value:n.rule,values:i,onChange:u=>o({rule:u})}),t(ot,{name:"Every pair",value:n.
pair,values:l,say:xr,onChange:u=>o({pair:u})}),t(ot,{name:"Every service",value:n.service,values:c,onChange:u=>o({service:u})}),t(wr,{onChange:u=>o({text:u})}),
t(kr,{query:uo(n)})]})}function wr({onChange:e}){let n=V(0);return t("label",{children:[t("span",{class:"hidden",children:"Search by order, rule or asset"}),t("\
input",{type:"search",placeholder:"Order, rule or asset",onInput:({currentTarget:{value:o}})=>{clearTimeout(n.current),n.current=window.setTimeout(()=>e(o),br)}})]})}
function kr({query:e}){let[n,o]=v("Export CSV");return t("button",{type:"button","data-key":"export",onClick:()=>{so(e,a=>o(`${a} orders…`)).then(()=>o("Expor\
t CSV"),a=>o(a instanceof I?a.message:"The export failed"))},children:n})}function Sr(e){let{first:n,count:o,onNewer:s,onOlder:a}=e;return t("p",{class:"pages",
children:[t("span",{class:"quiet keys",children:[t("kbd",{children:"j"})," ",t("kbd",{children:"k"})," move ",t("kbd",{children:"o"})," open ",t("kbd",{children:"\
f"})," filter ",t("kbd",{children:"e"})," export"]}),t("span",{class:"quiet",children:o===0?"":`${n+1}–${n+o}`}),t("button",{type:"button",disabled:s===null,onClick:()=>s?.(),
children:"Newer"}),t("button",{type:"button",disabled:a===null,onClick:()=>a?.(),children:"Older"})]})}function xr(e){let[n,o]=e.split(" ").map(x);return`${n?.symbol}\
 ${n?.chain} → ${o?.symbol} ${o?.chain}`}function ot(e){let{name:n,value:o,values:s,isSorted:a=!1,say:r=c=>c,onChange:i}=e,l=[...new Set([...o===Ee?[]:[o],...s])];
return t("label",{children:[t("span",{class:"hidden",children:n}),t("select",{value:o,onChange:c=>i(c.currentTarget.value),children:[t("option",{value:Ee,children:n}),
(a?s:l.toSorted()).map(c=>t("option",{value:c,children:r(c)},c))]})]})}var $r=["Opened","Order","Sends","From → to","Receives","Value","Cost","Stage","State",
"Took","Rule"];function Ft({orders:e,none:n}){return e.length===0?t(F,{children:n}):t("table",{class:"orders",children:[t("caption",{class:"hidden",children:"Or\
ders"}),t("thead",{children:t("tr",{children:$r.map(o=>t("th",{scope:"col",children:o},o))})}),t("tbody",{children:e.map(o=>t(Cr,{order:o},o.id))})]})}function Cr({
order:e}){let{id:n,from:o,to:s,state:a,fiat:r,costFiat:i=null,costBps:l=null}=e;return t("tr",{children:[t("td",{children:t(C,{at:e.createdAt})}),t("td",{children:t(
"a",{href:`#/orders/${n}`,class:"id","data-row":!0,children:n.slice(0,8)})}),t("td",{class:"number",children:t(B,{amount:e.amount,asset:o,chain:!1})}),t("td",{children:[
t(j,{id:o})," ",t("span",{class:"quiet",children:"→"})," ",t(j,{id:s})]}),t("td",{class:"number",children:e.destinationAmount===null?"–":t(B,{amount:e.destinationAmount,
asset:s,chain:!1})}),t("td",{class:"number",title:r??void 0,"data-exact":r??void 0,children:r===null?"–":b(r)}),t("td",{class:"number",title:i===null?void 0:`${i}\
 usd`,children:l===null?"–":`${l} bps`}),t("td",{children:t(ro,{state:a,deposited:e.deposited})}),t("td",{title:e.money,children:[t(Or,{state:a}),e.left===null?
null:t("small",{class:"block",children:[e.left," left"]})]}),t("td",{children:t(Er,{order:e})}),t("td",{class:"rule",children:e.rule})]})}function Er({order:{createdAt:e,
since:n,outcome:o}}){let s=K(),a=o!=null,r=a?Date.parse(n):s;return t("time",{dateTime:e,title:a?`${e} to ${n}`:`since ${e}`,children:W(Math.max(0,r-Date.parse(
e)))})}function Or({state:e}){return e==="completed"?t(g,{children:"✓ completed"}):t(R,{tone:ye(e),children:Z(e)})}var Tr="others";function po(e,n,o=220,s=8){let a=Ar(e.filter(({value:_})=>_>0),s),r=a.reduce((_,{value:h})=>_+h,0),i=r===0?0:o/r,l=mo(a,"from",n,i),c=mo(a,"to",n,i),u={from:new Map,
to:new Map},d=(_,h,w)=>{let S=h.find(({chain:E})=>E===w[_])?.y??0,A=u[_].get(w[_])??0;return u[_].set(w[_],A+w.value*i),S+A},p=fo(n),m=a.toSorted((_,h)=>p(_.from)-
p(h.from)||p(_.to)-p(h.to)).map(_=>({..._,top:d("from",l,_),bottom:d("to",c,_),height:Math.max(2,_.value*i)})),y=_=>{let h=_.at(-1);return h===void 0?0:Math.max(
h.y+h.height,h.y+34)};return{left:l,right:c,ribbons:m,height:Math.max(y(l),y(c))}}function Ar(e,n){let o=new Map;for(let{from:i,to:l,value:c}of e)for(let u of new Set(
[i,l]))o.set(u,(o.get(u)??0)+c);let s=new Set([...o].toSorted(([,i],[,l])=>l-i).slice(0,o.size>n?n-1:n).map(([i])=>i)),a=i=>s.has(i)?i:Tr,r=new Map;for(let{from:i,
to:l,value:c}of e){let[u,d]=[a(i),a(l)],p=r.get(`${u} ${d}`)?.value??0;r.set(`${u} ${d}`,{from:u,to:d,value:p+c})}return[...r.values()]}function fo(e){return n=>e.
includes(n)?e.indexOf(n):e.length}function mo(e,n,o,s){let a=new Map;for(let l of e)a.set(l[n],(a.get(l[n])??0)+l.value);let r=fo(o),i=[];for(let[l,c]of[...a].toSorted(
([u],[d])=>r(u)-r(d))){let u=i.at(-1),d=u===void 0?0:Math.max(u.y+u.height+10,u.y+34);i.push({chain:l,value:c,y:d,height:Math.max(2,c*s)})}return i}function st(e,n,o=3){let s=(n-e)/o;if(!(s>0))return[e];let a=10**Math.floor(Math.log10(s)),r=a*([1,2,2.5,5,10].find(c=>c*a>=s)??10),i=Math.ceil(e/r-1e-9),l=Math.
floor(n/r+1e-9);return Array.from({length:l-i+1},(c,u)=>Number(((i+u)*r).toPrecision(12)))}function rt(e,n,o=5){let s=Mr.find(l=>(n-e)/l<=o)??31536e6,a=new Date(
e).getTimezoneOffset()*6e4,r=Math.ceil((e-a)/s)*s+a;return Array.from({length:Math.max(0,Math.floor((n-r)/s)+1)},(l,c)=>r+c*s).map(l=>({ms:l,label:Pr(l,s,n-e)}))}
var Mr=[...[1/60,1/12,1/4,1,3,6,12].map(e=>e*36e5),...[1,2,7,14,30,91].map(e=>e*864e5)];function Pr(e,n,o){let s=new Date(e);return n<864e5?s.toLocaleTimeString(
"en-GB",{hour:"2-digit",minute:"2-digit"}):o<=8*864e5?s.toLocaleDateString("en-GB",{weekday:"short"}):s.toLocaleDateString("en-GB",{day:"2-digit",month:"short"})}
var Rr=[[1e9,"G"],[1e6,"M"],[1e3,"k"]];function we(e,n=e){let[o,s]=Rr.find(([r])=>Math.abs(e)>=r)??[1,""],a=n===0?4:Math.ceil(Math.log10(Math.abs(e/n)||1))+3;return`${Number(
(e/o).toPrecision(Math.max(4,Math.min(12,a))))}${s}`}function Oe(){let e=V(null),[n,o]=v(0);return M(()=>{if(e.current===null)return;let s=new ResizeObserver(([a])=>o(Math.floor(a?.contentRect.width??0)));return s.
observe(e.current),()=>s.disconnect()},[]),[e,n]}var at=7;function it({chains:e}){let n=xe(Ne),[o,s]=Oe(),a=e.map(({from:p,to:f,volumeFiat:m})=>({from:p,to:f,value:Number(m)})),{left:r,right:i,ribbons:l,height:c}=po(
a,n);if(l.length===0)return t(F,{children:"No swap was paid out in this time."});let u=Math.min(150,s*.3),d=l.map(({from:p,to:f,value:m})=>`${L(p)} to ${L(f)} ${b(
String(m))}`).join(", ");return t("figure",{class:"chart",ref:o,children:t("svg",{width:s,height:c+8,role:"img","aria-label":`Moved: ${d}`,children:[l.map(p=>t(
Dr,{ribbon:p,x1:u,x2:s-u},`${p.from} ${p.to}`)),r.map(p=>t(ho,{node:p,x:u-at,labelX:u-at-8,isLeft:!0},p.chain)),i.map(p=>t(ho,{node:p,x:s-u,labelX:s-u+at+8},p.chain))]})})}
function Dr({ribbon:e,x1:n,x2:o}){let s=$e(),{from:a,to:r,value:i,top:l,bottom:c,height:u}=e,d=(n+o)/2,p=`M${n} ${l}C${d} ${l} ${d} ${c} ${o} ${c}V${c+u}C${d} ${c+
u} ${d} ${l+u} ${n} ${l+u}Z`;return t("path",{class:`flow ${s(a)}`,d:p,children:t("title",{children:`${L(a)} → ${L(r)}: ${b(String(i))}`})})}function ho(e){let n=$e(),
{node:o,x:s,labelX:a,isLeft:r=!1}=e,i=r?"end":"start",l=o.y+Math.max(11,o.height/2-3);return t(g,{children:[t("rect",{class:`node ${n(o.chain)}`,x:s,y:o.y,width:at,
height:o.height}),t("text",{class:"strong",x:a,y:l,"text-anchor":i,children:L(o.chain)}),t("text",{x:a,y:l+14,"text-anchor":i,children:["$",we(o.value)]})]})}function go({
chains:e}){return t(ee,{figures:!0,caption:"Own moves between chains",columns:["From → to","Orders","Moved","Cost","bps"],rows:e.map(({from:n,to:o,orders:s,volumeFiat:a,
costFiat:r,costBps:i})=>({key:`${n} ${o}`,cells:[t("span",{children:[t(j,{id:n})," → ",t(j,{id:o})]},"pair"),s,t(be,{fiat:a},"moved"),t(be,{fiat:r},"cost"),i??
"–"]}))})}var Nr={below:{tone:"bad",word:"below its band"},above:{tone:"warn",word:"above its band"},within:{tone:"good",word:"in its band"},unknown:{tone:"calm",word:"no\
t read yet"}};function yo({amount:e,bound:n,asset:o}){let s=Number(n.min),a=Number(n.target),r=n.max===null?null:Number(n.max),i=e===null?null:Number(e),l=1.15*
Math.max(r??0,a*1.5,s,i??0,Number.MIN_VALUE),c=f=>100*f/l,{tone:u,word:d}=Nr[n.place],p=`${d}: from ${T(n.min)} to ${n.max===null?"any":T(n.max)}, target ${T(n.
target)} ${x(o).symbol}`;return t("svg",{class:`band ${u}`,viewBox:"0 0 100 10",preserveAspectRatio:"none",role:"img","aria-label":p,children:[t("title",{children:p}),
t("rect",{class:"track",y:"3",width:"100",height:"4"}),t("rect",{class:"range",x:c(s),y:"1",width:Math.max(.5,(r===null?100:c(r))-c(s)),height:"8"}),i===null?null:
t("rect",{class:"fill",y:"3",width:c(i),height:"4"}),t("rect",{class:"target",x:c(a)-.2,width:"0.5",height:"10"})]})}function _o({overview:e,summary:n}){let{totalFiat:o,change:s,swaps:a,inFlight:r,unpriced:i,unread:l}=n,c=[...i,...l],u=new Set(c.map(d=>x(d).symbol));return t("\
section",{class:"card money-first","aria-label":"Money",children:[t("div",{children:[t("h2",{children:"Treasury"}),t("p",{class:"total",title:`${o} usd`,"data-e\
xact":o,children:b(o)}),t(Lr,{change:s,total:o}),c.length===0?null:t("p",{class:"note",title:c.join(", "),children:["without ",[...u].join(", "),":"," ",l.length>
0?"no reading or no price":"no price"]})]}),t("dl",{class:"facts",children:[t(ke,{name:"Moved in 24 h",value:b(a.volumeFiat),exact:a.volumeFiat,children:vo(a.orders)}),
t(ke,{name:"Cost in 24 h",value:b(a.costFiat),exact:a.costFiat,children:a.costBps===null?"no swap yet":`${a.costBps} bps`}),t(ke,{name:"In flight",value:b(r.fiat),
exact:r.fiat,children:vo(r.orders)}),t(ke,{name:"Half done within",value:bo(a.medianMs),children:a.p90Ms===null?"":`nine of ten ${bo(a.p90Ms)}`}),t(Xr,{gas:e.gas}),
t(Jr,{overview:e})]})]})}function ke(e){return t("div",{children:[t("dt",{children:e.name}),t("dd",{class:e.tone,children:[t("span",{title:e.exact,"data-exact":e.
exact,children:e.value})," ",t("small",{children:e.children})]})]})}function Lr({change:e,total:n}){let o=K();if(e===null)return t("p",{class:"note",children:"N\
o older reading to compare with yet."});let{from:s,totalFiat:a,pricesFiat:r,outsideFiat:i,swapsFiat:l}=e;return t(g,{children:[t("p",{children:[t("b",{title:a,children:[
Re(a)," (",De(a,n),")"]})," ",t("span",{class:"quiet",children:["since ",t("span",{title:s,children:D(s,o)})]})]}),t("p",{class:"note parts",children:[t("span",
{title:r,children:["prices ",Re(r)]}),t("span",{title:i,children:["paid in and out ",Re(i)]}),t("span",{title:l,children:["swaps and fees ",Re(l)]})]})]})}function vo(e){
return`${e} order${e===1?"":"s"}`}function bo(e){return e===null?"–":W(e)}function Xr({gas:e}){let n=({amount:a,needed:r})=>a!==null&&Number(a)<Number(r),[o]=e.
toSorted((a,r)=>Number(n(r))-Number(n(a))||(a.daysLeft??Number.MAX_VALUE)-(r.daysLeft??Number.MAX_VALUE));if(o===void 0)return t(ke,{name:"Runs dry first",value:"\
–"});let s=n(o);return t(ke,{name:"Runs dry first",value:s?"▲ too little":wo(o.daysLeft),tone:s||(o.daysLeft??99)<7?"warn":"",children:`${o.coin}, ${L(o.chain)}`})}
function wo(e){return e===null?"no use yet":e>365?"over a year":`${e} days`}function Jr({overview:{services:e,nodes:n}}){let o=[...e.filter(({state:s})=>s!=="go\
od").map(({name:s,state:a})=>`${s} ${a}`),...n.filter(({state:s})=>s!=="good").map(({chain:s,state:a})=>`${L(s)} ${a}`)];return t(ke,{name:"Service and nodes",value:o.
length===0?"✓ well":`▲ ${o[0]??""}`,tone:o.length===0?"":"warn",children:o.length===0?`${e.length+n.length} answer`:o.length===1?"":`and ${o.length-1} more`})}
function ct({overview:e,summary:n}){let{treasury:o,gas:s}=e,a=[...new Set(o.map(({asset:r})=>r.split(":")[0]??""))];return t(k,{title:"Where the money is",link:"\
#/treasury",note:"bar from 0: band, target, balance",children:t("table",{class:"places",children:[t("caption",{class:"hidden",children:"Balances by chain and as\
set"}),t("thead",{children:t("tr",{children:["Asset","Balance","Band","Value","In 24 h","On its way","State"].map(r=>t("th",{scope:"col",children:r},r))})}),a.map(
r=>t("tbody",{children:[t(Fr,{chain:r,holdings:o.filter(({asset:i})=>i.startsWith(`${r}:`)),summary:n}),o.filter(({asset:i})=>i.startsWith(`${r}:`)).map(i=>t(Br,
{holding:i,valued:n.assets.find(({asset:l})=>l===i.asset)??null,gas:s.find(l=>l.chain===r)??null},i.asset))]},r))]})})}function Fr(e){let{chain:n,summary:o}=e,s=o.
assets.filter(({asset:r})=>r.startsWith(`${n}:`)).reduce((r,i)=>r+Number(i.fiat??0),0),[a]=e.holdings.map(({readAt:r})=>r??"").sort();return t("tr",{class:"chai\
n",children:[t("th",{scope:"rowgroup",colSpan:3,children:[t(j,{id:n})," ",t("small",{children:[De(String(s),o.totalFiat)," of the total"]})]}),t("td",{children:b(
String(s))}),t("td",{colSpan:3,children:t("small",{children:["read ",t(C,{at:a||null})]})})]})}var Ir={below:"▼ below its band",above:"▲ above its band",within:"\
✓ in band",unknown:"no reading"};function Br(e){let{holding:n,valued:o,gas:s}=e,{asset:a,amount:r,bounds:i}=n,{symbol:l}=x(a),c=s!==null&&s.coin.toUpperCase()===
l,[u]=i;return t("tr",{children:[t("th",{scope:"row",children:l}),t("td",{children:t(B,{amount:r,asset:a,chain:!1,symbol:!1})}),t("td",{class:"band-cell",children:u===
void 0?t("small",{children:c?"coin for fees":"no band"}):t(yo,{amount:r,bound:u,asset:a})}),t("td",{title:o?.fiat??void 0,"data-exact":o?.fiat??void 0,children:o?.
fiat==null?t("small",{children:"no price"}):b(o.fiat)}),t("td",{title:o?.change??void 0,children:o?.change==null||Number(o.change)===0?"=":`${Number(o.change)>0?
"+":""}${T(o.change)}`}),t("td",{class:ko(o)?"some":"",children:t(Hr,{valued:o})}),t("td",{children:u===void 0?c?wo(s.daysLeft):"":t("span",{class:u.place,children:Ir[u.
place]})})]})}function lt(e){return Number(e)!==0}function ko(e){return e!==null&&(lt(e.incoming)||lt(e.outgoing))}function Hr({valued:e}){return e===null||!ko(
e)?t(g,{children:"–"}):t(g,{children:[lt(e.incoming)?t("span",{class:"block",title:e.incoming,children:["↓ in ",T(e.incoming)]}):null,lt(e.outgoing)?t("span",
{class:"block",title:e.outgoing,children:["↑ out ",T(e.outgoing)]}):null]})}function So({overview:e,summary:n}){let o=({order:r})=>n?.open.find(i=>i.order===r)?.fiat??null,s=e.tasks.toSorted((r,i)=>+(i.level==="trouble")-+(r.level==="tr\
ouble")||Number(o(i)??0)-Number(o(r)??0)),a=e.problems.filter(({needsPerson:r})=>!r);return s.length+a.length===0?t(k,{title:"Needs you",children:t("p",{class:"\
quiet",children:["✓ Nothing. ",e.verdict]})}):t(k,{title:s.length>0?"Needs you":"Worth knowing",note:s.length>1?"most at stake first":void 0,children:t("ul",{
class:"plain tasks",children:[...s,...a].map(r=>t(Vr,{problem:r,stake:o(r)},`${r.code} ${r.sentence}`))})})}var Ur={trouble:"✕",attention:"▲"};function Vr({
problem:e,stake:n}){let{level:o,sentence:s,meaning:a,todo:r,command:i,deadline:l,left:c,needsPerson:u}=e,d=u?Wr(e):null;return t("li",{class:o,children:[t("span",
{class:"shape","aria-hidden":"true",children:Ur[o]}),t("div",{children:[t("p",{children:[t("b",{children:t(U,{text:s})}),n===null?null:t("span",{class:"stake",children:b(
n)})]}),t("p",{class:"note",children:[a," ",t(U,{text:r}),u?null:" (ends by itself)"]}),i===null||d!==null?null:t("p",{class:"hash",children:[t("code",{children:i}),
t(_e,{text:i,what:"the command"})]})]}),l===null&&d===null?null:t("p",{class:"do",children:[l===null?null:t("span",{children:["Time left: ",t("b",{children:c})]}),
d===null?null:t("a",{class:"button main",href:d.href,children:d.name})]})]})}function Wr({order:e,kind:n}){return e!==null?{name:n==="approval"?"Review":"Open t\
he order",href:`#/orders/${e}`}:n==="rule"?{name:"Open the rules",href:"#/rules"}:n==="limit"?{name:"Open the limits",href:"#/limits"}:null}var Bt="ballast.looked",qr=864e5;function xo(){let e=K(),[n,o]=v(jr);M(()=>{let p=()=>localStorage.setItem(Bt,new Date().toISOString());return addEventListener(
"pagehide",p),()=>removeEventListener("pagehide",p)},[]);let{value:s}=$(`summary?since=${n}`,1e4);if(s===null)return t(k,{title:"Since you last looked",children:t(
"p",{class:"quiet",children:"Reading…"})});let{swaps:a,alarms:r,missed:i}=s,l=p=>a.counts[p]??0,c=l("rejected")+l("abandoned"),u=i.reduce((p,f)=>p+f.runs,0),d=()=>{
let p=new Date(e).toISOString();localStorage.setItem(Bt,p),o(p)};return t(k,{title:"Since you last looked",note:t(C,{at:n}),children:[t("dl",{class:"facts",children:[
t("div",{children:[t("dt",{children:"Orders"}),t("dd",{children:a.orders})]}),t("div",{children:[t("dt",{children:"Moved"}),t("dd",{children:b(a.volumeFiat)})]}),
t("div",{children:[t("dt",{children:"Cost"}),t("dd",{children:b(a.costFiat)})]})]}),t("ul",{class:"plain small",children:[t(It,{count:l("refunded"),one:"order r\
efunded",many:"orders refunded"}),t(It,{count:c,one:"order ended without a swap",many:"orders ended without a swap"}),t(It,{count:u,one:"planned run came to no \
swap",many:"planned runs came to no swap"}),t(Kr,{alarms:r}),r.length+c+u+l("refunded")===0?t("li",{class:"quiet",children:"✓ No refund, no refusal, no missed r\
un, no alarm"}):null]}),t("button",{type:"button",onClick:d,children:"Mark as seen"})]})}function Kr({alarms:e}){let n=K();return t(g,{children:[e.slice(0,3).map(
({at:o,sentence:s,order:a})=>t("li",{children:[t("span",{"aria-hidden":"true",children:"▲"})," ",a===null?t(U,{text:s}):t("a",{href:`#/orders/${a}`,children:t(
U,{text:s})})," ",t("small",{title:o,children:D(o,n)})]},`${o} ${s}`)),e.length>3?t("li",{children:t("a",{href:"#/alarms",children:[e.length," alarms in all"]})}):
null]})}function It(e){return e.count===0?null:t("li",{children:[t("span",{"aria-hidden":"true",children:"▲"})," ",e.count," ",e.count===1?e.one:e.many]})}function jr(){
return localStorage.getItem(Bt)??new Date(Date.now()-qr).toISOString()}function $o(e,n,o,s){return e.map(({at:r,amount:i},l)=>{if(i===null)return"";let c=e[l-1]?.amount??null,u=o(e[l+1]?.at??n);return`${c===null?`M${o(r)} ${s(Number(
i))}`:`V${s(Number(i))}`}H${u}`}).join("")}function Co(e,n){return e.flatMap(({at:o,amount:s},a)=>s===null?[{start:o,end:e[a+1]?.at??n}]:[])}function Eo(e,n){return e.
findLast(({at:o})=>Date.parse(o)<=n)?.amount??null}var ae=92,de=44,Ht=44,Ut=16,Gr=18;function To(e){let{asset:n,since:o,bound:s}=e,{value:a}=$(`series/${encodeURIComponent(n)}?since=${o}`,3e4);if(a===null)return null;
let r=a.points.flatMap(({amount:i})=>i===null?[]:[Number(i)]);return r.length===0?t("p",{class:"note",children:"No reading in this time."}):t(zr,{...e,series:a,
known:r,bound:s})}function zr(e){let{series:n,known:o,bound:s,marks:a,price:r}=e,[i,l]=Oe(),[c,u]=[Math.min(...o),Math.max(...o)],{from:d,to:p,points:f}=n,m=f[0]?.
at??d,[y,_]=[Date.parse(m),Date.parse(p)],h=Math.min(c,s===null?c:Number(s.min)),w=Math.max(u,s===null?u:Number(s.target)),S=(w-h)*.12||w*.05||1,A=P=>Math.max(0,
Math.min(ae,ae-ae*(P-h+S)/(w-h+2*S))),E=P=>de+(l-de-Ht)*(P-y)/Math.max(1,_-y),oe=P=>E(Date.parse(P)),{symbol:Se}=x(n.asset),me=Oo(String(c),String(u));return t(
"figure",{class:"chart history",ref:i,children:[t("svg",{width:l,height:ae+Ut+Gr,role:"img","aria-label":`Readings from ${D(m)}: ${me} ${Se}`,children:[s===null?
null:t(Qr,{bound:s,y:A,right:l-Ht}),t(Yr,{x:E,y:A,low:h-S,high:w+S,startMs:y,endMs:_,width:l}),Co(f,p).map(P=>t("rect",{class:"gap",x:oe(P.start),width:oe(P.end)-
oe(P.start),height:ae},P.start)),t("path",{class:"line-a",d:$o(f,p,oe,A)}),t(Zr,{points:f,x:E(_),y:A}),a.filter(({at:P})=>P>=m).map(P=>t(ta,{mark:P,x:oe(P.at),symbol:Se},
`${P.at} ${P.kind} ${P.order}`))]}),t(na,{series:n,startMs:y,x:E,price:r}),t("figcaption",{class:"note",children:["Since ",t("span",{title:m,children:D(m)}),": ",
me," ",Se,s===null?"":` · band ${Oo(s.min,s.max)}, target ${T(s.target)}`]})]})}function Oo(e,n){return n===null?`${T(e)} to any`:e===n?T(e):`${T(e)} to ${T(n)}`}
function Yr(e){let{x:n,y:o,low:s,high:a,startMs:r,endMs:i,width:l}=e,c=st(s,a,2);return t(g,{children:[c.map(u=>t("g",{children:[t("line",{class:"grid-line",x1:de,
x2:l-Ht,y1:o(u),y2:o(u)}),t("text",{x:de-6,y:o(u)+4,"text-anchor":"end",children:we(u,(c[1]??0)-(c[0]??0))})]},u)),rt(r,i,Math.max(2,Math.floor(l/70))).map(({ms:u,
label:d})=>t("text",{x:n(u),y:ae+Ut+14,"text-anchor":"middle",children:d},u))]})}function Qr(e){let{bound:n,y:o,right:s}=e,a=n.max===null?0:o(Number(n.max)),[r,
i]=[o(Number(n.min)),o(Number(n.target))];return t(g,{children:[t("rect",{class:"band-area",x:de,y:a,width:Math.max(0,s-de),height:Math.max(0,r-a)}),t("line",{class:"\
edge",x1:de,x2:s,y1:r,y2:r}),t("line",{class:"goal",x1:de,x2:s,y1:i,y2:i}),t("text",{x:s+6,y:r+4,children:"min"}),r-i<12?null:t("text",{x:s+6,y:i+4,children:"ta\
rget"})]})}function Zr(e){let n=e.points.at(-1)?.amount??null;return n===null?null:t("circle",{class:"dot-now",cx:e.x,cy:e.y(Number(n)),r:"3"})}var ea={in:{path:"\
m0 -5 4 8h-8z",word:"arrived"},out:{path:"m0 3 4 -8h-8z",word:"left"},outside:{path:"m0 -5 4.5 4.5-4.5 4.5-4.5 -4.5z",word:"from outside"},alarm:{path:"m-3.5 -4\
.5 7 7m0 -7-7 7",word:"alarm"}};function ta({mark:e,x:n,symbol:o}){let{kind:s,at:a,amount:r,order:i}=e,{path:l,word:c}=ea[s],u=r===null?c:`${T(r)} ${o} ${c}`;return t(
"path",{class:`mark ${s}`,d:l,transform:`translate(${n} ${ae+Ut/2+1})`,children:t("title",{children:`${D(a)}: ${u}${i===null?"":`, order ${i.slice(0,8)}`}`})})}
var Xe=240;function na(e){let{series:n,startMs:o,x:s,price:a}=e,[r,i]=v(null),l=Date.parse(n.to)-o,c=o+l*(r??Xe)/Xe,u=Eo(n.points,c),{symbol:d}=x(n.asset),p=[D(
new Date(c).toISOString()),u===null?"no reading":`${T(u)} ${d}`,...u===null||a===null?[]:[b(String(Number(u)*Number(a)))]].join(" · "),f=m=>{let y=m.currentTarget instanceof
Element?m.currentTarget.getBoundingClientRect():null;if(y===null||y.width===0)return;let _=(m.clientX-y.left)/y.width;i(Math.round(Xe*Math.max(0,Math.min(1,_))))};
return t(g,{children:[t("input",{type:"range",class:"scrub",min:"0",max:Xe,value:r??Xe,"aria-label":`Reading of ${d} at a time`,"aria-valuetext":p,onInput:m=>i(
Number(m.currentTarget.value)),onPointerMove:f,onPointerLeave:()=>i(null),onBlur:()=>i(null)}),r===null?null:t(g,{children:[t("svg",{class:"cross",width:s(c)+1,
height:ae,"aria-hidden":"true",children:t("line",{x1:s(c),x2:s(c),y2:ae})}),t("output",{class:"tip",children:p})]})]})}var ut=132,Je=48,dt=8,oa=20;function mt(e){let{title:n,steps:o,series:s,as:a,show:r,limit:i=null}=e,[l,c]=Oe(),u=w=>s.map(({of:S})=>S(w)??0),d=w=>a==="bars"?u(w).
reduce((S,A)=>S+A,0):Math.max(...u(w)),p=Math.max(...o.map(d),i?.value??0),f=p===0?1:p*1.08,m=Date.parse(o[0]?.from??""),y=Date.parse(o.at(-1)?.to??""),_=w=>Je+
(c-Je-dt)*(w-m)/Math.max(1,y-m),h=w=>8+ut-ut*w/f;return t("figure",{class:"chart",ref:l,children:[t("svg",{width:c,height:8+ut+oa,role:"img","aria-label":sa(e,p),
children:[st(0,f).map(w=>t("g",{children:[t("line",{class:"grid-line",x1:Je,x2:c-dt,y1:h(w),y2:h(w)}),t("text",{x:Je-6,y:h(w)+4,"text-anchor":"end",children:r(w)})]},
w)),rt(m,y,Math.max(2,Math.floor(c/60))).map(({ms:w,label:S})=>t("text",{x:_(w),y:8+ut+15,"text-anchor":"middle",children:S},w)),a==="bars"?t(ra,{steps:o,series:s,
x:_,y:h,show:r}):t(aa,{steps:o,series:s,x:_,y:h}),i===null?null:t(g,{children:[t("line",{class:"limit-line",x1:Je,x2:c-dt,y1:h(i.value),y2:h(i.value)}),t("text",
{x:c-dt,y:h(i.value)-4,"text-anchor":"end",children:i.name})]})]}),t(ia,{title:n,steps:o,series:s,show:r})]})}function sa({title:e,steps:n,show:o},s){return`${e}\
: ${n.length} steps from ${n[0]?.from??""}, at most ${o(s)}`}function ra(e){let{steps:n,series:o,x:s,y:a,show:r}=e,i=Date.now();return t(g,{children:n.map(l=>{let[
c,u]=[s(Date.parse(l.from)),s(Date.parse(l.to))],d=Date.parse(l.to)<=i,p=0;return o.map(({name:f,of:m,tone:y})=>{let _=m(l)??0;return p+=_,t("rect",{class:`bar-${y}\
 ${d?"":"part"}`,x:c+(u-c)*.14,width:Math.max(1,(u-c)*.72),y:a(p),height:Math.max(0,a(0)-a(_)),children:t("title",{children:`${Ao(l)}, ${f}: ${r(_)}${d?"":" so \
far"}`})},`${l.from} ${f}`)})})})}function aa({steps:e,series:n,x:o,y:s}){let a=r=>o((Date.parse(r.from)+Date.parse(r.to))/2);return t(g,{children:n.map(({name:r,
of:i,tone:l})=>{let c=e.map(d=>({step:d,value:i(d)})),u=c.map(({step:d,value:p},f)=>p===null?"":`${f===0||c[f-1]?.value===null?"M":"L"}${a(d)} ${s(p)}`).join("");
return t("g",{children:[t("path",{class:`line-${l}`,d:u}),c.map(({step:d,value:p})=>p===null?null:t("circle",{class:`dot-${l}`,cx:a(d),cy:s(p),r:"2.2"},d.from))]},
r)})})}function Ao({from:e,to:n}){return Date.parse(n)-Date.parse(e)<24*36e5?`${e.slice(0,10)} ${e.slice(11,16)} UTC`:e.slice(0,10)}function ia(e){let{title:n,steps:o,
series:s,show:a}=e;return t("div",{class:"hidden",children:t("table",{children:[t("caption",{children:n}),t("thead",{children:t("tr",{children:[t("th",{scope:"c\
ol",children:"Time"}),s.map(({name:r})=>t("th",{scope:"col",children:r},r))]})}),t("tbody",{children:o.map(r=>t("tr",{children:[t("th",{scope:"row",children:Ao(
r)}),s.map(({name:i,of:l})=>{let c=l(r);return t("td",{children:c===null?"none":a(c)},i)})]},r.from))})]})})}function Po({flows:e,span:n}){let{steps:o,total:s}=e,a=r=>`$${we(r)}`;return t("div",{class:"grid thirds",children:[t(k,{title:`Cost, ${n}`,note:"■ swaps ■ netw\
ork, usd",children:[t("p",{children:[t("b",{title:s.costFiat,children:b(s.costFiat)})," ",t("span",{class:"quiet",children:["for ",t("b",{title:s.volumeFiat,children:b(
s.volumeFiat)})," in ",s.completed," swaps"]})]}),t(mt,{title:"Cost in usd",steps:o,as:"bars",show:a,series:[{name:"swaps",of:r=>Number(r.costFiat)-Number(r.feesFiat),
tone:"a"},{name:"network",of:r=>Number(r.feesFiat),tone:"b"}]})]}),t(k,{title:"Cost of what moved",note:"bps",children:[t("p",{children:[t("b",{children:s.costBps===
null?"–":`${s.costBps} bps`})," ",t("span",{class:"quiet",children:"network fees included"})]}),t(mt,{title:"Cost in bps of what moved",steps:o,as:"lines",show:r=>we(
r),series:[{name:"bps",of:({costBps:r})=>r,tone:"a"}]})]}),t(k,{title:"Time to completion",note:"— half · — 95 of 100",children:[t("p",{children:[t("span",
{class:"quiet",children:"half within"})," ",t("b",{children:Fe(s.medianMs)}),t("span",{class:"quiet",children:", 95 of 100 within"})," ",t("b",{children:Fe(s.p95Ms)})]}),
t(mt,{title:"Time to completion",steps:o,as:"lines",show:Fe,series:[{name:"half",of:({medianMs:r})=>r,tone:"a"},{name:"95 of 100",of:({p95Ms:r})=>r,tone:"b"}]})]})]})}
var la=["Rule","Pair","Service","Time"];function Ro({flows:e,span:n}){let[o,s]=v("Rule"),a=ca(e,o);return t("section",{class:"card",children:[t("header",{children:[
t("h2",{children:["Volume, cost and time, ",n]}),t("fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"By"}),la.map(r=>t("button",{type:"\
button","aria-pressed":r===o,onClick:()=>s(r),children:r},r))]})]}),a.length===0?t(F,{children:"No order in this time."}):null,t(ee,{figures:!0,caption:`Volume,\
 cost and time by ${o.toLowerCase()}`,columns:[o,"Orders","Moved","Cost","Of it network","bps","Half within","95 of 100"],rows:[...a,{name:"Total",line:e.total}].
map(({name:r,line:i})=>({key:r,cells:ua(r,i)}))}),e.total.unpriced===0?null:t("p",{class:"note",children:[e.total.unpriced," amounts without a price are in no s\
um."]})]})}function ca({rules:e,services:n,pairs:o,steps:s},a){return a==="Rule"?e.map(r=>({name:r.name,line:r})):a==="Service"?n.map(r=>({name:r.name,line:r})):
a==="Pair"?o.map(r=>({name:`${Mo(r.from)} → ${Mo(r.to)}`,line:r})):s.filter(({orders:r})=>r>0).toReversed().map(r=>({name:r.from.replace("T00:00:00.000Z","").
replace(":00.000Z","Z"),line:r}))}function Mo(e){let{symbol:n,chain:o}=x(e);return`${n} ${o}`}function ua(e,n){return[t("b",{children:e},"name"),n.orders,t(be,{
fiat:n.volumeFiat},"moved"),t(be,{fiat:n.costFiat},"cost"),t(be,{fiat:n.feesFiat},"fees"),n.costBps??"–",Fe(n.medianMs),Fe(n.p95Ms)]}function Fe(e){return e===
null?"–":W(e)}var Do={"24 h":1,"7 d":7,"30 d":30,"1 y":365},da=864e5;function No({overview:e}){let[n,o]=v("7 d"),s=Vt(n),{value:a}=$("summary",1e4),r=$(`flows?since=${s}`,2e4);
return t(N,{live:e,children:i=>t(g,{children:[t(J,{children:"Treasury"}),a===null?null:t(g,{children:[t(ma,{overview:i,summary:a}),t("div",{class:"stack",children:t(
ct,{overview:i,summary:a})})]}),t(Wt,{range:n,onChange:o,ranges:Object.keys(Do)}),t(pa,{treasury:i.treasury,summary:a,since:s,marks:r.value?.marks??[]}),t(N,{live:r,
children:l=>t(fa,{flows:l,range:n})}),t(ga,{gas:i.gas})]})})}function Vt(e){let[n]=v(Date.now);return new Date(n-Do[e]*da).toISOString()}function Wt(e){return t(
"fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"Range of the plots"}),e.ranges.map(n=>t("button",{type:"button","aria-pressed":n===e.
range,onClick:()=>e.onChange(n),children:n},n))]})}function ma({overview:e,summary:n}){let o=$e(),a=[...new Set(e.treasury.map(({asset:l})=>l.split(":")[0]??""))].
map(l=>({chain:l,fiat:n.assets.filter(({asset:c})=>c.startsWith(`${l}:`)).reduce((c,{fiat:u})=>c+Number(u??0),0)})),r=Math.max(a.reduce((l,{fiat:c})=>l+c,0),Number.
MIN_VALUE),i=0;return t("section",{class:"card shares","aria-label":"Shares of the chains",children:[t("p",{class:"total",title:`${n.totalFiat} usd`,"data-exact":n.
totalFiat,children:b(n.totalFiat)}),t("svg",{viewBox:"0 0 1000 10",preserveAspectRatio:"none","aria-hidden":"true",children:a.map(({chain:l,fiat:c})=>{let u=i;return i+=
1e3*c/r,t("rect",{class:`node ${o(l)}`,x:u,width:Math.max(0,i-u-2),height:"10"},l)})}),t("ul",{children:[a.map(({chain:l,fiat:c})=>t("li",{children:[t(j,{id:l}),
" ",t("b",{children:b(String(c))})," ",t("small",{children:De(String(c),n.totalFiat)})]},l)),t("li",{children:["In flight ",t("b",{title:n.inFlight.fiat,children:b(
n.inFlight.fiat)})]})]})]})}function pa(e){let{treasury:n,summary:o,since:s,marks:a}=e;return n.length===0?t(F,{children:"The configuration lists no asset."}):t(
k,{title:"Balance against its band",note:"▲ arrived ▼ left ◆ outside ✕ alarm · hatched: no reading of our nodes",children:t("div",{class:"multiples",children:n.
map(({asset:r,amount:i,bounds:l,shares:c})=>{let u=o?.assets.find(d=>d.asset===r)??null;return t("section",{"aria-label":`${x(r).symbol} on ${x(r).chain}`,children:[
t("p",{class:"head",children:[t("span",{children:[t("b",{children:x(r).symbol})," ",t(j,{id:r})]}),t("span",{children:[t(B,{amount:i,asset:r,chain:!1,symbol:!1}),
" ",u?.fiat==null?null:t("small",{title:u.fiat,children:b(u.fiat)})]})]}),t(To,{asset:r,since:s,bound:l[0]??null,marks:a.filter(d=>d.asset===r||d.asset===null),
price:u?.price??null}),c.map(({rule:d,percent:p})=>t("p",{class:"note",children:["Target of ",d,": ",p," of the treasury"]},d))]},r)})})})}function fa({flows:e,
range:n}){let{chains:o,total:s,outside:a}=e,r=n==="1 y"?"31 d":n;return t(g,{children:[t("div",{class:"grid",children:[t(k,{title:`Flows, ${r}`,note:t("b",{title:s.
volumeFiat,children:b(s.volumeFiat)}),children:t(it,{chains:o})}),t("div",{class:"column",children:[t(k,{title:"The same as a table",children:t(go,{chains:o})}),
t(k,{title:`Money from outside, ${r}`,note:"not part of the flows",children:a.length===0?t(F,{children:"Nothing was paid in or taken out."}):t(ha,{outside:a})})]})]}),
t(Po,{flows:e,span:r}),t(Ro,{flows:e,span:r})]})}function ha({outside:e}){let n=(o,s)=>Number(o)===0?"–":t("span",{title:`${o}, ${s??"no price"}`,children:[T(
o)," ",t("small",{children:s===null?"no price":b(s)})]});return t(ee,{caption:"Money from outside",columns:["Asset","Paid in","Taken out"],rows:e.map(o=>({key:o.
asset,cells:[t("span",{children:[x(o.asset).symbol," ",t(j,{id:o.asset})]},"asset"),n(o.in,o.inFiat),n(o.out,o.outFiat)]}))})}function ga({gas:e}){return t(k,{title:"\
Coin for fees",wide:!0,children:t(ee,{caption:"Coin for fees",columns:["Chain","Balance","Must stay","Lasts"],rows:e.map(({chain:n,coin:o,amount:s,needed:a,daysLeft:r})=>{
let i=s!==null&&Number(s)<Number(a);return{key:n,cells:[t(j,{id:n},"chain"),s===null?"not read yet":`${T(s)} ${o}`,T(a),i?t("b",{class:"below",children:"▼ too l\
ittle"},"low"):r===null?"no use yet":r>365?"over a year":`about ${r} days`]}})})})}function Jo({overview:e}){let{value:n}=$("summary",5e3);return t(N,{live:e,children:o=>t(g,{children:[t(_a,{overview:o}),n===null?null:t(_o,{overview:o,summary:n}),
t("div",{class:"grid",children:[t("div",{class:"column",children:[t(So,{overview:o,summary:n}),n===null?null:t(ct,{overview:o,summary:n})]}),t("div",{class:"col\
umn",children:[t(xo,{}),t(ya,{}),t(wa,{overview:o}),t(ka,{overview:o}),t(Sa,{overview:o})]}),t(va,{overview:o,summary:n})]})]})})}function ya(){let[e,n]=v("24 h"),
{value:o}=$(`flows?since=${Vt(e)}`,2e4);return t("section",{class:"card",children:[t("header",{children:[t("h2",{children:t("a",{href:"#/treasury",children:"Flo\
ws"})}),t(Wt,{range:e,ranges:["24 h","7 d","30 d"],onChange:n})]}),o===null?t("p",{class:"quiet",children:"Reading…"}):t(it,{chains:o.chains})]})}var Lo=6;function va({
overview:{orders:e},summary:n}){let o=e.slice(0,Lo).map(s=>{let a=n?.open.find(r=>r.order===s.id);return{...s,deposited:a?.deposited??!1,createdAt:a?.requestedAt??
s.since,fiat:a?.fiat??null}});return t(k,{title:"Orders in flight",link:"#/orders",wide:!0,children:[t(Ft,{orders:o,none:"No order is in flight."}),e.length<=Lo?
null:t("p",{class:"rest",children:t("a",{href:"#/orders",children:["All ",e.length," orders in flight"]})})]})}var ba={ok:"All is well",attention:"Needs attenti\
on",trouble:"Trouble"};function _a({overview:e}){let{level:n,mode:o,pause:s}=e;return t("section",{class:`verdict ${n}`,"aria-label":"Verdict",children:t("div",
{children:[t("h1",{tabIndex:-1,children:[ba[n]," · ",o??"unknown"," mode",s===null?"":" · paused"]}),s===null?null:t("p",{children:["Paused by ",s.by," ",t(C,
{at:s.at}),s.reason===null||s.by==="alarm"?".":`: ${s.reason}.`]})]})})}function wa({overview:e}){return t(k,{title:"Next",link:"#/rules",children:[e.next.length===
0?t(F,{children:"No rule is due."}):null,t("dl",{class:"pairs",children:e.next.slice(0,5).map(({rule:n,at:o})=>t("div",{children:[t("dt",{children:t("a",{href:`\
#/decisions/${encodeURIComponent(n)}`,children:n})}),t("dd",{children:t(C,{at:o})})]},n))})]})}function ka({overview:e}){let n=e.limits.toSorted((o,s)=>s.percent-
o.percent).slice(0,3);return t(k,{title:"Limits used",link:"#/limits",children:n.map(({name:o,used:s,max:a,unit:r,percent:i})=>t("div",{class:"limit",children:[
t("p",{children:[t(U,{text:o})," ",t("span",{class:"quiet",children:Lt(s,a,r)})]}),t(et,{percent:i,label:`${o}: ${i}%`})]},o))})}var Xo={good:"good",slow:"warn",
degraded:"warn",resting:"warn",silent:"bad",failing:"bad",unknown:"calm"};function Sa({overview:e}){let{nodes:n,services:o}=e;return t(k,{title:"Nodes and servi\
ces",children:t("dl",{class:"pairs",children:[n.map(({chain:s,state:a,lastAnswer:r,endpoints:i,needed:l})=>t("div",{children:[t("dt",{title:i.map(({host:c})=>c).
join(", "),children:[L(s)," ",t("small",{class:"block",children:[i.length," node",i.length===1?"":"s",", ",l," must agree"]})]}),t("dd",{children:[t(C,{at:r}),"\
 ",t(R,{tone:Xo[a]??"calm",children:a})]})]},s)),o.map(({name:s,state:a,lastAnswer:r,inFlight:i})=>t("div",{children:[t("dt",{children:["Service ",s," ",t("smal\
l",{children:[i," in flight"]})]}),t("dd",{children:[t(C,{at:r})," ",t(R,{tone:Xo[a]??"calm",children:a})]})]},s))]})})}var xa="What the rules would do if every rule decided now. Looking at it changes nothing.";function Fo({known:e}){let n=$("plan",15e3);return t(g,{children:[t(J,
{note:xa,children:"Plan"}),t(N,{live:n,children:({at:o,proposals:s,declined:a,paused:r,plan:i,mode:l})=>t(g,{children:[(r??[]).map(c=>t("p",{class:"notice warn",
children:t(U,{text:c})},c)),l==="observe"?t("p",{class:"notice warn",children:"Observe mode: Ballast records decisions and makes no order."}):null,t(k,{title:s.
length===0?"Nothing to swap now":`${s.length} swap${s.length===1?"":"s"}`,note:t(g,{children:["computed ",t(C,{at:o}),i.cost===null||s.length===0?"":`, cost abo\
ut ${b(i.cost)}`]}),wide:!0,children:[s.length===0?t(F,{children:"Each rule says below why it asks for nothing."}):null,s.map(c=>t(Ca,{proposal:c,known:e},$a(c)))]}),
t("div",{class:"grid even",children:a.map(({rule:c,reasons:u})=>t(k,{title:c,link:`#/decisions/${encodeURIComponent(c)}`,children:t(Y,{reasons:u.map(d=>e.humane(
d)),none:"It proposes a swap."})},c))})]})})]})}function $a({rules:e,from:n,to:o,amount:s}){return`${e.join()} ${n} ${o} ${s}`}function Ca({proposal:e,known:n}){
let{amount:o,from:s,receive:a,to:r,rules:i,cost:l,why:c,refused:u}=e;return t("article",{class:"proposal",children:[t("p",{class:"line",children:[t(B,{amount:o,
asset:s})," → ",t(B,{amount:a,asset:r}),u.length===0?t(R,{tone:"good",children:"would be ordered"}):t(R,{tone:"bad",children:"refused"}),t("span",{class:"quie\
t",children:[i.join(", "),l===null?"":` · cost ${b(l)}`]})]}),t(Y,{reasons:[...c,...u].map(d=>n.humane(d,e))})]})}var Ea=2e4;function qt({scope:e,paused:n,scopes:o,children:s}){let a=K(),[r,i]=v(null),[l,c]=v(null),u=o.includes("operate"),d=r===null?0:r+Ea-a;async function p(f){
try{await q("POST",f,e),c(null),i(f==="pause"?Date.now():null),ve()}catch(m){m instanceof I&&c(m)}}return t("span",{class:"actions",children:[l===null?null:t("s\
pan",{class:"notice bad",role:"alert",children:l.message}),n&&d>0?t("button",{type:"button",onClick:()=>{p("resume")},children:["Undo (",Math.ceil(d/1e3)," s)"]}):
n?s:t("button",{type:"button",class:"stop","data-key":e.rule===void 0?"pause":void 0,disabled:!u,title:u?"No new order and no new deposit. Orders that have depo\
sited go on.":"Your token lacks the scope operate",onClick:()=>{p("pause")},children:"Pause"})]})}function Io({overview:e,scopes:n}){return t(qt,{scope:{},paused:e.
pause!==null,scopes:n,children:t(Oa,{overview:e,scopes:n})})}function Oa({overview:e,scopes:n}){let o=e.pause?.alarms??[],[s,a]=v([]),r={title:"Resume?",word:"r\
esume",button:"Resume",path:"resume",body:{acknowledge:s},children:o.length===0?t("p",{children:"Rules make orders again at their next time."}):t("fieldset",{children:[
t("legend",{children:"Acknowledge each alarm that you have dealt with"}),o.map(({id:i,message:l})=>t("label",{class:"check",children:[t("input",{type:"checkbox",
checked:s.includes(i),onChange:c=>{let u=s.filter(d=>d!==i);a(c.currentTarget.checked?[...u,i]:u)}}),l]},i))]})};return t(te,{change:r,scope:"operate",scopes:n})}function Bo({overview:e,scopes:n}){return t(g,{children:[t(J,{note:"Each rule with its last decision, and why it decided so.",children:"Rules"}),t(N,{live:e,children:({
rules:o,orders:s})=>t("div",{class:"grid even",children:[o.map(a=>t(Ta,{rule:a,inFlight:s.filter(r=>r.rule===a.id).length,scopes:n},a.id)),o.length===0?t(F,{children:"\
The configuration has no rules."}):null]})})]})}function Ta({rule:e,inFlight:n,scopes:o}){let{id:s,kind:a,enabled:r,paused:i,next:l,last:c,verdict:u,reasons:d}=e,
p={title:`Resume the rule ${s}?`,word:"resume",button:"Resume",path:"resume",body:{rule:s},children:t("p",{children:"The rule decides again at its next time."})};
return t(k,{title:s,note:Z(a),link:`#/decisions/${encodeURIComponent(s)}`,children:[t("p",{class:"line",children:[r?i?t(R,{tone:"warn",children:"paused"}):t(R,{
tone:"good",children:"on"}):t(R,{tone:"calm",children:"not enabled"}),t("span",{children:["Next: ",t(C,{at:l})]}),t("span",{children:["Last: ",t(C,{at:c})]}),n===
0?null:t("span",{children:[n," in flight"]})]}),t("p",{children:u===null?t("span",{class:"quiet",children:"It has not decided yet."}):u==="proposed"?t("b",{children:"\
It proposed a swap."}):t("b",{children:"It did nothing, because:"})}),t(Y,{reasons:d}),t("div",{class:"actions",children:[t(qt,{scope:{rule:s},paused:i,scopes:o,
children:t(te,{change:p,scope:"operate",scopes:o})}),t("a",{class:"button",href:`#/decisions/${encodeURIComponent(s)}`,children:"All decisions"})]})]})}var Aa="The configuration that the daemon has in force now. To change it, edit the file and reload; no secret is shown here.";function Ho({overview:e}){let n=$(
"settings",6e4);return t(g,{children:[t(J,{note:Aa,children:"Settings"}),t(N,{live:n,children:o=>t("div",{class:"grid even",children:[t(k,{title:"Daemon",children:t(
Ce,{pairs:[["treasury",o.treasury],["version",e.value?.daemon.version??"unknown"],["configuration",t(Q,{hash:o.configHash,what:"the hash of the configuration"},
"hash")],...o.settings.map(({name:s,means:a})=>[s,a])]})}),t(k,{title:"Chains",children:t(Ce,{pairs:o.chains.map(({chain:s,family:a,nativeCoin:r,endpoints:i,agree:l})=>[
L(s),`${a}, coin ${r.symbol}, ${i} node${i===1?"":"s"} of which ${l} must agree`])})}),t(k,{title:"Services and access",children:t(Ce,{pairs:[...o.services.map(
({name:s,host:a})=>[`service ${s}`,a]),...o.tokens.map(({name:s,scopes:a})=>[`token ${s}`,a.join(", ")])]})}),t(Nt,{guards:o.guards})]})})]})}var Ma=1500,Uo="ballast.keys";function Kt(){return localStorage.getItem(Uo)!=="off"}function Vo(e){localStorage.setItem(Uo,e?"on":"off")}function Wo(e){let n=V(
e);n.current=e,M(()=>{let o="",s=0,a=r=>{if((r.ctrlKey||r.metaKey)&&r.key.toLowerCase()==="k"){r.preventDefault(),n.current["/"]?.();return}if(r.ctrlKey||r.metaKey||
r.altKey||!Kt()||Pa(r))return;let i=`${o} ${r.key}`,l=Date.now()-s<Ma&&i in n.current,c=n.current[l?i:r.key];o=l?"":r.key,s=Date.now(),c!==void 0&&c()!==!1&&r.preventDefault()};
return document.addEventListener("keydown",a),()=>document.removeEventListener("keydown",a)},[])}function Pa({target:e}){return document.querySelector("dialog[o\
pen]")!==null?!0:e instanceof Element&&e.closest("input, select, textarea")!==null}function Ie(e){let n=[...document.querySelectorAll("main [data-row]")],o=n.findIndex(
a=>a.matches(":focus")),s=n[o===-1?e===1?0:n.length-1:o+e];return s?.focus(),s?.scrollIntoView({block:"nearest"}),n.length>0}function Te(e){let n=document.querySelector(
`[data-key="${e}"]`);n?.focus(),n instanceof HTMLButtonElement&&n.click()}function qo(){let{activeElement:e}=document;e instanceof HTMLElement&&e.dataset.row!==
void 0&&e.click()}var Ra=[["g h","Overview"],["g t","Treasury"],["g o","Orders"],["g r","Rules"],["g s","Settings"],["/ or Ctrl K","Find or do"],["j k, ↓ ↑","Next and previou\
s line of a list"],["o, Enter","Open it"],["a","Approve, in an order"],["f","Filter"],["e","Export"],["p p","Pause everything"],[".","Times as clock times, or a\
s ages"],["?","This list"]];function Ko({onClose:e}){let n=V(null),[o,s]=v(Kt);return M(()=>n.current?.showModal(),[]),t("dialog",{ref:n,"aria-labelledby":"key-\
help",onClose:e,children:[t("h2",{id:"key-help",children:"Keys"}),t("dl",{class:"pairs",children:Ra.map(([a,r])=>t("div",{children:[t("dt",{children:t("kbd",{children:a})}),
t("dd",{children:r})]},a))}),t("label",{class:"check",children:[t("input",{type:"checkbox",checked:o,onChange:({currentTarget:{checked:a}})=>{Vo(a),s(a)}}),"Sin\
gle keys act outside of fields"]}),t("footer",{children:t("button",{type:"button",onClick:e,children:"Close"})})]})}function jo(e,n,o){let s=n.toLowerCase().split(/\s+/),a=e.filter(({name:l})=>s.every(c=>l.toLowerCase().includes(c))),[r=""]=/^[0-9a-f]{32}$/.exec(n.trim())??[],
i={name:`Order ${r}`,act:()=>o(r)};return(r===""?a:[i,...a]).slice(0,9)}function Go(e){let{commands:n,onClose:o}=e,s=V(null),a=ue(),[r,i]=v(""),[l,c]=v(0);M(()=>s.current?.showModal(),[]);let u=jo(n,r,e.onOrder),d=f=>{f!==void 0&&(o(),
f.act())},p=f=>{let m={ArrowDown:1,ArrowUp:-1}[f.key];m!==void 0&&(f.preventDefault(),c((l+m+u.length)%Math.max(u.length,1))),f.key==="Enter"&&(f.preventDefault(),
d(u[l]))};return t("dialog",{ref:s,class:"palette","aria-label":"Find or do",onClose:o,children:[t("input",{type:"text",role:"combobox","aria-label":"Find or do",
"aria-expanded":"true","aria-controls":a,"aria-activedescendant":u.length===0?void 0:`${a}-${l}`,placeholder:"A view, an order, a rule, an act",value:r,autocomplete:"\
off",spellcheck:!1,onInput:f=>{i(f.currentTarget.value),c(0)},onKeyDown:p}),t("div",{id:a,role:"listbox","aria-label":"Found",children:u.map((f,m)=>t("button",{
type:"button",id:`${a}-${m}`,role:"option",tabIndex:-1,"aria-selected":m===l,onClick:()=>d(f),children:[f.name,f.keys===void 0?null:t("kbd",{children:f.keys})]},
f.name))}),u.length===0?t("p",{class:"empty",children:"Nothing has these words."}):null]})}var Da={overview:"M2.5 7.5 8 3l5.5 4.5M4 7v6h3v-3.5h2V13h3V7",orders:"M2 5.5h10m-2.5-3 3 3-3 3M14 10.5H4m2.5-3-3 3 3 3",treasury:"M2.5 3h11v9h-11zM4 12v1.5M12 1\
2v1.5M8 5.5a2 2 0 1 0 .01 0",rules:"M2 4.5h3m3 0h6M6.5 3v3M2 11.5h6m3 0h3M9.5 10v3",alarms:"M8 2.5a4 4 0 0 0-4 4V10l-1.5 2h11L12 10V6.5a4 4 0 0 0-4-4M7 14h2",settings:"\
M8 5.5a2.5 2.5 0 1 0 .01 0M8 1.5v2m0 9v2m6.5-6.5h-2m-9 0h-2M12.6 3.4l-1.4 1.4m-6.4 6.4-1.4 1.4m0-9.2 1.4 1.4m6.4 6.4 1.4 1.4",find:"M7 2.5a4.5 4.5 0 1 0 .01 0M1\
0.3 10.3 14 14",pause:"M5.5 3v10M10.5 3v10"};function jt({name:e}){return t("svg",{class:"icon",viewBox:"0 0 16 16","aria-hidden":"true",children:t("path",{d:Da[e]})})}function zo(e){let{overview:n}=e,[o,s]=v(!1);M(()=>s(!1),[e.shown]);let a={orders:n?.orders.length,alarms:n?.alarms.length};return t("nav",{class:o?"side open":
"side","aria-label":"Views",children:t("div",{class:"rail",children:[t("a",{class:"brand",href:"#/",children:[t("img",{src:"/icon.svg",alt:"",width:"26",height:"\
26"}),t("span",{children:["Ballast",t("small",{children:e.treasury??""})]})]}),t("ul",{children:e.entries.map(({id:r,name:i,icon:l})=>t("li",{children:t("a",{href:`\
#/${r}`,"aria-current":r===e.shown?"page":void 0,children:[t(jt,{name:l}),i,a[r]?t("span",{class:`count ${r}`,children:a[r]}):null]})},r))}),t("button",{type:"b\
utton",class:"more","aria-expanded":o,onClick:()=>s(!o),children:o?"Less":"More"}),n===null?null:t(Na,{overview:n})]})})}function Na({overview:{services:e,nodes:n}}){
let o=n.filter(({state:s})=>s!=="good");return t("dl",{class:"pulse",children:[e.map(({name:s,state:a})=>t("div",{children:[t("dt",{children:["Service ",s]}),t(
"dd",{children:a==="good"?"✓ good":`▲ ${a}`})]},s)),t("div",{title:o.map(({chain:s,state:a})=>`${L(s)} ${a}`).join(", "),children:[t("dt",{children:"Chains"}),
t("dd",{children:[o.length===0?"✓":"▲"," ",n.length-o.length," of ",n.length," good"]})]})]})}function Yo(e){let{account:n,overview:o}=e,s=()=>{En().then(e.
onLeave)};return t("header",{class:"top",children:[t("p",{class:"state",children:o===null?null:t(g,{children:[t("span",{class:`dot ${o.level}`}),o.pause===null?
`${o.mode??"unknown"} mode`:"paused"]})}),t("button",{type:"button",class:"find",onClick:e.onFind,"aria-label":"Find or do","aria-keyshortcuts":"/ Control+K",children:[
t(jt,{name:"find"}),t("span",{children:"Find or do…"}),t("kbd",{children:"/"})]}),t("a",{class:"button",href:"#/swap",children:"New swap"}),o===null?null:t(Io,
{overview:o,scopes:n.scopes}),t(La,{}),n.csrf===null?null:t("button",{type:"button",onClick:s,title:`Logged in with the token ${n.name}: ${n.scopes.join(", ")}`,
children:"Log out"})]})}function La(){let[e,n]=v(localStorage.getItem("ballast.theme")??"system");M(()=>{e==="system"?delete document.documentElement.dataset.theme:
document.documentElement.dataset.theme=e,localStorage.setItem("ballast.theme",e)},[e]);let o={light:"Light",dark:"Dark"}[e]??"Auto",s={system:"light",light:"dar\
k",dark:"system"}[e]??"system";return t("button",{type:"button",class:"theme",onClick:()=>n(s),"aria-label":`${o} colours. Change to ${s}`,children:o})}var Xa="Nothing is ordered before you have seen the quote and typed the amount.";function es(e){let n=(e.overview.value?.treasury??[]).map(({asset:h})=>h),[o,s]=v(
""),[a,r]=v(""),[i,l]=v(""),[c,u]=v(null),[d,p]=v(null),[f,m]=v(!1);function y(h){h(),u(null)}async function _(h){h.preventDefault(),m(!0),u(null),p(null);try{u(
await Ja({from:o,to:a,amount:i}))}catch(w){p(w instanceof I?w.message:"The page failed")}m(!1)}return t(g,{children:[t(J,{note:Xa,children:"New swap"}),t("div",
{class:"grid even",children:[t(k,{title:"Request",children:[t("form",{class:"fields",onSubmit:_,children:[t(Qo,{label:"Send",id:"swap-from",value:o,assets:n,onChoose:h=>y(
()=>s(h))}),t(Fa,{asset:o,value:i,onType:h=>y(()=>l(h))}),t(Qo,{label:"Receive",id:"swap-to",value:a,assets:n,onChoose:h=>y(()=>r(h))}),t("button",{type:"submit",
class:"main",disabled:o===""||a===""||i===""||f,children:f?"Asking…":"Get a quote"})]}),d===null?null:t("p",{class:"notice bad",role:"alert",children:d})]}),c===
null?null:t(Ia,{quote:c,desk:e})]})]})}async function Ja(e){return await q("GET",`quote?${new URLSearchParams(e)}`)}function Fa(e){let n=e.asset===""?"":`, in ${x(
e.asset).symbol}`;return t(g,{children:[t("label",{for:"swap-amount",children:["Amount",n]}),t("input",{id:"swap-amount",inputMode:"decimal",autocomplete:"off",
value:e.value,onInput:({currentTarget:o})=>e.onType(o.value.trim())})]})}function Qo(e){return t(g,{children:[t("label",{for:e.id,children:e.label}),t("select",
{id:e.id,value:e.value,onChange:n=>e.onChoose(n.currentTarget.value),children:[t("option",{value:"",children:"Choose an asset"}),e.assets.map(n=>t("option",{value:n,
children:[x(n).symbol," on ",x(n).chain]},n))]})]})}function Ia({quote:e,desk:n}){let o={title:"Order this swap?",word:e.amount,button:"Order the swap",path:"sw\
ap",body:{from:e.from,to:e.to,amount:e.amount},onDone:s=>{location.hash=`#/orders/${s.id}`},children:t(g,{children:[t("p",{children:["Send ",t(B,{amount:e.amount,
asset:e.from})," and receive about"," ",t(B,{amount:e.receive,asset:e.to}),"."]}),t(Zo,{sentences:e.worstCase})]})};return t(k,{title:"Quote",note:e.refused.length===
0?t(R,{tone:"good",children:"the guards allow it"}):t(R,{tone:"bad",children:"refused"}),children:[t("p",{class:"big",children:t(B,{amount:e.receive,asset:e.to})}),
t(Ba,{quote:e}),t(Zo,{sentences:e.worstCase}),t(Y,{reasons:e.refused.map(s=>n.known.humane(s,e))}),t("div",{class:"actions",children:e.refused.length===0?t(te,{
change:o,scope:"operate",scopes:n.scopes,main:!0}):null})]})}function Ba({quote:e}){return t("dl",{class:"pairs",children:[t("div",{children:[t("dt",{children:"\
Cost"}),t("dd",{children:[re(e.costBps),e.sendsFiat===null||e.receivesFiat===null?"":`: ${b(e.sendsFiat)} for ${b(e.receivesFiat)}`]})]}),t("div",{children:[t("\
dt",{children:"Service and solver"}),t("dd",{children:[e.service??"none"," ",e.solver===null?null:t(Q,{hash:e.solver,what:"the solver's id"})]})]}),t("div",{children:[
t("dt",{children:"Network fees at most"}),t("dd",{children:e.fees===null?"cannot be estimated now":`${e.fees.deposit}; for a refund ${e.fees.refund}`})]}),t("di\
v",{children:[t("dt",{children:"Approval"}),t("dd",{children:e.needsApproval?"a person must approve the order":"not needed"})]})]})}function Zo({sentences:e}){return t(
"div",{class:"notice warn",children:[t("b",{children:"The worst case"}),t("ul",{children:e.map(n=>t("li",{children:t(U,{text:n})},n))})]})}function ts({parts:e,shown:n,label:o}){return t("nav",{class:"filters tabs","aria-label":o,children:e.map(({id:s,name:a})=>t("a",{class:"chip",href:`#/${s}`,"ar\
ia-current":s===n?"page":void 0,children:a},s))})}var Be=[{id:"",name:"Overview",icon:"overview",show:Jo},{id:"orders",name:"Orders",icon:"orders",show:co},{id:"treasury",name:"Treasury",icon:"treasury",show:No},
{id:"books",name:"Books",icon:"treasury",of:"treasury",show:Dn},{id:"rules",name:"Rules",icon:"rules",show:Bo},{id:"plan",name:"Plan",icon:"rules",of:"rules",show:Fo},
{id:"decisions",name:"Decisions",icon:"rules",of:"rules",show:Ln},{id:"limits",name:"Limits",icon:"rules",of:"rules",show:Un},{id:"alarms",name:"Alarms",icon:"a\
larms",show:Rn},{id:"settings",name:"Settings",icon:"settings",show:Ho}];function ns(){let[e,n]=v("asking"),[o,s]=v(0);return M(()=>{$n().then(n,()=>setTimeout(
()=>s(r=>r+1),2e3))},[o]),e==="asking"?t("main",{class:"login",children:t("p",{class:"quiet",children:o===0?"Reading…":"The daemon does not answer. The page t\
ries again every two seconds."})}):e===null?t(Wn,{onLogin:n}):t(Ha,{account:e,onLeave:()=>{Tn(),z.loggedOut=!1,n(null)}})}function Ha({account:e,onLeave:n}){let o=$(
"overview",3e3),s=$("settings",6e4),[a="",r=null]=Mn(),i=V(!1);M(()=>{let h=new AbortController;return An(h.signal),document.addEventListener("copy",qa,{signal:h.
signal}),()=>h.abort()},[]);let l=z.loggedOut;M(()=>{l&&n()},[l]);let c=Be.find(({id:h})=>h===a),u=a==="swap"?"New swap":c?.name??"Not found";M(()=>{document.title=
`${u} · Ballast`,i.current&&document.querySelector("h1")?.focus({preventScroll:!0}),i.current=!0,scrollTo(0,0)},[a,r]);let d={overview:o,known:Hn(s.value),scopes:e.
scopes,detail:r},[p,f]=v(!1),[m,y]=v(null);return Wo(Ua({find:()=>y("palette"),help:()=>y("help"),swapTimes:()=>f(h=>!h)})),t(Tt.Provider,{value:d.known.speak,children:t(
Ne.Provider,{value:d.known.chains,children:t(At.Provider,{value:p,children:[t("div",{class:"frame",children:[t("button",{type:"button",class:"skip",onClick:Ka,children:"\
Skip to the content"}),t(zo,{entries:Be.filter(({of:h})=>h===void 0),shown:c?.of??a,overview:o.value,treasury:s.value?.treasury??null}),t("div",{class:"body",children:[
t(Yo,{account:e,overview:o.value,onFind:()=>y("palette"),onLeave:n}),t(Ga,{overview:o.value}),t("main",{id:"content",tabIndex:-1,children:t(Wa,{view:a,detail:r,
desk:d},`${a}/${r}`)})]})]}),m==="palette"?t(Go,{commands:Va(o.value,()=>y("help")),onOrder:h=>ne(`orders/${h}`),onClose:()=>y(null)}):null,m==="help"?t(Ko,{onClose:()=>y(
null)}):null]})})})}function ne(e){location.hash=`#/${e}`}function Ua(e){return{"g h":()=>ne(""),"g t":()=>ne("treasury"),"g o":()=>ne("orders"),"g r":()=>ne("r\
ules"),"g s":()=>ne("settings"),"p p":()=>Te("pause"),"/":e.find,"?":e.help,".":e.swapTimes,j:()=>Ie(1),k:()=>Ie(-1),ArrowDown:()=>Ie(1),ArrowUp:()=>Ie(-1),o:qo,
a:()=>Te("approve"),f:()=>Te("filter"),e:()=>Te("export")}}function Va(e,n){let o={"":"g h",treasury:"g t",orders:"g o",rules:"g r",settings:"g s"};return[...Be.
map(({id:s,name:a})=>({name:a,keys:o[s],act:()=>ne(s)})),{name:"New swap",act:()=>ne("swap")},{name:"Pause everything",keys:"p p",act:()=>Te("pause")},{name:"Ke\
ys",keys:"?",act:n},...(e?.orders??[]).map(({id:s,from:a,to:r})=>({name:`Order ${s.slice(0,8)} ${a} → ${r}`,act:()=>ne(`orders/${s}`)})),...(e?.rules??[]).map(
({id:s})=>({name:`Rule ${s}`,act:()=>ne(`decisions/${encodeURIComponent(s)}`)}))]}function Wa({view:e,detail:n,desk:o}){if(e==="orders"&&n!==null)return t(to,{...o,
detail:n});if(e==="swap")return t(es,{...o});let s=Be.find(({id:i})=>i===e);if(s===void 0)return t("h1",{tabIndex:-1,children:"There is no such view"});let a=s.
of??s.id,r=Be.filter(({id:i,of:l})=>i===a||l===a);return t(g,{children:[r.length<2?null:t(ts,{parts:r,shown:e,label:"Parts of this view"}),t(s.show,{...o})]})}function qa(e){
let n=getSelection(),[o,s]=[n?.anchorNode,n?.focusNode].map(a=>a?.parentElement?.closest("[data-exact]")??null);o==null||o!==s||(e.clipboardData?.setData("text/\
plain",o.dataset.exact??""),e.preventDefault())}function Ka(){document.querySelector("#content")?.focus()}var ja=1e4;function Ga({overview:e}){let n=K(),o=n-z.lastMs,
s=e!==null&&(z.failing||o>ja);return M(()=>{document.body.classList.toggle("old",s)},[s]),t("div",{role:"status",children:s?t("p",{class:"notice bad stale",children:[
t("b",{children:"This is not live."})," The daemon last answered"," ",Qe(new Date(z.lastMs).toISOString(),n),". You see the state of"," ",D(e.at,n),"."]}):null})}var os=document.querySelector("#app");os!==null&&cn(t(ns,{}),os);
