/*! Ballast's dashboard, made from web/ by `npm run generate`. It contains Preact (MIT), (c) 2015-present Jason Miller. */
var E,jt,Qo,le,mt,qe,Yt,Ue,Qt,ht,pt,Zt,Te=Symbol.for("pv"),Ge={},ze=[],Zo=/^m(i|n|o|s|text|space)$/,gt=Array.isArray,en=ze.slice,he=Object.assign;function fe(e){
e&&e.parentNode&&e.remove()}function Ve(e,n,o,s,a){var r={type:e,props:n,key:o,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Te,__v:a||++jt,__i:-1,__u:0};return!a&&E.vnode&&E.
vnode(r),r}function g(e){return e.children}function We(e,n){this.props=e,this.context=n,this.__g=0}function ce(e,n){if(n==null)return e.__&&ce(e.__,e.__i+1);for(var o;n<e.
__k.length;n++)if((o=e.__k[n])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:ce(e)}function es(e){var n,o=e.__v,s=o.__e,a=[],r=[],i=e.__P;
i&&((n=he({constructor:Te},o)).__v=o.__v+1,E.vnode&&E.vnode(n),yt(i,n,o,e.__n,i.namespaceURI,32&o.__u?[s]:null,a,s||ce(o),32&o.__u,r),n.__v=o.__v,n.__.__k[n.__i]=
n,an(a,n,r),o.__=o.__e=null,n.__e!=s&&tn(n))}function tn(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(n){return n&&(e.__e=n.__e)}),
tn(e)}function ft(e){(8&e.__g||(e.__g|=8,le.push(e),qe++))&&mt==E.debounceRendering||((mt=E.debounceRendering)||queueMicrotask)(nn)}function nn(){try{for(var e,
n=1;le.length;)le.length>n&&le.sort(Yt),e=le.shift(),n=le.length,8&e.__g&&es(e)}finally{(qe=le.length)&&(mt||queueMicrotask)(nn)}}function on(e,n,o,s,a,r,i,l,c,d,u){
var p,f,m,y,b,h,w=s.__k||ze,k=n.length;for(c=ts(o,n,w,c,k),p=0;p<k;p++)(m=o.__k[p])!=null&&(f=~m.__i&&w[m.__i]||Ge,m.__i=p,h=yt(e,m,f,a,r,i,l,c,d,u),y=m.__e,(f.
ref!=m.ref||8&f.__u)&&(f.ref&&vt(f.ref,null,m,f),m.ref&&u.push(m.ref,m.__c||y,m)),b=b||y,4&m.__u?(c=sn(m,c,e,!f.__v),f.__e&&(f.__e=null)):typeof m.type=="functi\
on"&&h!==void 0?c=h:y&&(c=y.nextSibling),m.__u&=-21);return o.__e=b,c}function ts(e,n,o,s,a){var r,i,l,c,d,u,p,f,m,y=o.length,b=y,h=0,w=0,k=e.__k=Array(a);for(r=
0;r<a;r++)(i=n[r])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=k[r]=Ve(null,i):gt(i)?i=k[r]=Ve(g,{children:i}):
i.constructor===Te&&i.__b?i=k[r]=Ve(i.type,i.props,i.key,i.ref,i.__v):k[r]=i,c=r+h,i.__=e,i.__b=e.__b+1,l=null,~(d=i.__i=ns(i,o,c,b))&&(b--,(l=o[d])&&(l.__u|=2)),
l&&l.__v?(i.__u|=16,d==c-1?h--:d==c+1?h++:d!=c&&(d>c?h--:h++,w=1)):(~d||(a>y?h--:a<y&&h++),typeof i.type!="function"&&(i.__u|=4))):k[r]=null;if(w){for(u=[],p=[],
r=0;r<a;r++)if((i=k[r])&&16&i.__u){for(h=0,f=u.length;h<f;)u[m=h+f>>1]<i.__i?h=m+1:f=m;u[h]=i.__i,p[r]=h+1}for(h=u.length;r--;)p[r]&&(p[r]==h?h--:k[r].__u|=4)}if(b)
for(r=0;r<y;r++)!(l=o[r])||2&l.__u||(l.__e==s&&(s=ce(l)),_t(l,l));return s}function sn(e,n,o,s){var a,r,i,l;if(typeof e.type=="function"){if(e.props.__P)return n;
if(a=e.__k)for(r=0;r<a.length;r++)a[r]&&(a[r].__=e,n=sn(a[r],n,o,!1));return n}for(n&&!n.parentNode&&(n=ce(e))&&!n.parentNode&&(n=null),i=e.__e,l=n;l&&l.nodeType==
8;)l=l.nextSibling;for(i!=l&&(!s&&o.moveBefore&&i.parentNode?o.moveBefore(i,n):o.insertBefore(i,n||null)),n=i;(n=n&&n.nextSibling)&&n.nodeType==8&&!n.data.startsWith(
"$s"););return n}function ns(e,n,o,s){var a,r=e.key,i=e.type,l=n[o],c=l&&!(2&l.__u);if(l===null&&r==null||c&&r==l.key&&i==l.type)return o;if(s>(c?1:0)){for(a=o-1;a>=0;a--)if((l=
n[a])&&!(2&l.__u)&&r==l.key&&i==l.type)return a;for(a=o+1;a<n.length;a++)if((l=n[a])&&!(2&l.__u)&&r==l.key&&i==l.type)return a}return-1}function zt(e,n,o){o==null&&
(o=""),n[0]=="-"?e.setProperty(n,o):e[n]=o}function He(e,n,o,s,a){var r,i;if(n=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof s=="string"&&(e.style.
cssText=s=""),s)for(n in s)o&&n in o||zt(e.style,n);if(o)for(n in o)s&&o[n]==s[n]||zt(e.style,n,o[n])}else if(n[0]=="o"&&n[1]=="n")typeof o!="function"&&(o=null),
typeof s!="function"&&(s=null),(e.__e||(e.__e={}))[n]=o,o&&s||(i=pt[n]||(pt[n]=os(n)),(e.__a||(e.__a={}))[n]=ht,r=n!=(n=n.replace(Qt,"$1")),(n=n.slice(2))[0]<"a"&&
(n=n.toLowerCase()),o?e.addEventListener(n,i,r):e.removeEventListener(n,i,r));else{if(a=="http://www.w3.org/2000/svg")n=n.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(n!="width"&&n!="height"&&n!="href"&&n!="list"&&n!="form"&&n!="tabIndex"&&n!="download"&&n!="rowSpan"&&n!="colSpan"&&n!="role"&&n!="popover"&&n in e)
try{return void(e[n]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&n[4]!="-"?e.removeAttribute(n):e.setAttribute(n,n=="popover"&&o==1?"":o)}}function os(e){
return function(n){var o=this.__e;if(o){if(o=o[e],n[Ue]==null)n[Ue]=ht++;else if(n[Ue]<this.__a[e])return;return o(E.event?E.event(n):n)}}}function yt(e,n,o,s,a,r,i,l,c,d){
var u,p,f,m,y,b,h,w,k,T,C,oe,ke,me,P,Gt,ie,pe,se=n.type;if(n.constructor!==Te)return null;128&o.__u&&(c=32&o.__u,u=o.__c.__z)&&(n.__u|=c,p=r=[],u.nodeType==8?l=
Ke(u,r):r.push(u),l=r[0]||l),(u=E.__b)&&u(n);e:if(typeof se=="function"){f=i.length;try{if(w=n.props,k=(u=se.prototype)&&u.render,T=(u=se.contextType)&&s[u.__c],
C=u?T?T.props.value:u.__:s,(m=o.__c)?(n.__c=m,2&m.__g&&(m.__g|=1)):(k?n.__c=m=new se(w,C):(n.__c=m=new We(w,C),m.constructor=se,m.render=rs),T&&T.sub(m),m.state||
(m.state={}),m.__n=s,m.__g|=8,m.__h=[],m.__k=[]),k&&(m.__s||(m.__s=m.state),se.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=he({},m.__s)),he(m.__s,se.getDerivedStateFromProps(
w,m.__s)))),y=m.props,b=m.state,m.__v=n,o.__c){if(w!==y&&k&&!se.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(w,C),n.__v==o.
__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(w,m.__s,C)===!1){n.__v!=o.__v&&(m.props=w,m.state=m.__s,m.__g&=-9),n.__e=o.__e,n.__k=
o.__k,n.__k.some(function(z){z&&(z.__=n)}),ze.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&i.push(m),l=ce(o);break e}m.componentWillUpdate&&m.componentWillUpdate(
w,m.__s,C),k&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(y,b,h)})}else k&&!se.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),
k&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=C,m.props=w,m.__P=e,m.__g&=-5,oe=E.__r,ke=k?25:0;do m.__g&=-9,oe&&oe(n),u=m.render(m.props,m.state=
m.__s,m.context);while(8&m.__g&&++ke<25);k&&(ze.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(s=he({},s,m.getChildContext())),k&&o.__c&&m.
getSnapshotBeforeUpdate&&(h=m.getSnapshotBeforeUpdate(y,b)),me=u&&u.type===g&&u.key==null?u.props.children:u,w.__P&&(u=l,a=(e=w.__P).namespaceURI,c=r=null,o.props&&
o.props.__P!=e&&(o.__k.some(function(z){z&&_t(z,z)}),o.__k=null),l=o.__k?ce(o,0):null),l=on(e,gt(me)?me:[me],n,o,s,a,r,i,l,c,d),w.__P&&(n.__e=null,l=u),n.__u&=-161,
p&&p.some(fe),m.__h.length&&i.push(m),1&m.__g&&(m.__g&=-4)}catch(z){if(i.length=f,n.__v=null,c||r)if(z&&z.then){if(n.__u|=128|c,r){for(~(ie=r.indexOf(l||void 0))||
(ie=r.length);(pe=r[ie-1])&&pe.nodeType==8;)ie--;for(;ie<r.length;ie++)if(pe=r[ie])if(r[ie]=null,P){if(pe==Gt)break}else{if(pe.nodeType!=8)break;pe.data.startsWith(
"$s")&&(Gt=Ke(P=pe))}}if(!P){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;P=l}(u=Ke(P=n.__c.__z||(n.__c.__z=P)))?(n.__e=P,l=u):n.__e=l,l=l&&l.nextSibling}else
r&&r.some(fe);else n.__e=o.__e;n.__k||(n.__k=o.__k||[]),z&&z.then||rn(n),E.__e(z,n,o)}}else l=n.__e=ss(o.__e,n,o,s,a,r,i,c,d,e);return(u=E.diffed)&&u(n),l}function Ke(e,n){
if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.data.startsWith("/$s")&&!--o)
return e}n&&n.push(e)}}function rn(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(rn))}function an(e,n,o){for(var s=0;s<o.length;)vt(o[s++],o[s++],o[s++]);E.__c&&
E.__c(n,e),e.some(function(a){try{e=a.__h,a.__h=[],e.some(function(r){r.call(a)})}catch(r){E.__e(r,a.__v)}})}function ss(e,n,o,s,a,r,i,l,c,d){var u,p,f,m,y,b,h,
w,k=o.props||Ge,T=n.props,C=n.type;if(C=="svg"?a="http://www.w3.org/2000/svg":C=="math"?a="http://www.w3.org/1998/Math/MathML":a||(a="http://www.w3.org/1999/xht\
ml"),r){for(u=0;u<r.length;u++)if((y=r[u])&&(C?y.localName==C:y.nodeType==3)){e=y,r[u]=null;break}}if(!e){if(w=d.ownerDocument||document,!C)return w.createTextNode(
T);e=w.createElementNS(a,C,T.is?T:d),l&&(E.__m&&E.__m(n,r),l=!1),r=null}if(C){if(d=C=="template"&&e.content||e,r=C=="textarea"&&T.defaultValue!=null?null:r&&en.
call(d.childNodes),!l&&r)for(k={},u=0;u<e.attributes.length;u++)k[(y=e.attributes[u]).name]=y.value;for(u in k)y=k[u],u=="dangerouslySetInnerHTML"?f=y:u=="child\
ren"||u in T||u=="value"&&"defaultValue"in T||u=="checked"&&"defaultChecked"in T||He(e,u,null,y,a);for(u in T)y=T[u],u=="children"?m=y:u=="dangerouslySetInnerHT\
ML"?p=y:u=="value"?b=y:u=="checked"?h=y:l&&typeof y!="function"||k[u]===y||He(e,u,y,k[u],a);p?(l||f&&(p.__html==f.__html||p.__html==e.innerHTML)||(e.innerHTML=p.
__html),n.__k=[]):(f&&(e.textContent=""),(C=="foreignObject"||a=="http://www.w3.org/1998/Math/MathML"&&Zo.test(C))&&(a="http://www.w3.org/1999/xhtml"),on(d,gt(m)?
m:[m],n,o,s,a,r,i,r?r[0]:o.__k&&ce(o,0),l,c),r&&r.some(fe)),l&&C!="textarea"||(u="value",C=="progress"&&b==null?e.removeAttribute(u):b==null||b===e[u]&&(C!="pro\
gress"||b)||He(e,u,b,k[u],a),u="checked",h!=null&&h!=e[u]&&He(e,u,h,k[u],a))}else k===T||l&&e.data==T||(e.data=T);return e}function vt(e,n,o,s){try{typeof e=="f\
unction"?n?n.__x=e(n)||1:s&&(s=s.__c||s.__e)&&(n=s.__x)&&(s.__x=null,typeof n=="function"?n():e(null)):e.current=n}catch(a){E.__e(a,o)}}function _t(e,n,o){var s,
a,r,i;if(E.unmount&&E.unmount(e),!(s=e.ref)||s.current&&s.current!=e.__e||vt(s,null,n,e),s=e.__c){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(l){
E.__e(l,n)}s.__P=s.__n=null}if(s=e.__k)for(i=0;i<s.length;i++)s[i]&&_t(s[i],n,typeof e.type!="function"||o&&!e.props.__P);!o&&(s=e.__c)&&(s=s.__z)&&(a=Ke(s,r=[]))&&
(s==e.__e&&r.some(fe),fe(a),fe(s)),o||fe(e.__e),e.__e=e.__c=e.__=null}function rs(e,n,o){return this.constructor(e,o)}function ln(e,n){var o,s,a,r;E.__&&E.__(e,
n),n.nodeType==9&&(n=n.documentElement),s=(o=e&&32&e.__u)?null:n.__k,n.__k=Ve(g,{children:[e]}),a=[],r=[],yt(n,n.__k,s||Ge,Ge,n.namespaceURI,s?null:n.firstChild?
en.call(n.childNodes):null,a,s?s.__e:n.firstChild,o,r),an(a,n.__k,r),n.__k.props.children=null}function je(e){function n(o){var s,a;return this.getChildContext||(s=new Set,(a={})[n.__c]=this,this.getChildContext=function(){return a},this.shouldComponentUpdate=
function(r){this.props.value!=r.value&&s.forEach(function(i){i.__g|=4,ft(i)})},this.sub=function(r){s.add(r);var i=r.componentWillUnmount;r.componentWillUnmount=
function(){s.delete(r),i&&i.call(r)}}),o.children}return n.__c="__cC"+Zt++,n.__=e,n.Provider=(n.Consumer=function(o,s){return o.children(s)}).contextType=n,n}E={__e:function(e,n,o,s){for(var a,r,i;n=n.__;)if((a=n.__c)&&!(1&a.__g)){a.__g|=4;try{if((i=(r=a.constructor)&&r.getDerivedStateFromError)&&a.setState(r.getDerivedStateFromError(
e)),a.componentDidCatch&&(a.componentDidCatch(e,s||{}),i=1),i&&8&a.__g)return void(a.__g|=2)}catch(l){e=l}}throw qe=0,e}},jt=0,Qo=function(e){return e!=null&&e.
constructor===Te},We.prototype.setState=function(e,n){var o=this.__s;o&&o!=this.state||(o=this.__s=he({},this.state)),typeof e=="function"&&(e=e(he({},o),this.props)),
e&&(he(o,e),this.__v&&(n&&this.__k.push(n),ft(this)))},We.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),ft(this))},We.prototype.render=
g,le=[],qe=0,Yt=function(e,n){return e.__v.__b-n.__v.__b},Ue=Symbol(),Qt=/(PointerCapture)$|Capture$/i,ht=0,pt={},Zt=0;var ge,X,bt,cn,wt=Object.is,Ye=0,vn=[],St=[],B=E,un=B.__b,dn=B.__r,mn=B.diffed,pn=B.__c,fn=B.unmount,hn=B.__;function Me(e,n){B.__h&&B.__h(X,e,Ye||n),Ye=0;var o=X.
__H||(X.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function v(e){return Ye=1,as(bn,e)}function as(e,n,o){var s=Me(ge++,2);if(s.t=e,!s.__c&&
(s.__=[o?o(n):bn(void 0,n),function(r){var i=(s.__N||s.__)[0],l=s.t(i,r);wt(i,l)||(s.__N=[l,s.__[1]],s.__c.setState({}))}],s.__c=X,!X.__f)){X.__f=!0;var a=X.shouldComponentUpdate;
X.shouldComponentUpdate=function(r,i,l){var c=this.__H;if(!c)return!0;var d=!1,u=this.props!=r;if(c.__.some(function(f){f.__N&&(d=!0,wt(f.__[0],f.__N[0])||(u=!0))}),
a){var p=a.call(this,r,i,l);return d?p||u:p}return!d||u}}return s.__}function A(e,n){var o=Me(ge++,3);!B.__s&&_n(o.__H,n)&&(o.__P=!0,o.__=e,o.u=n,X.__H.__h.push(
o))}function W(e){return Ye=5,is(function(){return{current:e}},[])}function is(e,n){var o=Me(ge++,7);return _n(o.__H,n)&&(o.__=e(),o.__H=n),o.__}function xe(e){var n=X.context[e.__c],o=Me(ge++,9);return o.c=e,n?(o.__==null&&(o.__=!0,n.sub(X)),n.props.value):e.__}function ue(){var e=Me(ge++,11);if(!e.__){for(var n=X.__v;!n.__m&&n.__;)n=n.__;var o=n.__m||(n.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function ls(){var e;
do{for(;e=St.shift();)try{Ae(e)}catch(o){B.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=vn.shift();){var n=e.__H;if(e.__P&&n)try{n.__h.some(Ae),n.__h.some(kt),n.__h=[]}catch(o){
n.__h=[],B.__e(o,e.__v)}}}while(St.length)}B.__b=function(e){X=null,un&&un(e)},B.__=function(e,n){e&&n.__k&&n.__k.__m&&(e.__m=n.__k.__m),hn&&hn(e,n)},B.__r=function(e){
dn&&dn(e),ge=0;var n=(X=e.__c).__H;n&&(bt==X?X.__h=[]:(n.__h.some(Ae),n.__h.some(kt),ge=0),n.__h=[],n.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),
bt=X},B.diffed=function(e){mn&&mn(e);var n=e.__c;n&&n.__H&&(n.__H.__h.length&&yn(vn.push(n)),n.__H.__.some(function(o){o.u&&(o.__H=o.u)})),bt=X=null},B.__c=function(e,n){
n.some(function(o){try{o.__h.some(Ae),o.__h=o.__h.filter(function(s){return!s.__||kt(s)})}catch(s){o.__h=[function(){throw s}]}}),pn&&pn(e,n)},B.unmount=function(e){
fn&&fn(e);var n,o,s=e.__c;s&&s.__H&&(s.__H.__.some(function(a){try{if(a.__P&&a.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}a.__P=o,
yn(St.push(a))}else Ae(a)}catch(r){n=r}}),s.__H=void 0,n&&B.__e(n,s.__v))};var gn=typeof requestAnimationFrame=="function";function cs(e){var n,o=function(){clearTimeout(
s),gn&&cancelAnimationFrame(n),setTimeout(e)},s=setTimeout(o,35);gn&&(n=requestAnimationFrame(o))}function yn(e){e!=1&&cn==B.requestAnimationFrame||((cn=B.requestAnimationFrame)||
cs)(ls)}function Ae(e){var n=X,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),X=n}function kt(e){var n=X;e.__c=e.__(),X=n}function _n(e,n){return!e||e.length!=
n.length||n.some(function(o,s){return!wt(o,e[s])})}function bn(e,n){return typeof n=="function"?n(e):n}function V(e){if(e<6e4)return`${Math.max(0,Math.floor(e/1e3))} s`;if(e<36e5)return`${Math.floor(e/6e4)} min`;if(e>=2*864e5)return`${Math.floor(e/864e5)} d`;let n=Math.
floor(e%36e5/6e4);return`${Math.floor(e/36e5)} h${n===0?"":` ${n} min`}`}function wn(e){return Number.isFinite(e)?`${new Date(e).toISOString().slice(0,16).replace(
"T"," ")} UTC`:"an unknown time"}function x(e){let[n="",o=""]=e.split(":");return{symbol:o.toUpperCase(),chain:L(n)}}function L(e){return e.replace(/(^|_)([a-z])/g,(n,o,s)=>(o?" ":"")+s.toUpperCase())}
function O(e){let n=e.startsWith("-")?"−":"",[o="0",s=""]=e.replace("-","").split(".");if(o.length>Sn)return`${n}${O(`${o.slice(0,-6)}.${o.slice(-6)}`)} M`;let a=o===
"0"?/^0*/.exec(s)?.[0].length??0:-o.length,r=s.slice(0,Sn+a).replace(/0+$/,""),i=o.replace(/\B(?=(\d{3})+$)/g," ");return`${n}${i}${r===""?"":`.${r}`}`}var Sn=6;
function _(e){if(e===null)return"unknown";let n=Math.abs(Number(e));if(n>=1e7)return`${kn(e)}$${O(String(Math.trunc(n)))}`;let o=n>=1e3?0:n!==0&&n<.01?4:2,s=n.toLocaleString(
"en-US",{minimumFractionDigits:o,maximumFractionDigits:o});return`${kn(e)}$${s}`}function Pe(e){return Number(e)>0?`+${_(e)}`:_(e)}function Re(e,n){let o=Number(
n)===0?0:100*Number(e)/Number(n);return`${o<0?"−":""}${Math.abs(o).toFixed(Math.abs(o)<10?2:1)}%`}function kn(e){return e.startsWith("-")&&Number(e)!==0?"−":
""}function re(e){return e===null?"unknown":`${(e/100).toFixed(2)}%`}function Qe(e,n){let o=Date.parse(e)-n;return Number.isNaN(o)?e:Math.abs(o)<1500?"now":o>0?
`in ${V(o)}`:`${V(-o)} ago`}function D(e,n=Date.now()){let o=new Date(e),s=o.toLocaleTimeString("en-GB");return o.toDateString()===new Date(n).toDateString()?s:
`${o.toLocaleDateString("en-GB",{day:"numeric",month:"short"})}, ${s}`}function Z(e){return e.replace(/[-_]/g," ")}function xt(e){return e.length<=18?e:`${e.slice(
0,8)}…${e.slice(-6)}`}function ye(e){return e==="completed"?"good":e==="held"?"bad":e==="awaiting-approval"||e.startsWith("refund")?"warn":e==="rejected"||e===
"abandoned"?"calm":"busy"}var U=class extends Error{status;reasons;constructor(n,o){super(o.map(({message:s})=>s).join(" ")),this.status=n,this.reasons=o}},Ze="ballast.csrf";async function xn(){
try{return{...await K("GET","session"),csrf:localStorage.getItem(Ze)}}catch(e){if(e instanceof U&&e.status===401)return null;throw e}}async function $n(e){let n=await K(
"POST","session",{token:e});return localStorage.setItem(Ze,n.csrf),n}async function Cn(){await K("DELETE","session").catch(()=>{}),localStorage.removeItem(Ze)}async function K(e,n,o){
let s=await $t(e,n,o).catch(()=>{throw new U(0,[{code:"page.silent",message:"The daemon does not answer."}])}),a=await s.json().catch(()=>null);if(s.ok)return a;
let{reasons:r}=a??{};throw new U(s.status,r??[{code:"page.answer",message:`The daemon answered ${s.status}.`}])}function $t(e,n,o,s){return fetch(`/api/v1/${n}`,
{method:e,headers:{"x-ballast-csrf":localStorage.getItem(Ze)??"",...o===void 0?{}:{"content-type":"application/json"}},...o===void 0?{}:{body:JSON.stringify(o)},
...s===void 0?{}:{signal:s}})}var j={lastMs:Date.now(),failing:!1,loggedOut:!1,streaming:!1},Ct=new Map,Et=new Set;function $(e,n=5e3){let[,o]=v(0),[s,a]=v(null),[r,i]=v(0);return A(()=>{if(e===
null)return;let c=!1;async function d(){if(!(e===null||document.hidden))try{if(Ct.set(e,await K("GET",e)),c)return;j.lastMs=Date.now(),j.failing=!1,a(null),o(f=>f+
1)}catch(f){if(c||!(f instanceof U))return;f.status===401&&(j.loggedOut=!0),f.status===0&&(j.failing=!0),a(f)}}let u=()=>{d()};d();let p=setInterval(u,n);return Et.
add(u),document.addEventListener("visibilitychange",u),()=>{c=!0,clearInterval(p),Et.delete(u),document.removeEventListener("visibilitychange",u)}},[e,n,r]),{value:e===
null?null:Ct.get(e)??null,error:s,refresh:()=>i(c=>c+1)}}function ve(){for(let e of Et)e()}function On(){Ct.clear()}var us=700,En=4e4;async function Tn(e){let n=0,
o=()=>{n===0&&(n=window.setTimeout(()=>{n=0,ve()},us))};for(;!e.aborted;)await ds(e,o).catch(()=>{}),j.streaming=!1,await new Promise(s=>setTimeout(s,2e3))}async function ds(e,n){
let o=new AbortController,s=setTimeout(()=>o.abort(),En),a=await $t("GET","events",void 0,AbortSignal.any([e,o.signal]));if(!a.ok||a.body===null)return;j.streaming=
!0;let r=a.body.pipeThrough(new TextDecoderStream).getReader();for(let i=await r.read();!i.done;i=await r.read())clearTimeout(s),s=setTimeout(()=>o.abort(),En),
i.value.includes("data:")&&n();clearTimeout(s)}function q(){let[e,n]=v(Date.now());return A(()=>{let o=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(
o)},[]),e}function An(){let[e,n]=v(location.hash);return A(()=>{let o=()=>n(location.hash);return addEventListener("hashchange",o),()=>removeEventListener("hash\
change",o)},[]),e.replace(/^#\/?/,"").split("/").map(o=>decodeURIComponent(o))}var ms=Symbol.for("pv"),ps=0;function t(e,n,o,s,a,r){n||(n={});var i,l,c=n;if("ref"in c&&typeof e!="function")for(l in c={},n)l=="ref"?i=n[l]:c[l]=n[l];var d={type:e,props:c,key:o,ref:i,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:ms,__v:--ps,__i:-1,__u:0};return(a||r)&&(d.__source=a,d.__self=r),E.vnode&&E.vnode(d),d}var Ot=je(e=>e);function H({text:e}){return t(g,{children:xe(Ot)(e)})}var De=je([]),fs=10;function $e(){let e=xe(De);return n=>{let o=e.indexOf(n.split(":")[0]??
"");return o===-1?"chain-none":`chain-${o%fs}`}}function G({id:e}){let n=$e();return t("span",{class:"chain-name",children:[t("i",{class:n(e)}),L(e.split(":")[0]??
"")]})}function R({tone:e,children:n}){return t("span",{class:`pill ${e}`,children:n})}function S(e){return t("section",{class:e.wide?"card wide":"card",children:[
t("header",{children:[t("h2",{children:e.link===void 0?e.title:t("a",{href:e.link,children:e.title})}),e.note===void 0?null:t("span",{class:"note",children:e.note})]}),
e.children]})}function J({children:e,note:n}){return t("header",{class:"title",children:[t("h1",{tabIndex:-1,children:e}),n===void 0?null:t("p",{class:"note",children:n})]})}
function I({amount:e,asset:n,chain:o=!0,symbol:s=!0}){let a=x(n);return t("span",{class:"amount",title:`${e??"no reading"} ${n}`,"data-exact":e??void 0,children:[
t("b",{children:e===null?"no reading":O(e)}),s?` ${a.symbol}`:null,o?t("small",{children:[" ",a.chain]}):null]})}var Tt=je(!1);function _e({fiat:e}){return t("s\
pan",{title:`${e} usd`,"data-exact":e,children:_(e)})}function M({at:e,clock:n=!1}){let o=q(),s=xe(Tt)||n;return e===null?t("span",{class:"quiet",children:"neve\
r"}):t("time",{dateTime:e,title:e,children:s?D(e,o):Qe(e,o)})}function Y({reasons:e,none:n=null}){let o=[...new Map(e.map(s=>[s.message,s])).values()];return o.
length===0?n===null?null:t("p",{class:"quiet",children:n}):t("ul",{class:"reasons",children:o.map(({code:s,message:a})=>t("li",{title:s,children:t(H,{text:a})},
a))})}function Q({hash:e,link:n=null,what:o}){return t("span",{class:"hash",children:[n===null?t("code",{title:e,children:xt(e)}):t("a",{href:n,target:"_blank",
rel:"noopener noreferrer",title:e,children:[t("code",{children:xt(e)}),t("span",{class:"hidden",children:" (opens the explorer)"})]}),t(be,{text:e,what:o})]})}function be({
text:e,what:n}){let[o,s]=v(!1);return t("button",{type:"button",class:"copy",onClick:()=>{navigator.clipboard?.writeText(e).then(()=>{s(!0),setTimeout(()=>s(!1),
1500)})},"aria-label":`Copy ${n}`,children:o?"copied":"copy"})}function N({live:e,children:n}){return e.value!==null?t(g,{children:n(e.value)}):e.error===null?t(
"p",{class:"quiet",children:"Reading…"}):t("p",{class:"notice bad",children:e.error.message})}function F({children:e}){return t("p",{class:"empty",children:e})}
function ee(e){return t("table",{class:e.figures?"figures":void 0,children:[t("caption",{class:"hidden",children:e.caption}),t("thead",{children:t("tr",{children:e.
columns.map(n=>t("th",{scope:"col",children:n},n))})}),t("tbody",{children:e.rows.map(({key:n,cells:o})=>t("tr",{children:o.map((s,a)=>t("td",{"data-label":e.columns[a],
children:t("div",{children:s})},e.columns[a]))},n))})]})}function et({percent:e,label:n}){let o=e>=100?"bad":e>=80?"warn":"good";return t("svg",{class:`meter ${o}`,
viewBox:"0 0 100 6",preserveAspectRatio:"none",role:"img","aria-label":n,children:[t("rect",{class:"track",width:"100",height:"6"}),t("rect",{class:"fill",width:Math.
max(0,Math.min(100,e)),height:"6"})]})}function Ce({pairs:e}){return t("dl",{class:"pairs",children:e.map(([n,o])=>t("div",{children:[t("dt",{children:n}),t("dd",
{children:o})]},n))})}var hs="An alarm is open as long as its cause lasts. A pause by an alarm ends when a person acknowledges it (Resume, on the overview).";function Pn({overview:e}){
let n=$("alerts?limit=100",1e4);return t(g,{children:[t(J,{note:hs,children:"Alarms"}),t(N,{live:n,children:o=>{let s=o.alerts.filter(({closed:i})=>i===null),a=e.
value?.problems??[],r=o.alerts.filter(({closed:i})=>i!==null);return t(g,{children:[t(S,{title:s.length===0?"No alarm is open":`${s.length} open`,wide:!0,children:s.
length===0?t(F,{children:"Nothing needs you here."}):t(Mn,{alerts:s,problems:a})}),r.length===0?null:t(S,{title:"Over",note:`${r.length} of the last 100`,wide:!0,
children:t(Mn,{alerts:r})})]})}})]})}function Mn({alerts:e,problems:n=[]}){return t("ul",{class:"plain alarms",children:e.map(({at:o,order:s,reason:a,closed:r})=>t(
"li",{children:[t("p",{children:[t(R,{tone:r===null?"bad":"calm",children:r===null?"open":`over after ${V(Date.parse(r)-Date.parse(o))}`})," ",t("b",{children:t(
H,{text:a.message})})]}),t("p",{class:"line quiet",children:[t("span",{title:o,children:D(o)}),t(M,{at:o}),t("code",{children:a.code}),s===null?null:t("a",{href:`\
#/orders/${s}`,children:["Order ",s.slice(0,8)]})]}),t(gs,{problem:n.find(i=>i.code===a.code&&i.order===s)})]},`${o} ${a.code} ${s}`))})}function gs({problem:e}){
if(e===void 0)return null;let{meaning:n,todo:o,command:s}=e;return t(g,{children:[t("p",{children:[n," ",t(H,{text:o})]}),s===null?null:t("p",{class:"hash",children:[
t("code",{children:s}),t(be,{text:s,what:"the command"})]})]})}function Rn(e){let n=$("books",2e4);return t(g,{children:[t(J,{note:"Swaps of the last 52 weeks, by the ledger. A week begins on Monday, 00:00 UTC.",children:"B\
ooks"}),t(N,{live:n,children:({weeks:o,rules:s,total:a,at:r})=>t(g,{children:[t("div",{class:"grid thirds",children:[t(At,{name:"Volume",value:_(a.volume),note:`${a.
orders} orders`}),t(At,{name:"Cost of swaps",value:_(a.swapCost),note:`${re(a.costBps)} of the volume, network fees included`}),t(At,{name:"Network fees",value:_(
a.networkFees),note:a.unpriced===0?"all priced":`${a.unpriced} without a price are not in it`})]}),t("div",{class:"grid thirds",children:[t(S,{title:"Volume by \
week",children:t(Mt,{weeks:o,series:[{name:"volume",of:i=>Number(i.volume),tone:"a"}]})}),t(S,{title:"Cost by week",children:t(Mt,{weeks:o,series:[{name:"cost o\
f swaps",of:i=>Number(i.swapCost),tone:"b"}]})}),t(S,{title:"Network fees by week",children:t(Mt,{weeks:o,series:[{name:"network fees",of:i=>Number(i.networkFees),
tone:"c"}]})})]}),t(S,{title:"By rule",note:t(M,{at:r}),wide:!0,children:s.length===0?t(F,{children:"No order in these weeks."}):t(ys,{lines:[...s,a]})})]})})]})}
function At({name:e,value:n,note:o}){return t("section",{class:"card figure",children:[t("h2",{children:e}),t("p",{class:"big",children:n}),t("p",{class:"note",
children:o})]})}function Mt({weeks:e,series:n}){let[o]=n;if(o===void 0)return t(F,{children:"Nothing to plot."});let s=Math.max(...e.map(o.of),0),a=240/e.length;
return t("figure",{class:"plot",children:[t("p",{class:"scale quiet",children:t("span",{children:_(String(s))})}),t("svg",{viewBox:"0 0 240 100",preserveAspectRatio:"\
none","aria-hidden":"true",children:[t("line",{x1:"0",x2:"240",y1:"99.5",y2:"99.5"}),t("line",{x1:"0",x2:"240",y1:"50",y2:"50",class:"soft"}),t("line",{x1:"0",x2:"\
240",y1:"0.5",y2:"0.5",class:"soft"}),e.map((r,i)=>{let l=s===0?0:98*o.of(r)/s;return t("rect",{class:o.tone,x:(i+.1)*a,width:.8*a,y:99-l,height:l,rx:"1",children:t(
"title",{children:`Week of ${r.group}: ${_(String(o.of(r)))}`})},r.group)})]}),t("p",{class:"scale quiet",children:[t("span",{children:e[0]?.group}),t("span",{children:e.
at(-1)?.group})]}),t("div",{class:"hidden",children:t("table",{children:[t("caption",{children:[o.name," by week"]}),t("tbody",{children:e.map(r=>t("tr",{children:[
t("th",{scope:"row",children:r.group}),t("td",{children:_(String(o.of(r)))})]},r.group))})]})})]})}function ys({lines:e}){let n=e.map(o=>({key:o.group,cells:[t(
"b",{children:o.group},"group"),Object.entries(o.counts).map(([s,a])=>`${a} ${Z(s)}`).join(", "),_(o.volume),_(o.swapCost),_(o.networkFees),re(o.costBps)]}));return t(
ee,{caption:"Swaps by rule",columns:["Rule","Orders","Volume","Cost","Network fees","Cost of volume"],rows:n})}var vs="Why did a rule do something, or nothing? The same answer in a row is one line with its number of times.";function Nn({detail:e,overview:n,known:o}){let s=e===
null?"":`rule=${encodeURIComponent(e)}&`,a=$(`decisions?${s}limit=40`,1e4);return t(g,{children:[t(J,{note:vs,children:e===null?"Decisions":`Decisions of ${e}`}),
t("nav",{class:"filters","aria-label":"Rules",children:[t("a",{class:"chip",href:"#/decisions","aria-current":e===null?"page":void 0,children:"all rules"}),(n.value?.
rules??[]).map(({id:r})=>t("a",{class:"chip",href:`#/decisions/${encodeURIComponent(r)}`,"aria-current":r===e?"page":void 0,children:r},r))]}),t(N,{live:a,children:r=>t(
"section",{class:"card",children:[r.decisions.length===0?t(F,{children:"No decision yet."}):null,r.decisions.map(i=>t(_s,{decision:i,known:o},i.id))]})})]})}function _s({
decision:e,known:n}){let{id:o,at:s,lastAt:a,times:r,rule:i,verdict:l,reasons:c,proposals:d,orders:u}=e,p=`ballast replay ${o}`;return t("article",{class:"propos\
al",children:[t("p",{class:"line",children:[t("b",{title:s,children:D(s)}),t("a",{href:`#/decisions/${encodeURIComponent(i)}`,children:i}),t(R,{tone:l==="propos\
ed"?"good":"calm",children:l==="proposed"?"proposed":"did nothing"}),r>1?t("span",{class:"quiet",children:[r," times, last ",t(M,{at:a})]}):null]}),d.map(f=>t("\
p",{class:"line",children:[t(I,{amount:f.amount,asset:f.from})," →"," ",t(I,{amount:f.receive,asset:f.to}),f.cost===null?null:t("span",{class:"quiet",children:[
"cost ",_(f.cost)]})]},`${f.from} ${f.to} ${f.amount}`)),t(Y,{reasons:c.map(f=>n.humane(f,d[0]??null))}),t("p",{class:"line quiet",children:[u.map(f=>t("a",{href:`\
#/orders/${f}`,children:["Order ",f.slice(0,8)]},f)),t("span",{class:"hash",children:[t("code",{children:p}),t(be,{text:p,what:"the command that computes this d\
ecision again"})]})]}),t(bs,{decision:o,known:n})]})}function bs({decision:e,known:n}){let[o,s]=v(null);return t(g,{children:[t("button",{type:"button",onClick:()=>{
K("GET",`decisions/${encodeURIComponent(e)}/replay`).catch(i=>i).then(s)},"aria-label":`Replay ${e}`,children:"Replay"}),t("div",{"aria-live":"polite",children:o===
null?null:t(ws,{replay:o,known:n})})]})}function ws({replay:e,known:n}){if(e instanceof U)return t("p",{class:"notice bad",children:e.message});let{same:o,again:s,
stored:a}=e;return o?t("p",{class:"notice",children:[t(R,{tone:"good",children:"same decision"})," The stored inputs give the stored result again."]}):t("div",{
class:"notice bad",children:[t("p",{children:[t("b",{children:"Another decision."})," The stored inputs give another result now."]}),t("div",{class:"grid even",
children:[t(Dn,{name:"Stored",of:a,known:n}),t(Dn,{name:"Now",of:s,known:n})]})]})}function Dn({name:e,of:n,known:o}){let s=n.proposals,a=s[0]??null;return t("s\
ection",{"aria-label":e,children:[t("h3",{children:e}),s.map(({from:r,to:i,units:l})=>t("p",{children:["Sell ",t(I,{amount:o.amountOf(l,r),asset:r})," for ",t(H,
{text:i})]},`${r} ${i} ${l}`)),t(Y,{reasons:[...s.flatMap(({why:r})=>r),...n.reasons].map(r=>o.humane(r,a)),none:"No reason."})]})}var Ne=class extends Error{name="AppError";code;disposition;details;constructor(n){super(n.message,n.cause===void 0?void 0:{cause:n.cause}),this.code=n.code,this.
disposition=n.disposition,this.details=n.details??{}}};function Ln(e,n){let o=e.length;for(;o>0&&e[o-1]===n;)o--;return e.slice(0,o)}function tt(e,n){let o=e<0n?"-":"",s=(e<0n?-e:e).toString().padStart(n+1,"0"),a=s.slice(0,s.length-n),r=Ln(s.slice(s.length-n),"0");return`${o}${a}${r===""?"":`\
.${r}`}`}function Xn(e){return e===null?n=>n:(n,o=null)=>{let[,s=null]=ks.exec(n)??[],[,a=null]=xs.exec(n)??[],r=(s===null?null:Pt(e,`${s}:native`))??Pt(e,a)??Pt(e,o);if(r===
null)return n;let i=l=>`${tt(BigInt(l),r.decimals)} ${r.name}`;return n.replace(As,(l,c)=>`within ${V(Number(c)*1e3)}`).replace(Cs,(l,c,d)=>`(${i(c)}, at most ${i(
d)})`).replace(Ts,(l,c,d)=>`within the range of ${i(c)} to ${i(d)}`).replace(Os,(l,c,d)=>`(${c} usd, at most ${d} usd)`).replace($s,(l,c)=>i(c)).replace(Ms,l=>r.
decimals<Ps?l:i(l))}}function Jn(e,n,o){let s=n.asset??(Ss.includes(n.code)?o?.to:o?.from)??null;return{...n,message:e(n.message,s)}}var Ss=["alarm.payout_short",
"quote.too_good","quote.unproven"],Fn="[a-z0-9_]+:[a-z0-9._-]+",ks=/units of (?:the coin|the native coin) of ([a-z0-9_]+)/i,xs=new RegExp(`\\d (?:smallest )?(?:u\
nits of )?(${Fn})`,"i"),$s=new RegExp(`(?<![\\w.])(\\d+) (?:smallest )?units(?: of the coin of [a-z0-9_]+| of ${Fn})?`,"gi"),Cs=/(?<=larger than one order may be |would sell more than allowed )\((\d+), at most (\d+)\)/g,
Es=["worth more than one order may be","would be worth more than allowed","would cost more than allowed"],Os=new RegExp(`(?<=(?:${Es.join("|")}) )\\(([\\d.]+), at\
 most ([\\d.]+)\\)`,"g"),Ts=/within the range of (\d{1,40}) to (\d{1,40})(?![\d.])/gi,As=/(?<=Orders |orders )within (\d+) s\b/g,Ms=/(?<![\w.:-])\d{10,}(?![\w.:])(?!\s(?:units|smallest))/g,
Ps=6;function Pt({assets:e,chains:n},o){let s=e.find(r=>r.id===o);if(s!==void 0)return{decimals:s.decimals,name:s.id};let a=n.find(({chain:r})=>`${r}:native`===
o)?.nativeCoin;return a===void 0?null:{decimals:a.decimals,name:a.symbol}}function Rt(e){if(!/^[a-z0-9_-]+:[a-z0-9_.-]+$/.test(e)){let n="<chain>:<asset>, for example base_sepolia:wbtc";throw new Ne({code:"domain.asset_id",disposition:"\
refused",message:`"${e}" is not an asset id; expected ${n}`,details:{text:e}})}return e}function Rs(e){return e.slice(0,e.indexOf(":"))}function In(e){return Rs(
Rt(`${e}:x`))}function Bn(e){let n=Xn(e===null?null:{assets:e.assets.map(({id:a,decimals:r})=>({id:Rt(a),decimals:r})),chains:e.chains.map(({chain:a,nativeCoin:r})=>({chain:In(
a),nativeCoin:{...r,token:null}}))}),o=new Set(e?.assets.map(({id:a})=>a)),s=new Set(e?.chains.map(({chain:a})=>a));return{chains:[...s],linkOf:(a,r)=>{let l=(e?.
chains.find(c=>c.chain===a)?.explorer??null)?.tx.replace("{tx}",encodeURIComponent(r))??null;return l?.startsWith("https://")===!0?l:null},amountOf:(a,r)=>{let i=e?.
assets.find(({id:l})=>l===r)?.decimals;return i===void 0?null:tt(BigInt(a),i)},humane:(a,r=null)=>Jn(n,a,r),speak:a=>a.replace(Ds,r=>o.has(r)?Js(r):r).replace(Ns,
r=>s.has(r)?L(r):r).replace(Ls,"").replace(Xs,r=>D(r))}}var Ds=/\b[a-z0-9_]+:[a-z0-9._-]*[a-z0-9]/g,Ns=/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g,Ls=/ \[[a-z_]+(?:\.[a-z_]+)+\]/g,
Xs=/\b\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g;function Js(e){let{symbol:n,chain:o}=x(e);return`${n} on ${o}`}function Hn({overview:e}){let n=$("settings",6e4);return t(g,{children:[t(J,{note:"What Ballast may still sell, and what it has used.",children:"Limits"}),t(N,{
live:e,children:({limits:o})=>{let s=({used:a,unit:r})=>Number(a)===0&&r.includes(":");return t("div",{class:"grid even",children:[o.filter(a=>!s(a)).toSorted((a,r)=>r.
percent-a.percent).map(a=>t(Fs,{limit:a},a.name)),t(Is,{limits:o.filter(s)})]})}}),t(N,{live:n,children:({guards:o})=>t(Dt,{guards:o})})]})}function Fs({limit:e}){
let{name:n,used:o,max:s,left:a,unit:r,percent:i}=e,l=`${i}% used`;return t(S,{title:Un(n),note:i>=80?t(R,{tone:i>=100?"bad":"warn",children:l}):l,children:[t("p",
{class:"big",children:[Lt(a,r)," ",t("small",{children:"left"})]}),t(et,{percent:i,label:l}),t("p",{class:"note",children:[Nt(o,s,r)," used"]})]})}function Is({
limits:e}){return e.length===0?null:t(S,{title:"Not used yet",children:t("dl",{class:"pairs",children:e.map(({name:n,left:o,unit:s})=>t("div",{children:[t("dt",
{children:Un(n)}),t("dd",{children:[Lt(o,s)," left"]})]},n))})})}function Dt({guards:e}){return t(S,{title:"Every guard",note:"as the configuration in force say\
s",wide:!0,children:t("dl",{class:"pairs",children:e.map(({guard:n,means:o})=>t("div",{children:[t("dt",{children:t("code",{children:n})}),t("dd",{children:t(H,
{text:Bs(o)})})]},n))})})}function Nt(e,n,o){return o==="usd"?`${_(e)} of ${_(n)}`:`${O(e)} of ${Lt(n,o)}`}function Lt(e,n){return n==="usd"?_(e):`${O(e)} ${n.includes(
":")?x(n).symbol:n}`}function Bs(e){let n=e.split(", ").map(a=>a.split(" ")),[[o=""]=[]]=n;return n.length>1&&n.every(([a,r="",...i])=>a===o&&r.includes(":")&&i.
length===0)?`${o} of each asset`:e}function Un(e){let[n=""]=e.split(" ");if(!n.includes(":"))return e.slice(0,1).toUpperCase()+e.slice(1);let{symbol:o,chain:s}=x(
n);return`${o} on ${s}${e.slice(n.length)}`}function Vn({onLogin:e}){let[n,o]=v(""),[s,a]=v(!1),[r,i]=v(null);async function l(c){c.preventDefault(),a(!0);try{e(await $n(n.trim()))}catch(d){i(d instanceof
U?d.message:"The page failed"),a(!1)}}return t("main",{class:"login",children:t("form",{class:"card",onSubmit:l,children:[t("img",{src:"/icon.svg",alt:"",width:"\
44",height:"44"}),t("h1",{children:"Ballast"}),t("p",{class:"note",children:["Log in with one of the tokens of ",t("code",{children:"ops.token"})," or ",t("code",
{children:"ops.tokens"}),". What you can do here is what the token's scopes allow."]}),t("label",{for:"token",children:"Token"}),t("input",{id:"token",type:"pas\
sword",autocomplete:"current-password",value:n,onInput:c=>o(c.currentTarget.value)}),r===null?null:t("p",{class:"notice bad",role:"alert",children:r}),t("button",
{type:"submit",class:"main",disabled:n===""||s,children:"Log in"})]})})}function Wn({payoutDeadline:e},n){if(e===void 0)return null;let{at:o,height:s}=e,a=Hs(e);if(o===null)return`before its lock ends, at an unknown time; ${a}`;let r=Date.
parse(o)-(n??0),i=r>0?`${V(r)} left`:`over since ${V(-r)}`,l=[`height ${s??"unknown"}`,...n===null?[]:[i],"estimated"];return`before ${wn(Date.parse(o))} (${l.join(
", ")}); ${a}`}function Hs({offerUnits:e,capUnits:n}){let o=n===null?"":`, and one may offer up to ${n}`;return e===null?`no redemption of ours is signed yet${o}${o===
""?"":" of the coin's smallest units"}`:`our newest redemption offers at most ${e}${o} of the coin's smallest units`}function Kn({secret:e,ownSecret:n}){if(n===void 0)return e==="service"?"chosen by the service":"not chosen yet";let{status:o,revealedAt:s}=n,a=s===null?"":` at ${s}`;
return{unknown:"our own, told to no other party",revealed:`our own, revealed${a}`,withheld:"our own, withheld for ever",lost:`our own, revealed${a}, and the pay\
out went back to the solver`}[o]}var Us=1e3,Xt=4;function qn({order:e,scopes:n}){let[o,s]=v(!1),a=n.includes("approve");return t(g,{children:[t("button",{type:"button",class:"main","data-key":"\
approve",disabled:!a,title:a?void 0:"Your token lacks the scope approve",onClick:()=>s(!0),children:"Approve"}),o?t(Vs,{order:e,onClose:()=>s(!1)}):null]})}function Vs({
order:e,onClose:n}){let o=W(null),s=ue(),[a,r]=v(""),[i,l]=v(null),c=zs(e);A(()=>o.current?.showModal(),[]);let d=c||a.trim()===e.destinationOwner.slice(-Xt);async function u(){
try{await K("POST",`orders/${e.id}/approve`,{intent:e.intent}),ve(),n()}catch(p){p instanceof U&&l(p)}}return t("dialog",{ref:o,class:"approve","aria-labelledby":s,
onClose:n,children:[t("h2",{id:s,tabIndex:-1,children:["Approve ",e.fiat===null?"this order":_(e.fiat),"?"," ",t("small",{children:["ends ",t(M,{at:e.approveBefore})]})]}),
t(Ks,{address:e.destinationOwner,isOurs:c}),t(qs,{order:e}),c?null:t(Ws,{typed:a,onType:r}),i===null?null:t("p",{class:"notice bad",role:"alert",children:i.message}),
t("footer",{children:[t("button",{type:"button",onClick:n,children:"Later"}),t(Gs,{disabled:!d,onHeld:()=>{u()}})]}),t("details",{children:[t("summary",{children:"\
All fields that are signed"}),t("dl",{class:"pairs small",children:Object.entries(e.intentFields??{}).map(([p,f])=>t("div",{children:[t("dt",{children:p}),t("dd",
{children:t("code",{children:f})})]},p))})]})]})}function Ws(e){let n=ue();return t(g,{children:[t("label",{for:n,children:["Type the last ",Xt," characters of \
the address"]}),t("input",{id:n,value:e.typed,maxLength:Xt,autocomplete:"off",spellcheck:!1,onInput:o=>e.onType(o.currentTarget.value)})]})}function Ks({address:e,
isOurs:n}){return t("p",{class:n?"payee":"payee foreign",children:[n?"Pays our own wallet":"▲ Pays an address that is not this daemon's wallet",t("code",{children:e.
match(/.{1,4}/g)?.join(" ")})]})}function qs({order:e}){let n=x(e.from),o=x(e.to),s=e.costParts.refundAtMostFiat;return t("dl",{class:"pairs",children:[t("div",
{children:[t("dt",{children:"Sends"}),t("dd",{children:[t("b",{children:e.amount})," ",n.symbol,", ",n.chain]})]}),t("div",{children:[t("dt",{children:"Receives"}),
t("dd",{children:[t("b",{children:e.destinationAmount})," ",o.symbol,", ",o.chain]})]}),t("div",{children:[t("dt",{children:"Costs"}),t("dd",{children:[e.costFiat===
null?"unknown":_(e.costFiat)," (",re(e.costBps),")"]})]}),t("div",{children:[t("dt",{children:"Why it asks"}),t("dd",{children:[e.askedBy??e.rule," wants more t\
han one order may send without a person"]})]}),t("div",{children:[t("dt",{children:"At worst"}),t("dd",{children:["the deposit comes back after its timelock",s===
null?"":`, for a fee of up to ${_(s)}`]})]})]})}function Gs(e){let n=W(0),[o,s]=v(!1),a=()=>{e.disabled||n.current!==0||(s(!0),n.current=window.setTimeout(()=>{
r(),e.onHeld()},Us))},r=()=>{clearTimeout(n.current),n.current=0,s(!1)};A(()=>r,[]);let i=({key:l})=>l==="Enter"||l===" ";return t("button",{type:"button",class:o?
"main hold holding":"main hold",disabled:e.disabled,onPointerDown:a,onPointerUp:r,onPointerLeave:r,onKeyDown:l=>i(l)?a():void 0,onKeyUp:r,onBlur:r,onContextMenu:l=>l.
preventDefault(),children:"Hold to approve"})}function zs({to:e,destinationOwner:n}){let{value:o}=$("status",6e4),s=e.split(":")[0];return o?.chains.some(a=>a.chain===
s&&a.account===n)??!1}function js({change:e,onClose:n}){let o=W(null),[s,a]=v(""),[r,i]=v(!1),[l,c]=v(null),d=ue(),u=ue();A(()=>o.current?.showModal(),[]);let p=s.trim()===e.word;async function f(m){
if(m.preventDefault(),!(!p||r)){i(!0);try{let y=await K("POST",e.path,e.body);ve(),n(),e.onDone?.(y)}catch(y){y instanceof U&&c(y),i(!1)}}}return t("dialog",{ref:o,
"aria-labelledby":d,onClose:n,children:t("form",{onSubmit:f,children:[t("h2",{id:d,children:e.title}),e.children,t("label",{for:u,children:["Type ",t("code",{class:"\
word",children:e.word})," to confirm"]}),t("input",{id:u,value:s,autocomplete:"off",spellcheck:!1,onInput:m=>a(m.currentTarget.value)}),l===null?null:t("p",{class:"\
notice bad",role:"alert",children:l.message}),t("footer",{children:[t("button",{type:"button",onClick:n,children:"Cancel"}),t("button",{type:"submit",class:e.danger?
"main danger":"main",disabled:!p||r,children:r?"Sending…":e.button})]})]})})}function te(e){let[n,o]=v(!1),s=e.scopes.includes(e.scope);return t(g,{children:[
t("button",{type:"button",class:e.change.danger?"danger":e.main?"main":"",disabled:!s,title:s?void 0:`Your token lacks the scope ${e.scope}`,onClick:()=>o(!0),children:e.
change.button}),n?t(js,{change:e.change,onClose:()=>o(!1)}):null]})}function Gn({order:e,scopes:n}){if(e.state==="awaiting-approval")return t(Qs,{order:e,scopes:n});if(!e.held&&e.state!=="disarmed")return null;let o=(a,r)=>{let i=a.
slice(0,1).toUpperCase()+a.slice(1);return{title:`${i} this order?`,word:a,button:i,path:`orders/${e.id}/${a}`,body:{},danger:a==="abandon",children:t("p",{children:r})}},
s=o("abandon","You answer for the end of this order: Ballast ends it once no deposit can land.");return t("div",{class:"actions",children:[e.held?t(g,{children:[
t(te,{change:o("retry","Ballast goes on from where the order was held."),scope:"operate",scopes:n,main:!0}),t(te,{change:o("refund","Ballast takes the deposit b\
ack as soon as the HTLC allows it."),scope:"operate",scopes:n})]}):null,t(te,{change:s,scope:"operate",scopes:n})]})}function Ys({people:e}){if(e===void 0)return"";
let n=e.approved.map(({by:s})=>s).join(", "),o=e.needed-e.approved.length;return` · approved by ${n===""?"none":n}; ${o} more must approve`}function Qs({order:e,
scopes:n}){let o=`${e.amount} ${x(e.from).symbol}`,s={title:"Reject this order?",word:"reject",button:"Reject",path:`orders/${e.id}/reject`,body:{},danger:!0,children:t(
"p",{children:["Nothing was deposited. The order ends, and ",o," stay in the wallet."]})};return t("div",{class:"actions",children:[t(qn,{order:e,scopes:n}),t(te,
{change:s,scope:"approve",scopes:n}),t("span",{class:"note",children:["Approve before ",t(M,{at:e.approveBefore,clock:!0})," (",t(M,{at:e.approveBefore}),")",Ys(
e)]})]})}function zn({events:e,seen:n,outcome:o,state:s,approval:a,updatedAt:r,createdAt:i}){let l=(...m)=>e.find(({type:y})=>m.includes(y))?.at??null,c=s==="awaiting-ap\
proval"||a!==null,d=n.sourceRefunded!=null||s.startsWith("refund")||o==="refunded",u=[{name:"Requested",at:i},{name:"Quoted",at:l("quote.accepted")},{name:"Orde\
red",at:l("order.created")},{name:"Verified",at:l("deposit.verified")},...c?[{name:"Approved",at:a?.at??null}]:[],{name:"Deposited",at:n.sourceInitiated?.at??null},
...d?[{name:"Refunded",at:n.sourceRefunded?.at??null}]:[{name:"Solver deposited",at:n.destinationInitiated?.at??null},{name:"Paid out",at:n.destinationRedeemed?.
at??null}],{name:o===null?"Final":Zs(o),at:o===null?null:r}],p=u.findLastIndex(({at:m})=>m!==null),f=o==="rejected"||o==="abandoned";return u.map((m,y)=>{if(f&&
y===u.length-1)return{...m,state:"failed"};if(y<=p&&!(f&&m.at===null))return{...m,state:"done"};let b=y===p+1;return{...m,state:b&&o===null?s==="held"?"failed":
"now":"open"}}).filter(({at:m,state:y})=>!(o!==null&&m===null&&y==="open"))}function jn(e){let n=e.from.split(":")[0]??"",o=e.to.split(":")[0]??"",s=(a,r,i)=>({
what:r,chain:i,service:e.reportedTxs[a],seen:e.seen[a]??null});return[s("sourceInitiated","Our deposit",n),s("destinationInitiated","The solver's deposit",o),s(
"destinationRedeemed","The payout to us",o),s("sourceRedeemed","The solver takes our deposit",n),s("sourceRefunded","The refund to us",n)]}function Yn({service:e,
seen:n},o){return n!==null&&e.includes(n.tx)?{tone:"good",says:"agree"}:n!==null&&e.length>0?{tone:"warn",says:"another transaction"}:n!==null?{tone:"good",says:"\
proven"}:e.length>0?{tone:o?"calm":"warn",says:"only reported"}:{tone:"calm",says:"not yet"}}function Zs(e){return e.slice(0,1).toUpperCase()+Z(e).slice(1)}function Qn(e){
let[n]=Object.entries(er).filter(([s])=>s===e);return n!==void 0?{who:n[1][0],says:n[1][1]}:{who:e.startsWith("operator.")?"operator":"Ballast",says:e.replaceAll(
/[._]/g," ")}}var er={"order.opened":["Ballast","opens the order"],"work.deferred":["Ballast","waits and looks again later"],"quote.accepted":["service","quotes\
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
e HTLC never had the deposit"]};function eo(e){let n=$(`orders/${encodeURIComponent(e.detail)}`,3e3);return t(N,{live:n,children:o=>t(tr,{order:o,desk:e})})}function tr({order:e,desk:n}){let o=`\
#/decisions/${encodeURIComponent(e.rule)}`,s=n.overview.value?.orders.find(({id:a})=>a===e.id)??null;return t(g,{children:[t(J,{note:t(g,{children:["Order ",t("\
code",{children:e.id.slice(0,8)})," of rule ",t("a",{href:o,children:e.rule}),", requested ",t(M,{at:e.createdAt})]}),children:[t(I,{amount:e.amount,asset:e.from}),
" →"," ",t(I,{amount:e.destinationAmount,asset:e.to})]}),t("section",{class:`card wide place ${ye(e.state)}`,children:[t("p",{children:t(R,{tone:ye(e.state),children:Z(
e.state)})}),t("p",{class:"money",children:[t("span",{class:"quiet",children:"Where is the money?"})," ",t("b",{children:e.money})]}),s?.left==null?null:t("p",{
children:[t("b",{children:s.left})," left",s.ends===null?"":`: ${s.ends}`]}),t(Y,{reasons:e.reasons.map(a=>n.known.humane(a,e))}),t(Gn,{order:e,scopes:n.scopes})]}),
t(S,{title:"The way of the order",wide:!0,children:t(nr,{stages:zn(e)})}),t(S,{title:"The service's word and the chain's word",note:"Ballast believes only the c\
hain.",wide:!0,children:t(or,{order:e,desk:n})}),t("div",{class:"grid even",children:[t(S,{title:"Transactions",children:t(rr,{order:e,desk:n})}),t(S,{title:"Te\
rms",children:t(ar,{order:e})})]}),t(S,{title:"Everything that happened",note:`${e.events.length} events`,wide:!0,children:t(ir,{order:e})})]})}function nr({stages:e}){
return t("ol",{class:"stages",children:e.map(({name:n,at:o,state:s},a)=>{let r=e.slice(0,a).findLast(l=>l.at!==null)?.at??null,i=o===null||r===null?null:Date.parse(
o)-Date.parse(r);return t("li",{class:s,"aria-current":s==="now"?"step":void 0,children:[t("span",{class:"mark","aria-hidden":"true"}),t("b",{children:n}),o===null?
t("small",{children:s==="now"?"next":s==="done"?"passed":"not yet"}):t("small",{title:o,children:[D(o),i===null||i<0?"":` · +${i<1e4?`${(i/1e3).toFixed(1)} s`:
V(i)}`]})]},n)})})}function or({order:e,desk:n}){let o=jn(e).filter(({what:s,service:a,seen:r})=>a.length>0||r!==null||s!=="The refund to us").map(({what:s,chain:a,
service:r,seen:i})=>{let{tone:l,says:c}=Yn({service:r,seen:i},e.outcome!==null),d=[t("span",{children:[t("b",{children:s}),t("small",{class:"block",children:["o\
n ",L(a)]})]},"what"),t(sr,{chain:a,txs:r,desk:n},"service"),i===null?t("span",{class:"quiet",children:"shows nothing"},"seen"):t("span",{children:[t(Q,{hash:i.
tx,link:n.known.linkOf(a,i.tx),what:"the transaction"}),t("small",{class:"block",children:[D(i.at),", ",i.final?"final":"not final yet"]})]},"seen"),t(R,{tone:l,
children:c},"judgement")];return{key:s,cells:d}});return t(ee,{caption:"The service's word and the chain's word",columns:["About","The service says","Our own no\
de shows","Together"],rows:o})}var Zn=3;function sr({chain:e,txs:n,desk:o}){if(n.length===0)return t("span",{class:"quiet",children:"says nothing"});let s=n.length-
Zn;return t("span",{children:[n.slice(0,Zn).map(a=>t("span",{class:"block",children:t(Q,{hash:a,link:o.known.linkOf(e,a),what:"the transaction"})},a)),s>0?t("sm\
all",{class:"block",children:["and ",s," more"]}):null]})}function rr({order:e,desk:n}){let o=e.from.split(":")[0]??"";return e.transactions.length===0?t("p",{class:"\
empty",children:e.deposit==="gasless"&&e.depositTx!==null?"Ballast signed no transaction of its own: the relay made the deposit and paid its fee.":"Ballast has \
signed no transaction for this order."}):t("ul",{class:"plain",children:e.transactions.map(({purpose:s,attempt:a,tx:r})=>t("li",{children:[t("b",{children:s}),"\
 ",t("small",{children:a>0?`attempt ${a+1}`:`on ${L(o)}`}),t(Q,{hash:r,link:n.known.linkOf(o,r),what:"the transaction"})]},r))})}function ar({order:e}){let n=x(
e.to).symbol,o=Wn(e,null),s=[["Order",t(Q,{hash:e.id,what:"the order's id"},"id")],["Order at the service",e.serviceOrderId===null?"none":t(Q,{hash:e.serviceOrderId,
what:"the service's id"},"s")],["Service",e.service??"none yet"],["Solver",e.solver===null?"none yet":t(Q,{hash:e.solver,what:"the solver's id"},"solver")],["Se\
cret",Kn(e)],...o===null?[]:[["Payout must be redeemed",o]],["Value",e.fiat===null?"unknown":_(e.fiat)],["Cost, network fees so far included",`${_(e.costFiat)} \
(quote: ${re(e.costBps)})`],["Deposit",e.deposit==="gasless"?"by a relay, without a fee of ours":"by our own transaction"],["Pays to",t(Q,{hash:e.destinationOwner,
what:"the address"},"d")],["Fee that the payout may lose",e.payoutFee===null?"unknown":`${O(e.payoutFee)} ${n}`],["Refund possible at height",e.refundableAtHeight??
"not known yet"],["Approved",e.approval===null?"no approval was needed or given":`by ${e.approval.by}, ${D(e.approval.at)}`],["Acts next",e.who]];return t(g,{children:[
t(Ce,{pairs:s}),e.calls.length===0?null:t(g,{children:[t("h3",{children:"Asked by people"}),t("ul",{class:"plain",children:e.calls.map(({at:a,caller:r,source:i,
action:l})=>t("li",{children:[t("b",{children:l})," by ",r," from ",i,", ",t(M,{at:a})]},`${a} ${l}`))})]})]})}function ir({order:e}){let[n,o]=v(!1),s=n?e.events:
e.events.slice(-40);return t(g,{children:[e.events.length>s.length?t("button",{type:"button",onClick:()=>o(!0),children:["Show the ",e.events.length-s.length," \
earlier events"]}):null,t("ol",{class:"events",children:s.map(({at:a,type:r,state:i},l)=>{let{who:c,says:d}=Qn(r);return t("li",{class:c,children:[t("time",{dateTime:a,
title:a,children:D(a)}),t("span",{class:"who",children:c}),t("span",{children:[d," ",t("small",{children:["→ ",Z(i)]})]})]},`${a} ${l}`)})})]})}var nt=["quoted","ordered","verified","signed","deposited","solver deposited","paid out"],lr={quoting:0,creating:1,verifying:2,"awaiting-approval":3,allowing:3,
"gasless-signing":3,"deposit-planning":3,"deposit-signing":3,"deposit-sending":4,"gasless-submitting":4,"deposit-confirming":4,"gasless-confirming":4,funded:5,revealing:6,
revealed:6,"redeem-reported":6,completed:7};function to({state:e,deposited:n}){let o=lr[e]??(n?5:3),s=["completed","refunded","rejected","abandoned"].includes(e),
a=ye(e),r=nt[o];return t("svg",{class:`steps ${a}`,viewBox:"0 0 69 6",role:"img","aria-label":s||r===void 0?`${o} of ${nt.length} stages`:`${o} of ${nt.length} \
stages, next: ${r}`,children:nt.map((i,l)=>t("rect",{class:l<o?"passed":l===o&&!s?"next":"track",x:l*10,width:"9",height:"6",rx:"1"},i))})}var cr=["all","open","held","completed","refunded","rejected"],Le="";function oo(e){let[n,o]=v({state:"all",rule:Le,pair:Le,text:""}),s=i=>o({...n,...i}),a=$(n.
state==="open"?"orders?open=true&limit=200":"orders?limit=200"),r=a.value?.orders??[];return t(g,{children:[t(J,{note:"The newest 200 orders.",children:"Orders"}),
t("div",{class:"filters",children:[t("fieldset",{children:[t("legend",{class:"hidden",children:"Show"}),cr.map(i=>t("button",{type:"button","aria-pressed":i===n.
state,onClick:()=>s({state:i}),children:i},i))]}),t(no,{name:"Every rule",value:n.rule,values:[...new Set(r.map(({rule:i})=>i))],onChange:i=>s({rule:i})}),t(no,
{name:"Every pair",value:n.pair,values:[...new Set(r.map(so))],onChange:i=>s({pair:i})}),t("label",{children:[t("span",{class:"hidden",children:"Search by order\
, rule or asset"}),t("input",{type:"search",placeholder:"Order, rule or asset",value:n.text,onInput:i=>s({text:i.currentTarget.value})})]})]}),t(N,{live:a,children:i=>t(
"section",{class:"card",children:t(Jt,{orders:i.orders.filter(l=>ur(l,n)).map(l=>({...l,since:l.updatedAt,left:null})),none:"No order matches."})})})]})}function ur(e,{
state:n,rule:o,pair:s,text:a}){return(n==="all"||(n==="open"?e.outcome===null:e.state===n))&&(o===Le||e.rule===o)&&(s===Le||so(e)===s)&&[e.id,e.rule,e.from,e.to].
some(r=>r.includes(a.trim().toLowerCase()))}function so({from:e,to:n}){let o=x(e),s=x(n);return`${o.symbol} ${o.chain} → ${s.symbol} ${s.chain}`}function no(e){
return t("label",{children:[t("span",{class:"hidden",children:e.name}),t("select",{value:e.value,onChange:n=>e.onChange(n.currentTarget.value),children:[t("opti\
on",{value:Le,children:e.name}),e.values.toSorted().map(n=>t("option",{children:n},n))]})]})}var dr=["Order","Sends","From → to","Receives","Value","Cost","St\
age","State","Took","Rule"];function Jt({orders:e,none:n}){return e.length===0?t(F,{children:n}):t("table",{class:"orders",children:[t("caption",{class:"hidden",
children:"Orders"}),t("thead",{children:t("tr",{children:dr.map(o=>t("th",{scope:"col",children:o},o))})}),t("tbody",{children:e.map(o=>t(mr,{order:o},o.id))})]})}
function mr({order:e}){let{id:n,from:o,to:s,state:a,fiat:r,costFiat:i=null,costBps:l=null}=e;return t("tr",{children:[t("td",{children:t("a",{href:`#/orders/${n}`,
class:"id","data-row":!0,children:n.slice(0,8)})}),t("td",{class:"number",children:t(I,{amount:e.amount,asset:o,chain:!1})}),t("td",{children:[t(G,{id:o})," ",t(
"span",{class:"quiet",children:"→"})," ",t(G,{id:s})]}),t("td",{class:"number",children:e.destinationAmount===null?"–":t(I,{amount:e.destinationAmount,asset:s,
chain:!1})}),t("td",{class:"number",title:r??void 0,"data-exact":r??void 0,children:r===null?"–":_(r)}),t("td",{class:"number",title:i===null?void 0:`${i} usd`,
children:l===null?"–":`${l} bps`}),t("td",{children:t(to,{state:a,deposited:e.deposited})}),t("td",{title:e.money,children:[t(fr,{state:a}),e.left===null?null:
t("small",{class:"block",children:[e.left," left"]})]}),t("td",{children:t(pr,{order:e})}),t("td",{class:"rule",children:e.rule})]})}function pr({order:{createdAt:e,
since:n,outcome:o}}){let s=q(),a=o!=null,r=a?Date.parse(n):s;return t("time",{dateTime:e,title:a?`${e} to ${n}`:`since ${e}`,children:V(Math.max(0,r-Date.parse(
e)))})}function fr({state:e}){return e==="completed"?t(g,{children:"✓ completed"}):t(R,{tone:ye(e),children:Z(e)})}var hr="others";function ao(e,n,o=220,s=8){let a=gr(e.filter(({value:b})=>b>0),s),r=a.reduce((b,{value:h})=>b+h,0),i=r===0?0:o/r,l=ro(a,"from",n,i),c=ro(a,"to",n,i),d={from:new Map,
to:new Map},u=(b,h,w)=>{let k=h.find(({chain:C})=>C===w[b])?.y??0,T=d[b].get(w[b])??0;return d[b].set(w[b],T+w.value*i),k+T},p=io(n),m=a.toSorted((b,h)=>p(b.from)-
p(h.from)||p(b.to)-p(h.to)).map(b=>({...b,top:u("from",l,b),bottom:u("to",c,b),height:Math.max(2,b.value*i)})),y=b=>{let h=b.at(-1);return h===void 0?0:Math.max(
h.y+h.height,h.y+34)};return{left:l,right:c,ribbons:m,height:Math.max(y(l),y(c))}}function gr(e,n){let o=new Map;for(let{from:i,to:l,value:c}of e)for(let d of new Set(
[i,l]))o.set(d,(o.get(d)??0)+c);let s=new Set([...o].toSorted(([,i],[,l])=>l-i).slice(0,o.size>n?n-1:n).map(([i])=>i)),a=i=>s.has(i)?i:hr,r=new Map;for(let{from:i,
to:l,value:c}of e){let[d,u]=[a(i),a(l)],p=r.get(`${d} ${u}`)?.value??0;r.set(`${d} ${u}`,{from:d,to:u,value:p+c})}return[...r.values()]}function io(e){return n=>e.
includes(n)?e.indexOf(n):e.length}function ro(e,n,o,s){let a=new Map;for(let l of e)a.set(l[n],(a.get(l[n])??0)+l.value);let r=io(o),i=[];for(let[l,c]of[...a].toSorted(
([d],[u])=>r(d)-r(u))){let d=i.at(-1),u=d===void 0?0:Math.max(d.y+d.height+10,d.y+34);i.push({chain:l,value:c,y:u,height:Math.max(2,c*s)})}return i}function ot(e,n,o=3){let s=(n-e)/o;if(!(s>0))return[e];let a=10**Math.floor(Math.log10(s)),r=a*([1,2,2.5,5,10].find(c=>c*a>=s)??10),i=Math.ceil(e/r-1e-9),l=Math.
floor(n/r+1e-9);return Array.from({length:l-i+1},(c,d)=>Number(((i+d)*r).toPrecision(12)))}function st(e,n,o=5){let s=yr.find(l=>(n-e)/l<=o)??31536e6,a=new Date(
e).getTimezoneOffset()*6e4,r=Math.ceil((e-a)/s)*s+a;return Array.from({length:Math.max(0,Math.floor((n-r)/s)+1)},(l,c)=>r+c*s).map(l=>({ms:l,label:vr(l,s,n-e)}))}
var yr=[...[1/60,1/12,1/4,1,3,6,12].map(e=>e*36e5),...[1,2,7,14,30,91].map(e=>e*864e5)];function vr(e,n,o){let s=new Date(e);return n<864e5?s.toLocaleTimeString(
"en-GB",{hour:"2-digit",minute:"2-digit"}):o<=8*864e5?s.toLocaleDateString("en-GB",{weekday:"short"}):s.toLocaleDateString("en-GB",{day:"2-digit",month:"short"})}
var _r=[[1e9,"G"],[1e6,"M"],[1e3,"k"]];function we(e,n=e){let[o,s]=_r.find(([r])=>Math.abs(e)>=r)??[1,""],a=n===0?4:Math.ceil(Math.log10(Math.abs(e/n)||1))+3;return`${Number(
(e/o).toPrecision(Math.max(4,Math.min(12,a))))}${s}`}function Ee(){let e=W(null),[n,o]=v(0);return A(()=>{if(e.current===null)return;let s=new ResizeObserver(([a])=>o(Math.floor(a?.contentRect.width??0)));return s.
observe(e.current),()=>s.disconnect()},[]),[e,n]}var rt=7;function at({chains:e}){let n=xe(De),[o,s]=Ee(),a=e.map(({from:p,to:f,volumeFiat:m})=>({from:p,to:f,value:Number(m)})),{left:r,right:i,ribbons:l,height:c}=ao(
a,n);if(l.length===0)return t(F,{children:"No swap was paid out in this time."});let d=Math.min(150,s*.3),u=l.map(({from:p,to:f,value:m})=>`${L(p)} to ${L(f)} ${_(
String(m))}`).join(", ");return t("figure",{class:"chart",ref:o,children:t("svg",{width:s,height:c+8,role:"img","aria-label":`Moved: ${u}`,children:[l.map(p=>t(
br,{ribbon:p,x1:d,x2:s-d},`${p.from} ${p.to}`)),r.map(p=>t(lo,{node:p,x:d-rt,labelX:d-rt-8,isLeft:!0},p.chain)),i.map(p=>t(lo,{node:p,x:s-d,labelX:s-d+rt+8},p.chain))]})})}
function br({ribbon:e,x1:n,x2:o}){let s=$e(),{from:a,to:r,value:i,top:l,bottom:c,height:d}=e,u=(n+o)/2,p=`M${n} ${l}C${u} ${l} ${u} ${c} ${o} ${c}V${c+d}C${u} ${c+
d} ${u} ${l+d} ${n} ${l+d}Z`;return t("path",{class:`flow ${s(a)}`,d:p,children:t("title",{children:`${L(a)} → ${L(r)}: ${_(String(i))}`})})}function lo(e){let n=$e(),
{node:o,x:s,labelX:a,isLeft:r=!1}=e,i=r?"end":"start",l=o.y+Math.max(11,o.height/2-3);return t(g,{children:[t("rect",{class:`node ${n(o.chain)}`,x:s,y:o.y,width:rt,
height:o.height}),t("text",{class:"strong",x:a,y:l,"text-anchor":i,children:L(o.chain)}),t("text",{x:a,y:l+14,"text-anchor":i,children:["$",we(o.value)]})]})}function co({
chains:e}){return t(ee,{figures:!0,caption:"Own moves between chains",columns:["From → to","Orders","Moved","Cost","bps"],rows:e.map(({from:n,to:o,orders:s,volumeFiat:a,
costFiat:r,costBps:i})=>({key:`${n} ${o}`,cells:[t("span",{children:[t(G,{id:n})," → ",t(G,{id:o})]},"pair"),s,t(_e,{fiat:a},"moved"),t(_e,{fiat:r},"cost"),i??
"–"]}))})}var wr={below:{tone:"bad",word:"below its band"},above:{tone:"warn",word:"above its band"},within:{tone:"good",word:"in its band"},unknown:{tone:"calm",word:"no\
t read yet"}};function uo({amount:e,bound:n,asset:o}){let s=Number(n.min),a=Number(n.target),r=n.max===null?null:Number(n.max),i=e===null?null:Number(e),l=1.15*
Math.max(r??0,a*1.5,s,i??0,Number.MIN_VALUE),c=f=>100*f/l,{tone:d,word:u}=wr[n.place],p=`${u}: from ${O(n.min)} to ${n.max===null?"any":O(n.max)}, target ${O(n.
target)} ${x(o).symbol}`;return t("svg",{class:`band ${d}`,viewBox:"0 0 100 10",preserveAspectRatio:"none",role:"img","aria-label":p,children:[t("title",{children:p}),
t("rect",{class:"track",y:"3",width:"100",height:"4"}),t("rect",{class:"range",x:c(s),y:"1",width:Math.max(.5,(r===null?100:c(r))-c(s)),height:"8"}),i===null?null:
t("rect",{class:"fill",y:"3",width:c(i),height:"4"}),t("rect",{class:"target",x:c(a)-.2,width:"0.5",height:"10"})]})}function fo({overview:e,summary:n}){let{totalFiat:o,change:s,swaps:a,inFlight:r,unpriced:i,unread:l}=n,c=[...i,...l],d=new Set(c.map(u=>x(u).symbol));return t("\
section",{class:"card money-first","aria-label":"Money",children:[t("div",{children:[t("h2",{children:"Treasury"}),t("p",{class:"total",title:`${o} usd`,"data-e\
xact":o,children:_(o)}),t(Sr,{change:s,total:o}),c.length===0?null:t("p",{class:"note",title:c.join(", "),children:["without ",[...d].join(", "),":"," ",l.length>
0?"no reading or no price":"no price"]})]}),t("dl",{class:"facts",children:[t(Se,{name:"Moved in 24 h",value:_(a.volumeFiat),exact:a.volumeFiat,children:mo(a.orders)}),
t(Se,{name:"Cost in 24 h",value:_(a.costFiat),exact:a.costFiat,children:a.costBps===null?"no swap yet":`${a.costBps} bps`}),t(Se,{name:"In flight",value:_(r.fiat),
exact:r.fiat,children:mo(r.orders)}),t(Se,{name:"Half done within",value:po(a.medianMs),children:a.p90Ms===null?"":`nine of ten ${po(a.p90Ms)}`}),t(kr,{gas:e.gas}),
t(xr,{overview:e})]})]})}function Se(e){return t("div",{children:[t("dt",{children:e.name}),t("dd",{class:e.tone,children:[t("span",{title:e.exact,"data-exact":e.
exact,children:e.value})," ",t("small",{children:e.children})]})]})}function Sr({change:e,total:n}){let o=q();if(e===null)return t("p",{class:"note",children:"N\
o older reading to compare with yet."});let{from:s,totalFiat:a,pricesFiat:r,outsideFiat:i,swapsFiat:l}=e;return t(g,{children:[t("p",{children:[t("b",{title:a,children:[
Pe(a)," (",Re(a,n),")"]})," ",t("span",{class:"quiet",children:["since ",t("span",{title:s,children:D(s,o)})]})]}),t("p",{class:"note parts",children:[t("span",
{title:r,children:["prices ",Pe(r)]}),t("span",{title:i,children:["paid in and out ",Pe(i)]}),t("span",{title:l,children:["swaps and fees ",Pe(l)]})]})]})}function mo(e){
return`${e} order${e===1?"":"s"}`}function po(e){return e===null?"–":V(e)}function kr({gas:e}){let n=({amount:a,needed:r})=>a!==null&&Number(a)<Number(r),[o]=e.
toSorted((a,r)=>Number(n(r))-Number(n(a))||(a.daysLeft??Number.MAX_VALUE)-(r.daysLeft??Number.MAX_VALUE));if(o===void 0)return t(Se,{name:"Runs dry first",value:"\
–"});let s=n(o);return t(Se,{name:"Runs dry first",value:s?"▲ too little":ho(o.daysLeft),tone:s||(o.daysLeft??99)<7?"warn":"",children:`${o.coin}, ${L(o.chain)}`})}
function ho(e){return e===null?"no use yet":e>365?"over a year":`${e} days`}function xr({overview:{services:e,nodes:n}}){let o=[...e.filter(({state:s})=>s!=="go\
od").map(({name:s,state:a})=>`${s} ${a}`),...n.filter(({state:s})=>s!=="good").map(({chain:s,state:a})=>`${L(s)} ${a}`)];return t(Se,{name:"Service and nodes",value:o.
length===0?"✓ well":`▲ ${o[0]??""}`,tone:o.length===0?"":"warn",children:o.length===0?`${e.length+n.length} answer`:o.length===1?"":`and ${o.length-1} more`})}
function lt({overview:e,summary:n}){let{treasury:o,gas:s}=e,a=[...new Set(o.map(({asset:r})=>r.split(":")[0]??""))];return t(S,{title:"Where the money is",link:"\
#/treasury",note:"bar from 0: band, target, balance",children:t("table",{class:"places",children:[t("caption",{class:"hidden",children:"Balances by chain and as\
set"}),t("thead",{children:t("tr",{children:["Asset","Balance","Band","Value","In 24 h","On its way","State"].map(r=>t("th",{scope:"col",children:r},r))})}),a.map(
r=>t("tbody",{children:[t($r,{chain:r,holdings:o.filter(({asset:i})=>i.startsWith(`${r}:`)),summary:n}),o.filter(({asset:i})=>i.startsWith(`${r}:`)).map(i=>t(Er,
{holding:i,valued:n.assets.find(({asset:l})=>l===i.asset)??null,gas:s.find(l=>l.chain===r)??null},i.asset))]},r))]})})}function $r(e){let{chain:n,summary:o}=e,s=o.
assets.filter(({asset:r})=>r.startsWith(`${n}:`)).reduce((r,i)=>r+Number(i.fiat??0),0),[a]=e.holdings.map(({readAt:r})=>r??"").sort();return t("tr",{class:"chai\
n",children:[t("th",{scope:"rowgroup",colSpan:3,children:[t(G,{id:n})," ",t("small",{children:[Re(String(s),o.totalFiat)," of the total"]})]}),t("td",{children:_(
String(s))}),t("td",{colSpan:3,children:t("small",{children:["read ",t(M,{at:a||null})]})})]})}var Cr={below:"▼ below its band",above:"▲ above its band",within:"\
✓ in band",unknown:"no reading"};function Er(e){let{holding:n,valued:o,gas:s}=e,{asset:a,amount:r,bounds:i}=n,{symbol:l}=x(a),c=s!==null&&s.coin.toUpperCase()===
l,[d]=i;return t("tr",{children:[t("th",{scope:"row",children:l}),t("td",{children:t(I,{amount:r,asset:a,chain:!1,symbol:!1})}),t("td",{class:"band-cell",children:d===
void 0?t("small",{children:c?"coin for fees":"no band"}):t(uo,{amount:r,bound:d,asset:a})}),t("td",{title:o?.fiat??void 0,"data-exact":o?.fiat??void 0,children:o?.
fiat==null?t("small",{children:"no price"}):_(o.fiat)}),t("td",{title:o?.change??void 0,children:o?.change==null||Number(o.change)===0?"=":`${Number(o.change)>0?
"+":""}${O(o.change)}`}),t("td",{class:go(o)?"some":"",children:t(Or,{valued:o})}),t("td",{children:d===void 0?c?ho(s.daysLeft):"":t("span",{class:d.place,children:Cr[d.
place]})})]})}function it(e){return Number(e)!==0}function go(e){return e!==null&&(it(e.incoming)||it(e.outgoing))}function Or({valued:e}){return e===null||!go(
e)?t(g,{children:"–"}):t(g,{children:[it(e.incoming)?t("span",{class:"block",title:e.incoming,children:["↓ in ",O(e.incoming)]}):null,it(e.outgoing)?t("span",
{class:"block",title:e.outgoing,children:["↑ out ",O(e.outgoing)]}):null]})}function yo({overview:e,summary:n}){let o=({order:r})=>n?.open.find(i=>i.order===r)?.fiat??null,s=e.tasks.toSorted((r,i)=>+(i.level==="trouble")-+(r.level==="tr\
ouble")||Number(o(i)??0)-Number(o(r)??0)),a=e.problems.filter(({needsPerson:r})=>!r);return s.length+a.length===0?t(S,{title:"Needs you",children:t("p",{class:"\
quiet",children:["✓ Nothing. ",e.verdict]})}):t(S,{title:s.length>0?"Needs you":"Worth knowing",note:s.length>1?"most at stake first":void 0,children:t("ul",{
class:"plain tasks",children:[...s,...a].map(r=>t(Ar,{problem:r,stake:o(r)},`${r.code} ${r.sentence}`))})})}var Tr={trouble:"✕",attention:"▲"};function Ar({
problem:e,stake:n}){let{level:o,sentence:s,meaning:a,todo:r,command:i,deadline:l,left:c,needsPerson:d}=e,u=d?Mr(e):null;return t("li",{class:o,children:[t("span",
{class:"shape","aria-hidden":"true",children:Tr[o]}),t("div",{children:[t("p",{children:[t("b",{children:t(H,{text:s})}),n===null?null:t("span",{class:"stake",children:_(
n)})]}),t("p",{class:"note",children:[a," ",t(H,{text:r}),d?null:" (ends by itself)"]}),i===null||u!==null?null:t("p",{class:"hash",children:[t("code",{children:i}),
t(be,{text:i,what:"the command"})]})]}),l===null&&u===null?null:t("p",{class:"do",children:[l===null?null:t("span",{children:["Time left: ",t("b",{children:c})]}),
u===null?null:t("a",{class:"button main",href:u.href,children:u.name})]})]})}function Mr({order:e,kind:n}){return e!==null?{name:n==="approval"?"Review":"Open t\
he order",href:`#/orders/${e}`}:n==="rule"?{name:"Open the rules",href:"#/rules"}:n==="limit"?{name:"Open the limits",href:"#/limits"}:null}var It="ballast.looked",Pr=864e5;function vo(){let e=q(),[n,o]=v(Dr);A(()=>{let p=()=>localStorage.setItem(It,new Date().toISOString());return addEventListener(
"pagehide",p),()=>removeEventListener("pagehide",p)},[]);let{value:s}=$(`summary?since=${n}`,1e4);if(s===null)return t(S,{title:"Since you last looked",children:t(
"p",{class:"quiet",children:"Reading…"})});let{swaps:a,alarms:r,missed:i}=s,l=p=>a.counts[p]??0,c=l("rejected")+l("abandoned"),d=i.reduce((p,f)=>p+f.runs,0),u=()=>{
let p=new Date(e).toISOString();localStorage.setItem(It,p),o(p)};return t(S,{title:"Since you last looked",note:t(M,{at:n}),children:[t("dl",{class:"facts",children:[
t("div",{children:[t("dt",{children:"Orders"}),t("dd",{children:a.orders})]}),t("div",{children:[t("dt",{children:"Moved"}),t("dd",{children:_(a.volumeFiat)})]}),
t("div",{children:[t("dt",{children:"Cost"}),t("dd",{children:_(a.costFiat)})]})]}),t("ul",{class:"plain small",children:[t(Ft,{count:l("refunded"),one:"order r\
efunded",many:"orders refunded"}),t(Ft,{count:c,one:"order ended without a swap",many:"orders ended without a swap"}),t(Ft,{count:d,one:"planned run came to no \
swap",many:"planned runs came to no swap"}),t(Rr,{alarms:r}),r.length+c+d+l("refunded")===0?t("li",{class:"quiet",children:"✓ No refund, no refusal, no missed r\
un, no alarm"}):null]}),t("button",{type:"button",onClick:u,children:"Mark as seen"})]})}function Rr({alarms:e}){let n=q();return t(g,{children:[e.slice(0,3).map(
({at:o,sentence:s,order:a})=>t("li",{children:[t("span",{"aria-hidden":"true",children:"▲"})," ",a===null?t(H,{text:s}):t("a",{href:`#/orders/${a}`,children:t(
H,{text:s})})," ",t("small",{title:o,children:D(o,n)})]},`${o} ${s}`)),e.length>3?t("li",{children:t("a",{href:"#/alarms",children:[e.length," alarms in all"]})}):
null]})}function Ft(e){return e.count===0?null:t("li",{children:[t("span",{"aria-hidden":"true",children:"▲"})," ",e.count," ",e.count===1?e.one:e.many]})}function Dr(){
return localStorage.getItem(It)??new Date(Date.now()-Pr).toISOString()}function _o(e,n,o,s){return e.map(({at:r,amount:i},l)=>{if(i===null)return"";let c=e[l-1]?.amount??null,d=o(e[l+1]?.at??n);return`${c===null?`M${o(r)} ${s(Number(
i))}`:`V${s(Number(i))}`}H${d}`}).join("")}function bo(e,n){return e.flatMap(({at:o,amount:s},a)=>s===null?[{start:o,end:e[a+1]?.at??n}]:[])}function wo(e,n){return e.
findLast(({at:o})=>Date.parse(o)<=n)?.amount??null}var ae=92,de=44,Bt=44,Ht=16,Nr=18;function ko(e){let{asset:n,since:o,bound:s}=e,{value:a}=$(`series/${encodeURIComponent(n)}?since=${o}`,3e4);if(a===null)return null;
let r=a.points.flatMap(({amount:i})=>i===null?[]:[Number(i)]);return r.length===0?t("p",{class:"note",children:"No reading in this time."}):t(Lr,{...e,series:a,
known:r,bound:s})}function Lr(e){let{series:n,known:o,bound:s,marks:a,price:r}=e,[i,l]=Ee(),[c,d]=[Math.min(...o),Math.max(...o)],{from:u,to:p,points:f}=n,m=f[0]?.
at??u,[y,b]=[Date.parse(m),Date.parse(p)],h=Math.min(c,s===null?c:Number(s.min)),w=Math.max(d,s===null?d:Number(s.target)),k=(w-h)*.12||w*.05||1,T=P=>Math.max(0,
Math.min(ae,ae-ae*(P-h+k)/(w-h+2*k))),C=P=>de+(l-de-Bt)*(P-y)/Math.max(1,b-y),oe=P=>C(Date.parse(P)),{symbol:ke}=x(n.asset),me=So(String(c),String(d));return t(
"figure",{class:"chart history",ref:i,children:[t("svg",{width:l,height:ae+Ht+Nr,role:"img","aria-label":`Readings from ${D(m)}: ${me} ${ke}`,children:[s===null?
null:t(Jr,{bound:s,y:T,right:l-Bt}),t(Xr,{x:C,y:T,low:h-k,high:w+k,startMs:y,endMs:b,width:l}),bo(f,p).map(P=>t("rect",{class:"gap",x:oe(P.start),width:oe(P.end)-
oe(P.start),height:ae},P.start)),t("path",{class:"line-a",d:_o(f,p,oe,T)}),t(Fr,{points:f,x:C(b),y:T}),a.filter(({at:P})=>P>=m).map(P=>t(Br,{mark:P,x:oe(P.at),symbol:ke},
`${P.at} ${P.kind} ${P.order}`))]}),t(Hr,{series:n,startMs:y,x:C,price:r}),t("figcaption",{class:"note",children:["Since ",t("span",{title:m,children:D(m)}),": ",
me," ",ke,s===null?"":` · band ${So(s.min,s.max)}, target ${O(s.target)}`]})]})}function So(e,n){return n===null?`${O(e)} to any`:e===n?O(e):`${O(e)} to ${O(n)}`}
function Xr(e){let{x:n,y:o,low:s,high:a,startMs:r,endMs:i,width:l}=e,c=ot(s,a,2);return t(g,{children:[c.map(d=>t("g",{children:[t("line",{class:"grid-line",x1:de,
x2:l-Bt,y1:o(d),y2:o(d)}),t("text",{x:de-6,y:o(d)+4,"text-anchor":"end",children:we(d,(c[1]??0)-(c[0]??0))})]},d)),st(r,i,Math.max(2,Math.floor(l/70))).map(({ms:d,
label:u})=>t("text",{x:n(d),y:ae+Ht+14,"text-anchor":"middle",children:u},d))]})}function Jr(e){let{bound:n,y:o,right:s}=e,a=n.max===null?0:o(Number(n.max)),[r,
i]=[o(Number(n.min)),o(Number(n.target))];return t(g,{children:[t("rect",{class:"band-area",x:de,y:a,width:Math.max(0,s-de),height:Math.max(0,r-a)}),t("line",{class:"\
edge",x1:de,x2:s,y1:r,y2:r}),t("line",{class:"goal",x1:de,x2:s,y1:i,y2:i}),t("text",{x:s+6,y:r+4,children:"min"}),r-i<12?null:t("text",{x:s+6,y:i+4,children:"ta\
rget"})]})}function Fr(e){let n=e.points.at(-1)?.amount??null;return n===null?null:t("circle",{class:"dot-now",cx:e.x,cy:e.y(Number(n)),r:"3"})}var Ir={in:{path:"\
m0 -5 4 8h-8z",word:"arrived"},out:{path:"m0 3 4 -8h-8z",word:"left"},outside:{path:"m0 -5 4.5 4.5-4.5 4.5-4.5 -4.5z",word:"from outside"},alarm:{path:"m-3.5 -4\
.5 7 7m0 -7-7 7",word:"alarm"}};function Br({mark:e,x:n,symbol:o}){let{kind:s,at:a,amount:r,order:i}=e,{path:l,word:c}=Ir[s],d=r===null?c:`${O(r)} ${o} ${c}`;return t(
"path",{class:`mark ${s}`,d:l,transform:`translate(${n} ${ae+Ht/2+1})`,children:t("title",{children:`${D(a)}: ${d}${i===null?"":`, order ${i.slice(0,8)}`}`})})}
var Xe=240;function Hr(e){let{series:n,startMs:o,x:s,price:a}=e,[r,i]=v(null),l=Date.parse(n.to)-o,c=o+l*(r??Xe)/Xe,d=wo(n.points,c),{symbol:u}=x(n.asset),p=[D(
new Date(c).toISOString()),d===null?"no reading":`${O(d)} ${u}`,...d===null||a===null?[]:[_(String(Number(d)*Number(a)))]].join(" · "),f=m=>{let y=m.currentTarget instanceof
Element?m.currentTarget.getBoundingClientRect():null;if(y===null||y.width===0)return;let b=(m.clientX-y.left)/y.width;i(Math.round(Xe*Math.max(0,Math.min(1,b))))};
return t(g,{children:[t("input",{type:"range",class:"scrub",min:"0",max:Xe,value:r??Xe,"aria-label":`Reading of ${u} at a time`,"aria-valuetext":p,onInput:m=>i(
Number(m.currentTarget.value)),onPointerMove:f,onPointerLeave:()=>i(null),onBlur:()=>i(null)}),r===null?null:t(g,{children:[t("svg",{class:"cross",width:s(c)+1,
height:ae,"aria-hidden":"true",children:t("line",{x1:s(c),x2:s(c),y2:ae})}),t("output",{class:"tip",children:p})]})]})}var ct=132,Je=48,ut=8,Ur=20;function dt(e){let{title:n,steps:o,series:s,as:a,show:r,limit:i=null}=e,[l,c]=Ee(),d=w=>s.map(({of:k})=>k(w)??0),u=w=>a==="bars"?d(w).
reduce((k,T)=>k+T,0):Math.max(...d(w)),p=Math.max(...o.map(u),i?.value??0),f=p===0?1:p*1.08,m=Date.parse(o[0]?.from??""),y=Date.parse(o.at(-1)?.to??""),b=w=>Je+
(c-Je-ut)*(w-m)/Math.max(1,y-m),h=w=>8+ct-ct*w/f;return t("figure",{class:"chart",ref:l,children:[t("svg",{width:c,height:8+ct+Ur,role:"img","aria-label":Vr(e,p),
children:[ot(0,f).map(w=>t("g",{children:[t("line",{class:"grid-line",x1:Je,x2:c-ut,y1:h(w),y2:h(w)}),t("text",{x:Je-6,y:h(w)+4,"text-anchor":"end",children:r(w)})]},
w)),st(m,y,Math.max(2,Math.floor(c/60))).map(({ms:w,label:k})=>t("text",{x:b(w),y:8+ct+15,"text-anchor":"middle",children:k},w)),a==="bars"?t(Wr,{steps:o,series:s,
x:b,y:h,show:r}):t(Kr,{steps:o,series:s,x:b,y:h}),i===null?null:t(g,{children:[t("line",{class:"limit-line",x1:Je,x2:c-ut,y1:h(i.value),y2:h(i.value)}),t("text",
{x:c-ut,y:h(i.value)-4,"text-anchor":"end",children:i.name})]})]}),t(qr,{title:n,steps:o,series:s,show:r})]})}function Vr({title:e,steps:n,show:o},s){return`${e}\
: ${n.length} steps from ${n[0]?.from??""}, at most ${o(s)}`}function Wr(e){let{steps:n,series:o,x:s,y:a,show:r}=e,i=Date.now();return t(g,{children:n.map(l=>{let[
c,d]=[s(Date.parse(l.from)),s(Date.parse(l.to))],u=Date.parse(l.to)<=i,p=0;return o.map(({name:f,of:m,tone:y})=>{let b=m(l)??0;return p+=b,t("rect",{class:`bar-${y}\
 ${u?"":"part"}`,x:c+(d-c)*.14,width:Math.max(1,(d-c)*.72),y:a(p),height:Math.max(0,a(0)-a(b)),children:t("title",{children:`${xo(l)}, ${f}: ${r(b)}${u?"":" so \
far"}`})},`${l.from} ${f}`)})})})}function Kr({steps:e,series:n,x:o,y:s}){let a=r=>o((Date.parse(r.from)+Date.parse(r.to))/2);return t(g,{children:n.map(({name:r,
of:i,tone:l})=>{let c=e.map(u=>({step:u,value:i(u)})),d=c.map(({step:u,value:p},f)=>p===null?"":`${f===0||c[f-1]?.value===null?"M":"L"}${a(u)} ${s(p)}`).join("");
return t("g",{children:[t("path",{class:`line-${l}`,d}),c.map(({step:u,value:p})=>p===null?null:t("circle",{class:`dot-${l}`,cx:a(u),cy:s(p),r:"2.2"},u.from))]},
r)})})}function xo({from:e,to:n}){return Date.parse(n)-Date.parse(e)<24*36e5?`${e.slice(0,10)} ${e.slice(11,16)} UTC`:e.slice(0,10)}function qr(e){let{title:n,steps:o,
series:s,show:a}=e;return t("div",{class:"hidden",children:t("table",{children:[t("caption",{children:n}),t("thead",{children:t("tr",{children:[t("th",{scope:"c\
ol",children:"Time"}),s.map(({name:r})=>t("th",{scope:"col",children:r},r))]})}),t("tbody",{children:o.map(r=>t("tr",{children:[t("th",{scope:"row",children:xo(
r)}),s.map(({name:i,of:l})=>{let c=l(r);return t("td",{children:c===null?"none":a(c)},i)})]},r.from))})]})})}function Co({flows:e,span:n}){let{steps:o,total:s}=e,a=r=>`$${we(r)}`;return t("div",{class:"grid thirds",children:[t(S,{title:`Cost, ${n}`,note:"■ swaps ■ netw\
ork, usd",children:[t("p",{children:[t("b",{title:s.costFiat,children:_(s.costFiat)})," ",t("span",{class:"quiet",children:["for ",t("b",{title:s.volumeFiat,children:_(
s.volumeFiat)})," in ",s.completed," swaps"]})]}),t(dt,{title:"Cost in usd",steps:o,as:"bars",show:a,series:[{name:"swaps",of:r=>Number(r.costFiat)-Number(r.feesFiat),
tone:"a"},{name:"network",of:r=>Number(r.feesFiat),tone:"b"}]})]}),t(S,{title:"Cost of what moved",note:"bps",children:[t("p",{children:[t("b",{children:s.costBps===
null?"–":`${s.costBps} bps`})," ",t("span",{class:"quiet",children:"network fees included"})]}),t(dt,{title:"Cost in bps of what moved",steps:o,as:"lines",show:r=>we(
r),series:[{name:"bps",of:({costBps:r})=>r,tone:"a"}]})]}),t(S,{title:"Time to completion",note:"— half · — 95 of 100",children:[t("p",{children:[t("span",
{class:"quiet",children:"half within"})," ",t("b",{children:Fe(s.medianMs)}),t("span",{class:"quiet",children:", 95 of 100 within"})," ",t("b",{children:Fe(s.p95Ms)})]}),
t(dt,{title:"Time to completion",steps:o,as:"lines",show:Fe,series:[{name:"half",of:({medianMs:r})=>r,tone:"a"},{name:"95 of 100",of:({p95Ms:r})=>r,tone:"b"}]})]})]})}
var Gr=["Rule","Pair","Service","Time"];function Eo({flows:e,span:n}){let[o,s]=v("Rule"),a=zr(e,o);return t("section",{class:"card",children:[t("header",{children:[
t("h2",{children:["Volume, cost and time, ",n]}),t("fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"By"}),Gr.map(r=>t("button",{type:"\
button","aria-pressed":r===o,onClick:()=>s(r),children:r},r))]})]}),a.length===0?t(F,{children:"No order in this time."}):null,t(ee,{figures:!0,caption:`Volume,\
 cost and time by ${o.toLowerCase()}`,columns:[o,"Orders","Moved","Cost","Of it network","bps","Half within","95 of 100"],rows:[...a,{name:"Total",line:e.total}].
map(({name:r,line:i})=>({key:r,cells:jr(r,i)}))}),e.total.unpriced===0?null:t("p",{class:"note",children:[e.total.unpriced," amounts without a price are in no s\
um."]})]})}function zr({rules:e,services:n,pairs:o,steps:s},a){return a==="Rule"?e.map(r=>({name:r.name,line:r})):a==="Service"?n.map(r=>({name:r.name,line:r})):
a==="Pair"?o.map(r=>({name:`${$o(r.from)} → ${$o(r.to)}`,line:r})):s.filter(({orders:r})=>r>0).toReversed().map(r=>({name:r.from.replace("T00:00:00.000Z","").
replace(":00.000Z","Z"),line:r}))}function $o(e){let{symbol:n,chain:o}=x(e);return`${n} ${o}`}function jr(e,n){return[t("b",{children:e},"name"),n.orders,t(_e,{
fiat:n.volumeFiat},"moved"),t(_e,{fiat:n.costFiat},"cost"),t(_e,{fiat:n.feesFiat},"fees"),n.costBps??"–",Fe(n.medianMs),Fe(n.p95Ms)]}function Fe(e){return e===
null?"–":V(e)}var Oo={"24 h":1,"7 d":7,"30 d":30,"1 y":365},Yr=864e5;function To({overview:e}){let[n,o]=v("7 d"),s=Ut(n),{value:a}=$("summary",1e4),r=$(`flows?since=${s}`,2e4);
return t(N,{live:e,children:i=>t(g,{children:[t(J,{children:"Treasury"}),a===null?null:t(g,{children:[t(Qr,{overview:i,summary:a}),t("div",{class:"stack",children:t(
lt,{overview:i,summary:a})})]}),t(Vt,{range:n,onChange:o,ranges:Object.keys(Oo)}),t(Zr,{treasury:i.treasury,summary:a,since:s,marks:r.value?.marks??[]}),t(N,{live:r,
children:l=>t(ea,{flows:l,range:n})}),t(na,{gas:i.gas})]})})}function Ut(e){let[n]=v(Date.now);return new Date(n-Oo[e]*Yr).toISOString()}function Vt(e){return t(
"fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"Range of the plots"}),e.ranges.map(n=>t("button",{type:"button","aria-pressed":n===e.
range,onClick:()=>e.onChange(n),children:n},n))]})}function Qr({overview:e,summary:n}){let o=$e(),a=[...new Set(e.treasury.map(({asset:l})=>l.split(":")[0]??""))].
map(l=>({chain:l,fiat:n.assets.filter(({asset:c})=>c.startsWith(`${l}:`)).reduce((c,{fiat:d})=>c+Number(d??0),0)})),r=Math.max(a.reduce((l,{fiat:c})=>l+c,0),Number.
MIN_VALUE),i=0;return t("section",{class:"card shares","aria-label":"Shares of the chains",children:[t("p",{class:"total",title:`${n.totalFiat} usd`,"data-exact":n.
totalFiat,children:_(n.totalFiat)}),t("svg",{viewBox:"0 0 1000 10",preserveAspectRatio:"none","aria-hidden":"true",children:a.map(({chain:l,fiat:c})=>{let d=i;return i+=
1e3*c/r,t("rect",{class:`node ${o(l)}`,x:d,width:Math.max(0,i-d-2),height:"10"},l)})}),t("ul",{children:[a.map(({chain:l,fiat:c})=>t("li",{children:[t(G,{id:l}),
" ",t("b",{children:_(String(c))})," ",t("small",{children:Re(String(c),n.totalFiat)})]},l)),t("li",{children:["In flight ",t("b",{title:n.inFlight.fiat,children:_(
n.inFlight.fiat)})]})]})]})}function Zr(e){let{treasury:n,summary:o,since:s,marks:a}=e;return n.length===0?t(F,{children:"The configuration lists no asset."}):t(
S,{title:"Balance against its band",note:"▲ arrived ▼ left ◆ outside ✕ alarm · hatched: no reading of our nodes",children:t("div",{class:"multiples",children:n.
map(({asset:r,amount:i,bounds:l,shares:c})=>{let d=o?.assets.find(u=>u.asset===r)??null;return t("section",{"aria-label":`${x(r).symbol} on ${x(r).chain}`,children:[
t("p",{class:"head",children:[t("span",{children:[t("b",{children:x(r).symbol})," ",t(G,{id:r})]}),t("span",{children:[t(I,{amount:i,asset:r,chain:!1,symbol:!1}),
" ",d?.fiat==null?null:t("small",{title:d.fiat,children:_(d.fiat)})]})]}),t(ko,{asset:r,since:s,bound:l[0]??null,marks:a.filter(u=>u.asset===r||u.asset===null),
price:d?.price??null}),c.map(({rule:u,percent:p})=>t("p",{class:"note",children:["Target of ",u,": ",p," of the treasury"]},u))]},r)})})})}function ea({flows:e,
range:n}){let{chains:o,total:s,outside:a}=e,r=n==="1 y"?"31 d":n;return t(g,{children:[t("div",{class:"grid",children:[t(S,{title:`Flows, ${r}`,note:t("b",{title:s.
volumeFiat,children:_(s.volumeFiat)}),children:t(at,{chains:o})}),t("div",{class:"column",children:[t(S,{title:"The same as a table",children:t(co,{chains:o})}),
t(S,{title:`Money from outside, ${r}`,note:"not part of the flows",children:a.length===0?t(F,{children:"Nothing was paid in or taken out."}):t(ta,{outside:a})})]})]}),
t(Co,{flows:e,span:r}),t(Eo,{flows:e,span:r})]})}function ta({outside:e}){let n=(o,s)=>Number(o)===0?"–":t("span",{title:`${o}, ${s??"no price"}`,children:[O(
o)," ",t("small",{children:s===null?"no price":_(s)})]});return t(ee,{caption:"Money from outside",columns:["Asset","Paid in","Taken out"],rows:e.map(o=>({key:o.
asset,cells:[t("span",{children:[x(o.asset).symbol," ",t(G,{id:o.asset})]},"asset"),n(o.in,o.inFiat),n(o.out,o.outFiat)]}))})}function na({gas:e}){return t(S,{title:"\
Coin for fees",wide:!0,children:t(ee,{caption:"Coin for fees",columns:["Chain","Balance","Must stay","Lasts"],rows:e.map(({chain:n,coin:o,amount:s,needed:a,daysLeft:r})=>{
let i=s!==null&&Number(s)<Number(a);return{key:n,cells:[t(G,{id:n},"chain"),s===null?"not read yet":`${O(s)} ${o}`,O(a),i?t("b",{class:"below",children:"▼ too l\
ittle"},"low"):r===null?"no use yet":r>365?"over a year":`about ${r} days`]}})})})}function Po({overview:e}){let{value:n}=$("summary",5e3);return t(N,{live:e,children:o=>t(g,{children:[t(aa,{overview:o}),n===null?null:t(fo,{overview:o,summary:n}),
t("div",{class:"grid",children:[t("div",{class:"column",children:[t(yo,{overview:o,summary:n}),n===null?null:t(lt,{overview:o,summary:n})]}),t("div",{class:"col\
umn",children:[t(vo,{}),t(oa,{}),t(ia,{overview:o}),t(la,{overview:o}),t(ca,{overview:o})]}),t(sa,{overview:o,summary:n})]})]})})}function oa(){let[e,n]=v("24 h"),
{value:o}=$(`flows?since=${Ut(e)}`,2e4);return t("section",{class:"card",children:[t("header",{children:[t("h2",{children:t("a",{href:"#/treasury",children:"Flo\
ws"})}),t(Vt,{range:e,ranges:["24 h","7 d","30 d"],onChange:n})]}),o===null?t("p",{class:"quiet",children:"Reading…"}):t(at,{chains:o.chains})]})}var Ao=6;function sa({
overview:{orders:e},summary:n}){let o=e.slice(0,Ao).map(s=>{let a=n?.open.find(r=>r.order===s.id);return{...s,deposited:a?.deposited??!1,createdAt:a?.requestedAt??
s.since,fiat:a?.fiat??null}});return t(S,{title:"Orders in flight",link:"#/orders",wide:!0,children:[t(Jt,{orders:o,none:"No order is in flight."}),e.length<=Ao?
null:t("p",{class:"rest",children:t("a",{href:"#/orders",children:["All ",e.length," orders in flight"]})})]})}var ra={ok:"All is well",attention:"Needs attenti\
on",trouble:"Trouble"};function aa({overview:e}){let{level:n,mode:o,pause:s}=e;return t("section",{class:`verdict ${n}`,"aria-label":"Verdict",children:t("div",
{children:[t("h1",{tabIndex:-1,children:[ra[n]," · ",o??"unknown"," mode",s===null?"":" · paused"]}),s===null?null:t("p",{children:["Paused by ",s.by," ",t(M,
{at:s.at}),s.reason===null||s.by==="alarm"?".":`: ${s.reason}.`]})]})})}function ia({overview:e}){return t(S,{title:"Next",link:"#/rules",children:[e.next.length===
0?t(F,{children:"No rule is due."}):null,t("dl",{class:"pairs",children:e.next.slice(0,5).map(({rule:n,at:o})=>t("div",{children:[t("dt",{children:t("a",{href:`\
#/decisions/${encodeURIComponent(n)}`,children:n})}),t("dd",{children:t(M,{at:o})})]},n))})]})}function la({overview:e}){let n=e.limits.toSorted((o,s)=>s.percent-
o.percent).slice(0,3);return t(S,{title:"Limits used",link:"#/limits",children:n.map(({name:o,used:s,max:a,unit:r,percent:i})=>t("div",{class:"limit",children:[
t("p",{children:[t(H,{text:o})," ",t("span",{class:"quiet",children:Nt(s,a,r)})]}),t(et,{percent:i,label:`${o}: ${i}%`})]},o))})}var Mo={good:"good",slow:"warn",
degraded:"warn",resting:"warn",silent:"bad",failing:"bad",unknown:"calm"};function ca({overview:e}){let{nodes:n,services:o}=e;return t(S,{title:"Nodes and servi\
ces",children:t("dl",{class:"pairs",children:[n.map(({chain:s,state:a,lastAnswer:r,endpoints:i,needed:l})=>t("div",{children:[t("dt",{title:i.map(({host:c})=>c).
join(", "),children:[L(s)," ",t("small",{class:"block",children:[i.length," node",i.length===1?"":"s",", ",l," must agree"]})]}),t("dd",{children:[t(M,{at:r}),"\
 ",t(R,{tone:Mo[a]??"calm",children:a})]})]},s)),o.map(({name:s,state:a,lastAnswer:r,inFlight:i})=>t("div",{children:[t("dt",{children:["Service ",s," ",t("smal\
l",{children:[i," in flight"]})]}),t("dd",{children:[t(M,{at:r})," ",t(R,{tone:Mo[a]??"calm",children:a})]})]},s))]})})}var ua="What the rules would do if every rule decided now. Looking at it changes nothing.";function Ro({known:e}){let n=$("plan",15e3);return t(g,{children:[t(J,
{note:ua,children:"Plan"}),t(N,{live:n,children:({at:o,proposals:s,declined:a,paused:r,plan:i,mode:l})=>t(g,{children:[(r??[]).map(c=>t("p",{class:"notice warn",
children:t(H,{text:c})},c)),l==="observe"?t("p",{class:"notice warn",children:"Observe mode: Ballast records decisions and makes no order."}):null,t(S,{title:s.
length===0?"Nothing to swap now":`${s.length} swap${s.length===1?"":"s"}`,note:t(g,{children:["computed ",t(M,{at:o}),i.cost===null||s.length===0?"":`, cost abo\
ut ${_(i.cost)}`]}),wide:!0,children:[s.length===0?t(F,{children:"Each rule says below why it asks for nothing."}):null,s.map(c=>t(ma,{proposal:c,known:e},da(c)))]}),
t("div",{class:"grid even",children:a.map(({rule:c,reasons:d})=>t(S,{title:c,link:`#/decisions/${encodeURIComponent(c)}`,children:t(Y,{reasons:d.map(u=>e.humane(
u)),none:"It proposes a swap."})},c))})]})})]})}function da({rules:e,from:n,to:o,amount:s}){return`${e.join()} ${n} ${o} ${s}`}function ma({proposal:e,known:n}){
let{amount:o,from:s,receive:a,to:r,rules:i,cost:l,why:c,refused:d}=e;return t("article",{class:"proposal",children:[t("p",{class:"line",children:[t(I,{amount:o,
asset:s})," → ",t(I,{amount:a,asset:r}),d.length===0?t(R,{tone:"good",children:"would be ordered"}):t(R,{tone:"bad",children:"refused"}),t("span",{class:"quie\
t",children:[i.join(", "),l===null?"":` · cost ${_(l)}`]})]}),t(Y,{reasons:[...c,...d].map(u=>n.humane(u,e))})]})}var pa=2e4;function Wt({scope:e,paused:n,scopes:o,children:s}){let a=q(),[r,i]=v(null),[l,c]=v(null),d=o.includes("operate"),u=r===null?0:r+pa-a;async function p(f){
try{await K("POST",f,e),c(null),i(f==="pause"?Date.now():null),ve()}catch(m){m instanceof U&&c(m)}}return t("span",{class:"actions",children:[l===null?null:t("s\
pan",{class:"notice bad",role:"alert",children:l.message}),n&&u>0?t("button",{type:"button",onClick:()=>{p("resume")},children:["Undo (",Math.ceil(u/1e3)," s)"]}):
n?s:t("button",{type:"button",class:"stop","data-key":e.rule===void 0?"pause":void 0,disabled:!d,title:d?"No new order and no new deposit. Orders that have depo\
sited go on.":"Your token lacks the scope operate",onClick:()=>{p("pause")},children:"Pause"})]})}function Do({overview:e,scopes:n}){return t(Wt,{scope:{},paused:e.
pause!==null,scopes:n,children:t(fa,{overview:e,scopes:n})})}function fa({overview:e,scopes:n}){let o=e.pause?.alarms??[],[s,a]=v([]),r={title:"Resume?",word:"r\
esume",button:"Resume",path:"resume",body:{acknowledge:s},children:o.length===0?t("p",{children:"Rules make orders again at their next time."}):t("fieldset",{children:[
t("legend",{children:"Acknowledge each alarm that you have dealt with"}),o.map(({id:i,message:l})=>t("label",{class:"check",children:[t("input",{type:"checkbox",
checked:s.includes(i),onChange:c=>{let d=s.filter(u=>u!==i);a(c.currentTarget.checked?[...d,i]:d)}}),l]},i))]})};return t(te,{change:r,scope:"operate",scopes:n})}function No({overview:e,scopes:n}){return t(g,{children:[t(J,{note:"Each rule with its last decision, and why it decided so.",children:"Rules"}),t(N,{live:e,children:({
rules:o,orders:s})=>t("div",{class:"grid even",children:[o.map(a=>t(ha,{rule:a,inFlight:s.filter(r=>r.rule===a.id).length,scopes:n},a.id)),o.length===0?t(F,{children:"\
The configuration has no rules."}):null]})})]})}function ha({rule:e,inFlight:n,scopes:o}){let{id:s,kind:a,enabled:r,paused:i,next:l,last:c,verdict:d,reasons:u}=e,
p={title:`Resume the rule ${s}?`,word:"resume",button:"Resume",path:"resume",body:{rule:s},children:t("p",{children:"The rule decides again at its next time."})};
return t(S,{title:s,note:Z(a),link:`#/decisions/${encodeURIComponent(s)}`,children:[t("p",{class:"line",children:[r?i?t(R,{tone:"warn",children:"paused"}):t(R,{
tone:"good",children:"on"}):t(R,{tone:"calm",children:"not enabled"}),t("span",{children:["Next: ",t(M,{at:l})]}),t("span",{children:["Last: ",t(M,{at:c})]}),n===
0?null:t("span",{children:[n," in flight"]})]}),t("p",{children:d===null?t("span",{class:"quiet",children:"It has not decided yet."}):d==="proposed"?t("b",{children:"\
It proposed a swap."}):t("b",{children:"It did nothing, because:"})}),t(Y,{reasons:u}),t("div",{class:"actions",children:[t(Wt,{scope:{rule:s},paused:i,scopes:o,
children:t(te,{change:p,scope:"operate",scopes:o})}),t("a",{class:"button",href:`#/decisions/${encodeURIComponent(s)}`,children:"All decisions"})]})]})}var ga="The configuration that the daemon has in force now. To change it, edit the file and reload; no secret is shown here.";function Lo({overview:e}){let n=$(
"settings",6e4);return t(g,{children:[t(J,{note:ga,children:"Settings"}),t(N,{live:n,children:o=>t("div",{class:"grid even",children:[t(S,{title:"Daemon",children:t(
Ce,{pairs:[["treasury",o.treasury],["version",e.value?.daemon.version??"unknown"],["configuration",t(Q,{hash:o.configHash,what:"the hash of the configuration"},
"hash")],...o.settings.map(({name:s,means:a})=>[s,a])]})}),t(S,{title:"Chains",children:t(Ce,{pairs:o.chains.map(({chain:s,family:a,nativeCoin:r,endpoints:i,agree:l})=>[
L(s),`${a}, coin ${r.symbol}, ${i} node${i===1?"":"s"} of which ${l} must agree`])})}),t(S,{title:"Services and access",children:t(Ce,{pairs:[...o.services.map(
({name:s,host:a})=>[`service ${s}`,a]),...o.tokens.map(({name:s,scopes:a})=>[`token ${s}`,a.join(", ")])]})}),t(Dt,{guards:o.guards})]})})]})}var ya=1500,Xo="ballast.keys";function Kt(){return localStorage.getItem(Xo)!=="off"}function Jo(e){localStorage.setItem(Xo,e?"on":"off")}function Fo(e){let n=W(
e);n.current=e,A(()=>{let o="",s=0,a=r=>{if((r.ctrlKey||r.metaKey)&&r.key.toLowerCase()==="k"){r.preventDefault(),n.current["/"]?.();return}if(r.ctrlKey||r.metaKey||
r.altKey||!Kt()||va(r))return;let i=`${o} ${r.key}`,l=Date.now()-s<ya&&i in n.current,c=n.current[l?i:r.key];o=l?"":r.key,s=Date.now(),c!==void 0&&c()!==!1&&r.preventDefault()};
return document.addEventListener("keydown",a),()=>document.removeEventListener("keydown",a)},[])}function va({target:e}){return document.querySelector("dialog[o\
pen]")!==null?!0:e instanceof Element&&e.closest("input, select, textarea")!==null}function Ie(e){let n=[...document.querySelectorAll("main [data-row]")],o=n.findIndex(
a=>a.matches(":focus")),s=n[o===-1?e===1?0:n.length-1:o+e];return s?.focus(),s?.scrollIntoView({block:"nearest"}),n.length>0}function Oe(e){let n=document.querySelector(
`[data-key="${e}"]`);n?.focus(),n instanceof HTMLButtonElement&&n.click()}function Io(){let{activeElement:e}=document;e instanceof HTMLElement&&e.dataset.row!==
void 0&&e.click()}var _a=[["g h","Overview"],["g t","Treasury"],["g o","Orders"],["g r","Rules"],["g s","Settings"],["/ or Ctrl K","Find or do"],["j k, ↓ ↑","Next and previou\
s line of a list"],["o, Enter","Open it"],["a","Approve, in an order"],["f","Filter"],["e","Export"],["p p","Pause everything"],[".","Times as clock times, or a\
s ages"],["?","This list"]];function Bo({onClose:e}){let n=W(null),[o,s]=v(Kt);return A(()=>n.current?.showModal(),[]),t("dialog",{ref:n,"aria-labelledby":"key-\
help",onClose:e,children:[t("h2",{id:"key-help",children:"Keys"}),t("dl",{class:"pairs",children:_a.map(([a,r])=>t("div",{children:[t("dt",{children:t("kbd",{children:a})}),
t("dd",{children:r})]},a))}),t("label",{class:"check",children:[t("input",{type:"checkbox",checked:o,onChange:({currentTarget:{checked:a}})=>{Jo(a),s(a)}}),"Sin\
gle keys act outside of fields"]}),t("footer",{children:t("button",{type:"button",onClick:e,children:"Close"})})]})}function Ho(e,n,o){let s=n.toLowerCase().split(/\s+/),a=e.filter(({name:l})=>s.every(c=>l.toLowerCase().includes(c))),[r=""]=/^[0-9a-f]{32}$/.exec(n.trim())??[],
i={name:`Order ${r}`,act:()=>o(r)};return(r===""?a:[i,...a]).slice(0,9)}function Uo(e){let{commands:n,onClose:o}=e,s=W(null),a=ue(),[r,i]=v(""),[l,c]=v(0);A(()=>s.current?.showModal(),[]);let d=Ho(n,r,e.onOrder),u=f=>{f!==void 0&&(o(),
f.act())},p=f=>{let m={ArrowDown:1,ArrowUp:-1}[f.key];m!==void 0&&(f.preventDefault(),c((l+m+d.length)%Math.max(d.length,1))),f.key==="Enter"&&(f.preventDefault(),
u(d[l]))};return t("dialog",{ref:s,class:"palette","aria-label":"Find or do",onClose:o,children:[t("input",{type:"text",role:"combobox","aria-label":"Find or do",
"aria-expanded":"true","aria-controls":a,"aria-activedescendant":d.length===0?void 0:`${a}-${l}`,placeholder:"A view, an order, a rule, an act",value:r,autocomplete:"\
off",spellcheck:!1,onInput:f=>{i(f.currentTarget.value),c(0)},onKeyDown:p}),t("div",{id:a,role:"listbox","aria-label":"Found",children:d.map((f,m)=>t("button",{
type:"button",id:`${a}-${m}`,role:"option",tabIndex:-1,"aria-selected":m===l,onClick:()=>u(f),children:[f.name,f.keys===void 0?null:t("kbd",{children:f.keys})]},
f.name))}),d.length===0?t("p",{class:"empty",children:"Nothing has these words."}):null]})}var ba={overview:"M2.5 7.5 8 3l5.5 4.5M4 7v6h3v-3.5h2V13h3V7",orders:"M2 5.5h10m-2.5-3 3 3-3 3M14 10.5H4m2.5-3-3 3 3 3",treasury:"M2.5 3h11v9h-11zM4 12v1.5M12 1\
2v1.5M8 5.5a2 2 0 1 0 .01 0",rules:"M2 4.5h3m3 0h6M6.5 3v3M2 11.5h6m3 0h3M9.5 10v3",alarms:"M8 2.5a4 4 0 0 0-4 4V10l-1.5 2h11L12 10V6.5a4 4 0 0 0-4-4M7 14h2",settings:"\
M8 5.5a2.5 2.5 0 1 0 .01 0M8 1.5v2m0 9v2m6.5-6.5h-2m-9 0h-2M12.6 3.4l-1.4 1.4m-6.4 6.4-1.4 1.4m0-9.2 1.4 1.4m6.4 6.4 1.4 1.4",find:"M7 2.5a4.5 4.5 0 1 0 .01 0M1\
0.3 10.3 14 14",pause:"M5.5 3v10M10.5 3v10"};function qt({name:e}){return t("svg",{class:"icon",viewBox:"0 0 16 16","aria-hidden":"true",children:t("path",{d:ba[e]})})}function Vo(e){let{overview:n}=e,[o,s]=v(!1);A(()=>s(!1),[e.shown]);let a={orders:n?.orders.length,alarms:n?.alarms.length};return t("nav",{class:o?"side open":
"side","aria-label":"Views",children:t("div",{class:"rail",children:[t("a",{class:"brand",href:"#/",children:[t("img",{src:"/icon.svg",alt:"",width:"26",height:"\
26"}),t("span",{children:["Ballast",t("small",{children:e.treasury??""})]})]}),t("ul",{children:e.entries.map(({id:r,name:i,icon:l})=>t("li",{children:t("a",{href:`\
#/${r}`,"aria-current":r===e.shown?"page":void 0,children:[t(qt,{name:l}),i,a[r]?t("span",{class:`count ${r}`,children:a[r]}):null]})},r))}),t("button",{type:"b\
utton",class:"more","aria-expanded":o,onClick:()=>s(!o),children:o?"Less":"More"}),n===null?null:t(wa,{overview:n})]})})}function wa({overview:{services:e,nodes:n}}){
let o=n.filter(({state:s})=>s!=="good");return t("dl",{class:"pulse",children:[e.map(({name:s,state:a})=>t("div",{children:[t("dt",{children:["Service ",s]}),t(
"dd",{children:a==="good"?"✓ good":`▲ ${a}`})]},s)),t("div",{title:o.map(({chain:s,state:a})=>`${L(s)} ${a}`).join(", "),children:[t("dt",{children:"Chains"}),
t("dd",{children:[o.length===0?"✓":"▲"," ",n.length-o.length," of ",n.length," good"]})]})]})}function Wo(e){let{account:n,overview:o}=e,s=()=>{Cn().then(e.
onLeave)};return t("header",{class:"top",children:[t("p",{class:"state",children:o===null?null:t(g,{children:[t("span",{class:`dot ${o.level}`}),o.pause===null?
`${o.mode??"unknown"} mode`:"paused"]})}),t("button",{type:"button",class:"find",onClick:e.onFind,"aria-label":"Find or do","aria-keyshortcuts":"/ Control+K",children:[
t(qt,{name:"find"}),t("span",{children:"Find or do…"}),t("kbd",{children:"/"})]}),t("a",{class:"button",href:"#/swap",children:"New swap"}),o===null?null:t(Do,
{overview:o,scopes:n.scopes}),t(Sa,{}),n.csrf===null?null:t("button",{type:"button",onClick:s,title:`Logged in with the token ${n.name}: ${n.scopes.join(", ")}`,
children:"Log out"})]})}function Sa(){let[e,n]=v(localStorage.getItem("ballast.theme")??"system");A(()=>{e==="system"?delete document.documentElement.dataset.theme:
document.documentElement.dataset.theme=e,localStorage.setItem("ballast.theme",e)},[e]);let o={light:"Light",dark:"Dark"}[e]??"Auto",s={system:"light",light:"dar\
k",dark:"system"}[e]??"system";return t("button",{type:"button",class:"theme",onClick:()=>n(s),"aria-label":`${o} colours. Change to ${s}`,children:o})}var ka="Nothing is ordered before you have seen the quote and typed the amount.";function Go(e){let n=(e.overview.value?.treasury??[]).map(({asset:h})=>h),[o,s]=v(
""),[a,r]=v(""),[i,l]=v(""),[c,d]=v(null),[u,p]=v(null),[f,m]=v(!1);function y(h){h(),d(null)}async function b(h){h.preventDefault(),m(!0),d(null),p(null);try{d(
await xa({from:o,to:a,amount:i}))}catch(w){p(w instanceof U?w.message:"The page failed")}m(!1)}return t(g,{children:[t(J,{note:ka,children:"New swap"}),t("div",
{class:"grid even",children:[t(S,{title:"Request",children:[t("form",{class:"fields",onSubmit:b,children:[t(Ko,{label:"Send",id:"swap-from",value:o,assets:n,onChoose:h=>y(
()=>s(h))}),t($a,{asset:o,value:i,onType:h=>y(()=>l(h))}),t(Ko,{label:"Receive",id:"swap-to",value:a,assets:n,onChoose:h=>y(()=>r(h))}),t("button",{type:"submit",
class:"main",disabled:o===""||a===""||i===""||f,children:f?"Asking…":"Get a quote"})]}),u===null?null:t("p",{class:"notice bad",role:"alert",children:u})]}),c===
null?null:t(Ca,{quote:c,desk:e})]})]})}async function xa(e){return await K("GET",`quote?${new URLSearchParams(e)}`)}function $a(e){let n=e.asset===""?"":`, in ${x(
e.asset).symbol}`;return t(g,{children:[t("label",{for:"swap-amount",children:["Amount",n]}),t("input",{id:"swap-amount",inputMode:"decimal",autocomplete:"off",
value:e.value,onInput:({currentTarget:o})=>e.onType(o.value.trim())})]})}function Ko(e){return t(g,{children:[t("label",{for:e.id,children:e.label}),t("select",
{id:e.id,value:e.value,onChange:n=>e.onChoose(n.currentTarget.value),children:[t("option",{value:"",children:"Choose an asset"}),e.assets.map(n=>t("option",{value:n,
children:[x(n).symbol," on ",x(n).chain]},n))]})]})}function Ca({quote:e,desk:n}){let o={title:"Order this swap?",word:e.amount,button:"Order the swap",path:"sw\
ap",body:{from:e.from,to:e.to,amount:e.amount},onDone:s=>{location.hash=`#/orders/${s.id}`},children:t(g,{children:[t("p",{children:["Send ",t(I,{amount:e.amount,
asset:e.from})," and receive about"," ",t(I,{amount:e.receive,asset:e.to}),"."]}),t(qo,{sentences:e.worstCase})]})};return t(S,{title:"Quote",note:e.refused.length===
0?t(R,{tone:"good",children:"the guards allow it"}):t(R,{tone:"bad",children:"refused"}),children:[t("p",{class:"big",children:t(I,{amount:e.receive,asset:e.to})}),
t(Ea,{quote:e}),t(qo,{sentences:e.worstCase}),t(Y,{reasons:e.refused.map(s=>n.known.humane(s,e))}),t("div",{class:"actions",children:e.refused.length===0?t(te,{
change:o,scope:"operate",scopes:n.scopes,main:!0}):null})]})}function Ea({quote:e}){return t("dl",{class:"pairs",children:[t("div",{children:[t("dt",{children:"\
Cost"}),t("dd",{children:[re(e.costBps),e.sendsFiat===null||e.receivesFiat===null?"":`: ${_(e.sendsFiat)} for ${_(e.receivesFiat)}`]})]}),t("div",{children:[t("\
dt",{children:"Service and solver"}),t("dd",{children:[e.service??"none"," ",e.solver===null?null:t(Q,{hash:e.solver,what:"the solver's id"})]})]}),t("div",{children:[
t("dt",{children:"Network fees at most"}),t("dd",{children:e.fees===null?"cannot be estimated now":`${e.fees.deposit}; for a refund ${e.fees.refund}`})]}),t("di\
v",{children:[t("dt",{children:"Approval"}),t("dd",{children:e.needsApproval?"a person must approve the order":"not needed"})]})]})}function qo({sentences:e}){return t(
"div",{class:"notice warn",children:[t("b",{children:"The worst case"}),t("ul",{children:e.map(n=>t("li",{children:t(H,{text:n})},n))})]})}function zo({parts:e,shown:n,label:o}){return t("nav",{class:"filters tabs","aria-label":o,children:e.map(({id:s,name:a})=>t("a",{class:"chip",href:`#/${s}`,"ar\
ia-current":s===n?"page":void 0,children:a},s))})}var Be=[{id:"",name:"Overview",icon:"overview",show:Po},{id:"orders",name:"Orders",icon:"orders",show:oo},{id:"treasury",name:"Treasury",icon:"treasury",show:To},
{id:"books",name:"Books",icon:"treasury",of:"treasury",show:Rn},{id:"rules",name:"Rules",icon:"rules",show:No},{id:"plan",name:"Plan",icon:"rules",of:"rules",show:Ro},
{id:"decisions",name:"Decisions",icon:"rules",of:"rules",show:Nn},{id:"limits",name:"Limits",icon:"rules",of:"rules",show:Hn},{id:"alarms",name:"Alarms",icon:"a\
larms",show:Pn},{id:"settings",name:"Settings",icon:"settings",show:Lo}];function jo(){let[e,n]=v("asking"),[o,s]=v(0);return A(()=>{xn().then(n,()=>setTimeout(
()=>s(r=>r+1),2e3))},[o]),e==="asking"?t("main",{class:"login",children:t("p",{class:"quiet",children:o===0?"Reading…":"The daemon does not answer. The page t\
ries again every two seconds."})}):e===null?t(Vn,{onLogin:n}):t(Oa,{account:e,onLeave:()=>{On(),j.loggedOut=!1,n(null)}})}function Oa({account:e,onLeave:n}){let o=$(
"overview",3e3),s=$("settings",6e4),[a="",r=null]=An(),i=W(!1);A(()=>{let h=new AbortController;return Tn(h.signal),document.addEventListener("copy",Pa,{signal:h.
signal}),()=>h.abort()},[]);let l=j.loggedOut;A(()=>{l&&n()},[l]);let c=Be.find(({id:h})=>h===a),d=a==="swap"?"New swap":c?.name??"Not found";A(()=>{document.title=
`${d} · Ballast`,i.current&&document.querySelector("h1")?.focus({preventScroll:!0}),i.current=!0,scrollTo(0,0)},[a,r]);let u={overview:o,known:Bn(s.value),scopes:e.
scopes,detail:r},[p,f]=v(!1),[m,y]=v(null);return Fo(Ta({find:()=>y("palette"),help:()=>y("help"),swapTimes:()=>f(h=>!h)})),t(Ot.Provider,{value:u.known.speak,children:t(
De.Provider,{value:u.known.chains,children:t(Tt.Provider,{value:p,children:[t("div",{class:"frame",children:[t("button",{type:"button",class:"skip",onClick:Ra,children:"\
Skip to the content"}),t(Vo,{entries:Be.filter(({of:h})=>h===void 0),shown:c?.of??a,overview:o.value,treasury:s.value?.treasury??null}),t("div",{class:"body",children:[
t(Wo,{account:e,overview:o.value,onFind:()=>y("palette"),onLeave:n}),t(Na,{overview:o.value}),t("main",{id:"content",tabIndex:-1,children:t(Ma,{view:a,detail:r,
desk:u},`${a}/${r}`)})]})]}),m==="palette"?t(Uo,{commands:Aa(o.value,()=>y("help")),onOrder:h=>ne(`orders/${h}`),onClose:()=>y(null)}):null,m==="help"?t(Bo,{onClose:()=>y(
null)}):null]})})})}function ne(e){location.hash=`#/${e}`}function Ta(e){return{"g h":()=>ne(""),"g t":()=>ne("treasury"),"g o":()=>ne("orders"),"g r":()=>ne("r\
ules"),"g s":()=>ne("settings"),"p p":()=>Oe("pause"),"/":e.find,"?":e.help,".":e.swapTimes,j:()=>Ie(1),k:()=>Ie(-1),ArrowDown:()=>Ie(1),ArrowUp:()=>Ie(-1),o:Io,
a:()=>Oe("approve"),f:()=>Oe("filter"),e:()=>Oe("export")}}function Aa(e,n){let o={"":"g h",treasury:"g t",orders:"g o",rules:"g r",settings:"g s"};return[...Be.
map(({id:s,name:a})=>({name:a,keys:o[s],act:()=>ne(s)})),{name:"New swap",act:()=>ne("swap")},{name:"Pause everything",keys:"p p",act:()=>Oe("pause")},{name:"Ke\
ys",keys:"?",act:n},...(e?.orders??[]).map(({id:s,from:a,to:r})=>({name:`Order ${s.slice(0,8)} ${a} → ${r}`,act:()=>ne(`orders/${s}`)})),...(e?.rules??[]).map(
({id:s})=>({name:`Rule ${s}`,act:()=>ne(`decisions/${encodeURIComponent(s)}`)}))]}function Ma({view:e,detail:n,desk:o}){if(e==="orders"&&n!==null)return t(eo,{...o,
detail:n});if(e==="swap")return t(Go,{...o});let s=Be.find(({id:i})=>i===e);if(s===void 0)return t("h1",{tabIndex:-1,children:"There is no such view"});let a=s.
of??s.id,r=Be.filter(({id:i,of:l})=>i===a||l===a);return t(g,{children:[r.length<2?null:t(zo,{parts:r,shown:e,label:"Parts of this view"}),t(s.show,{...o})]})}function Pa(e){
let n=getSelection(),[o,s]=[n?.anchorNode,n?.focusNode].map(a=>a?.parentElement?.closest("[data-exact]")??null);o==null||o!==s||(e.clipboardData?.setData("text/\
plain",o.dataset.exact??""),e.preventDefault())}function Ra(){document.querySelector("#content")?.focus()}var Da=1e4;function Na({overview:e}){let n=q(),o=n-j.lastMs,
s=e!==null&&(j.failing||o>Da);return A(()=>{document.body.classList.toggle("old",s)},[s]),t("div",{role:"status",children:s?t("p",{class:"notice bad stale",children:[
t("b",{children:"This is not live."})," The daemon last answered"," ",Qe(new Date(j.lastMs).toISOString(),n),". You see the state of"," ",D(e.at,n),"."]}):null})}var Yo=document.querySelector("#app");Yo!==null&&ln(t(jo,{}),Yo);
