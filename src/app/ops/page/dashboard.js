/*! Ballast's dashboard, made from web/ by `npm run generate`. It contains Preact (MIT), (c) 2015-present Jason Miller. */
var C,Dt,So,oe,je,Le,Lt,Ae,Mt,Ye,ze,Nt,ye=Symbol.for("pv"),Me={},Ne=[],$o=/^m(i|n|o|s|text|space)$/,Qe=Array.isArray,Xt=Ne.slice,ce=Object.assign;function le(e){
e&&e.parentNode&&e.remove()}function Pe(e,n,o,s,r){var a={type:e,props:n,key:o,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,constructor:ye,__v:r||++Dt,__i:-1,__u:0};return!r&&C.vnode&&C.
vnode(a),a}function h(e){return e.children}function Re(e,n){this.props=e,this.context=n,this.__g=0}function se(e,n){if(n==null)return e.__&&se(e.__,e.__i+1);for(var o;n<e.
__k.length;n++)if((o=e.__k[n])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:se(e)}function Co(e){var n,o=e.__v,s=o.__e,r=[],a=[],i=e.__P;
i&&((n=ce({constructor:ye},o)).__v=o.__v+1,C.vnode&&C.vnode(n),Ze(i,n,o,e.__n,i.namespaceURI,32&o.__u?[s]:null,r,s||se(o),32&o.__u,a),n.__v=o.__v,n.__.__k[n.__i]=
n,Ut(r,n,a),o.__=o.__e=null,n.__e!=s&&Jt(n))}function Jt(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(n){return n&&(e.__e=n.__e)}),
Jt(e)}function Ge(e){(8&e.__g||(e.__g|=8,oe.push(e),Le++))&&je==C.debounceRendering||((je=C.debounceRendering)||queueMicrotask)(It)}function It(){try{for(var e,
n=1;oe.length;)oe.length>n&&oe.sort(Lt),e=oe.shift(),n=oe.length,8&e.__g&&Co(e)}finally{(Le=oe.length)&&(je||queueMicrotask)(It)}}function Bt(e,n,o,s,r,a,i,l,c,p,d){
var f,m,u,g,A,_,S=s.__k||Ne,b=n.length;for(c=Eo(o,n,S,c,b),f=0;f<b;f++)(u=o.__k[f])!=null&&(m=~u.__i&&S[u.__i]||Me,u.__i=f,_=Ze(e,u,m,r,a,i,l,c,p,d),g=u.__e,(m.
ref!=u.ref||8&m.__u)&&(m.ref&&et(m.ref,null,u,m),u.ref&&d.push(u.ref,u.__c||g,u)),A=A||g,4&u.__u?(c=Ft(u,c,e,!m.__v),m.__e&&(m.__e=null)):typeof u.type=="functi\
on"&&_!==void 0?c=_:g&&(c=g.nextSibling),u.__u&=-21);return o.__e=A,c}function Eo(e,n,o,s,r){var a,i,l,c,p,d,f,m,u,g=o.length,A=g,_=0,S=0,b=e.__k=Array(r);for(a=
0;a<r;a++)(i=n[a])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=b[a]=Pe(null,i):Qe(i)?i=b[a]=Pe(h,{children:i}):
i.constructor===ye&&i.__b?i=b[a]=Pe(i.type,i.props,i.key,i.ref,i.__v):b[a]=i,c=a+_,i.__=e,i.__b=e.__b+1,l=null,~(p=i.__i=xo(i,o,c,A))&&(A--,(l=o[p])&&(l.__u|=2)),
l&&l.__v?(i.__u|=16,p==c-1?_--:p==c+1?_++:p!=c&&(p>c?_--:_++,S=1)):(~p||(r>g?_--:r<g&&_++),typeof i.type!="function"&&(i.__u|=4))):b[a]=null;if(S){for(d=[],f=[],
a=0;a<r;a++)if((i=b[a])&&16&i.__u){for(_=0,m=d.length;_<m;)d[u=_+m>>1]<i.__i?_=u+1:m=u;d[_]=i.__i,f[a]=_+1}for(_=d.length;a--;)f[a]&&(f[a]==_?_--:b[a].__u|=4)}if(A)
for(a=0;a<g;a++)!(l=o[a])||2&l.__u||(l.__e==s&&(s=se(l)),tt(l,l));return s}function Ft(e,n,o,s){var r,a,i,l;if(typeof e.type=="function"){if(e.props.__P)return n;
if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&(r[a].__=e,n=Ft(r[a],n,o,!1));return n}for(n&&!n.parentNode&&(n=se(e))&&!n.parentNode&&(n=null),i=e.__e,l=n;l&&l.nodeType==
8;)l=l.nextSibling;for(i!=l&&(!s&&o.moveBefore&&i.parentNode?o.moveBefore(i,n):o.insertBefore(i,n||null)),n=i;(n=n&&n.nextSibling)&&n.nodeType==8&&!n.data.startsWith(
"$s"););return n}function xo(e,n,o,s){var r,a=e.key,i=e.type,l=n[o],c=l&&!(2&l.__u);if(l===null&&a==null||c&&a==l.key&&i==l.type)return o;if(s>(c?1:0)){for(r=o-1;r>=0;r--)if((l=
n[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r;for(r=o+1;r<n.length;r++)if((l=n[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r}return-1}function Rt(e,n,o){o==null&&
(o=""),n[0]=="-"?e.setProperty(n,o):e[n]=o}function Oe(e,n,o,s,r){var a,i;if(n=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof s=="string"&&(e.style.
cssText=s=""),s)for(n in s)o&&n in o||Rt(e.style,n);if(o)for(n in o)s&&o[n]==s[n]||Rt(e.style,n,o[n])}else if(n[0]=="o"&&n[1]=="n")typeof o!="function"&&(o=null),
typeof s!="function"&&(s=null),(e.__e||(e.__e={}))[n]=o,o&&s||(i=ze[n]||(ze[n]=To(n)),(e.__a||(e.__a={}))[n]=Ye,a=n!=(n=n.replace(Mt,"$1")),(n=n.slice(2))[0]<"a"&&
(n=n.toLowerCase()),o?e.addEventListener(n,i,a):e.removeEventListener(n,i,a));else{if(r=="http://www.w3.org/2000/svg")n=n.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(n!="width"&&n!="height"&&n!="href"&&n!="list"&&n!="form"&&n!="tabIndex"&&n!="download"&&n!="rowSpan"&&n!="colSpan"&&n!="role"&&n!="popover"&&n in e)
try{return void(e[n]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&n[4]!="-"?e.removeAttribute(n):e.setAttribute(n,n=="popover"&&o==1?"":o)}}function To(e){
return function(n){var o=this.__e;if(o){if(o=o[e],n[Ae]==null)n[Ae]=Ye++;else if(n[Ae]<this.__a[e])return;return o(C.event?C.event(n):n)}}}function Ze(e,n,o,s,r,a,i,l,c,p){
var d,f,m,u,g,A,_,S,b,N,k,qe,At,Te,ae,Pt,ne,ie,Z=n.type;if(n.constructor!==ye)return null;128&o.__u&&(c=32&o.__u,d=o.__c.__z)&&(n.__u|=c,f=a=[],d.nodeType==8?l=
De(d,a):a.push(d),l=a[0]||l),(d=C.__b)&&d(n);e:if(typeof Z=="function"){m=i.length;try{if(S=n.props,b=(d=Z.prototype)&&d.render,N=(d=Z.contextType)&&s[d.__c],k=
d?N?N.props.value:d.__:s,(u=o.__c)?(n.__c=u,2&u.__g&&(u.__g|=1)):(b?n.__c=u=new Z(S,k):(n.__c=u=new Re(S,k),u.constructor=Z,u.render=Ao),N&&N.sub(u),u.state||(u.
state={}),u.__n=s,u.__g|=8,u.__h=[],u.__k=[]),b&&(u.__s||(u.__s=u.state),Z.getDerivedStateFromProps&&(u.__s==u.state&&(u.__s=ce({},u.__s)),ce(u.__s,Z.getDerivedStateFromProps(
S,u.__s)))),g=u.props,A=u.state,u.__v=n,o.__c){if(S!==g&&b&&!Z.getDerivedStateFromProps&&u.componentWillReceiveProps&&u.componentWillReceiveProps(S,k),n.__v==o.
__v&&!(8&u.__g)||!(4&u.__g)&&u.shouldComponentUpdate&&u.shouldComponentUpdate(S,u.__s,k)===!1){n.__v!=o.__v&&(u.props=S,u.state=u.__s,u.__g&=-9),n.__e=o.__e,n.__k=
o.__k,n.__k.some(function(q){q&&(q.__=n)}),Ne.push.apply(u.__h,u.__k),u.__k=[],u.__h.length&&i.push(u),l=se(o);break e}u.componentWillUpdate&&u.componentWillUpdate(
S,u.__s,k),b&&u.componentDidUpdate&&u.__h.push(function(){u.componentDidUpdate(g,A,_)})}else b&&!Z.getDerivedStateFromProps&&u.componentWillMount&&u.componentWillMount(),
b&&u.componentDidMount&&u.__h.push(u.componentDidMount);u.context=k,u.props=S,u.__P=e,u.__g&=-5,qe=C.__r,At=b?25:0;do u.__g&=-9,qe&&qe(n),d=u.render(u.props,u.state=
u.__s,u.context);while(8&u.__g&&++At<25);b&&(Ne.push.apply(u.__h,u.__k),u.__k=[]),u.state=u.__s,u.getChildContext&&(s=ce({},s,u.getChildContext())),b&&o.__c&&u.
getSnapshotBeforeUpdate&&(_=u.getSnapshotBeforeUpdate(g,A)),Te=d&&d.type===h&&d.key==null?d.props.children:d,S.__P&&(d=l,r=(e=S.__P).namespaceURI,c=a=null,o.props&&
o.props.__P!=e&&(o.__k.some(function(q){q&&tt(q,q)}),o.__k=null),l=o.__k?se(o,0):null),l=Bt(e,Qe(Te)?Te:[Te],n,o,s,r,a,i,l,c,p),S.__P&&(n.__e=null,l=d),n.__u&=-161,
f&&f.some(le),u.__h.length&&i.push(u),1&u.__g&&(u.__g&=-4)}catch(q){if(i.length=m,n.__v=null,c||a)if(q&&q.then){if(n.__u|=128|c,a){for(~(ne=a.indexOf(l||void 0))||
(ne=a.length);(ie=a[ne-1])&&ie.nodeType==8;)ne--;for(;ne<a.length;ne++)if(ie=a[ne])if(a[ne]=null,ae){if(ie==Pt)break}else{if(ie.nodeType!=8)break;ie.data.startsWith(
"$s")&&(Pt=De(ae=ie))}}if(!ae){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;ae=l}(d=De(ae=n.__c.__z||(n.__c.__z=ae)))?(n.__e=ae,l=d):n.__e=l,l=l&&l.nextSibling}else
a&&a.some(le);else n.__e=o.__e;n.__k||(n.__k=o.__k||[]),q&&q.then||Ht(n),C.__e(q,n,o)}}else l=n.__e=Oo(o.__e,n,o,s,r,a,i,c,p,e);return(d=C.diffed)&&d(n),l}function De(e,n){
if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.data.startsWith("/$s")&&!--o)
return e}n&&n.push(e)}}function Ht(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Ht))}function Ut(e,n,o){for(var s=0;s<o.length;)et(o[s++],o[s++],o[s++]);C.__c&&
C.__c(n,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(a){a.call(r)})}catch(a){C.__e(a,r.__v)}})}function Oo(e,n,o,s,r,a,i,l,c,p){var d,f,m,u,g,A,_,
S,b=o.props||Me,N=n.props,k=n.type;if(k=="svg"?r="http://www.w3.org/2000/svg":k=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xht\
ml"),a){for(d=0;d<a.length;d++)if((g=a[d])&&(k?g.localName==k:g.nodeType==3)){e=g,a[d]=null;break}}if(!e){if(S=p.ownerDocument||document,!k)return S.createTextNode(
N);e=S.createElementNS(r,k,N.is?N:p),l&&(C.__m&&C.__m(n,a),l=!1),a=null}if(k){if(p=k=="template"&&e.content||e,a=k=="textarea"&&N.defaultValue!=null?null:a&&Xt.
call(p.childNodes),!l&&a)for(b={},d=0;d<e.attributes.length;d++)b[(g=e.attributes[d]).name]=g.value;for(d in b)g=b[d],d=="dangerouslySetInnerHTML"?m=g:d=="child\
ren"||d in N||d=="value"&&"defaultValue"in N||d=="checked"&&"defaultChecked"in N||Oe(e,d,null,g,r);for(d in N)g=N[d],d=="children"?u=g:d=="dangerouslySetInnerHT\
ML"?f=g:d=="value"?A=g:d=="checked"?_=g:l&&typeof g!="function"||b[d]===g||Oe(e,d,g,b[d],r);f?(l||m&&(f.__html==m.__html||f.__html==e.innerHTML)||(e.innerHTML=f.
__html),n.__k=[]):(m&&(e.textContent=""),(k=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&$o.test(k))&&(r="http://www.w3.org/1999/xhtml"),Bt(p,Qe(u)?
u:[u],n,o,s,r,a,i,a?a[0]:o.__k&&se(o,0),l,c),a&&a.some(le)),l&&k!="textarea"||(d="value",k=="progress"&&A==null?e.removeAttribute(d):A==null||A===e[d]&&(k!="pro\
gress"||A)||Oe(e,d,A,b[d],r),d="checked",_!=null&&_!=e[d]&&Oe(e,d,_,b[d],r))}else b===N||l&&e.data==N||(e.data=N);return e}function et(e,n,o,s){try{typeof e=="f\
unction"?n?n.__x=e(n)||1:s&&(s=s.__c||s.__e)&&(n=s.__x)&&(s.__x=null,typeof n=="function"?n():e(null)):e.current=n}catch(r){C.__e(r,o)}}function tt(e,n,o){var s,
r,a,i;if(C.unmount&&C.unmount(e),!(s=e.ref)||s.current&&s.current!=e.__e||et(s,null,n,e),s=e.__c){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(l){
C.__e(l,n)}s.__P=s.__n=null}if(s=e.__k)for(i=0;i<s.length;i++)s[i]&&tt(s[i],n,typeof e.type!="function"||o&&!e.props.__P);!o&&(s=e.__c)&&(s=s.__z)&&(r=De(s,a=[]))&&
(s==e.__e&&a.some(le),le(r),le(s)),o||le(e.__e),e.__e=e.__c=e.__=null}function Ao(e,n,o){return this.constructor(e,o)}function Vt(e,n){var o,s,r,a;C.__&&C.__(e,
n),n.nodeType==9&&(n=n.documentElement),s=(o=e&&32&e.__u)?null:n.__k,n.__k=Pe(h,{children:[e]}),r=[],a=[],Ze(n,n.__k,s||Me,Me,n.namespaceURI,s?null:n.firstChild?
Xt.call(n.childNodes):null,r,s?s.__e:n.firstChild,o,a),Ut(r,n.__k,a),n.__k.props.children=null}function Xe(e){function n(o){var s,r;return this.getChildContext||(s=new Set,(r={})[n.__c]=this,this.getChildContext=function(){return r},this.shouldComponentUpdate=
function(a){this.props.value!=a.value&&s.forEach(function(i){i.__g|=4,Ge(i)})},this.sub=function(a){s.add(a);var i=a.componentWillUnmount;a.componentWillUnmount=
function(){s.delete(a),i&&i.call(a)}}),o.children}return n.__c="__cC"+Nt++,n.__=e,n.Provider=(n.Consumer=function(o,s){return o.children(s)}).contextType=n,n}C={__e:function(e,n,o,s){for(var r,a,i;n=n.__;)if((r=n.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(a=r.constructor)&&a.getDerivedStateFromError)&&r.setState(a.getDerivedStateFromError(
e)),r.componentDidCatch&&(r.componentDidCatch(e,s||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw Le=0,e}},Dt=0,So=function(e){return e!=null&&e.
constructor===ye},Re.prototype.setState=function(e,n){var o=this.__s;o&&o!=this.state||(o=this.__s=ce({},this.state)),typeof e=="function"&&(e=e(ce({},o),this.props)),
e&&(ce(o,e),this.__v&&(n&&this.__k.push(n),Ge(this)))},Re.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Ge(this))},Re.prototype.render=
h,oe=[],Le=0,Lt=function(e,n){return e.__v.__b-n.__v.__b},Ae=Symbol(),Mt=/(PointerCapture)$|Capture$/i,Ye=0,ze={},Nt=0;var ue,D,nt,Wt,ot=Object.is,Je=0,en=[],st=[],J=C,Kt=J.__b,qt=J.__r,jt=J.diffed,zt=J.__c,Gt=J.unmount,Yt=J.__;function ve(e,n){J.__h&&J.__h(D,e,Je||n),Je=0;var o=D.
__H||(D.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function y(e){return Je=1,Po(nn,e)}function Po(e,n,o){var s=ve(ue++,2);if(s.t=e,!s.__c&&
(s.__=[o?o(n):nn(void 0,n),function(a){var i=(s.__N||s.__)[0],l=s.t(i,a);ot(i,l)||(s.__N=[l,s.__[1]],s.__c.setState({}))}],s.__c=D,!D.__f)){D.__f=!0;var r=D.shouldComponentUpdate;
D.shouldComponentUpdate=function(a,i,l){var c=this.__H;if(!c)return!0;var p=!1,d=this.props!=a;if(c.__.some(function(m){m.__N&&(p=!0,ot(m.__[0],m.__N[0])||(d=!0))}),
r){var f=r.call(this,a,i,l);return p?f||d:f}return!p||d}}return s.__}function P(e,n){var o=ve(ue++,3);!J.__s&&tn(o.__H,n)&&(o.__P=!0,o.__=e,o.u=n,D.__H.__h.push(
o))}function W(e){return Je=5,Ro(function(){return{current:e}},[])}function Ro(e,n){var o=ve(ue++,7);return tn(o.__H,n)&&(o.__=e(),o.__H=n),o.__}function Ie(e){var n=D.context[e.__c],o=ve(ue++,9);return o.c=e,n?(o.__==null&&(o.__=!0,n.sub(D)),n.props.value):e.__}function re(){var e=ve(ue++,11);if(!e.__){for(var n=D.__v;!n.__m&&n.__;)n=n.__;var o=n.__m||(n.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function Do(){var e;
do{for(;e=st.shift();)try{_e(e)}catch(o){J.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=en.shift();){var n=e.__H;if(e.__P&&n)try{n.__h.some(_e),n.__h.some(rt),n.__h=[]}catch(o){
n.__h=[],J.__e(o,e.__v)}}}while(st.length)}J.__b=function(e){D=null,Kt&&Kt(e)},J.__=function(e,n){e&&n.__k&&n.__k.__m&&(e.__m=n.__k.__m),Yt&&Yt(e,n)},J.__r=function(e){
qt&&qt(e),ue=0;var n=(D=e.__c).__H;n&&(nt==D?D.__h=[]:(n.__h.some(_e),n.__h.some(rt),ue=0),n.__h=[],n.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),
nt=D},J.diffed=function(e){jt&&jt(e);var n=e.__c;n&&n.__H&&(n.__H.__h.length&&Zt(en.push(n)),n.__H.__.some(function(o){o.u&&(o.__H=o.u)})),nt=D=null},J.__c=function(e,n){
n.some(function(o){try{o.__h.some(_e),o.__h=o.__h.filter(function(s){return!s.__||rt(s)})}catch(s){o.__h=[function(){throw s}]}}),zt&&zt(e,n)},J.unmount=function(e){
Gt&&Gt(e);var n,o,s=e.__c;s&&s.__H&&(s.__H.__.some(function(r){try{if(r.__P&&r.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}r.__P=o,
Zt(st.push(r))}else _e(r)}catch(a){n=a}}),s.__H=void 0,n&&J.__e(n,s.__v))};var Qt=typeof requestAnimationFrame=="function";function Lo(e){var n,o=function(){clearTimeout(
s),Qt&&cancelAnimationFrame(n),setTimeout(e)},s=setTimeout(o,35);Qt&&(n=requestAnimationFrame(o))}function Zt(e){e!=1&&Wt==J.requestAnimationFrame||((Wt=J.requestAnimationFrame)||
Lo)(Do)}function _e(e){var n=D,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),D=n}function rt(e){var n=D;e.__c=e.__(),D=n}function tn(e,n){return!e||e.length!=
n.length||n.some(function(o,s){return!ot(o,e[s])})}function nn(e,n){return typeof n=="function"?n(e):n}function U(e){if(e<6e4)return`${Math.max(0,Math.floor(e/1e3))} s`;if(e<36e5)return`${Math.floor(e/6e4)} min`;if(e>=2*864e5)return`${Math.floor(e/864e5)} d`;let n=Math.
floor(e%36e5/6e4);return`${Math.floor(e/36e5)} h${n===0?"":` ${n} min`}`}function on(e){return Number.isFinite(e)?`${new Date(e).toISOString().slice(0,16).replace(
"T"," ")} UTC`:"an unknown time"}function E(e){let[n="",o=""]=e.split(":");return{symbol:o.toUpperCase(),chain:B(n)}}function B(e){return e.replace(/(^|_)([a-z])/g,(n,o,s)=>(o?" ":"")+s.toUpperCase())}
function O(e){let n=e.startsWith("-")?"−":"",[o="0",s=""]=e.replace("-","").split(".");if(o.length>sn)return`${n}${O(`${o.slice(0,-6)}.${o.slice(-6)}`)} M`;let r=o===
"0"?/^0*/.exec(s)?.[0].length??0:-o.length,a=s.slice(0,sn+r).replace(/0+$/,""),i=o.replace(/\B(?=(\d{3})+$)/g," ");return`${n}${i}${a===""?"":`.${a}`}`}var sn=6;
function v(e){if(e===null)return"unknown";let n=Math.abs(Number(e));if(n>=1e7)return`${rn(e)}$${O(String(Math.trunc(n)))}`;let o=n>=1e3?0:n!==0&&n<.01?4:2,s=n.toLocaleString(
"en-US",{minimumFractionDigits:o,maximumFractionDigits:o});return`${rn(e)}$${s}`}function we(e){return Number(e)>0?`+${v(e)}`:v(e)}function at(e,n){let o=Number(
n)===0?0:100*Number(e)/Number(n);return`${o<0?"−":""}${Math.abs(o).toFixed(Math.abs(o)<10?2:1)}%`}function rn(e){return e.startsWith("-")&&Number(e)!==0?"−":
""}function ee(e){return e===null?"unknown":`${(e/100).toFixed(2)}%`}function Be(e,n){let o=Date.parse(e)-n;return Number.isNaN(o)?e:Math.abs(o)<1500?"now":o>0?
`in ${U(o)}`:`${U(-o)} ago`}function L(e,n=Date.now()){let o=new Date(e),s=o.toLocaleTimeString("en-GB");return o.toDateString()===new Date(n).toDateString()?s:
`${o.toLocaleDateString("en-GB",{day:"numeric",month:"short"})}, ${s}`}function Y(e){return e.replace(/[-_]/g," ")}function it(e){return e.length<=18?e:`${e.slice(
0,8)}…${e.slice(-6)}`}function de(e){return e==="completed"?"good":e==="held"?"bad":e==="awaiting-approval"||e.startsWith("refund")?"warn":e==="rejected"||e===
"abandoned"?"calm":"busy"}var F=class extends Error{status;reasons;constructor(n,o){super(o.map(({message:s})=>s).join(" ")),this.status=n,this.reasons=o}},Fe="ballast.csrf";async function an(){
try{return{...await V("GET","session"),csrf:localStorage.getItem(Fe)}}catch(e){if(e instanceof F&&e.status===401)return null;throw e}}async function ln(e){let n=await V(
"POST","session",{token:e});return localStorage.setItem(Fe,n.csrf),n}async function cn(){await V("DELETE","session").catch(()=>{}),localStorage.removeItem(Fe)}async function V(e,n,o){
let s=await lt(e,n,o).catch(()=>{throw new F(0,[{code:"page.silent",message:"The daemon does not answer."}])}),r=await s.json().catch(()=>null);if(s.ok)return r;
let{reasons:a}=r??{};throw new F(s.status,a??[{code:"page.answer",message:`The daemon answered ${s.status}.`}])}function lt(e,n,o,s){return fetch(`/api/v1/${n}`,
{method:e,headers:{"x-ballast-csrf":localStorage.getItem(Fe)??"",...o===void 0?{}:{"content-type":"application/json"}},...o===void 0?{}:{body:JSON.stringify(o)},
...s===void 0?{}:{signal:s}})}var j={lastMs:Date.now(),failing:!1,loggedOut:!1,streaming:!1},ct=new Map,ut=new Set;function x(e,n=5e3){let[,o]=y(0),[s,r]=y(null),[a,i]=y(0);return P(()=>{if(e===
null)return;let c=!1;async function p(){if(!(e===null||document.hidden))try{if(ct.set(e,await V("GET",e)),c)return;j.lastMs=Date.now(),j.failing=!1,r(null),o(m=>m+
1)}catch(m){if(c||!(m instanceof F))return;m.status===401&&(j.loggedOut=!0),m.status===0&&(j.failing=!0),r(m)}}let d=()=>{p()};p();let f=setInterval(d,n);return ut.
add(d),document.addEventListener("visibilitychange",d),()=>{c=!0,clearInterval(f),ut.delete(d),document.removeEventListener("visibilitychange",d)}},[e,n,a]),{value:e===
null?null:ct.get(e)??null,error:s,refresh:()=>i(c=>c+1)}}function pe(){for(let e of ut)e()}function dn(){ct.clear()}var Mo=700,un=4e4;async function pn(e){let n=0,
o=()=>{n===0&&(n=window.setTimeout(()=>{n=0,pe()},Mo))};for(;!e.aborted;)await No(e,o).catch(()=>{}),j.streaming=!1,await new Promise(s=>setTimeout(s,2e3))}async function No(e,n){
let o=new AbortController,s=setTimeout(()=>o.abort(),un),r=await lt("GET","events",void 0,AbortSignal.any([e,o.signal]));if(!r.ok||r.body===null)return;j.streaming=
!0;let a=r.body.pipeThrough(new TextDecoderStream).getReader();for(let i=await a.read();!i.done;i=await a.read())clearTimeout(s),s=setTimeout(()=>o.abort(),un),
i.value.includes("data:")&&n();clearTimeout(s)}function K(){let[e,n]=y(Date.now());return P(()=>{let o=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(
o)},[]),e}function mn(){let[e,n]=y(location.hash);return P(()=>{let o=()=>n(location.hash);return addEventListener("hashchange",o),()=>removeEventListener("hash\
change",o)},[]),e.replace(/^#\/?/,"").split("/").map(o=>decodeURIComponent(o))}var Xo=Symbol.for("pv"),Jo=0;function t(e,n,o,s,r,a){n||(n={});var i,l,c=n;if("ref"in c&&typeof e!="function")for(l in c={},n)l=="ref"?i=n[l]:c[l]=n[l];var p={type:e,props:c,key:o,ref:i,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:Xo,__v:--Jo,__i:-1,__u:0};return(r||a)&&(p.__source=r,p.__self=a),C.vnode&&C.vnode(p),p}var dt=Xe(e=>e);function I({text:e}){return t(h,{children:Ie(dt)(e)})}var pt=Xe([]),Io=10;function Bo(){let e=Ie(pt);return n=>{let o=e.indexOf(n.split(":")[0]??
"");return o===-1?"chain-none":`chain-${o%Io}`}}function be({id:e}){let n=Bo();return t("span",{class:"chain-name",children:[t("i",{class:n(e)}),B(e.split(":")[0]??
"")]})}function T({tone:e,children:n}){return t("span",{class:`pill ${e}`,children:n})}function w(e){return t("section",{class:e.wide?"card wide":"card",children:[
t("header",{children:[t("h2",{children:e.link===void 0?e.title:t("a",{href:e.link,children:e.title})}),e.note===void 0?null:t("span",{class:"note",children:e.note})]}),
e.children]})}function M({children:e,note:n}){return t("header",{class:"title",children:[t("h1",{tabIndex:-1,children:e}),n===void 0?null:t("p",{class:"note",children:n})]})}
function X({amount:e,asset:n,chain:o=!0,symbol:s=!0}){let r=E(n);return t("span",{class:"amount",title:`${e??"no reading"} ${n}`,"data-exact":e??void 0,children:[
t("b",{children:e===null?"no reading":O(e)}),s?` ${r.symbol}`:null,o?t("small",{children:[" ",r.chain]}):null]})}var mt=Xe(!1);function $({at:e,clock:n=!1}){let o=K(),
s=Ie(mt)||n;return e===null?t("span",{class:"quiet",children:"never"}):t("time",{dateTime:e,title:e,children:s?L(e,o):Be(e,o)})}function z({reasons:e,none:n=null}){
let o=[...new Map(e.map(s=>[s.message,s])).values()];return o.length===0?n===null?null:t("p",{class:"quiet",children:n}):t("ul",{class:"reasons",children:o.map(
({code:s,message:r})=>t("li",{children:[t(I,{text:r})," ",t("code",{class:"code",children:s})]},r))})}function G({hash:e,link:n=null,what:o}){return t("span",{class:"\
hash",children:[n===null?t("code",{title:e,children:it(e)}):t("a",{href:n,target:"_blank",rel:"noopener noreferrer",title:e,children:[t("code",{children:it(e)}),
t("span",{class:"hidden",children:" (opens the explorer)"})]}),t(me,{text:e,what:o})]})}function me({text:e,what:n}){let[o,s]=y(!1);return t("button",{type:"but\
ton",class:"copy",onClick:()=>{navigator.clipboard?.writeText(e).then(()=>{s(!0),setTimeout(()=>s(!1),1500)})},"aria-label":`Copy ${n}`,children:o?"copied":"cop\
y"})}function R({live:e,children:n}){return e.value!==null?t(h,{children:n(e.value)}):e.error===null?t("p",{class:"quiet",children:"Reading…"}):t("p",{class:"\
notice bad",children:e.error.message})}function H({children:e}){return t("p",{class:"empty",children:e})}function He(e){return t("table",{children:[t("caption",
{class:"hidden",children:e.caption}),t("thead",{children:t("tr",{children:e.columns.map(n=>t("th",{scope:"col",children:n},n))})}),t("tbody",{children:e.rows.map(
({key:n,cells:o})=>t("tr",{children:o.map((s,r)=>t("td",{"data-label":e.columns[r],children:t("div",{children:s})},e.columns[r]))},n))})]})}function Ue({percent:e,
label:n}){let o=e>=100?"bad":e>=80?"warn":"good";return t("svg",{class:`meter ${o}`,viewBox:"0 0 100 6",preserveAspectRatio:"none",role:"img","aria-label":n,children:[
t("rect",{class:"track",width:"100",height:"6"}),t("rect",{class:"fill",width:Math.max(0,Math.min(100,e)),height:"6"})]})}function he({pairs:e}){return t("dl",{
class:"pairs",children:e.map(([n,o])=>t("div",{children:[t("dt",{children:n}),t("dd",{children:o})]},n))})}var Fo="An alarm is open as long as its cause lasts. A pause by an alarm ends when a person acknowledges it (Resume, on the overview).";function hn({overview:e}){
let n=x("alerts?limit=100",1e4);return t(h,{children:[t(M,{note:Fo,children:"Alarms"}),t(R,{live:n,children:o=>{let s=o.alerts.filter(({closed:i})=>i===null),r=e.
value?.problems??[],a=o.alerts.filter(({closed:i})=>i!==null);return t(h,{children:[t(w,{title:s.length===0?"No alarm is open":`${s.length} open`,wide:!0,children:s.
length===0?t(H,{children:"Nothing needs you here."}):t(fn,{alerts:s,problems:r})}),a.length===0?null:t(w,{title:"Over",note:`${a.length} of the last 100`,wide:!0,
children:t(fn,{alerts:a})})]})}})]})}function fn({alerts:e,problems:n=[]}){return t("ul",{class:"plain alarms",children:e.map(({at:o,order:s,reason:r,closed:a})=>t(
"li",{children:[t("p",{children:[t(T,{tone:a===null?"bad":"calm",children:a===null?"open":`over after ${U(Date.parse(a)-Date.parse(o))}`})," ",t("b",{children:t(
I,{text:r.message})})]}),t("p",{class:"line quiet",children:[t("span",{title:o,children:L(o)}),t($,{at:o}),t("code",{children:r.code}),s===null?null:t("a",{href:`\
#/orders/${s}`,children:["Order ",s.slice(0,8)]})]}),t(Ho,{problem:n.find(i=>i.code===r.code&&i.order===s)})]},`${o} ${r.code} ${s}`))})}function Ho({problem:e}){
if(e===void 0)return null;let{meaning:n,todo:o,command:s}=e;return t(h,{children:[t("p",{children:[n," ",t(I,{text:o})]}),s===null?null:t("p",{class:"hash",children:[
t("code",{children:s}),t(me,{text:s,what:"the command"})]})]})}function gn(e){let n=x("books",2e4);return t(h,{children:[t(M,{note:"Swaps of the last 52 weeks, by the ledger. A week begins on Monday, 00:00 UTC.",children:"B\
ooks"}),t(R,{live:n,children:({weeks:o,rules:s,total:r,at:a})=>t(h,{children:[t("div",{class:"grid thirds",children:[t(ft,{name:"Volume",value:v(r.volume),note:`${r.
orders} orders`}),t(ft,{name:"Cost of swaps",value:v(r.swapCost),note:`${ee(r.costBps)} of the volume, network fees included`}),t(ft,{name:"Network fees",value:v(
r.networkFees),note:r.unpriced===0?"all priced":`${r.unpriced} without a price are not in it`})]}),t("div",{class:"grid thirds",children:[t(w,{title:"Volume by \
week",children:t(ht,{weeks:o,series:[{name:"volume",of:i=>Number(i.volume),tone:"a"}]})}),t(w,{title:"Cost by week",children:t(ht,{weeks:o,series:[{name:"cost o\
f swaps",of:i=>Number(i.swapCost),tone:"b"}]})}),t(w,{title:"Network fees by week",children:t(ht,{weeks:o,series:[{name:"network fees",of:i=>Number(i.networkFees),
tone:"c"}]})})]}),t(w,{title:"By rule",note:t($,{at:a}),wide:!0,children:s.length===0?t(H,{children:"No order in these weeks."}):t(Uo,{lines:[...s,r]})})]})})]})}
function ft({name:e,value:n,note:o}){return t("section",{class:"card figure",children:[t("h2",{children:e}),t("p",{class:"big",children:n}),t("p",{class:"note",
children:o})]})}function ht({weeks:e,series:n}){let[o]=n;if(o===void 0)return t(H,{children:"Nothing to plot."});let s=Math.max(...e.map(o.of),0),r=240/e.length;
return t("figure",{class:"plot",children:[t("p",{class:"scale quiet",children:t("span",{children:v(String(s))})}),t("svg",{viewBox:"0 0 240 100",preserveAspectRatio:"\
none","aria-hidden":"true",children:[t("line",{x1:"0",x2:"240",y1:"99.5",y2:"99.5"}),t("line",{x1:"0",x2:"240",y1:"50",y2:"50",class:"soft"}),t("line",{x1:"0",x2:"\
240",y1:"0.5",y2:"0.5",class:"soft"}),e.map((a,i)=>{let l=s===0?0:98*o.of(a)/s;return t("rect",{class:o.tone,x:(i+.1)*r,width:.8*r,y:99-l,height:l,rx:"1",children:t(
"title",{children:`Week of ${a.group}: ${v(String(o.of(a)))}`})},a.group)})]}),t("p",{class:"scale quiet",children:[t("span",{children:e[0]?.group}),t("span",{children:e.
at(-1)?.group})]}),t("div",{class:"hidden",children:t("table",{children:[t("caption",{children:[o.name," by week"]}),t("tbody",{children:e.map(a=>t("tr",{children:[
t("th",{scope:"row",children:a.group}),t("td",{children:v(String(o.of(a)))})]},a.group))})]})})]})}function Uo({lines:e}){let n=e.map(o=>({key:o.group,cells:[t(
"b",{children:o.group},"group"),Object.entries(o.counts).map(([s,r])=>`${r} ${Y(s)}`).join(", "),v(o.volume),v(o.swapCost),v(o.networkFees),ee(o.costBps)]}));return t(
He,{caption:"Swaps by rule",columns:["Rule","Orders","Volume","Cost","Network fees","Cost of volume"],rows:n})}var Vo="Why did a rule do something, or nothing? The same answer in a row is one line with its number of times.";function _n({detail:e,overview:n,known:o}){let s=e===
null?"":`rule=${encodeURIComponent(e)}&`,r=x(`decisions?${s}limit=40`,1e4);return t(h,{children:[t(M,{note:Vo,children:e===null?"Decisions":`Decisions of ${e}`}),
t("nav",{class:"filters","aria-label":"Rules",children:[t("a",{class:"chip",href:"#/decisions","aria-current":e===null?"page":void 0,children:"all rules"}),(n.value?.
rules??[]).map(({id:a})=>t("a",{class:"chip",href:`#/decisions/${encodeURIComponent(a)}`,"aria-current":a===e?"page":void 0,children:a},a))]}),t(R,{live:r,children:a=>t(
"section",{class:"card",children:[a.decisions.length===0?t(H,{children:"No decision yet."}):null,a.decisions.map(i=>t(Wo,{decision:i,known:o},i.id))]})})]})}function Wo({
decision:e,known:n}){let{id:o,at:s,lastAt:r,times:a,rule:i,verdict:l,reasons:c,proposals:p,orders:d}=e,f=`ballast replay ${o}`;return t("article",{class:"propos\
al",children:[t("p",{class:"line",children:[t("b",{title:s,children:L(s)}),t("a",{href:`#/decisions/${encodeURIComponent(i)}`,children:i}),t(T,{tone:l==="propos\
ed"?"good":"calm",children:l==="proposed"?"proposed":"did nothing"}),a>1?t("span",{class:"quiet",children:[a," times, last ",t($,{at:r})]}):null]}),p.map(m=>t("\
p",{class:"line",children:[t(X,{amount:m.amount,asset:m.from})," →"," ",t(X,{amount:m.receive,asset:m.to}),m.cost===null?null:t("span",{class:"quiet",children:[
"cost ",v(m.cost)]})]},`${m.from} ${m.to} ${m.amount}`)),t(z,{reasons:c.map(m=>n.humane(m,p[0]??null))}),t("p",{class:"line quiet",children:[d.map(m=>t("a",{href:`\
#/orders/${m}`,children:["Order ",m.slice(0,8)]},m)),t("span",{class:"hash",children:[t("code",{children:f}),t(me,{text:f,what:"the command that computes this d\
ecision again"})]})]}),t(Ko,{decision:o,known:n})]})}function Ko({decision:e,known:n}){let[o,s]=y(null);return t(h,{children:[t("button",{type:"button",onClick:()=>{
V("GET",`decisions/${encodeURIComponent(e)}/replay`).catch(i=>i).then(s)},"aria-label":`Replay ${e}`,children:"Replay"}),t("div",{"aria-live":"polite",children:o===
null?null:t(qo,{replay:o,known:n})})]})}function qo({replay:e,known:n}){if(e instanceof F)return t("p",{class:"notice bad",children:e.message});let{same:o,again:s,
stored:r}=e;return o?t("p",{class:"notice",children:[t(T,{tone:"good",children:"same decision"})," The stored inputs give the stored result again."]}):t("div",{
class:"notice bad",children:[t("p",{children:[t("b",{children:"Another decision."})," The stored inputs give another result now."]}),t("div",{class:"grid even",
children:[t(yn,{name:"Stored",of:r,known:n}),t(yn,{name:"Now",of:s,known:n})]})]})}function yn({name:e,of:n,known:o}){let s=n.proposals,r=s[0]??null;return t("s\
ection",{"aria-label":e,children:[t("h3",{children:e}),s.map(({from:a,to:i,units:l})=>t("p",{children:["Sell ",t(X,{amount:o.amountOf(l,a),asset:a})," for ",t(I,
{text:i})]},`${a} ${i} ${l}`)),t(z,{reasons:[...s.flatMap(({why:a})=>a),...n.reasons].map(a=>o.humane(a,r)),none:"No reason."})]})}var ke=class extends Error{name="AppError";code;disposition;details;constructor(n){super(n.message,n.cause===void 0?void 0:{cause:n.cause}),this.code=n.code,this.
disposition=n.disposition,this.details=n.details??{}}};function vn(e,n){let o=e.length;for(;o>0&&e[o-1]===n;)o--;return e.slice(0,o)}function Ve(e,n){let o=e<0n?"-":"",s=(e<0n?-e:e).toString().padStart(n+1,"0"),r=s.slice(0,s.length-n),a=vn(s.slice(s.length-n),"0");return`${o}${r}${a===""?"":`\
.${a}`}`}function wn(e){return e===null?n=>n:(n,o=null)=>{let[,s=null]=zo.exec(n)??[],[,r=null]=Go.exec(n)??[],a=(s===null?null:gt(e,`${s}:native`))??gt(e,r)??gt(e,o);if(a===
null)return n;let i=l=>`${Ve(BigInt(l),a.decimals)} ${a.name}`;return n.replace(ns,(l,c)=>`within ${U(Number(c)*1e3)}`).replace(Qo,(l,c,p)=>`(${i(c)}, at most ${i(
p)})`).replace(ts,(l,c,p)=>`within the range of ${i(c)} to ${i(p)}`).replace(es,(l,c,p)=>`(${c} usd, at most ${p} usd)`).replace(Yo,(l,c)=>i(c)).replace(os,l=>a.
decimals<ss?l:i(l))}}function bn(e,n,o){let s=n.asset??(jo.includes(n.code)?o?.to:o?.from)??null;return{...n,message:e(n.message,s)}}var jo=["alarm.payout_short",
"quote.too_good","quote.unproven"],kn="[a-z0-9_]+:[a-z0-9._-]+",zo=/units of (?:the coin|the native coin) of ([a-z0-9_]+)/i,Go=new RegExp(`\\d (?:smallest )?(?:u\
nits of )?(${kn})`,"i"),Yo=new RegExp(`(?<![\\w.])(\\d+) (?:smallest )?units(?: of the coin of [a-z0-9_]+| of ${kn})?`,"gi"),Qo=/(?<=larger than one order may be |would sell more than allowed )\((\d+), at most (\d+)\)/g,
Zo=["worth more than one order may be","would be worth more than allowed","would cost more than allowed"],es=new RegExp(`(?<=(?:${Zo.join("|")}) )\\(([\\d.]+), at\
 most ([\\d.]+)\\)`,"g"),ts=/within the range of (\d{1,40}) to (\d{1,40})(?![\d.])/gi,ns=/(?<=Orders |orders )within (\d+) s\b/g,os=/(?<![\w.:-])\d{10,}(?![\w.:])(?!\s(?:units|smallest))/g,
ss=6;function gt({assets:e,chains:n},o){let s=e.find(a=>a.id===o);if(s!==void 0)return{decimals:s.decimals,name:s.id};let r=n.find(({chain:a})=>`${a}:native`===
o)?.nativeCoin;return r===void 0?null:{decimals:r.decimals,name:r.symbol}}function yt(e){if(!/^[a-z0-9_-]+:[a-z0-9_.-]+$/.test(e)){let n="<chain>:<asset>, for example base_sepolia:wbtc";throw new ke({code:"domain.asset_id",disposition:"\
refused",message:`"${e}" is not an asset id; expected ${n}`,details:{text:e}})}return e}function rs(e){return e.slice(0,e.indexOf(":"))}function Sn(e){return rs(
yt(`${e}:x`))}function $n(e){let n=wn(e===null?null:{assets:e.assets.map(({id:r,decimals:a})=>({id:yt(r),decimals:a})),chains:e.chains.map(({chain:r,nativeCoin:a})=>({chain:Sn(
r),nativeCoin:{...a,token:null}}))}),o=new Set(e?.assets.map(({id:r})=>r)),s=new Set(e?.chains.map(({chain:r})=>r));return{chains:[...s],linkOf:(r,a)=>{let l=(e?.
chains.find(c=>c.chain===r)?.explorer??null)?.tx.replace("{tx}",encodeURIComponent(a))??null;return l?.startsWith("https://")===!0?l:null},amountOf:(r,a)=>{let i=e?.
assets.find(({id:l})=>l===a)?.decimals;return i===void 0?null:Ve(BigInt(r),i)},humane:(r,a=null)=>bn(n,r,a),speak:r=>r.replace(as,a=>o.has(a)?cs(a):a).replace(is,
a=>s.has(a)?B(a):a).replace(ls,a=>L(a))}}var as=/\b[a-z0-9_]+:[a-z0-9._-]*[a-z0-9]/g,is=/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g,ls=/\b\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g;
function cs(e){let{symbol:n,chain:o}=E(e);return`${n} on ${o}`}function Cn({overview:e}){let n=x("settings",6e4);return t(h,{children:[t(M,{note:"What Ballast may still sell, and what it has used.",children:"Limits"}),t(R,{
live:e,children:({limits:o})=>{let s=({used:r,unit:a})=>Number(r)===0&&a.includes(":");return t("div",{class:"grid even",children:[o.filter(r=>!s(r)).toSorted((r,a)=>a.
percent-r.percent).map(r=>t(us,{limit:r},r.name)),t(ds,{limits:o.filter(s)})]})}}),t(R,{live:n,children:({guards:o})=>t(_t,{guards:o})})]})}function us({limit:e}){
let{name:n,used:o,max:s,left:r,unit:a,percent:i}=e,l=`${i}% used`;return t(w,{title:En(n),note:i>=80?t(T,{tone:i>=100?"bad":"warn",children:l}):l,children:[t("p",
{class:"big",children:[wt(r,a)," ",t("small",{children:"left"})]}),t(Ue,{percent:i,label:l}),t("p",{class:"note",children:[vt(o,s,a)," used"]})]})}function ds({
limits:e}){return e.length===0?null:t(w,{title:"Not used yet",children:t("dl",{class:"pairs",children:e.map(({name:n,left:o,unit:s})=>t("div",{children:[t("dt",
{children:En(n)}),t("dd",{children:[wt(o,s)," left"]})]},n))})})}function _t({guards:e}){return t(w,{title:"Every guard",note:"as the configuration in force say\
s",wide:!0,children:t("dl",{class:"pairs",children:e.map(({guard:n,means:o})=>t("div",{children:[t("dt",{children:t("code",{children:n})}),t("dd",{children:t(I,
{text:ps(o)})})]},n))})})}function vt(e,n,o){return o==="usd"?`${v(e)} of ${v(n)}`:`${O(e)} of ${wt(n,o)}`}function wt(e,n){return n==="usd"?v(e):`${O(e)} ${n.includes(
":")?E(n).symbol:n}`}function ps(e){let n=e.split(", ").map(r=>r.split(" ")),[[o=""]=[]]=n;return n.length>1&&n.every(([r,a="",...i])=>r===o&&a.includes(":")&&i.
length===0)?`${o} of each asset`:e}function En(e){let[n=""]=e.split(" ");if(!n.includes(":"))return e.slice(0,1).toUpperCase()+e.slice(1);let{symbol:o,chain:s}=E(
n);return`${o} on ${s}${e.slice(n.length)}`}function xn({onLogin:e}){let[n,o]=y(""),[s,r]=y(!1),[a,i]=y(null);async function l(c){c.preventDefault(),r(!0);try{e(await ln(n.trim()))}catch(p){i(p instanceof
F?p.message:"The page failed"),r(!1)}}return t("main",{class:"login",children:t("form",{class:"card",onSubmit:l,children:[t("img",{src:"/icon.svg",alt:"",width:"\
44",height:"44"}),t("h1",{children:"Ballast"}),t("p",{class:"note",children:["Log in with one of the tokens of ",t("code",{children:"ops.token"})," or ",t("code",
{children:"ops.tokens"}),". What you can do here is what the token's scopes allow."]}),t("label",{for:"token",children:"Token"}),t("input",{id:"token",type:"pas\
sword",autocomplete:"current-password",value:n,onInput:c=>o(c.currentTarget.value)}),a===null?null:t("p",{class:"notice bad",role:"alert",children:a}),t("button",
{type:"submit",class:"main",disabled:n===""||s,children:"Log in"})]})})}function Tn({payoutDeadline:e},n){if(e===void 0)return null;let{at:o,height:s}=e,r=ms(e);if(o===null)return`before its lock ends, at an unknown time; ${r}`;let a=Date.
parse(o)-(n??0),i=a>0?`${U(a)} left`:`over since ${U(-a)}`,l=[`height ${s??"unknown"}`,...n===null?[]:[i],"estimated"];return`before ${on(Date.parse(o))} (${l.join(
", ")}); ${r}`}function ms({offerUnits:e,capUnits:n}){let o=n===null?"":`, and one may offer up to ${n}`;return e===null?`no redemption of ours is signed yet${o}${o===
""?"":" of the coin's smallest units"}`:`our newest redemption offers at most ${e}${o} of the coin's smallest units`}function On({secret:e,ownSecret:n}){if(n===void 0)return e==="service"?"chosen by the service":"not chosen yet";let{status:o,revealedAt:s}=n,r=s===null?"":` at ${s}`;
return{unknown:"our own, told to no other party",revealed:`our own, revealed${r}`,withheld:"our own, withheld for ever",lost:`our own, revealed${r}, and the pay\
out went back to the solver`}[o]}var fs=1e3,bt=4;function An({order:e,scopes:n}){let[o,s]=y(!1),r=n.includes("approve");return t(h,{children:[t("button",{type:"button",class:"main","data-key":"\
approve",disabled:!r,title:r?void 0:"Your token lacks the scope approve",onClick:()=>s(!0),children:"Approve"}),o?t(hs,{order:e,onClose:()=>s(!1)}):null]})}function hs({
order:e,onClose:n}){let o=W(null),s=re(),[r,a]=y(""),[i,l]=y(null),c=ws(e);P(()=>o.current?.showModal(),[]);let p=c||r.trim()===e.destinationOwner.slice(-bt);async function d(){
try{await V("POST",`orders/${e.id}/approve`,{intent:e.intent}),pe(),n()}catch(f){f instanceof F&&l(f)}}return t("dialog",{ref:o,class:"approve","aria-labelledby":s,
onClose:n,children:[t("h2",{id:s,tabIndex:-1,children:["Approve ",e.fiat===null?"this order":v(e.fiat),"?"," ",t("small",{children:["ends ",t($,{at:e.approveBefore})]})]}),
t(ys,{address:e.destinationOwner,isOurs:c}),t(_s,{order:e}),c?null:t(gs,{typed:r,onType:a}),i===null?null:t("p",{class:"notice bad",role:"alert",children:i.message}),
t("footer",{children:[t("button",{type:"button",onClick:n,children:"Later"}),t(vs,{disabled:!p,onHeld:()=>{d()}})]}),t("details",{children:[t("summary",{children:"\
All fields that are signed"}),t("dl",{class:"pairs small",children:Object.entries(e.intentFields??{}).map(([f,m])=>t("div",{children:[t("dt",{children:f}),t("dd",
{children:t("code",{children:m})})]},f))})]})]})}function gs(e){let n=re();return t(h,{children:[t("label",{for:n,children:["Type the last ",bt," characters of \
the address"]}),t("input",{id:n,value:e.typed,maxLength:bt,autocomplete:"off",spellcheck:!1,onInput:o=>e.onType(o.currentTarget.value)})]})}function ys({address:e,
isOurs:n}){return t("p",{class:n?"payee":"payee foreign",children:[n?"Pays our own wallet":"▲ Pays an address that is not this daemon's wallet",t("code",{children:e.
match(/.{1,4}/g)?.join(" ")})]})}function _s({order:e}){let n=E(e.from),o=E(e.to),s=e.costParts.refundAtMostFiat;return t("dl",{class:"pairs",children:[t("div",
{children:[t("dt",{children:"Sends"}),t("dd",{children:[t("b",{children:e.amount})," ",n.symbol,", ",n.chain]})]}),t("div",{children:[t("dt",{children:"Receives"}),
t("dd",{children:[t("b",{children:e.destinationAmount})," ",o.symbol,", ",o.chain]})]}),t("div",{children:[t("dt",{children:"Costs"}),t("dd",{children:[e.costFiat===
null?"unknown":v(e.costFiat)," (",ee(e.costBps),")"]})]}),t("div",{children:[t("dt",{children:"Why it asks"}),t("dd",{children:[e.askedBy??e.rule," wants more t\
han one order may send without a person"]})]}),t("div",{children:[t("dt",{children:"At worst"}),t("dd",{children:["the deposit comes back after its timelock",s===
null?"":`, for a fee of up to ${v(s)}`]})]})]})}function vs(e){let n=W(0),[o,s]=y(!1),r=()=>{e.disabled||n.current!==0||(s(!0),n.current=window.setTimeout(()=>{
a(),e.onHeld()},fs))},a=()=>{clearTimeout(n.current),n.current=0,s(!1)};P(()=>a,[]);let i=({key:l})=>l==="Enter"||l===" ";return t("button",{type:"button",class:o?
"main hold holding":"main hold",disabled:e.disabled,onPointerDown:r,onPointerUp:a,onPointerLeave:a,onKeyDown:l=>i(l)?r():void 0,onKeyUp:a,onBlur:a,onContextMenu:l=>l.
preventDefault(),children:"Hold to approve"})}function ws({to:e,destinationOwner:n}){let{value:o}=x("status",6e4),s=e.split(":")[0];return o?.chains.some(r=>r.chain===
s&&r.account===n)??!1}function bs({change:e,onClose:n}){let o=W(null),[s,r]=y(""),[a,i]=y(!1),[l,c]=y(null),p=re(),d=re();P(()=>o.current?.showModal(),[]);let f=s.trim()===e.word;async function m(u){
if(u.preventDefault(),!(!f||a)){i(!0);try{let g=await V("POST",e.path,e.body);pe(),n(),e.onDone?.(g)}catch(g){g instanceof F&&c(g),i(!1)}}}return t("dialog",{ref:o,
"aria-labelledby":p,onClose:n,children:t("form",{onSubmit:m,children:[t("h2",{id:p,children:e.title}),e.children,t("label",{for:d,children:["Type ",t("code",{class:"\
word",children:e.word})," to confirm"]}),t("input",{id:d,value:s,autocomplete:"off",spellcheck:!1,onInput:u=>r(u.currentTarget.value)}),l===null?null:t("p",{class:"\
notice bad",role:"alert",children:l.message}),t("footer",{children:[t("button",{type:"button",onClick:n,children:"Cancel"}),t("button",{type:"submit",class:e.danger?
"main danger":"main",disabled:!f||a,children:a?"Sending…":e.button})]})]})})}function Q(e){let[n,o]=y(!1),s=e.scopes.includes(e.scope);return t(h,{children:[t(
"button",{type:"button",class:e.change.danger?"danger":e.main?"main":"",disabled:!s,title:s?void 0:`Your token lacks the scope ${e.scope}`,onClick:()=>o(!0),children:e.
change.button}),n?t(bs,{change:e.change,onClose:()=>o(!1)}):null]})}function Pn({order:e,scopes:n}){if(e.state==="awaiting-approval")return t(Ss,{order:e,scopes:n});if(!e.held&&e.state!=="disarmed")return null;let o=(r,a)=>{let i=r.
slice(0,1).toUpperCase()+r.slice(1);return{title:`${i} this order?`,word:r,button:i,path:`orders/${e.id}/${r}`,body:{},danger:r==="abandon",children:t("p",{children:a})}},
s=o("abandon","You answer for the end of this order: Ballast ends it once no deposit can land.");return t("div",{class:"actions",children:[e.held?t(h,{children:[
t(Q,{change:o("retry","Ballast goes on from where the order was held."),scope:"operate",scopes:n,main:!0}),t(Q,{change:o("refund","Ballast takes the deposit bac\
k as soon as the HTLC allows it."),scope:"operate",scopes:n})]}):null,t(Q,{change:s,scope:"operate",scopes:n})]})}function ks({people:e}){if(e===void 0)return"";
let n=e.approved.map(({by:s})=>s).join(", "),o=e.needed-e.approved.length;return` · approved by ${n===""?"none":n}; ${o} more must approve`}function Ss({order:e,
scopes:n}){let o=`${e.amount} ${E(e.from).symbol}`,s={title:"Reject this order?",word:"reject",button:"Reject",path:`orders/${e.id}/reject`,body:{},danger:!0,children:t(
"p",{children:["Nothing was deposited. The order ends, and ",o," stay in the wallet."]})};return t("div",{class:"actions",children:[t(An,{order:e,scopes:n}),t(Q,
{change:s,scope:"approve",scopes:n}),t("span",{class:"note",children:["Approve before ",t($,{at:e.approveBefore,clock:!0})," (",t($,{at:e.approveBefore}),")",ks(
e)]})]})}function Rn({events:e,seen:n,outcome:o,state:s,approval:r,updatedAt:a,createdAt:i}){let l=(...u)=>e.find(({type:g})=>u.includes(g))?.at??null,c=s==="awaiting-ap\
proval"||r!==null,p=n.sourceRefunded!=null||s.startsWith("refund")||o==="refunded",d=[{name:"Requested",at:i},{name:"Quoted",at:l("quote.accepted")},{name:"Orde\
red",at:l("order.created")},{name:"Verified",at:l("deposit.verified")},...c?[{name:"Approved",at:r?.at??null}]:[],{name:"Deposited",at:n.sourceInitiated?.at??null},
...p?[{name:"Refunded",at:n.sourceRefunded?.at??null}]:[{name:"Solver deposited",at:n.destinationInitiated?.at??null},{name:"Paid out",at:n.destinationRedeemed?.
at??null}],{name:o===null?"Final":$s(o),at:o===null?null:a}],f=d.findLastIndex(({at:u})=>u!==null),m=o==="rejected"||o==="abandoned";return d.map((u,g)=>{if(m&&
g===d.length-1)return{...u,state:"failed"};if(g<=f&&!(m&&u.at===null))return{...u,state:"done"};let A=g===f+1;return{...u,state:A&&o===null?s==="held"?"failed":
"now":"open"}}).filter(({at:u,state:g})=>!(o!==null&&u===null&&g==="open"))}function Dn(e){let n=e.from.split(":")[0]??"",o=e.to.split(":")[0]??"",s=(r,a,i)=>({
what:a,chain:i,service:e.reportedTxs[r],seen:e.seen[r]??null});return[s("sourceInitiated","Our deposit",n),s("destinationInitiated","The solver's deposit",o),s(
"destinationRedeemed","The payout to us",o),s("sourceRedeemed","The solver takes our deposit",n),s("sourceRefunded","The refund to us",n)]}function Ln({service:e,
seen:n},o){return n!==null&&e.includes(n.tx)?{tone:"good",says:"agree"}:n!==null&&e.length>0?{tone:"warn",says:"another transaction"}:n!==null?{tone:"good",says:"\
proven"}:e.length>0?{tone:o?"calm":"warn",says:"only reported"}:{tone:"calm",says:"not yet"}}function $s(e){return e.slice(0,1).toUpperCase()+Y(e).slice(1)}function Mn(e){
let[n]=Object.entries(Cs).filter(([s])=>s===e);return n!==void 0?{who:n[1][0],says:n[1][1]}:{who:e.startsWith("operator.")?"operator":"Ballast",says:e.replaceAll(
/[._]/g," ")}}var Cs={"order.opened":["Ballast","opens the order"],"work.deferred":["Ballast","waits and looks again later"],"quote.accepted":["service","quotes\
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
e HTLC never had the deposit"]};function Xn(e){let n=x(`orders/${encodeURIComponent(e.detail)}`,3e3);return t(R,{live:n,children:o=>t(Es,{order:o,desk:e})})}function Es({order:e,desk:n}){let o=`\
#/decisions/${encodeURIComponent(e.rule)}`,s=n.overview.value?.orders.find(({id:r})=>r===e.id)??null;return t(h,{children:[t(M,{note:t(h,{children:["Order ",t("\
code",{children:e.id.slice(0,8)})," of rule ",t("a",{href:o,children:e.rule}),", requested ",t($,{at:e.createdAt})]}),children:[t(X,{amount:e.amount,asset:e.from}),
" →"," ",t(X,{amount:e.destinationAmount,asset:e.to})]}),t("section",{class:`card wide place ${de(e.state)}`,children:[t("p",{children:t(T,{tone:de(e.state),children:Y(
e.state)})}),t("p",{class:"money",children:[t("span",{class:"quiet",children:"Where is the money?"})," ",t("b",{children:e.money})]}),s?.left==null?null:t("p",{
children:[t("b",{children:s.left})," left",s.ends===null?"":`: ${s.ends}`]}),t(z,{reasons:e.reasons.map(r=>n.known.humane(r,e))}),t(Pn,{order:e,scopes:n.scopes})]}),
t(w,{title:"The way of the order",wide:!0,children:t(xs,{stages:Rn(e)})}),t(w,{title:"The service's word and the chain's word",note:"Ballast believes only the c\
hain.",wide:!0,children:t(Ts,{order:e,desk:n})}),t("div",{class:"grid even",children:[t(w,{title:"Transactions",children:t(As,{order:e,desk:n})}),t(w,{title:"Te\
rms",children:t(Ps,{order:e})})]}),t(w,{title:"Everything that happened",note:`${e.events.length} events`,wide:!0,children:t(Rs,{order:e})})]})}function xs({stages:e}){
return t("ol",{class:"stages",children:e.map(({name:n,at:o,state:s},r)=>{let a=e.slice(0,r).findLast(l=>l.at!==null)?.at??null,i=o===null||a===null?null:Date.parse(
o)-Date.parse(a);return t("li",{class:s,"aria-current":s==="now"?"step":void 0,children:[t("span",{class:"mark","aria-hidden":"true"}),t("b",{children:n}),o===null?
t("small",{children:s==="now"?"next":s==="done"?"passed":"not yet"}):t("small",{title:o,children:[L(o),i===null||i<0?"":` · +${i<1e4?`${(i/1e3).toFixed(1)} s`:
U(i)}`]})]},n)})})}function Ts({order:e,desk:n}){let o=Dn(e).filter(({what:s,service:r,seen:a})=>r.length>0||a!==null||s!=="The refund to us").map(({what:s,chain:r,
service:a,seen:i})=>{let{tone:l,says:c}=Ln({service:a,seen:i},e.outcome!==null),p=[t("span",{children:[t("b",{children:s}),t("small",{class:"block",children:["o\
n ",B(r)]})]},"what"),t(Os,{chain:r,txs:a,desk:n},"service"),i===null?t("span",{class:"quiet",children:"shows nothing"},"seen"):t("span",{children:[t(G,{hash:i.
tx,link:n.known.linkOf(r,i.tx),what:"the transaction"}),t("small",{class:"block",children:[L(i.at),", ",i.final?"final":"not final yet"]})]},"seen"),t(T,{tone:l,
children:c},"judgement")];return{key:s,cells:p}});return t(He,{caption:"The service's word and the chain's word",columns:["About","The service says","Our own no\
de shows","Together"],rows:o})}var Nn=3;function Os({chain:e,txs:n,desk:o}){if(n.length===0)return t("span",{class:"quiet",children:"says nothing"});let s=n.length-
Nn;return t("span",{children:[n.slice(0,Nn).map(r=>t("span",{class:"block",children:t(G,{hash:r,link:o.known.linkOf(e,r),what:"the transaction"})},r)),s>0?t("sm\
all",{class:"block",children:["and ",s," more"]}):null]})}function As({order:e,desk:n}){let o=e.from.split(":")[0]??"";return e.transactions.length===0?t("p",{class:"\
empty",children:e.deposit==="gasless"&&e.depositTx!==null?"Ballast signed no transaction of its own: the relay made the deposit and paid its fee.":"Ballast has \
signed no transaction for this order."}):t("ul",{class:"plain",children:e.transactions.map(({purpose:s,attempt:r,tx:a})=>t("li",{children:[t("b",{children:s}),"\
 ",t("small",{children:r>0?`attempt ${r+1}`:`on ${B(o)}`}),t(G,{hash:a,link:n.known.linkOf(o,a),what:"the transaction"})]},a))})}function Ps({order:e}){let n=E(
e.to).symbol,o=Tn(e,null),s=[["Order",t(G,{hash:e.id,what:"the order's id"},"id")],["Order at the service",e.serviceOrderId===null?"none":t(G,{hash:e.serviceOrderId,
what:"the service's id"},"s")],["Service",e.service??"none yet"],["Solver",e.solver===null?"none yet":t(G,{hash:e.solver,what:"the solver's id"},"solver")],["Se\
cret",On(e)],...o===null?[]:[["Payout must be redeemed",o]],["Value",e.fiat===null?"unknown":v(e.fiat)],["Cost, network fees so far included",`${v(e.costFiat)} \
(quote: ${ee(e.costBps)})`],["Deposit",e.deposit==="gasless"?"by a relay, without a fee of ours":"by our own transaction"],["Pays to",t(G,{hash:e.destinationOwner,
what:"the address"},"d")],["Fee that the payout may lose",e.payoutFee===null?"unknown":`${O(e.payoutFee)} ${n}`],["Refund possible at height",e.refundableAtHeight??
"not known yet"],["Approved",e.approval===null?"no approval was needed or given":`by ${e.approval.by}, ${L(e.approval.at)}`],["Acts next",e.who]];return t(h,{children:[
t(he,{pairs:s}),e.calls.length===0?null:t(h,{children:[t("h3",{children:"Asked by people"}),t("ul",{class:"plain",children:e.calls.map(({at:r,caller:a,source:i,
action:l})=>t("li",{children:[t("b",{children:l})," by ",a," from ",i,", ",t($,{at:r})]},`${r} ${l}`))})]})]})}function Rs({order:e}){let[n,o]=y(!1),s=n?e.events:
e.events.slice(-40);return t(h,{children:[e.events.length>s.length?t("button",{type:"button",onClick:()=>o(!0),children:["Show the ",e.events.length-s.length," \
earlier events"]}):null,t("ol",{class:"events",children:s.map(({at:r,type:a,state:i},l)=>{let{who:c,says:p}=Mn(a);return t("li",{class:c,children:[t("time",{dateTime:r,
title:r,children:L(r)}),t("span",{class:"who",children:c}),t("span",{children:[p," ",t("small",{children:["→ ",Y(i)]})]})]},`${r} ${l}`)})})]})}var We=["quoted","ordered","verified","signed","deposited","solver deposited","paid out"],Ds={quoting:0,creating:1,verifying:2,"awaiting-approval":3,allowing:3,
"gasless-signing":3,"deposit-planning":3,"deposit-signing":3,"deposit-sending":4,"gasless-submitting":4,"deposit-confirming":4,"gasless-confirming":4,funded:5,revealing:6,
revealed:6,"redeem-reported":6,completed:7};function Jn({state:e,deposited:n}){let o=Ds[e]??(n?5:3),s=["completed","refunded","rejected","abandoned"].includes(e),
r=de(e),a=We[o];return t("svg",{class:`steps ${r}`,viewBox:"0 0 69 6",role:"img","aria-label":s||a===void 0?`${o} of ${We.length} stages`:`${o} of ${We.length} \
stages, next: ${a}`,children:We.map((i,l)=>t("rect",{class:l<o?"passed":l===o&&!s?"next":"track",x:l*10,width:"9",height:"6",rx:"1"},i))})}var Ls=["all","open","held","completed","refunded","rejected"],Se="";function Bn(e){let[n,o]=y({state:"all",rule:Se,pair:Se,text:""}),s=i=>o({...n,...i}),r=x(n.
state==="open"?"orders?open=true&limit=200":"orders?limit=200"),a=r.value?.orders??[];return t(h,{children:[t(M,{note:"The newest 200 orders.",children:"Orders"}),
t("div",{class:"filters",children:[t("fieldset",{children:[t("legend",{class:"hidden",children:"Show"}),Ls.map(i=>t("button",{type:"button","aria-pressed":i===n.
state,onClick:()=>s({state:i}),children:i},i))]}),t(In,{name:"Every rule",value:n.rule,values:[...new Set(a.map(({rule:i})=>i))],onChange:i=>s({rule:i})}),t(In,
{name:"Every pair",value:n.pair,values:[...new Set(a.map(Fn))],onChange:i=>s({pair:i})}),t("label",{children:[t("span",{class:"hidden",children:"Search by order\
, rule or asset"}),t("input",{type:"search",placeholder:"Order, rule or asset",value:n.text,onInput:i=>s({text:i.currentTarget.value})})]})]}),t(R,{live:r,children:i=>t(
"section",{class:"card",children:t(kt,{orders:i.orders.filter(l=>Ms(l,n)).map(l=>({...l,since:l.updatedAt,left:null})),none:"No order matches."})})})]})}function Ms(e,{
state:n,rule:o,pair:s,text:r}){return(n==="all"||(n==="open"?e.outcome===null:e.state===n))&&(o===Se||e.rule===o)&&(s===Se||Fn(e)===s)&&[e.id,e.rule,e.from,e.to].
some(a=>a.includes(r.trim().toLowerCase()))}function Fn({from:e,to:n}){let o=E(e),s=E(n);return`${o.symbol} ${o.chain} → ${s.symbol} ${s.chain}`}function In(e){
return t("label",{children:[t("span",{class:"hidden",children:e.name}),t("select",{value:e.value,onChange:n=>e.onChange(n.currentTarget.value),children:[t("opti\
on",{value:Se,children:e.name}),e.values.toSorted().map(n=>t("option",{children:n},n))]})]})}var Ns=["Order","Sends","From → to","Receives","Value","Cost","St\
age","State","Took","Rule"];function kt({orders:e,none:n}){return e.length===0?t(H,{children:n}):t("table",{class:"orders",children:[t("caption",{class:"hidden",
children:"Orders"}),t("thead",{children:t("tr",{children:Ns.map(o=>t("th",{scope:"col",children:o},o))})}),t("tbody",{children:e.map(o=>t(Xs,{order:o},o.id))})]})}
function Xs({order:e}){let{id:n,from:o,to:s,state:r,fiat:a,costFiat:i=null,costBps:l=null}=e;return t("tr",{children:[t("td",{children:t("a",{href:`#/orders/${n}`,
class:"id","data-row":!0,children:n.slice(0,8)})}),t("td",{class:"number",children:t(X,{amount:e.amount,asset:o,chain:!1})}),t("td",{children:[t(be,{id:o})," ",
t("span",{class:"quiet",children:"→"})," ",t(be,{id:s})]}),t("td",{class:"number",children:e.destinationAmount===null?"–":t(X,{amount:e.destinationAmount,asset:s,
chain:!1})}),t("td",{class:"number",title:a??void 0,"data-exact":a??void 0,children:a===null?"–":v(a)}),t("td",{class:"number",title:i===null?void 0:`${i} usd`,
children:l===null?"–":`${l} bps`}),t("td",{children:t(Jn,{state:r,deposited:e.deposited})}),t("td",{title:e.money,children:[t(Is,{state:r}),e.left===null?null:
t("small",{class:"block",children:[e.left," left"]})]}),t("td",{children:t(Js,{order:e})}),t("td",{class:"rule",children:e.rule})]})}function Js({order:{createdAt:e,
since:n,outcome:o}}){let s=K(),r=o!=null,a=r?Date.parse(n):s;return t("time",{dateTime:e,title:r?`${e} to ${n}`:`since ${e}`,children:U(Math.max(0,a-Date.parse(
e)))})}function Is({state:e}){return e==="completed"?t(h,{children:"✓ completed"}):t(T,{tone:de(e),children:Y(e)})}function Hn(e,n,o,s){return e.map(({at:a,amount:i},l)=>{if(i===null)return"";let c=e[l-1]?.amount??null,p=o(e[l+1]?.at??n);return`${c===null?`M${o(a)} ${s(Number(
i))}`:`V${s(Number(i))}`}H${p}`}).join("")}function Un(e,n){return e.flatMap(({at:o,amount:s},r)=>s===null?[{start:o,end:e[r+1]?.at??n}]:[])}var Bs=864e5,$e=60,Ce=300;function Vn(e){let{asset:n,days:o,bound:s}=e,[r]=y(Date.now),a=new Date(r-o*Bs).toISOString(),{value:i}=x(`series/${encodeURIComponent(
n)}?since=${a}`,3e4);if(i===null)return null;let l=i.points.flatMap(({amount:c})=>c===null?[]:[Number(c)]);return l.length===0?t("p",{class:"note",children:"No \
reading in this time."}):t(Fs,{series:i,known:l,bound:s})}function Fs({series:e,known:n,bound:o}){let{asset:s,from:r,to:a,points:i}=e,l=Math.min(...n),c=Math.max(
...n),{symbol:p}=E(s),d=Math.min(l,o===null?l:Number(o.min)),f=Math.max(c,o===null?c:Number(o.target)),m=(f-d)*.12||f*.05||1,u=k=>Math.max(0,Math.min($e,$e-$e*(k-
d+m)/(f-d+2*m))),g=i[0]?.at??r,A=Date.parse(g),_=k=>Ce*(Date.parse(k)-A)/Math.max(1,Date.parse(a)-A),S=O(String(l)),b=O(String(c)),N=`${S===b?S:`${S} to ${b}`} ${p}`;
return t("figure",{class:"history",children:[t("svg",{viewBox:`0 0 ${Ce} ${$e}`,preserveAspectRatio:"none",role:"img","aria-label":`Readings from ${L(g)}: ${N}`,
children:[o===null?null:t(Us,{bound:o,y:u}),Un(i,a).map(k=>t("rect",{class:"gap",x:_(k.start),width:_(k.end)-_(k.start),height:$e},k.start)),t("path",{class:"ba\
lance",d:Hn(i,a,_,u)})]}),t("figcaption",{class:"note",children:["Since ",t("span",{title:g,children:L(g)}),": ",N,o===null?"":` · band ${Hs(o)}`]})]})}function Hs({
min:e,max:n}){return`${O(e)} to ${n===null?"any":O(n)}`}function Us({bound:e,y:n}){let o=e.max===null?0:n(Number(e.max));return t(h,{children:[t("rect",{class:"\
range",y:o,width:Ce,height:Math.max(0,n(Number(e.min))-o)}),t("line",{class:"edge",x2:Ce,y1:n(Number(e.min)),y2:n(Number(e.min))}),t("line",{class:"goal",x2:Ce,
y1:n(Number(e.target)),y2:n(Number(e.target))})]})}var Vs="Readings of our own nodes, against the bands of the rules. A gap is a time without one.",Wn={"24 h":1,"7 d":7,"30 d":30,"1 y":365};function Kn({overview:e}){
let[n,o]=y("7 d"),{value:s}=x("summary",1e4);return t(R,{live:e,children:({treasury:r,gas:a})=>{let i=[...new Set(r.map(({asset:l})=>l.split(":")[0]??""))];return t(
h,{children:[t(M,{note:Vs,children:"Treasury"}),t("fieldset",{class:"filters",children:[t("legend",{class:"hidden",children:"Range of the plots"}),Object.keys(Wn).
map(l=>t("button",{type:"button","aria-pressed":l===n,onClick:()=>o(l),children:l},l))]}),t("div",{class:"grid even",children:i.map(l=>t(w,{title:B(l),children:[
r.filter(({asset:c})=>c.startsWith(`${l}:`)).map(c=>t(Ws,{holding:c,days:Wn[n],fiat:s?.assets.find(({asset:p})=>p===c.asset)?.fiat},c.asset)),a.filter(c=>c.chain===
l).map(c=>t(Ks,{gas:c},c.chain))]},l))}),i.length===0?t(H,{children:"The configuration lists no asset."}):null]})}})}var St={below:{tone:"bad",word:"below its b\
and"},above:{tone:"warn",word:"above its band"},within:{tone:"good",word:"in its band"},unknown:{tone:"calm",word:"not read yet"}};function Ws(e){let{asset:n,amount:o,
readAt:s,bounds:r,shares:a}=e.holding;return t("div",{class:"holding",children:[t("p",{class:"head",children:[t("b",{children:E(n).symbol}),t("span",{children:[
t(X,{amount:o,asset:n,chain:!1})," ",e.fiat==null?null:t("small",{title:e.fiat,children:v(e.fiat)})]})]}),r.map(i=>t("div",{children:[t($t,{amount:o,bound:i,asset:n}),
t("p",{class:"note legend",children:[t(T,{tone:St[i.place].tone,children:St[i.place].word}),t("span",{children:[O(i.min)," –"," ",i.max===null?"no upper bound":
O(i.max),", target"," ",O(i.target)," (",i.rule,")"]})]})]},i.rule)),a.map(({rule:i,percent:l})=>t("p",{class:"note",children:["Target of ",i,": ",l," of the tr\
easury"]},i)),r.length===0&&a.length===0?t("p",{class:"note",children:"No rule keeps a band for it."}):null,t(Vn,{asset:n,days:e.days,bound:r[0]??null}),t("p",{
class:"note",children:["Compared with the chain ",t($,{at:s})]})]})}function $t({amount:e,bound:n,asset:o}){let s=Number(n.min),r=Number(n.target),a=n.max===null?
null:Number(n.max),i=e===null?null:Number(e),l=1.15*Math.max(a??0,r*1.5,s,i??0,Number.MIN_VALUE),c=m=>100*m/l,{tone:p,word:d}=St[n.place],f=`${d}: from ${O(n.min)}\
 to ${n.max===null?"any":O(n.max)}, target ${O(n.target)} ${E(o).symbol}`;return t("svg",{class:`band ${p}`,viewBox:"0 0 100 10",preserveAspectRatio:"none",role:"\
img","aria-label":f,children:[t("title",{children:f}),t("rect",{class:"track",y:"3",width:"100",height:"4"}),t("rect",{class:"range",x:c(s),y:"1",width:Math.max(
.5,(a===null?100:c(a))-c(s)),height:"8"}),i===null?null:t("rect",{class:"fill",y:"3",width:c(i),height:"4"}),t("rect",{class:"target",x:c(r)-.2,width:"0.5",height:"\
10"})]})}function Ks({gas:e}){let{coin:n,amount:o,needed:s,daysLeft:r}=e,a=o!==null&&Number(o)<Number(s);return t("p",{class:"gas",children:["Coin for fees: ",t(
"b",{children:o===null?"not read yet":`${O(o)} ${n}`}),t("span",{class:"quiet",children:[" ","· ",O(s)," must stay",r===null?"":r>365?" · lasts for more than a\
 year":` · about ${r} days left`]})," ",a?t(T,{tone:"bad",children:"too little"}):null]})}function zn({overview:e,summary:n}){let{totalFiat:o,change:s,swaps:r,inFlight:a,unpriced:i,unread:l}=n,c=[...i,...l],p=new Set(c.map(d=>E(d).symbol));return t("\
section",{class:"card money-first","aria-label":"Money",children:[t("div",{children:[t("h2",{children:"Treasury"}),t("p",{class:"total",title:`${o} usd`,"data-e\
xact":o,children:v(o)}),t(qs,{change:s,total:o}),c.length===0?null:t("p",{class:"note",title:c.join(", "),children:["without ",[...p].join(", "),":"," ",l.length>
0?"no reading or no price":"no price"]})]}),t("dl",{class:"facts",children:[t(fe,{name:"Moved in 24 h",value:v(r.volumeFiat),exact:r.volumeFiat,children:qn(r.orders)}),
t(fe,{name:"Cost in 24 h",value:v(r.costFiat),exact:r.costFiat,children:r.costBps===null?"no swap yet":`${r.costBps} bps`}),t(fe,{name:"In flight",value:v(a.fiat),
exact:a.fiat,children:qn(a.orders)}),t(fe,{name:"Half done within",value:jn(r.medianMs),children:r.p90Ms===null?"":`nine of ten ${jn(r.p90Ms)}`}),t(js,{gas:e.gas}),
t(zs,{overview:e})]})]})}function fe(e){return t("div",{children:[t("dt",{children:e.name}),t("dd",{class:e.tone,children:[t("span",{title:e.exact,"data-exact":e.
exact,children:e.value})," ",t("small",{children:e.children})]})]})}function qs({change:e,total:n}){let o=K();if(e===null)return t("p",{class:"note",children:"N\
o older reading to compare with yet."});let{from:s,totalFiat:r,pricesFiat:a,outsideFiat:i,swapsFiat:l}=e;return t(h,{children:[t("p",{children:[t("b",{title:r,children:[
we(r)," (",at(r,n),")"]})," ",t("span",{class:"quiet",children:["since ",t("span",{title:s,children:L(s,o)})]})]}),t("p",{class:"note parts",children:[t("span",
{title:a,children:["prices ",we(a)]}),t("span",{title:i,children:["paid in and out ",we(i)]}),t("span",{title:l,children:["swaps and fees ",we(l)]})]})]})}function qn(e){
return`${e} order${e===1?"":"s"}`}function jn(e){return e===null?"–":U(e)}function js({gas:e}){let n=({amount:r,needed:a})=>r!==null&&Number(r)<Number(a),[o]=e.
toSorted((r,a)=>Number(n(a))-Number(n(r))||(r.daysLeft??Number.MAX_VALUE)-(a.daysLeft??Number.MAX_VALUE));if(o===void 0)return t(fe,{name:"Runs dry first",value:"\
–"});let s=n(o);return t(fe,{name:"Runs dry first",value:s?"▲ too little":Gn(o.daysLeft),tone:s||(o.daysLeft??99)<7?"warn":"",children:`${o.coin}, ${B(o.chain)}`})}
function Gn(e){return e===null?"no use yet":e>365?"over a year":`${e} days`}function zs({overview:{services:e,nodes:n}}){let o=[...e.filter(({state:s})=>s!=="go\
od").map(({name:s,state:r})=>`${s} ${r}`),...n.filter(({state:s})=>s!=="good").map(({chain:s,state:r})=>`${B(s)} ${r}`)];return t(fe,{name:"Service and nodes",value:o.
length===0?"✓ well":`▲ ${o[0]??""}`,tone:o.length===0?"":"warn",children:o.length===0?`${e.length+n.length} answer`:o.length===1?"":`and ${o.length-1} more`})}
function Yn({overview:e,summary:n}){let{treasury:o,gas:s}=e,r=[...new Set(o.map(({asset:a})=>a.split(":")[0]??""))];return t(w,{title:"Where the money is",link:"\
#/treasury",note:"bar from 0: band, target, balance",children:t("table",{class:"places",children:[t("caption",{class:"hidden",children:"Balances by chain and as\
set"}),t("thead",{children:t("tr",{children:["Asset","Balance","Band","Value","In 24 h","On its way","State"].map(a=>t("th",{scope:"col",children:a},a))})}),r.map(
a=>t("tbody",{children:[t(Gs,{chain:a,holdings:o.filter(({asset:i})=>i.startsWith(`${a}:`)),summary:n}),o.filter(({asset:i})=>i.startsWith(`${a}:`)).map(i=>t(Qs,
{holding:i,valued:n.assets.find(({asset:l})=>l===i.asset)??null,gas:s.find(l=>l.chain===a)??null},i.asset))]},a))]})})}function Gs(e){let{chain:n,summary:o}=e,s=o.
assets.filter(({asset:a})=>a.startsWith(`${n}:`)).reduce((a,i)=>a+Number(i.fiat??0),0),[r]=e.holdings.map(({readAt:a})=>a??"").sort();return t("tr",{class:"chai\
n",children:[t("th",{scope:"rowgroup",colSpan:3,children:[t(be,{id:n})," ",t("small",{children:[at(String(s),o.totalFiat)," of the total"]})]}),t("td",{children:v(
String(s))}),t("td",{colSpan:3,children:t("small",{children:["read ",t($,{at:r||null})]})})]})}var Ys={below:"▼ below its band",above:"▲ above its band",within:"\
✓ in band",unknown:"no reading"};function Qs(e){let{holding:n,valued:o,gas:s}=e,{asset:r,amount:a,bounds:i}=n,{symbol:l}=E(r),c=s!==null&&s.coin.toUpperCase()===
l,[p]=i;return t("tr",{children:[t("th",{scope:"row",children:l}),t("td",{children:t(X,{amount:a,asset:r,chain:!1,symbol:!1})}),t("td",{class:"band-cell",children:p===
void 0?t("small",{children:c?"coin for fees":"no band"}):t($t,{amount:a,bound:p,asset:r})}),t("td",{title:o?.fiat??void 0,"data-exact":o?.fiat??void 0,children:o?.
fiat==null?t("small",{children:"no price"}):v(o.fiat)}),t("td",{title:o?.change??void 0,children:o?.change==null||Number(o.change)===0?"=":`${Number(o.change)>0?
"+":""}${O(o.change)}`}),t("td",{class:Qn(o)?"some":"",children:t(Zs,{valued:o})}),t("td",{children:p===void 0?c?Gn(s.daysLeft):"":t("span",{class:p.place,children:Ys[p.
place]})})]})}function Ke(e){return Number(e)!==0}function Qn(e){return e!==null&&(Ke(e.incoming)||Ke(e.outgoing))}function Zs({valued:e}){return e===null||!Qn(
e)?t(h,{children:"–"}):t(h,{children:[Ke(e.incoming)?t("span",{class:"block",title:e.incoming,children:["↓ in ",O(e.incoming)]}):null,Ke(e.outgoing)?t("span",
{class:"block",title:e.outgoing,children:["↑ out ",O(e.outgoing)]}):null]})}function Zn({overview:e,summary:n}){let o=({order:a})=>n?.open.find(i=>i.order===a)?.fiat??null,s=e.tasks.toSorted((a,i)=>+(i.level==="trouble")-+(a.level==="tr\
ouble")||Number(o(i)??0)-Number(o(a)??0)),r=e.problems.filter(({needsPerson:a})=>!a);return s.length+r.length===0?t(w,{title:"Needs you",children:t("p",{class:"\
quiet",children:["✓ Nothing. ",e.verdict]})}):t(w,{title:s.length>0?"Needs you":"Worth knowing",note:s.length>1?"most at stake first":void 0,children:t("ul",{
class:"plain tasks",children:[...s,...r].map(a=>t(tr,{problem:a,stake:o(a)},`${a.code} ${a.sentence}`))})})}var er={trouble:"✕",attention:"▲"};function tr({
problem:e,stake:n}){let{level:o,sentence:s,meaning:r,todo:a,command:i,deadline:l,left:c,needsPerson:p}=e,d=p?nr(e):null;return t("li",{class:o,children:[t("span",
{class:"shape","aria-hidden":"true",children:er[o]}),t("div",{children:[t("p",{children:[t("b",{children:t(I,{text:s})}),n===null?null:t("span",{class:"stake",children:v(
n)})]}),t("p",{class:"note",children:[r," ",t(I,{text:a}),p?null:" (ends by itself)"]}),i===null||d!==null?null:t("p",{class:"hash",children:[t("code",{children:i}),
t(me,{text:i,what:"the command"})]})]}),l===null&&d===null?null:t("p",{class:"do",children:[l===null?null:t("span",{children:["Time left: ",t("b",{children:c})]}),
d===null?null:t("a",{class:"button main",href:d.href,children:d.name})]})]})}function nr({order:e,kind:n}){return e!==null?{name:n==="approval"?"Review":"Open t\
he order",href:`#/orders/${e}`}:n==="rule"?{name:"Open the rules",href:"#/rules"}:n==="limit"?{name:"Open the limits",href:"#/limits"}:null}var Et="ballast.looked",or=864e5;function eo(){let e=K(),[n,o]=y(rr);P(()=>{let f=()=>localStorage.setItem(Et,new Date().toISOString());return addEventListener(
"pagehide",f),()=>removeEventListener("pagehide",f)},[]);let{value:s}=x(`summary?since=${n}`,1e4);if(s===null)return t(w,{title:"Since you last looked",children:t(
"p",{class:"quiet",children:"Reading…"})});let{swaps:r,alarms:a,missed:i}=s,l=f=>r.counts[f]??0,c=l("rejected")+l("abandoned"),p=i.reduce((f,m)=>f+m.runs,0),d=()=>{
let f=new Date(e).toISOString();localStorage.setItem(Et,f),o(f)};return t(w,{title:"Since you last looked",note:t($,{at:n}),children:[t("dl",{class:"facts",children:[
t("div",{children:[t("dt",{children:"Orders"}),t("dd",{children:r.orders})]}),t("div",{children:[t("dt",{children:"Moved"}),t("dd",{children:v(r.volumeFiat)})]}),
t("div",{children:[t("dt",{children:"Cost"}),t("dd",{children:v(r.costFiat)})]})]}),t("ul",{class:"plain small",children:[t(Ct,{count:l("refunded"),one:"order r\
efunded",many:"orders refunded"}),t(Ct,{count:c,one:"order ended without a swap",many:"orders ended without a swap"}),t(Ct,{count:p,one:"planned run came to no \
swap",many:"planned runs came to no swap"}),t(sr,{alarms:a}),a.length+c+p+l("refunded")===0?t("li",{class:"quiet",children:"✓ No refund, no refusal, no missed r\
un, no alarm"}):null]}),t("button",{type:"button",onClick:d,children:"Mark as seen"})]})}function sr({alarms:e}){let n=K();return t(h,{children:[e.slice(0,3).map(
({at:o,sentence:s,order:r})=>t("li",{children:[t("span",{"aria-hidden":"true",children:"▲"})," ",r===null?t(I,{text:s}):t("a",{href:`#/orders/${r}`,children:t(
I,{text:s})})," ",t("small",{title:o,children:L(o,n)})]},`${o} ${s}`)),e.length>3?t("li",{children:t("a",{href:"#/alarms",children:[e.length," alarms in all"]})}):
null]})}function Ct(e){return e.count===0?null:t("li",{children:[t("span",{"aria-hidden":"true",children:"▲"})," ",e.count," ",e.count===1?e.one:e.many]})}function rr(){
return localStorage.getItem(Et)??new Date(Date.now()-or).toISOString()}function oo({overview:e}){let{value:n}=x("summary",5e3);return t(R,{live:e,children:o=>t(h,{children:[t(lr,{overview:o}),n===null?null:t(zn,{overview:o,summary:n}),
t("div",{class:"grid",children:[t("div",{class:"column",children:[t(Zn,{overview:o,summary:n}),n===null?null:t(Yn,{overview:o,summary:n})]}),t("div",{class:"col\
umn",children:[t(eo,{}),t(cr,{overview:o}),t(ur,{overview:o}),t(dr,{overview:o})]}),t(ar,{overview:o,summary:n})]})]})})}var to=6;function ar({overview:{orders:e},
summary:n}){let o=e.slice(0,to).map(s=>{let r=n?.open.find(a=>a.order===s.id);return{...s,deposited:r?.deposited??!1,createdAt:r?.requestedAt??s.since,fiat:r?.fiat??
null}});return t(w,{title:"Orders in flight",link:"#/orders",wide:!0,children:[t(kt,{orders:o,none:"No order is in flight."}),e.length<=to?null:t("p",{class:"re\
st",children:t("a",{href:"#/orders",children:["All ",e.length," orders in flight"]})})]})}var ir={ok:"All is well",attention:"Needs attention",trouble:"Trouble"};
function lr({overview:e}){let{level:n,mode:o,pause:s}=e;return t("section",{class:`verdict ${n}`,"aria-label":"Verdict",children:t("div",{children:[t("h1",{tabIndex:-1,
children:[ir[n]," · ",o??"unknown"," mode",s===null?"":" · paused"]}),s===null?null:t("p",{children:["Paused by ",s.by," ",t($,{at:s.at}),s.reason===null||s.by===
"alarm"?".":`: ${s.reason}.`]})]})})}function cr({overview:e}){return t(w,{title:"Next",link:"#/rules",children:[e.next.length===0?t(H,{children:"No rule is due\
."}):null,t("dl",{class:"pairs",children:e.next.slice(0,5).map(({rule:n,at:o})=>t("div",{children:[t("dt",{children:t("a",{href:`#/decisions/${encodeURIComponent(
n)}`,children:n})}),t("dd",{children:t($,{at:o})})]},n))})]})}function ur({overview:e}){let n=e.limits.toSorted((o,s)=>s.percent-o.percent).slice(0,3);return t(
w,{title:"Limits used",link:"#/limits",children:n.map(({name:o,used:s,max:r,unit:a,percent:i})=>t("div",{class:"limit",children:[t("p",{children:[t(I,{text:o}),
" ",t("span",{class:"quiet",children:vt(s,r,a)})]}),t(Ue,{percent:i,label:`${o}: ${i}%`})]},o))})}var no={good:"good",slow:"warn",degraded:"warn",resting:"warn",
silent:"bad",failing:"bad",unknown:"calm"};function dr({overview:e}){let{nodes:n,services:o}=e;return t(w,{title:"Nodes and services",children:t("dl",{class:"pa\
irs",children:[n.map(({chain:s,state:r,lastAnswer:a,endpoints:i,needed:l})=>t("div",{children:[t("dt",{title:i.map(({host:c})=>c).join(", "),children:[B(s)," ",
t("small",{class:"block",children:[i.length," node",i.length===1?"":"s",", ",l," must agree"]})]}),t("dd",{children:[t($,{at:a})," ",t(T,{tone:no[r]??"calm",children:r})]})]},
s)),o.map(({name:s,state:r,lastAnswer:a,inFlight:i})=>t("div",{children:[t("dt",{children:["Service ",s," ",t("small",{children:[i," in flight"]})]}),t("dd",{children:[
t($,{at:a})," ",t(T,{tone:no[r]??"calm",children:r})]})]},s))]})})}var pr="What the rules would do if every rule decided now. Looking at it changes nothing.";function so({known:e}){let n=x("plan",15e3);return t(h,{children:[t(M,
{note:pr,children:"Plan"}),t(R,{live:n,children:({at:o,proposals:s,declined:r,paused:a,plan:i,mode:l})=>t(h,{children:[(a??[]).map(c=>t("p",{class:"notice warn",
children:t(I,{text:c})},c)),l==="observe"?t("p",{class:"notice warn",children:"Observe mode: Ballast records decisions and makes no order."}):null,t(w,{title:s.
length===0?"Nothing to swap now":`${s.length} swap${s.length===1?"":"s"}`,note:t(h,{children:["computed ",t($,{at:o}),i.cost===null||s.length===0?"":`, cost abo\
ut ${v(i.cost)}`]}),wide:!0,children:[s.length===0?t(H,{children:"Each rule says below why it asks for nothing."}):null,s.map(c=>t(fr,{proposal:c,known:e},mr(c)))]}),
t("div",{class:"grid even",children:r.map(({rule:c,reasons:p})=>t(w,{title:c,link:`#/decisions/${encodeURIComponent(c)}`,children:t(z,{reasons:p.map(d=>e.humane(
d)),none:"It proposes a swap."})},c))})]})})]})}function mr({rules:e,from:n,to:o,amount:s}){return`${e.join()} ${n} ${o} ${s}`}function fr({proposal:e,known:n}){
let{amount:o,from:s,receive:r,to:a,rules:i,cost:l,why:c,refused:p}=e;return t("article",{class:"proposal",children:[t("p",{class:"line",children:[t(X,{amount:o,
asset:s})," → ",t(X,{amount:r,asset:a}),p.length===0?t(T,{tone:"good",children:"would be ordered"}):t(T,{tone:"bad",children:"refused"}),t("span",{class:"quie\
t",children:[i.join(", "),l===null?"":` · cost ${v(l)}`]})]}),t(z,{reasons:[...c,...p].map(d=>n.humane(d,e))})]})}var hr=2e4;function xt({scope:e,paused:n,scopes:o,children:s}){let r=K(),[a,i]=y(null),[l,c]=y(null),p=o.includes("operate"),d=a===null?0:a+hr-r;async function f(m){
try{await V("POST",m,e),c(null),i(m==="pause"?Date.now():null),pe()}catch(u){u instanceof F&&c(u)}}return t("span",{class:"actions",children:[l===null?null:t("s\
pan",{class:"notice bad",role:"alert",children:l.message}),n&&d>0?t("button",{type:"button",onClick:()=>{f("resume")},children:["Undo (",Math.ceil(d/1e3)," s)"]}):
n?s:t("button",{type:"button",class:"stop","data-key":e.rule===void 0?"pause":void 0,disabled:!p,title:p?"No new order and no new deposit. Orders that have depo\
sited go on.":"Your token lacks the scope operate",onClick:()=>{f("pause")},children:"Pause"})]})}function ro({overview:e,scopes:n}){return t(xt,{scope:{},paused:e.
pause!==null,scopes:n,children:t(gr,{overview:e,scopes:n})})}function gr({overview:e,scopes:n}){let o=e.pause?.alarms??[],[s,r]=y([]),a={title:"Resume?",word:"r\
esume",button:"Resume",path:"resume",body:{acknowledge:s},children:o.length===0?t("p",{children:"Rules make orders again at their next time."}):t("fieldset",{children:[
t("legend",{children:"Acknowledge each alarm that you have dealt with"}),o.map(({id:i,message:l})=>t("label",{class:"check",children:[t("input",{type:"checkbox",
checked:s.includes(i),onChange:c=>{let p=s.filter(d=>d!==i);r(c.currentTarget.checked?[...p,i]:p)}}),l]},i))]})};return t(Q,{change:a,scope:"operate",scopes:n})}function ao({overview:e,scopes:n}){return t(h,{children:[t(M,{note:"Each rule with its last decision, and why it decided so.",children:"Rules"}),t(R,{live:e,children:({
rules:o,orders:s})=>t("div",{class:"grid even",children:[o.map(r=>t(yr,{rule:r,inFlight:s.filter(a=>a.rule===r.id).length,scopes:n},r.id)),o.length===0?t(H,{children:"\
The configuration has no rules."}):null]})})]})}function yr({rule:e,inFlight:n,scopes:o}){let{id:s,kind:r,enabled:a,paused:i,next:l,last:c,verdict:p,reasons:d}=e,
f={title:`Resume the rule ${s}?`,word:"resume",button:"Resume",path:"resume",body:{rule:s},children:t("p",{children:"The rule decides again at its next time."})};
return t(w,{title:s,note:Y(r),link:`#/decisions/${encodeURIComponent(s)}`,children:[t("p",{class:"line",children:[a?i?t(T,{tone:"warn",children:"paused"}):t(T,{
tone:"good",children:"on"}):t(T,{tone:"calm",children:"not enabled"}),t("span",{children:["Next: ",t($,{at:l})]}),t("span",{children:["Last: ",t($,{at:c})]}),n===
0?null:t("span",{children:[n," in flight"]})]}),t("p",{children:p===null?t("span",{class:"quiet",children:"It has not decided yet."}):p==="proposed"?t("b",{children:"\
It proposed a swap."}):t("b",{children:"It did nothing, because:"})}),t(z,{reasons:d}),t("div",{class:"actions",children:[t(xt,{scope:{rule:s},paused:i,scopes:o,
children:t(Q,{change:f,scope:"operate",scopes:o})}),t("a",{class:"button",href:`#/decisions/${encodeURIComponent(s)}`,children:"All decisions"})]})]})}var _r="The configuration that the daemon has in force now. To change it, edit the file and reload; no secret is shown here.";function io({overview:e}){let n=x(
"settings",6e4);return t(h,{children:[t(M,{note:_r,children:"Settings"}),t(R,{live:n,children:o=>t("div",{class:"grid even",children:[t(w,{title:"Daemon",children:t(
he,{pairs:[["treasury",o.treasury],["version",e.value?.daemon.version??"unknown"],["configuration",t(G,{hash:o.configHash,what:"the hash of the configuration"},
"hash")],...o.settings.map(({name:s,means:r})=>[s,r])]})}),t(w,{title:"Chains",children:t(he,{pairs:o.chains.map(({chain:s,family:r,nativeCoin:a,endpoints:i,agree:l})=>[
B(s),`${r}, coin ${a.symbol}, ${i} node${i===1?"":"s"} of which ${l} must agree`])})}),t(w,{title:"Services and access",children:t(he,{pairs:[...o.services.map(
({name:s,host:r})=>[`service ${s}`,r]),...o.tokens.map(({name:s,scopes:r})=>[`token ${s}`,r.join(", ")])]})}),t(_t,{guards:o.guards})]})})]})}var vr=1500,lo="ballast.keys";function Tt(){return localStorage.getItem(lo)!=="off"}function co(e){localStorage.setItem(lo,e?"on":"off")}function uo(e){let n=W(
e);n.current=e,P(()=>{let o="",s=0,r=a=>{if((a.ctrlKey||a.metaKey)&&a.key.toLowerCase()==="k"){a.preventDefault(),n.current["/"]?.();return}if(a.ctrlKey||a.metaKey||
a.altKey||!Tt()||wr(a))return;let i=`${o} ${a.key}`,l=Date.now()-s<vr&&i in n.current,c=n.current[l?i:a.key];o=l?"":a.key,s=Date.now(),c!==void 0&&c()!==!1&&a.preventDefault()};
return document.addEventListener("keydown",r),()=>document.removeEventListener("keydown",r)},[])}function wr({target:e}){return document.querySelector("dialog[o\
pen]")!==null?!0:e instanceof Element&&e.closest("input, select, textarea")!==null}function Ee(e){let n=[...document.querySelectorAll("main [data-row]")],o=n.findIndex(
r=>r.matches(":focus")),s=n[o===-1?e===1?0:n.length-1:o+e];return s?.focus(),s?.scrollIntoView({block:"nearest"}),n.length>0}function ge(e){let n=document.querySelector(
`[data-key="${e}"]`);n?.focus(),n instanceof HTMLButtonElement&&n.click()}function po(){let{activeElement:e}=document;e instanceof HTMLElement&&e.dataset.row!==
void 0&&e.click()}var br=[["g h","Overview"],["g t","Treasury"],["g o","Orders"],["g r","Rules"],["g s","Settings"],["/ or Ctrl K","Find or do"],["j k, ↓ ↑","Next and previou\
s line of a list"],["o, Enter","Open it"],["a","Approve, in an order"],["f","Filter"],["e","Export"],["p p","Pause everything"],[".","Times as clock times, or a\
s ages"],["?","This list"]];function mo({onClose:e}){let n=W(null),[o,s]=y(Tt);return P(()=>n.current?.showModal(),[]),t("dialog",{ref:n,"aria-labelledby":"key-\
help",onClose:e,children:[t("h2",{id:"key-help",children:"Keys"}),t("dl",{class:"pairs",children:br.map(([r,a])=>t("div",{children:[t("dt",{children:t("kbd",{children:r})}),
t("dd",{children:a})]},r))}),t("label",{class:"check",children:[t("input",{type:"checkbox",checked:o,onChange:({currentTarget:{checked:r}})=>{co(r),s(r)}}),"Sin\
gle keys act outside of fields"]}),t("footer",{children:t("button",{type:"button",onClick:e,children:"Close"})})]})}var kr=9;function fo(e){let{commands:n,onClose:o}=e,s=W(null),r=re(),[a,i]=y(""),[l,c]=y(0);P(()=>s.current?.showModal(),[]);let p=Sr(n,a),d=m=>{m!==void 0&&(o(),
m.act())},f=m=>{let u={ArrowDown:1,ArrowUp:-1}[m.key];u!==void 0&&(m.preventDefault(),c((l+u+p.length)%Math.max(p.length,1))),m.key==="Enter"&&(m.preventDefault(),
d(p[l]))};return t("dialog",{ref:s,class:"palette","aria-label":"Find or do",onClose:o,children:[t("input",{type:"text",role:"combobox","aria-label":"Find or do",
"aria-expanded":"true","aria-controls":r,"aria-activedescendant":p.length===0?void 0:`${r}-${l}`,placeholder:"A view, an order, a rule, an act",value:a,autocomplete:"\
off",spellcheck:!1,onInput:m=>{i(m.currentTarget.value),c(0)},onKeyDown:f}),t("div",{id:r,role:"listbox","aria-label":"Found",children:p.map((m,u)=>t("button",{
type:"button",id:`${r}-${u}`,role:"option",tabIndex:-1,"aria-selected":u===l,onClick:()=>d(m),children:[m.name,m.keys===void 0?null:t("kbd",{children:m.keys})]},
m.name))}),p.length===0?t("p",{class:"empty",children:"Nothing has these words."}):null]})}function Sr(e,n){let o=n.toLowerCase().split(/\s+/),s=e.filter(({name:i})=>o.
every(l=>i.toLowerCase().includes(l))),[r=""]=/^[0-9a-f]{32}$/.exec(n.trim())??[],a={name:`Order ${r}`,act:()=>{location.hash=`#/orders/${r}`}};return(r===""?s:
[a,...s]).slice(0,kr)}var $r={overview:"M2.5 7.5 8 3l5.5 4.5M4 7v6h3v-3.5h2V13h3V7",orders:"M2 5.5h10m-2.5-3 3 3-3 3M14 10.5H4m2.5-3-3 3 3 3",treasury:"M2.5 3h11v9h-11zM4 12v1.5M12 1\
2v1.5M8 5.5a2 2 0 1 0 .01 0",rules:"M2 4.5h3m3 0h6M6.5 3v3M2 11.5h6m3 0h3M9.5 10v3",alarms:"M8 2.5a4 4 0 0 0-4 4V10l-1.5 2h11L12 10V6.5a4 4 0 0 0-4-4M7 14h2",settings:"\
M8 5.5a2.5 2.5 0 1 0 .01 0M8 1.5v2m0 9v2m6.5-6.5h-2m-9 0h-2M12.6 3.4l-1.4 1.4m-6.4 6.4-1.4 1.4m0-9.2 1.4 1.4m6.4 6.4 1.4 1.4",find:"M7 2.5a4.5 4.5 0 1 0 .01 0M1\
0.3 10.3 14 14",pause:"M5.5 3v10M10.5 3v10"};function Ot({name:e}){return t("svg",{class:"icon",viewBox:"0 0 16 16","aria-hidden":"true",children:t("path",{d:$r[e]})})}function ho(e){let{overview:n}=e,[o,s]=y(!1);P(()=>s(!1),[e.shown]);let r={orders:n?.orders.length,alarms:n?.alarms.length};return t("nav",{class:o?"side open":
"side","aria-label":"Views",children:t("div",{class:"rail",children:[t("a",{class:"brand",href:"#/",children:[t("img",{src:"/icon.svg",alt:"",width:"26",height:"\
26"}),t("span",{children:["Ballast",t("small",{children:e.treasury??""})]})]}),t("ul",{children:e.entries.map(({id:a,name:i,icon:l})=>t("li",{children:t("a",{href:`\
#/${a}`,"aria-current":a===e.shown?"page":void 0,children:[t(Ot,{name:l}),i,r[a]?t("span",{class:`count ${a}`,children:r[a]}):null]})},a))}),t("button",{type:"b\
utton",class:"more","aria-expanded":o,onClick:()=>s(!o),children:o?"Less":"More"}),n===null?null:t(Cr,{overview:n})]})})}function Cr({overview:{services:e,nodes:n}}){
let o=n.filter(({state:s})=>s!=="good");return t("dl",{class:"pulse",children:[e.map(({name:s,state:r})=>t("div",{children:[t("dt",{children:["Service ",s]}),t(
"dd",{children:r==="good"?"✓ good":`▲ ${r}`})]},s)),t("div",{title:o.map(({chain:s,state:r})=>`${B(s)} ${r}`).join(", "),children:[t("dt",{children:"Chains"}),
t("dd",{children:[o.length===0?"✓":"▲"," ",n.length-o.length," of ",n.length," good"]})]})]})}function go(e){let{account:n,overview:o}=e,s=()=>{cn().then(e.
onLeave)};return t("header",{class:"top",children:[t("p",{class:"state",children:o===null?null:t(h,{children:[t("span",{class:`dot ${o.level}`}),o.pause===null?
`${o.mode??"unknown"} mode`:"paused"]})}),t("button",{type:"button",class:"find",onClick:e.onFind,"aria-label":"Find or do","aria-keyshortcuts":"/ Control+K",children:[
t(Ot,{name:"find"}),t("span",{children:"Find or do…"}),t("kbd",{children:"/"})]}),t("a",{class:"button",href:"#/swap",children:"New swap"}),o===null?null:t(ro,
{overview:o,scopes:n.scopes}),t(Er,{}),n.csrf===null?null:t("button",{type:"button",onClick:s,title:`Logged in with the token ${n.name}: ${n.scopes.join(", ")}`,
children:"Log out"})]})}function Er(){let[e,n]=y(localStorage.getItem("ballast.theme")??"system");P(()=>{e==="system"?delete document.documentElement.dataset.theme:
document.documentElement.dataset.theme=e,localStorage.setItem("ballast.theme",e)},[e]);let o={light:"Light",dark:"Dark"}[e]??"Auto",s={system:"light",light:"dar\
k",dark:"system"}[e]??"system";return t("button",{type:"button",class:"theme",onClick:()=>n(s),"aria-label":`${o} colours. Change to ${s}`,children:o})}var xr="Nothing is ordered before you have seen the quote and typed the amount.";function vo(e){let n=(e.overview.value?.treasury??[]).map(({asset:_})=>_),[o,s]=y(
""),[r,a]=y(""),[i,l]=y(""),[c,p]=y(null),[d,f]=y(null),[m,u]=y(!1);function g(_){_(),p(null)}async function A(_){_.preventDefault(),u(!0),p(null),f(null);try{p(
await Tr({from:o,to:r,amount:i}))}catch(S){f(S instanceof F?S.message:"The page failed")}u(!1)}return t(h,{children:[t(M,{note:xr,children:"New swap"}),t("div",
{class:"grid even",children:[t(w,{title:"Request",children:[t("form",{class:"fields",onSubmit:A,children:[t(yo,{label:"Send",id:"swap-from",value:o,assets:n,onChoose:_=>g(
()=>s(_))}),t(Or,{asset:o,value:i,onType:_=>g(()=>l(_))}),t(yo,{label:"Receive",id:"swap-to",value:r,assets:n,onChoose:_=>g(()=>a(_))}),t("button",{type:"submit",
class:"main",disabled:o===""||r===""||i===""||m,children:m?"Asking…":"Get a quote"})]}),d===null?null:t("p",{class:"notice bad",role:"alert",children:d})]}),c===
null?null:t(Ar,{quote:c,desk:e})]})]})}async function Tr(e){return await V("GET",`quote?${new URLSearchParams(e)}`)}function Or(e){let n=e.asset===""?"":`, in ${E(
e.asset).symbol}`;return t(h,{children:[t("label",{for:"swap-amount",children:["Amount",n]}),t("input",{id:"swap-amount",inputMode:"decimal",autocomplete:"off",
value:e.value,onInput:({currentTarget:o})=>e.onType(o.value.trim())})]})}function yo(e){return t(h,{children:[t("label",{for:e.id,children:e.label}),t("select",
{id:e.id,value:e.value,onChange:n=>e.onChoose(n.currentTarget.value),children:[t("option",{value:"",children:"Choose an asset"}),e.assets.map(n=>t("option",{value:n,
children:[E(n).symbol," on ",E(n).chain]},n))]})]})}function Ar({quote:e,desk:n}){let o={title:"Order this swap?",word:e.amount,button:"Order the swap",path:"sw\
ap",body:{from:e.from,to:e.to,amount:e.amount},onDone:s=>{location.hash=`#/orders/${s.id}`},children:t(h,{children:[t("p",{children:["Send ",t(X,{amount:e.amount,
asset:e.from})," and receive about"," ",t(X,{amount:e.receive,asset:e.to}),"."]}),t(_o,{sentences:e.worstCase})]})};return t(w,{title:"Quote",note:e.refused.length===
0?t(T,{tone:"good",children:"the guards allow it"}):t(T,{tone:"bad",children:"refused"}),children:[t("p",{class:"big",children:t(X,{amount:e.receive,asset:e.to})}),
t(Pr,{quote:e}),t(_o,{sentences:e.worstCase}),t(z,{reasons:e.refused.map(s=>n.known.humane(s,e))}),t("div",{class:"actions",children:e.refused.length===0?t(Q,{change:o,
scope:"operate",scopes:n.scopes,main:!0}):null})]})}function Pr({quote:e}){return t("dl",{class:"pairs",children:[t("div",{children:[t("dt",{children:"Cost"}),t(
"dd",{children:[ee(e.costBps),e.sendsFiat===null||e.receivesFiat===null?"":`: ${v(e.sendsFiat)} for ${v(e.receivesFiat)}`]})]}),t("div",{children:[t("dt",{children:"\
Service and solver"}),t("dd",{children:[e.service??"none"," ",e.solver===null?null:t(G,{hash:e.solver,what:"the solver's id"})]})]}),t("div",{children:[t("dt",{
children:"Network fees at most"}),t("dd",{children:e.fees===null?"cannot be estimated now":`${e.fees.deposit}; for a refund ${e.fees.refund}`})]}),t("div",{children:[
t("dt",{children:"Approval"}),t("dd",{children:e.needsApproval?"a person must approve the order":"not needed"})]})]})}function _o({sentences:e}){return t("div",
{class:"notice warn",children:[t("b",{children:"The worst case"}),t("ul",{children:e.map(n=>t("li",{children:t(I,{text:n})},n))})]})}function wo({parts:e,shown:n,label:o}){return t("nav",{class:"filters tabs","aria-label":o,children:e.map(({id:s,name:r})=>t("a",{class:"chip",href:`#/${s}`,"ar\
ia-current":s===n?"page":void 0,children:r},s))})}var xe=[{id:"",name:"Overview",icon:"overview",show:oo},{id:"orders",name:"Orders",icon:"orders",show:Bn},{id:"treasury",name:"Treasury",icon:"treasury",show:Kn},
{id:"books",name:"Books",icon:"treasury",of:"treasury",show:gn},{id:"rules",name:"Rules",icon:"rules",show:ao},{id:"plan",name:"Plan",icon:"rules",of:"rules",show:so},
{id:"decisions",name:"Decisions",icon:"rules",of:"rules",show:_n},{id:"limits",name:"Limits",icon:"rules",of:"rules",show:Cn},{id:"alarms",name:"Alarms",icon:"a\
larms",show:hn},{id:"settings",name:"Settings",icon:"settings",show:io}];function bo(){let[e,n]=y("asking"),[o,s]=y(0);return P(()=>{an().then(n,()=>setTimeout(
()=>s(a=>a+1),2e3))},[o]),e==="asking"?t("main",{class:"login",children:t("p",{class:"quiet",children:o===0?"Reading…":"The daemon does not answer. The page t\
ries again every two seconds."})}):e===null?t(xn,{onLogin:n}):t(Rr,{account:e,onLeave:()=>{dn(),j.loggedOut=!1,n(null)}})}function Rr({account:e,onLeave:n}){let o=x(
"overview",3e3),s=x("settings",6e4),[r="",a=null]=mn(),i=W(!1);P(()=>{let _=new AbortController;return pn(_.signal),document.addEventListener("copy",Nr,{signal:_.
signal}),()=>_.abort()},[]);let l=j.loggedOut;P(()=>{l&&n()},[l]);let c=xe.find(({id:_})=>_===r),p=r==="swap"?"New swap":c?.name??"Not found";P(()=>{document.title=
`${p} · Ballast`,i.current&&document.querySelector("h1")?.focus({preventScroll:!0}),i.current=!0,scrollTo(0,0)},[r,a]);let d={overview:o,known:$n(s.value),scopes:e.
scopes,detail:a},[f,m]=y(!1),[u,g]=y(null);return uo(Dr({find:()=>g("palette"),help:()=>g("help"),swapTimes:()=>m(_=>!_)})),t(dt.Provider,{value:d.known.speak,children:t(
pt.Provider,{value:d.known.chains,children:t(mt.Provider,{value:f,children:[t("div",{class:"frame",children:[t("button",{type:"button",class:"skip",onClick:Xr,children:"\
Skip to the content"}),t(ho,{entries:xe.filter(({of:_})=>_===void 0),shown:c?.of??r,overview:o.value,treasury:s.value?.treasury??null}),t("div",{class:"body",children:[
t(go,{account:e,overview:o.value,onFind:()=>g("palette"),onLeave:n}),t(Ir,{overview:o.value}),t("main",{id:"content",tabIndex:-1,children:t(Mr,{view:r,detail:a,
desk:d},`${r}/${a}`)})]})]}),u==="palette"?t(fo,{commands:Lr(o.value,()=>g("help")),onClose:()=>g(null)}):null,u==="help"?t(mo,{onClose:()=>g(null)}):null]})})})}
function te(e){location.hash=`#/${e}`}function Dr(e){return{"g h":()=>te(""),"g t":()=>te("treasury"),"g o":()=>te("orders"),"g r":()=>te("rules"),"g s":()=>te(
"settings"),"p p":()=>ge("pause"),"/":e.find,"?":e.help,".":e.swapTimes,j:()=>Ee(1),k:()=>Ee(-1),ArrowDown:()=>Ee(1),ArrowUp:()=>Ee(-1),o:po,a:()=>ge("approve"),
f:()=>ge("filter"),e:()=>ge("export")}}function Lr(e,n){let o={"":"g h",treasury:"g t",orders:"g o",rules:"g r",settings:"g s"};return[...xe.map(({id:s,name:r})=>({
name:r,keys:o[s],act:()=>te(s)})),{name:"New swap",act:()=>te("swap")},{name:"Pause everything",keys:"p p",act:()=>ge("pause")},{name:"Keys",keys:"?",act:n},...(e?.
orders??[]).map(({id:s,from:r,to:a})=>({name:`Order ${s.slice(0,8)} ${r} → ${a}`,act:()=>te(`orders/${s}`)})),...(e?.rules??[]).map(({id:s})=>({name:`Rule ${s}`,
act:()=>te(`decisions/${encodeURIComponent(s)}`)}))]}function Mr({view:e,detail:n,desk:o}){if(e==="orders"&&n!==null)return t(Xn,{...o,detail:n});if(e==="swap")
return t(vo,{...o});let s=xe.find(({id:i})=>i===e);if(s===void 0)return t("h1",{tabIndex:-1,children:"There is no such view"});let r=s.of??s.id,a=xe.filter(({id:i,
of:l})=>i===r||l===r);return t(h,{children:[a.length<2?null:t(wo,{parts:a,shown:e,label:"Parts of this view"}),t(s.show,{...o})]})}function Nr(e){let n=getSelection(),
[o,s]=[n?.anchorNode,n?.focusNode].map(r=>r?.parentElement?.closest("[data-exact]")??null);o==null||o!==s||(e.clipboardData?.setData("text/plain",o.dataset.exact??
""),e.preventDefault())}function Xr(){document.querySelector("#content")?.focus()}var Jr=1e4;function Ir({overview:e}){let n=K(),o=n-j.lastMs,s=e!==null&&(j.failing||
o>Jr);return P(()=>{document.body.classList.toggle("old",s)},[s]),t("div",{role:"status",children:s?t("p",{class:"notice bad stale",children:[t("b",{children:"T\
his is not live."})," The daemon last answered"," ",Be(new Date(j.lastMs).toISOString(),n),". You see the state of"," ",L(e.at,n),"."]}):null})}var ko=document.querySelector("#app");ko!==null&&Vt(t(bo,{}),ko);
