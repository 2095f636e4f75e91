/*! Ballast's dashboard, made from web/ by `npm run generate`. It contains Preact (MIT), (c) 2015-present Jason Miller. */
var E,St,ao,te,Ue,Oe,$t,Ce,Et,Ve,He,Ct,he=Symbol.for("pv"),Pe={},Re=[],io=/^m(i|n|o|s|text|space)$/,qe=Array.isArray,xt=Re.slice,ae=Object.assign;function re(e){
e&&e.parentNode&&e.remove()}function xe(e,n,o,s,r){var a={type:e,props:n,key:o,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,constructor:he,__v:r||++St,__i:-1,__u:0};return!r&&E.vnode&&E.
vnode(a),a}function h(e){return e.children}function Te(e,n){this.props=e,this.context=n,this.__g=0}function ne(e,n){if(n==null)return e.__&&ne(e.__,e.__i+1);for(var o;n<e.
__k.length;n++)if((o=e.__k[n])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:ne(e)}function lo(e){var n,o=e.__v,s=o.__e,r=[],a=[],i=e.__P;
i&&((n=ae({constructor:he},o)).__v=o.__v+1,E.vnode&&E.vnode(n),je(i,n,o,e.__n,i.namespaceURI,32&o.__u?[s]:null,r,s||ne(o),32&o.__u,a),n.__v=o.__v,n.__.__k[n.__i]=
n,Dt(r,n,a),o.__=o.__e=null,n.__e!=s&&Tt(n))}function Tt(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(n){return n&&(e.__e=n.__e)}),
Tt(e)}function We(e){(8&e.__g||(e.__g|=8,te.push(e),Oe++))&&Ue==E.debounceRendering||((Ue=E.debounceRendering)||queueMicrotask)(At)}function At(){try{for(var e,
n=1;te.length;)te.length>n&&te.sort($t),e=te.shift(),n=te.length,8&e.__g&&lo(e)}finally{(Oe=te.length)&&(Ue||queueMicrotask)(At)}}function Ot(e,n,o,s,r,a,i,l,c,m,d){
var p,f,u,g,O,v,S=s.__k||Re,b=n.length;for(c=co(o,n,S,c,b),p=0;p<b;p++)(u=o.__k[p])!=null&&(f=~u.__i&&S[u.__i]||Pe,u.__i=p,v=je(e,u,f,r,a,i,l,c,m,d),g=u.__e,(f.
ref!=u.ref||8&f.__u)&&(f.ref&&ze(f.ref,null,u,f),u.ref&&d.push(u.ref,u.__c||g,u)),O=O||g,4&u.__u?(c=Pt(u,c,e,!f.__v),f.__e&&(f.__e=null)):typeof u.type=="functi\
on"&&v!==void 0?c=v:g&&(c=g.nextSibling),u.__u&=-21);return o.__e=O,c}function co(e,n,o,s,r){var a,i,l,c,m,d,p,f,u,g=o.length,O=g,v=0,S=0,b=e.__k=Array(r);for(a=
0;a<r;a++)(i=n[a])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=b[a]=xe(null,i):qe(i)?i=b[a]=xe(h,{children:i}):
i.constructor===he&&i.__b?i=b[a]=xe(i.type,i.props,i.key,i.ref,i.__v):b[a]=i,c=a+v,i.__=e,i.__b=e.__b+1,l=null,~(m=i.__i=uo(i,o,c,O))&&(O--,(l=o[m])&&(l.__u|=2)),
l&&l.__v?(i.__u|=16,m==c-1?v--:m==c+1?v++:m!=c&&(m>c?v--:v++,S=1)):(~m||(r>g?v--:r<g&&v++),typeof i.type!="function"&&(i.__u|=4))):b[a]=null;if(S){for(d=[],p=[],
a=0;a<r;a++)if((i=b[a])&&16&i.__u){for(v=0,f=d.length;v<f;)d[u=v+f>>1]<i.__i?v=u+1:f=u;d[v]=i.__i,p[a]=v+1}for(v=d.length;a--;)p[a]&&(p[a]==v?v--:b[a].__u|=4)}if(O)
for(a=0;a<g;a++)!(l=o[a])||2&l.__u||(l.__e==s&&(s=ne(l)),Ge(l,l));return s}function Pt(e,n,o,s){var r,a,i,l;if(typeof e.type=="function"){if(e.props.__P)return n;
if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&(r[a].__=e,n=Pt(r[a],n,o,!1));return n}for(n&&!n.parentNode&&(n=ne(e))&&!n.parentNode&&(n=null),i=e.__e,l=n;l&&l.nodeType==
8;)l=l.nextSibling;for(i!=l&&(!s&&o.moveBefore&&i.parentNode?o.moveBefore(i,n):o.insertBefore(i,n||null)),n=i;(n=n&&n.nextSibling)&&n.nodeType==8&&!n.data.startsWith(
"$s"););return n}function uo(e,n,o,s){var r,a=e.key,i=e.type,l=n[o],c=l&&!(2&l.__u);if(l===null&&a==null||c&&a==l.key&&i==l.type)return o;if(s>(c?1:0)){for(r=o-1;r>=0;r--)if((l=
n[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r;for(r=o+1;r<n.length;r++)if((l=n[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r}return-1}function kt(e,n,o){o==null&&
(o=""),n[0]=="-"?e.setProperty(n,o):e[n]=o}function Ee(e,n,o,s,r){var a,i;if(n=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof s=="string"&&(e.style.
cssText=s=""),s)for(n in s)o&&n in o||kt(e.style,n);if(o)for(n in o)s&&o[n]==s[n]||kt(e.style,n,o[n])}else if(n[0]=="o"&&n[1]=="n")typeof o!="function"&&(o=null),
typeof s!="function"&&(s=null),(e.__e||(e.__e={}))[n]=o,o&&s||(i=He[n]||(He[n]=mo(n)),(e.__a||(e.__a={}))[n]=Ve,a=n!=(n=n.replace(Et,"$1")),(n=n.slice(2))[0]<"a"&&
(n=n.toLowerCase()),o?e.addEventListener(n,i,a):e.removeEventListener(n,i,a));else{if(r=="http://www.w3.org/2000/svg")n=n.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(n!="width"&&n!="height"&&n!="href"&&n!="list"&&n!="form"&&n!="tabIndex"&&n!="download"&&n!="rowSpan"&&n!="colSpan"&&n!="role"&&n!="popover"&&n in e)
try{return void(e[n]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&n[4]!="-"?e.removeAttribute(n):e.setAttribute(n,n=="popover"&&o==1?"":o)}}function mo(e){
return function(n){var o=this.__e;if(o){if(o=o[e],n[Ce]==null)n[Ce]=Ve++;else if(n[Ce]<this.__a[e])return;return o(E.event?E.event(n):n)}}}function je(e,n,o,s,r,a,i,l,c,m){
var d,p,f,u,g,O,v,S,b,L,k,Fe,wt,$e,oe,bt,ee,se,Q=n.type;if(n.constructor!==he)return null;128&o.__u&&(c=32&o.__u,d=o.__c.__z)&&(n.__u|=c,p=a=[],d.nodeType==8?l=
Ae(d,a):a.push(d),l=a[0]||l),(d=E.__b)&&d(n);e:if(typeof Q=="function"){f=i.length;try{if(S=n.props,b=(d=Q.prototype)&&d.render,L=(d=Q.contextType)&&s[d.__c],k=
d?L?L.props.value:d.__:s,(u=o.__c)?(n.__c=u,2&u.__g&&(u.__g|=1)):(b?n.__c=u=new Q(S,k):(n.__c=u=new Te(S,k),u.constructor=Q,u.render=fo),L&&L.sub(u),u.state||(u.
state={}),u.__n=s,u.__g|=8,u.__h=[],u.__k=[]),b&&(u.__s||(u.__s=u.state),Q.getDerivedStateFromProps&&(u.__s==u.state&&(u.__s=ae({},u.__s)),ae(u.__s,Q.getDerivedStateFromProps(
S,u.__s)))),g=u.props,O=u.state,u.__v=n,o.__c){if(S!==g&&b&&!Q.getDerivedStateFromProps&&u.componentWillReceiveProps&&u.componentWillReceiveProps(S,k),n.__v==o.
__v&&!(8&u.__g)||!(4&u.__g)&&u.shouldComponentUpdate&&u.shouldComponentUpdate(S,u.__s,k)===!1){n.__v!=o.__v&&(u.props=S,u.state=u.__s,u.__g&=-9),n.__e=o.__e,n.__k=
o.__k,n.__k.some(function(q){q&&(q.__=n)}),Re.push.apply(u.__h,u.__k),u.__k=[],u.__h.length&&i.push(u),l=ne(o);break e}u.componentWillUpdate&&u.componentWillUpdate(
S,u.__s,k),b&&u.componentDidUpdate&&u.__h.push(function(){u.componentDidUpdate(g,O,v)})}else b&&!Q.getDerivedStateFromProps&&u.componentWillMount&&u.componentWillMount(),
b&&u.componentDidMount&&u.__h.push(u.componentDidMount);u.context=k,u.props=S,u.__P=e,u.__g&=-5,Fe=E.__r,wt=b?25:0;do u.__g&=-9,Fe&&Fe(n),d=u.render(u.props,u.state=
u.__s,u.context);while(8&u.__g&&++wt<25);b&&(Re.push.apply(u.__h,u.__k),u.__k=[]),u.state=u.__s,u.getChildContext&&(s=ae({},s,u.getChildContext())),b&&o.__c&&u.
getSnapshotBeforeUpdate&&(v=u.getSnapshotBeforeUpdate(g,O)),$e=d&&d.type===h&&d.key==null?d.props.children:d,S.__P&&(d=l,r=(e=S.__P).namespaceURI,c=a=null,o.props&&
o.props.__P!=e&&(o.__k.some(function(q){q&&Ge(q,q)}),o.__k=null),l=o.__k?ne(o,0):null),l=Ot(e,qe($e)?$e:[$e],n,o,s,r,a,i,l,c,m),S.__P&&(n.__e=null,l=d),n.__u&=-161,
p&&p.some(re),u.__h.length&&i.push(u),1&u.__g&&(u.__g&=-4)}catch(q){if(i.length=f,n.__v=null,c||a)if(q&&q.then){if(n.__u|=128|c,a){for(~(ee=a.indexOf(l||void 0))||
(ee=a.length);(se=a[ee-1])&&se.nodeType==8;)ee--;for(;ee<a.length;ee++)if(se=a[ee])if(a[ee]=null,oe){if(se==bt)break}else{if(se.nodeType!=8)break;se.data.startsWith(
"$s")&&(bt=Ae(oe=se))}}if(!oe){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;oe=l}(d=Ae(oe=n.__c.__z||(n.__c.__z=oe)))?(n.__e=oe,l=d):n.__e=l,l=l&&l.nextSibling}else
a&&a.some(re);else n.__e=o.__e;n.__k||(n.__k=o.__k||[]),q&&q.then||Rt(n),E.__e(q,n,o)}}else l=n.__e=po(o.__e,n,o,s,r,a,i,c,m,e);return(d=E.diffed)&&d(n),l}function Ae(e,n){
if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.data.startsWith("/$s")&&!--o)
return e}n&&n.push(e)}}function Rt(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Rt))}function Dt(e,n,o){for(var s=0;s<o.length;)ze(o[s++],o[s++],o[s++]);E.__c&&
E.__c(n,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(a){a.call(r)})}catch(a){E.__e(a,r.__v)}})}function po(e,n,o,s,r,a,i,l,c,m){var d,p,f,u,g,O,v,
S,b=o.props||Pe,L=n.props,k=n.type;if(k=="svg"?r="http://www.w3.org/2000/svg":k=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xht\
ml"),a){for(d=0;d<a.length;d++)if((g=a[d])&&(k?g.localName==k:g.nodeType==3)){e=g,a[d]=null;break}}if(!e){if(S=m.ownerDocument||document,!k)return S.createTextNode(
L);e=S.createElementNS(r,k,L.is?L:m),l&&(E.__m&&E.__m(n,a),l=!1),a=null}if(k){if(m=k=="template"&&e.content||e,a=k=="textarea"&&L.defaultValue!=null?null:a&&xt.
call(m.childNodes),!l&&a)for(b={},d=0;d<e.attributes.length;d++)b[(g=e.attributes[d]).name]=g.value;for(d in b)g=b[d],d=="dangerouslySetInnerHTML"?f=g:d=="child\
ren"||d in L||d=="value"&&"defaultValue"in L||d=="checked"&&"defaultChecked"in L||Ee(e,d,null,g,r);for(d in L)g=L[d],d=="children"?u=g:d=="dangerouslySetInnerHT\
ML"?p=g:d=="value"?O=g:d=="checked"?v=g:l&&typeof g!="function"||b[d]===g||Ee(e,d,g,b[d],r);p?(l||f&&(p.__html==f.__html||p.__html==e.innerHTML)||(e.innerHTML=p.
__html),n.__k=[]):(f&&(e.textContent=""),(k=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&io.test(k))&&(r="http://www.w3.org/1999/xhtml"),Ot(m,qe(u)?
u:[u],n,o,s,r,a,i,a?a[0]:o.__k&&ne(o,0),l,c),a&&a.some(re)),l&&k!="textarea"||(d="value",k=="progress"&&O==null?e.removeAttribute(d):O==null||O===e[d]&&(k!="pro\
gress"||O)||Ee(e,d,O,b[d],r),d="checked",v!=null&&v!=e[d]&&Ee(e,d,v,b[d],r))}else b===L||l&&e.data==L||(e.data=L);return e}function ze(e,n,o,s){try{typeof e=="f\
unction"?n?n.__x=e(n)||1:s&&(s=s.__c||s.__e)&&(n=s.__x)&&(s.__x=null,typeof n=="function"?n():e(null)):e.current=n}catch(r){E.__e(r,o)}}function Ge(e,n,o){var s,
r,a,i;if(E.unmount&&E.unmount(e),!(s=e.ref)||s.current&&s.current!=e.__e||ze(s,null,n,e),s=e.__c){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(l){
E.__e(l,n)}s.__P=s.__n=null}if(s=e.__k)for(i=0;i<s.length;i++)s[i]&&Ge(s[i],n,typeof e.type!="function"||o&&!e.props.__P);!o&&(s=e.__c)&&(s=s.__z)&&(r=Ae(s,a=[]))&&
(s==e.__e&&a.some(re),re(r),re(s)),o||re(e.__e),e.__e=e.__c=e.__=null}function fo(e,n,o){return this.constructor(e,o)}function Nt(e,n){var o,s,r,a;E.__&&E.__(e,
n),n.nodeType==9&&(n=n.documentElement),s=(o=e&&32&e.__u)?null:n.__k,n.__k=xe(h,{children:[e]}),r=[],a=[],je(n,n.__k,s||Pe,Pe,n.namespaceURI,s?null:n.firstChild?
xt.call(n.childNodes):null,r,s?s.__e:n.firstChild,o,a),Dt(r,n.__k,a),n.__k.props.children=null}function Lt(e){function n(o){var s,r;return this.getChildContext||(s=new Set,(r={})[n.__c]=this,this.getChildContext=function(){return r},this.shouldComponentUpdate=
function(a){this.props.value!=a.value&&s.forEach(function(i){i.__g|=4,We(i)})},this.sub=function(a){s.add(a);var i=a.componentWillUnmount;a.componentWillUnmount=
function(){s.delete(a),i&&i.call(a)}}),o.children}return n.__c="__cC"+Ct++,n.__=e,n.Provider=(n.Consumer=function(o,s){return o.children(s)}).contextType=n,n}E={__e:function(e,n,o,s){for(var r,a,i;n=n.__;)if((r=n.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(a=r.constructor)&&a.getDerivedStateFromError)&&r.setState(a.getDerivedStateFromError(
e)),r.componentDidCatch&&(r.componentDidCatch(e,s||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw Oe=0,e}},St=0,ao=function(e){return e!=null&&e.
constructor===he},Te.prototype.setState=function(e,n){var o=this.__s;o&&o!=this.state||(o=this.__s=ae({},this.state)),typeof e=="function"&&(e=e(ae({},o),this.props)),
e&&(ae(o,e),this.__v&&(n&&this.__k.push(n),We(this)))},Te.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),We(this))},Te.prototype.render=
h,te=[],Oe=0,$t=function(e,n){return e.__v.__b-n.__v.__b},Ce=Symbol(),Et=/(PointerCapture)$|Capture$/i,Ve=0,He={},Ct=0;var ie,R,Ye,Xt,Ke=Object.is,De=0,Vt=[],Qe=[],J=E,Jt=J.__b,Mt=J.__r,It=J.diffed,Bt=J.__c,Ft=J.unmount,Ut=J.__;function ye(e,n){J.__h&&J.__h(R,e,De||n),De=0;var o=R.
__H||(R.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function y(e){return De=1,ho(zt,e)}function ho(e,n,o){var s=ye(ie++,2);if(s.t=e,!s.__c&&
(s.__=[o?o(n):zt(void 0,n),function(a){var i=(s.__N||s.__)[0],l=s.t(i,a);Ke(i,l)||(s.__N=[l,s.__[1]],s.__c.setState({}))}],s.__c=R,!R.__f)){R.__f=!0;var r=R.shouldComponentUpdate;
R.shouldComponentUpdate=function(a,i,l){var c=this.__H;if(!c)return!0;var m=!1,d=this.props!=a;if(c.__.some(function(f){f.__N&&(m=!0,Ke(f.__[0],f.__N[0])||(d=!0))}),
r){var p=r.call(this,a,i,l);return m?p||d:p}return!m||d}}return s.__}function I(e,n){var o=ye(ie++,3);!J.__s&&jt(o.__H,n)&&(o.__P=!0,o.__=e,o.u=n,R.__H.__h.push(
o))}function le(e){return De=5,go(function(){return{current:e}},[])}function go(e,n){var o=ye(ie++,7);return jt(o.__H,n)&&(o.__=e(),o.__H=n),o.__}function qt(e){var n=R.context[e.__c],o=ye(ie++,9);return o.c=e,n?(o.__==null&&(o.__=!0,n.sub(R)),n.props.value):e.__}function pe(){var e=ye(ie++,11);if(!e.__){for(var n=R.__v;!n.__m&&n.__;)n=n.__;var o=n.__m||(n.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function yo(){var e;
do{for(;e=Qe.shift();)try{ge(e)}catch(o){J.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=Vt.shift();){var n=e.__H;if(e.__P&&n)try{n.__h.some(ge),n.__h.some(Ze),n.__h=[]}catch(o){
n.__h=[],J.__e(o,e.__v)}}}while(Qe.length)}J.__b=function(e){R=null,Jt&&Jt(e)},J.__=function(e,n){e&&n.__k&&n.__k.__m&&(e.__m=n.__k.__m),Ut&&Ut(e,n)},J.__r=function(e){
Mt&&Mt(e),ie=0;var n=(R=e.__c).__H;n&&(Ye==R?R.__h=[]:(n.__h.some(ge),n.__h.some(Ze),ie=0),n.__h=[],n.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),
Ye=R},J.diffed=function(e){It&&It(e);var n=e.__c;n&&n.__H&&(n.__H.__h.length&&Wt(Vt.push(n)),n.__H.__.some(function(o){o.u&&(o.__H=o.u)})),Ye=R=null},J.__c=function(e,n){
n.some(function(o){try{o.__h.some(ge),o.__h=o.__h.filter(function(s){return!s.__||Ze(s)})}catch(s){o.__h=[function(){throw s}]}}),Bt&&Bt(e,n)},J.unmount=function(e){
Ft&&Ft(e);var n,o,s=e.__c;s&&s.__H&&(s.__H.__.some(function(r){try{if(r.__P&&r.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}r.__P=o,
Wt(Qe.push(r))}else ge(r)}catch(a){n=a}}),s.__H=void 0,n&&J.__e(n,s.__v))};var Ht=typeof requestAnimationFrame=="function";function _o(e){var n,o=function(){clearTimeout(
s),Ht&&cancelAnimationFrame(n),setTimeout(e)},s=setTimeout(o,35);Ht&&(n=requestAnimationFrame(o))}function Wt(e){e!=1&&Xt==J.requestAnimationFrame||((Xt=J.requestAnimationFrame)||
_o)(yo)}function ge(e){var n=R,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),R=n}function Ze(e){var n=R;e.__c=e.__(),R=n}function jt(e,n){return!e||e.length!=
n.length||n.some(function(o,s){return!Ke(o,e[s])})}function zt(e,n){return typeof n=="function"?n(e):n}function H(e){if(e<6e4)return`${Math.max(0,Math.floor(e/1e3))} s`;if(e<36e5)return`${Math.floor(e/6e4)} min`;if(e>=2*864e5)return`${Math.floor(e/864e5)} d`;let n=Math.
floor(e%36e5/6e4);return`${Math.floor(e/36e5)} h${n===0?"":` ${n} min`}`}function Gt(e){return Number.isFinite(e)?`${new Date(e).toISOString().slice(0,16).replace(
"T"," ")} UTC`:"an unknown time"}function C(e){let[n="",o=""]=e.split(":");return{symbol:o.toUpperCase(),chain:F(n)}}function F(e){return e.replace(/(^|_)([a-z])/g,(n,o,s)=>(o?" ":"")+s.toUpperCase())}
function A(e){let n=e.startsWith("-")?"−":"",[o="0",s=""]=e.replace("-","").split(".");if(o.length>Yt)return`${n}${A(`${o.slice(0,-6)}.${o.slice(-6)}`)} M`;let r=o===
"0"?/^0*/.exec(s)?.[0].length??0:-o.length,a=s.slice(0,Yt+r).replace(/0+$/,""),i=o.replace(/\B(?=(\d{3})+$)/g," ");return`${n}${i}${a===""?"":`.${a}`}`}var Yt=6;
function _(e){if(e===null)return"unknown";let n=Math.abs(Number(e));if(n>=1e7)return`${Kt(e)}$${A(String(Math.trunc(n)))}`;let o=n>=1e3?0:n!==0&&n<.01?4:2,s=n.toLocaleString(
"en-US",{minimumFractionDigits:o,maximumFractionDigits:o});return`${Kt(e)}$${s}`}function _e(e){return Number(e)>0?`+${_(e)}`:_(e)}function et(e,n){let o=Number(
n)===0?0:100*Number(e)/Number(n);return`${o<0?"−":""}${Math.abs(o).toFixed(Math.abs(o)<10?2:1)}%`}function Kt(e){return e.startsWith("-")&&Number(e)!==0?"−":
""}function Z(e){return e===null?"unknown":`${(e/100).toFixed(2)}%`}function Ne(e,n){let o=Date.parse(e)-n;return Number.isNaN(o)?e:Math.abs(o)<1500?"now":o>0?`\
in ${H(o)}`:`${H(-o)} ago`}function D(e,n=Date.now()){let o=new Date(e),s=o.toLocaleTimeString("en-GB");return o.toDateString()===new Date(n).toDateString()?s:`${o.
toLocaleDateString("en-GB",{day:"numeric",month:"short"})}, ${s}`}function Y(e){return e.replace(/[-_]/g," ")}function tt(e){return e.length<=18?e:`${e.slice(0,
8)}…${e.slice(-6)}`}function ce(e){return e==="completed"?"good":e==="held"?"bad":e==="awaiting-approval"||e.startsWith("refund")?"warn":e==="rejected"||e==="\
abandoned"?"calm":"busy"}var B=class extends Error{status;reasons;constructor(n,o){super(o.map(({message:s})=>s).join(" ")),this.status=n,this.reasons=o}},Le="ballast.csrf";async function Qt(){
try{return{...await W("GET","session"),csrf:localStorage.getItem(Le)}}catch(e){if(e instanceof B&&e.status===401)return null;throw e}}async function Zt(e){let n=await W(
"POST","session",{token:e});return localStorage.setItem(Le,n.csrf),n}async function en(){await W("DELETE","session").catch(()=>{}),localStorage.removeItem(Le)}async function W(e,n,o){
let s=await nt(e,n,o).catch(()=>{throw new B(0,[{code:"page.silent",message:"The daemon does not answer."}])}),r=await s.json().catch(()=>null);if(s.ok)return r;
let{reasons:a}=r??{};throw new B(s.status,a??[{code:"page.answer",message:`The daemon answered ${s.status}.`}])}function nt(e,n,o,s){return fetch(`/api/v1/${n}`,
{method:e,headers:{"x-ballast-csrf":localStorage.getItem(Le)??"",...o===void 0?{}:{"content-type":"application/json"}},...o===void 0?{}:{body:JSON.stringify(o)},
...s===void 0?{}:{signal:s}})}var j={lastMs:Date.now(),failing:!1,loggedOut:!1,streaming:!1},ot=new Map,st=new Set;function x(e,n=5e3){let[,o]=y(0),[s,r]=y(null),[a,i]=y(0);return I(()=>{if(e===
null)return;let c=!1;async function m(){if(!(e===null||document.hidden))try{if(ot.set(e,await W("GET",e)),c)return;j.lastMs=Date.now(),j.failing=!1,r(null),o(f=>f+
1)}catch(f){if(c||!(f instanceof B))return;f.status===401&&(j.loggedOut=!0),f.status===0&&(j.failing=!0),r(f)}}let d=()=>{m()};m();let p=setInterval(d,n);return st.
add(d),document.addEventListener("visibilitychange",d),()=>{c=!0,clearInterval(p),st.delete(d),document.removeEventListener("visibilitychange",d)}},[e,n,a]),{value:e===
null?null:ot.get(e)??null,error:s,refresh:()=>i(c=>c+1)}}function ue(){for(let e of st)e()}function nn(){ot.clear()}var vo=700,tn=4e4;async function on(e){let n=0,
o=()=>{n===0&&(n=window.setTimeout(()=>{n=0,ue()},vo))};for(;!e.aborted;)await wo(e,o).catch(()=>{}),j.streaming=!1,await new Promise(s=>setTimeout(s,2e3))}async function wo(e,n){
let o=new AbortController,s=setTimeout(()=>o.abort(),tn),r=await nt("GET","events",void 0,AbortSignal.any([e,o.signal]));if(!r.ok||r.body===null)return;j.streaming=
!0;let a=r.body.pipeThrough(new TextDecoderStream).getReader();for(let i=await a.read();!i.done;i=await a.read())clearTimeout(s),s=setTimeout(()=>o.abort(),tn),
i.value.includes("data:")&&n();clearTimeout(s)}function V(){let[e,n]=y(Date.now());return I(()=>{let o=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(
o)},[]),e}function sn(){let[e,n]=y(location.hash);return I(()=>{let o=()=>n(location.hash);return addEventListener("hashchange",o),()=>removeEventListener("hash\
change",o)},[]),e.replace(/^#\/?/,"").split("/").map(o=>decodeURIComponent(o))}var bo=Symbol.for("pv"),ko=0;function t(e,n,o,s,r,a){n||(n={});var i,l,c=n;if("ref"in c&&typeof e!="function")for(l in c={},n)l=="ref"?i=n[l]:c[l]=n[l];var m={type:e,props:c,key:o,ref:i,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:bo,__v:--ko,__i:-1,__u:0};return(r||a)&&(m.__source=r,m.__self=a),E.vnode&&E.vnode(m),m}var rt=Lt(e=>e);function M({text:e}){return t(h,{children:qt(rt)(e)})}function T({tone:e,children:n}){return t("span",{class:`pill ${e}`,children:n})}function w(e){
return t("section",{class:e.wide?"card wide":"card",children:[t("header",{children:[t("h2",{children:e.link===void 0?e.title:t("a",{href:e.link,children:e.title})}),
e.note===void 0?null:t("span",{class:"note",children:e.note})]}),e.children]})}function N({children:e,note:n}){return t("header",{class:"title",children:[t("h1",
{tabIndex:-1,children:e}),n===void 0?null:t("p",{class:"note",children:n})]})}function X({amount:e,asset:n,chain:o=!0,symbol:s=!0}){let r=C(n);return t("span",{
class:"amount",title:`${e??"no reading"} ${n}`,"data-exact":e??void 0,children:[t("b",{children:e===null?"no reading":A(e)}),s?` ${r.symbol}`:null,o?t("small",{
children:[" ",r.chain]}):null]})}function $({at:e,clock:n=!1}){let o=V();return e===null?t("span",{class:"quiet",children:"never"}):t("time",{dateTime:e,title:e,
children:n?D(e,o):Ne(e,o)})}function z({reasons:e,none:n=null}){let o=[...new Map(e.map(s=>[s.message,s])).values()];return o.length===0?n===null?null:t("p",{class:"\
quiet",children:n}):t("ul",{class:"reasons",children:o.map(({code:s,message:r})=>t("li",{children:[t(M,{text:r})," ",t("code",{class:"code",children:s})]},r))})}
function G({hash:e,link:n=null,what:o}){return t("span",{class:"hash",children:[n===null?t("code",{title:e,children:tt(e)}):t("a",{href:n,target:"_blank",rel:"n\
oopener noreferrer",title:e,children:[t("code",{children:tt(e)}),t("span",{class:"hidden",children:" (opens the explorer)"})]}),t(de,{text:e,what:o})]})}function de({
text:e,what:n}){let[o,s]=y(!1);return t("button",{type:"button",class:"copy",onClick:()=>{navigator.clipboard?.writeText(e).then(()=>{s(!0),setTimeout(()=>s(!1),
1500)})},"aria-label":`Copy ${n}`,children:o?"copied":"copy"})}function P({live:e,children:n}){return e.value!==null?t(h,{children:n(e.value)}):e.error===null?t(
"p",{class:"quiet",children:"Reading…"}):t("p",{class:"notice bad",children:e.error.message})}function U({children:e}){return t("p",{class:"empty",children:e})}
function Xe(e){return t("table",{children:[t("caption",{class:"hidden",children:e.caption}),t("thead",{children:t("tr",{children:e.columns.map(n=>t("th",{scope:"\
col",children:n},n))})}),t("tbody",{children:e.rows.map(({key:n,cells:o})=>t("tr",{children:o.map((s,r)=>t("td",{"data-label":e.columns[r],children:t("div",{children:s})},
e.columns[r]))},n))})]})}function Je({percent:e,label:n}){let o=e>=100?"bad":e>=80?"warn":"good";return t("svg",{class:`meter ${o}`,viewBox:"0 0 100 6",preserveAspectRatio:"\
none",role:"img","aria-label":n,children:[t("rect",{class:"track",width:"100",height:"6"}),t("rect",{class:"fill",width:Math.max(0,Math.min(100,e)),height:"6"})]})}
function fe({pairs:e}){return t("dl",{class:"pairs",children:e.map(([n,o])=>t("div",{children:[t("dt",{children:n}),t("dd",{children:o})]},n))})}var So="An alarm is open as long as its cause lasts. A pause by an alarm ends when a person acknowledges it (Resume, on the overview).";function an({overview:e}){
let n=x("alerts?limit=100",1e4);return t(h,{children:[t(N,{note:So,children:"Alarms"}),t(P,{live:n,children:o=>{let s=o.alerts.filter(({closed:i})=>i===null),r=e.
value?.problems??[],a=o.alerts.filter(({closed:i})=>i!==null);return t(h,{children:[t(w,{title:s.length===0?"No alarm is open":`${s.length} open`,wide:!0,children:s.
length===0?t(U,{children:"Nothing needs you here."}):t(rn,{alerts:s,problems:r})}),a.length===0?null:t(w,{title:"Over",note:`${a.length} of the last 100`,wide:!0,
children:t(rn,{alerts:a})})]})}})]})}function rn({alerts:e,problems:n=[]}){return t("ul",{class:"plain alarms",children:e.map(({at:o,order:s,reason:r,closed:a})=>t(
"li",{children:[t("p",{children:[t(T,{tone:a===null?"bad":"calm",children:a===null?"open":`over after ${H(Date.parse(a)-Date.parse(o))}`})," ",t("b",{children:t(
M,{text:r.message})})]}),t("p",{class:"line quiet",children:[t("span",{title:o,children:D(o)}),t($,{at:o}),t("code",{children:r.code}),s===null?null:t("a",{href:`\
#/orders/${s}`,children:["Order ",s.slice(0,8)]})]}),t($o,{problem:n.find(i=>i.code===r.code&&i.order===s)})]},`${o} ${r.code} ${s}`))})}function $o({problem:e}){
if(e===void 0)return null;let{meaning:n,todo:o,command:s}=e;return t(h,{children:[t("p",{children:[n," ",t(M,{text:o})]}),s===null?null:t("p",{class:"hash",children:[
t("code",{children:s}),t(de,{text:s,what:"the command"})]})]})}function ln(e){let n=x("books",2e4);return t(h,{children:[t(N,{note:"Swaps of the last 52 weeks, by the ledger. A week begins on Monday, 00:00 UTC.",children:"B\
ooks"}),t(P,{live:n,children:({weeks:o,rules:s,total:r,at:a})=>t(h,{children:[t("div",{class:"grid thirds",children:[t(at,{name:"Volume",value:_(r.volume),note:`${r.
orders} orders`}),t(at,{name:"Cost of swaps",value:_(r.swapCost),note:`${Z(r.costBps)} of the volume, network fees included`}),t(at,{name:"Network fees",value:_(
r.networkFees),note:r.unpriced===0?"all priced":`${r.unpriced} without a price are not in it`})]}),t("div",{class:"grid thirds",children:[t(w,{title:"Volume by \
week",children:t(it,{weeks:o,series:[{name:"volume",of:i=>Number(i.volume),tone:"a"}]})}),t(w,{title:"Cost by week",children:t(it,{weeks:o,series:[{name:"cost o\
f swaps",of:i=>Number(i.swapCost),tone:"b"}]})}),t(w,{title:"Network fees by week",children:t(it,{weeks:o,series:[{name:"network fees",of:i=>Number(i.networkFees),
tone:"c"}]})})]}),t(w,{title:"By rule",note:t($,{at:a}),wide:!0,children:s.length===0?t(U,{children:"No order in these weeks."}):t(Eo,{lines:[...s,r]})})]})})]})}
function at({name:e,value:n,note:o}){return t("section",{class:"card figure",children:[t("h2",{children:e}),t("p",{class:"big",children:n}),t("p",{class:"note",
children:o})]})}function it({weeks:e,series:n}){let[o]=n;if(o===void 0)return t(U,{children:"Nothing to plot."});let s=Math.max(...e.map(o.of),0),r=240/e.length;
return t("figure",{class:"plot",children:[t("p",{class:"scale quiet",children:t("span",{children:_(String(s))})}),t("svg",{viewBox:"0 0 240 100",preserveAspectRatio:"\
none","aria-hidden":"true",children:[t("line",{x1:"0",x2:"240",y1:"99.5",y2:"99.5"}),t("line",{x1:"0",x2:"240",y1:"50",y2:"50",class:"soft"}),t("line",{x1:"0",x2:"\
240",y1:"0.5",y2:"0.5",class:"soft"}),e.map((a,i)=>{let l=s===0?0:98*o.of(a)/s;return t("rect",{class:o.tone,x:(i+.1)*r,width:.8*r,y:99-l,height:l,rx:"1",children:t(
"title",{children:`Week of ${a.group}: ${_(String(o.of(a)))}`})},a.group)})]}),t("p",{class:"scale quiet",children:[t("span",{children:e[0]?.group}),t("span",{children:e.
at(-1)?.group})]}),t("div",{class:"hidden",children:t("table",{children:[t("caption",{children:[o.name," by week"]}),t("tbody",{children:e.map(a=>t("tr",{children:[
t("th",{scope:"row",children:a.group}),t("td",{children:_(String(o.of(a)))})]},a.group))})]})})]})}function Eo({lines:e}){let n=e.map(o=>({key:o.group,cells:[t(
"b",{children:o.group},"group"),Object.entries(o.counts).map(([s,r])=>`${r} ${Y(s)}`).join(", "),_(o.volume),_(o.swapCost),_(o.networkFees),Z(o.costBps)]}));return t(
Xe,{caption:"Swaps by rule",columns:["Rule","Orders","Volume","Cost","Network fees","Cost of volume"],rows:n})}var Co="Why did a rule do something, or nothing? The same answer in a row is one line with its number of times.";function un({detail:e,overview:n,known:o}){let s=e===
null?"":`rule=${encodeURIComponent(e)}&`,r=x(`decisions?${s}limit=40`,1e4);return t(h,{children:[t(N,{note:Co,children:e===null?"Decisions":`Decisions of ${e}`}),
t("nav",{class:"filters","aria-label":"Rules",children:[t("a",{class:"chip",href:"#/decisions","aria-current":e===null?"page":void 0,children:"all rules"}),(n.value?.
rules??[]).map(({id:a})=>t("a",{class:"chip",href:`#/decisions/${encodeURIComponent(a)}`,"aria-current":a===e?"page":void 0,children:a},a))]}),t(P,{live:r,children:a=>t(
"section",{class:"card",children:[a.decisions.length===0?t(U,{children:"No decision yet."}):null,a.decisions.map(i=>t(xo,{decision:i,known:o},i.id))]})})]})}function xo({
decision:e,known:n}){let{id:o,at:s,lastAt:r,times:a,rule:i,verdict:l,reasons:c,proposals:m,orders:d}=e,p=`ballast replay ${o}`;return t("article",{class:"propos\
al",children:[t("p",{class:"line",children:[t("b",{title:s,children:D(s)}),t("a",{href:`#/decisions/${encodeURIComponent(i)}`,children:i}),t(T,{tone:l==="propos\
ed"?"good":"calm",children:l==="proposed"?"proposed":"did nothing"}),a>1?t("span",{class:"quiet",children:[a," times, last ",t($,{at:r})]}):null]}),m.map(f=>t("\
p",{class:"line",children:[t(X,{amount:f.amount,asset:f.from})," →"," ",t(X,{amount:f.receive,asset:f.to}),f.cost===null?null:t("span",{class:"quiet",children:[
"cost ",_(f.cost)]})]},`${f.from} ${f.to} ${f.amount}`)),t(z,{reasons:c.map(f=>n.humane(f,m[0]??null))}),t("p",{class:"line quiet",children:[d.map(f=>t("a",{href:`\
#/orders/${f}`,children:["Order ",f.slice(0,8)]},f)),t("span",{class:"hash",children:[t("code",{children:p}),t(de,{text:p,what:"the command that computes this d\
ecision again"})]})]}),t(To,{decision:o,known:n})]})}function To({decision:e,known:n}){let[o,s]=y(null);return t(h,{children:[t("button",{type:"button",onClick:()=>{
W("GET",`decisions/${encodeURIComponent(e)}/replay`).catch(i=>i).then(s)},"aria-label":`Replay ${e}`,children:"Replay"}),t("div",{"aria-live":"polite",children:o===
null?null:t(Ao,{replay:o,known:n})})]})}function Ao({replay:e,known:n}){if(e instanceof B)return t("p",{class:"notice bad",children:e.message});let{same:o,again:s,
stored:r}=e;return o?t("p",{class:"notice",children:[t(T,{tone:"good",children:"same decision"})," The stored inputs give the stored result again."]}):t("div",{
class:"notice bad",children:[t("p",{children:[t("b",{children:"Another decision."})," The stored inputs give another result now."]}),t("div",{class:"grid even",
children:[t(cn,{name:"Stored",of:r,known:n}),t(cn,{name:"Now",of:s,known:n})]})]})}function cn({name:e,of:n,known:o}){let s=n.proposals,r=s[0]??null;return t("s\
ection",{"aria-label":e,children:[t("h3",{children:e}),s.map(({from:a,to:i,units:l})=>t("p",{children:["Sell ",t(X,{amount:o.amountOf(l,a),asset:a})," for ",t(M,
{text:i})]},`${a} ${i} ${l}`)),t(z,{reasons:[...s.flatMap(({why:a})=>a),...n.reasons].map(a=>o.humane(a,r)),none:"No reason."})]})}var ve=class extends Error{name="AppError";code;disposition;details;constructor(n){super(n.message,n.cause===void 0?void 0:{cause:n.cause}),this.code=n.code,this.
disposition=n.disposition,this.details=n.details??{}}};function dn(e,n){let o=e.length;for(;o>0&&e[o-1]===n;)o--;return e.slice(0,o)}function Me(e,n){let o=e<0n?"-":"",s=(e<0n?-e:e).toString().padStart(n+1,"0"),r=s.slice(0,s.length-n),a=dn(s.slice(s.length-n),"0");return`${o}${r}${a===""?"":`\
.${a}`}`}function mn(e){return e===null?n=>n:(n,o=null)=>{let[,s=null]=Po.exec(n)??[],[,r=null]=Ro.exec(n)??[],a=(s===null?null:lt(e,`${s}:native`))??lt(e,r)??lt(e,o);if(a===
null)return n;let i=l=>`${Me(BigInt(l),a.decimals)} ${a.name}`;return n.replace(Mo,(l,c)=>`within ${H(Number(c)*1e3)}`).replace(No,(l,c,m)=>`(${i(c)}, at most ${i(
m)})`).replace(Jo,(l,c,m)=>`within the range of ${i(c)} to ${i(m)}`).replace(Xo,(l,c,m)=>`(${c} usd, at most ${m} usd)`).replace(Do,(l,c)=>i(c)).replace(Io,l=>a.
decimals<Bo?l:i(l))}}function pn(e,n,o){let s=n.asset??(Oo.includes(n.code)?o?.to:o?.from)??null;return{...n,message:e(n.message,s)}}var Oo=["alarm.payout_short",
"quote.too_good","quote.unproven"],fn="[a-z0-9_]+:[a-z0-9._-]+",Po=/units of (?:the coin|the native coin) of ([a-z0-9_]+)/i,Ro=new RegExp(`\\d (?:smallest )?(?:u\
nits of )?(${fn})`,"i"),Do=new RegExp(`(?<![\\w.])(\\d+) (?:smallest )?units(?: of the coin of [a-z0-9_]+| of ${fn})?`,"gi"),No=/(?<=larger than one order may be |would sell more than allowed )\((\d+), at most (\d+)\)/g,
Lo=["worth more than one order may be","would be worth more than allowed","would cost more than allowed"],Xo=new RegExp(`(?<=(?:${Lo.join("|")}) )\\(([\\d.]+), at\
 most ([\\d.]+)\\)`,"g"),Jo=/within the range of (\d{1,40}) to (\d{1,40})(?![\d.])/gi,Mo=/(?<=Orders |orders )within (\d+) s\b/g,Io=/(?<![\w.:-])\d{10,}(?![\w.:])(?!\s(?:units|smallest))/g,
Bo=6;function lt({assets:e,chains:n},o){let s=e.find(a=>a.id===o);if(s!==void 0)return{decimals:s.decimals,name:s.id};let r=n.find(({chain:a})=>`${a}:native`===
o)?.nativeCoin;return r===void 0?null:{decimals:r.decimals,name:r.symbol}}function ct(e){if(!/^[a-z0-9_-]+:[a-z0-9_.-]+$/.test(e)){let n="<chain>:<asset>, for example base_sepolia:wbtc";throw new ve({code:"domain.asset_id",disposition:"\
refused",message:`"${e}" is not an asset id; expected ${n}`,details:{text:e}})}return e}function Fo(e){return e.slice(0,e.indexOf(":"))}function hn(e){return Fo(
ct(`${e}:x`))}function gn(e){let n=mn(e===null?null:{assets:e.assets.map(({id:r,decimals:a})=>({id:ct(r),decimals:a})),chains:e.chains.map(({chain:r,nativeCoin:a})=>({chain:hn(
r),nativeCoin:{...a,token:null}}))}),o=new Set(e?.assets.map(({id:r})=>r)),s=new Set(e?.chains.map(({chain:r})=>r));return{linkOf:(r,a)=>{let l=(e?.chains.find(
c=>c.chain===r)?.explorer??null)?.tx.replace("{tx}",encodeURIComponent(a))??null;return l?.startsWith("https://")===!0?l:null},amountOf:(r,a)=>{let i=e?.assets.
find(({id:l})=>l===a)?.decimals;return i===void 0?null:Me(BigInt(r),i)},humane:(r,a=null)=>pn(n,r,a),speak:r=>r.replace(Uo,a=>o.has(a)?Vo(a):a).replace(Ho,a=>s.
has(a)?F(a):a).replace(Wo,a=>D(a))}}var Uo=/\b[a-z0-9_]+:[a-z0-9._-]*[a-z0-9]/g,Ho=/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g,Wo=/\b\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g;
function Vo(e){let{symbol:n,chain:o}=C(e);return`${n} on ${o}`}function yn({overview:e}){let n=x("settings",6e4);return t(h,{children:[t(N,{note:"What Ballast may still sell, and what it has used.",children:"Limits"}),t(P,{
live:e,children:({limits:o})=>{let s=({used:r,unit:a})=>Number(r)===0&&a.includes(":");return t("div",{class:"grid even",children:[o.filter(r=>!s(r)).toSorted((r,a)=>a.
percent-r.percent).map(r=>t(qo,{limit:r},r.name)),t(jo,{limits:o.filter(s)})]})}}),t(P,{live:n,children:({guards:o})=>t(ut,{guards:o})})]})}function qo({limit:e}){
let{name:n,used:o,max:s,left:r,unit:a,percent:i}=e,l=`${i}% used`;return t(w,{title:_n(n),note:i>=80?t(T,{tone:i>=100?"bad":"warn",children:l}):l,children:[t("p",
{class:"big",children:[mt(r,a)," ",t("small",{children:"left"})]}),t(Je,{percent:i,label:l}),t("p",{class:"note",children:[dt(o,s,a)," used"]})]})}function jo({
limits:e}){return e.length===0?null:t(w,{title:"Not used yet",children:t("dl",{class:"pairs",children:e.map(({name:n,left:o,unit:s})=>t("div",{children:[t("dt",
{children:_n(n)}),t("dd",{children:[mt(o,s)," left"]})]},n))})})}function ut({guards:e}){return t(w,{title:"Every guard",note:"as the configuration in force say\
s",wide:!0,children:t("dl",{class:"pairs",children:e.map(({guard:n,means:o})=>t("div",{children:[t("dt",{children:t("code",{children:n})}),t("dd",{children:t(M,
{text:zo(o)})})]},n))})})}function dt(e,n,o){return o==="usd"?`${_(e)} of ${_(n)}`:`${A(e)} of ${mt(n,o)}`}function mt(e,n){return n==="usd"?_(e):`${A(e)} ${n.includes(
":")?C(n).symbol:n}`}function zo(e){let n=e.split(", ").map(r=>r.split(" ")),[[o=""]=[]]=n;return n.length>1&&n.every(([r,a="",...i])=>r===o&&a.includes(":")&&i.
length===0)?`${o} of each asset`:e}function _n(e){let[n=""]=e.split(" ");if(!n.includes(":"))return e.slice(0,1).toUpperCase()+e.slice(1);let{symbol:o,chain:s}=C(
n);return`${o} on ${s}${e.slice(n.length)}`}function vn({onLogin:e}){let[n,o]=y(""),[s,r]=y(!1),[a,i]=y(null);async function l(c){c.preventDefault(),r(!0);try{e(await Zt(n.trim()))}catch(m){i(m instanceof
B?m.message:"The page failed"),r(!1)}}return t("main",{class:"login",children:t("form",{class:"card",onSubmit:l,children:[t("img",{src:"/icon.svg",alt:"",width:"\
44",height:"44"}),t("h1",{children:"Ballast"}),t("p",{class:"note",children:["Log in with one of the tokens of ",t("code",{children:"ops.token"})," or ",t("code",
{children:"ops.tokens"}),". What you can do here is what the token's scopes allow."]}),t("label",{for:"token",children:"Token"}),t("input",{id:"token",type:"pas\
sword",autocomplete:"current-password",value:n,onInput:c=>o(c.currentTarget.value)}),a===null?null:t("p",{class:"notice bad",role:"alert",children:a}),t("button",
{type:"submit",class:"main",disabled:n===""||s,children:"Log in"})]})})}function wn({payoutDeadline:e},n){if(e===void 0)return null;let{at:o,height:s}=e,r=Go(e);if(o===null)return`before its lock ends, at an unknown time; ${r}`;let a=Date.
parse(o)-(n??0),i=a>0?`${H(a)} left`:`over since ${H(-a)}`,l=[`height ${s??"unknown"}`,...n===null?[]:[i],"estimated"];return`before ${Gt(Date.parse(o))} (${l.join(
", ")}); ${r}`}function Go({offerUnits:e,capUnits:n}){let o=n===null?"":`, and one may offer up to ${n}`;return e===null?`no redemption of ours is signed yet${o}${o===
""?"":" of the coin's smallest units"}`:`our newest redemption offers at most ${e}${o} of the coin's smallest units`}function bn({secret:e,ownSecret:n}){if(n===void 0)return e==="service"?"chosen by the service":"not chosen yet";let{status:o,revealedAt:s}=n,r=s===null?"":` at ${s}`;
return{unknown:"our own, told to no other party",revealed:`our own, revealed${r}`,withheld:"our own, withheld for ever",lost:`our own, revealed${r}, and the pay\
out went back to the solver`}[o]}var Yo=1e3,pt=4;function kn({order:e,scopes:n}){let[o,s]=y(!1),r=n.includes("approve");return t(h,{children:[t("button",{type:"button",class:"main",disabled:!r,
title:r?void 0:"Your token lacks the scope approve",onClick:()=>s(!0),children:"Approve"}),o?t(Ko,{order:e,onClose:()=>s(!1)}):null]})}function Ko({order:e,onClose:n}){
let o=le(null),s=pe(),[r,a]=y(""),[i,l]=y(null),c=ns(e);I(()=>o.current?.showModal(),[]);let m=c||r.trim()===e.destinationOwner.slice(-pt);async function d(){try{
await W("POST",`orders/${e.id}/approve`,{intent:e.intent}),ue(),n()}catch(p){p instanceof B&&l(p)}}return t("dialog",{ref:o,class:"approve","aria-labelledby":s,
onClose:n,children:[t("h2",{id:s,tabIndex:-1,children:["Approve ",e.fiat===null?"this order":_(e.fiat),"?"," ",t("small",{children:["ends ",t($,{at:e.approveBefore})]})]}),
t(Zo,{address:e.destinationOwner,isOurs:c}),t(es,{order:e}),c?null:t(Qo,{typed:r,onType:a}),i===null?null:t("p",{class:"notice bad",role:"alert",children:i.message}),
t("footer",{children:[t("button",{type:"button",onClick:n,children:"Later"}),t(ts,{disabled:!m,onHeld:()=>{d()}})]}),t("details",{children:[t("summary",{children:"\
All fields that are signed"}),t("dl",{class:"pairs small",children:Object.entries(e.intentFields??{}).map(([p,f])=>t("div",{children:[t("dt",{children:p}),t("dd",
{children:t("code",{children:f})})]},p))})]})]})}function Qo(e){let n=pe();return t(h,{children:[t("label",{for:n,children:["Type the last ",pt," characters of \
the address"]}),t("input",{id:n,value:e.typed,maxLength:pt,autocomplete:"off",spellcheck:!1,onInput:o=>e.onType(o.currentTarget.value)})]})}function Zo({address:e,
isOurs:n}){return t("p",{class:n?"payee":"payee foreign",children:[n?"Pays our own wallet":"▲ Pays an address that is not this daemon's wallet",t("code",{children:e.
match(/.{1,4}/g)?.join(" ")})]})}function es({order:e}){let n=C(e.from),o=C(e.to),s=e.costParts.refundAtMostFiat;return t("dl",{class:"pairs",children:[t("div",
{children:[t("dt",{children:"Sends"}),t("dd",{children:[t("b",{children:e.amount})," ",n.symbol,", ",n.chain]})]}),t("div",{children:[t("dt",{children:"Receives"}),
t("dd",{children:[t("b",{children:e.destinationAmount})," ",o.symbol,", ",o.chain]})]}),t("div",{children:[t("dt",{children:"Costs"}),t("dd",{children:[e.costFiat===
null?"unknown":_(e.costFiat)," (",Z(e.costBps),")"]})]}),t("div",{children:[t("dt",{children:"Why it asks"}),t("dd",{children:[e.askedBy??e.rule," wants more th\
an one order may send without a person"]})]}),t("div",{children:[t("dt",{children:"At worst"}),t("dd",{children:["the deposit comes back after its timelock",s===
null?"":`, for a fee of up to ${_(s)}`]})]})]})}function ts(e){let n=le(0),[o,s]=y(!1),r=()=>{e.disabled||n.current!==0||(s(!0),n.current=window.setTimeout(()=>{
a(),e.onHeld()},Yo))},a=()=>{clearTimeout(n.current),n.current=0,s(!1)};I(()=>a,[]);let i=({key:l})=>l==="Enter"||l===" ";return t("button",{type:"button",class:o?
"main hold holding":"main hold",disabled:e.disabled,onPointerDown:r,onPointerUp:a,onPointerLeave:a,onKeyDown:l=>i(l)?r():void 0,onKeyUp:a,onBlur:a,onContextMenu:l=>l.
preventDefault(),children:"Hold to approve"})}function ns({to:e,destinationOwner:n}){let{value:o}=x("status",6e4),s=e.split(":")[0];return o?.chains.some(r=>r.chain===
s&&r.account===n)??!1}function os({change:e,onClose:n}){let o=le(null),[s,r]=y(""),[a,i]=y(!1),[l,c]=y(null),m=pe(),d=pe();I(()=>o.current?.showModal(),[]);let p=s.trim()===e.word;async function f(u){
if(u.preventDefault(),!(!p||a)){i(!0);try{let g=await W("POST",e.path,e.body);ue(),n(),e.onDone?.(g)}catch(g){g instanceof B&&c(g),i(!1)}}}return t("dialog",{ref:o,
"aria-labelledby":m,onClose:n,children:t("form",{onSubmit:f,children:[t("h2",{id:m,children:e.title}),e.children,t("label",{for:d,children:["Type ",t("code",{class:"\
word",children:e.word})," to confirm"]}),t("input",{id:d,value:s,autocomplete:"off",spellcheck:!1,onInput:u=>r(u.currentTarget.value)}),l===null?null:t("p",{class:"\
notice bad",role:"alert",children:l.message}),t("footer",{children:[t("button",{type:"button",onClick:n,children:"Cancel"}),t("button",{type:"submit",class:e.danger?
"main danger":"main",disabled:!p||a,children:a?"Sending…":e.button})]})]})})}function K(e){let[n,o]=y(!1),s=e.scopes.includes(e.scope);return t(h,{children:[t(
"button",{type:"button",class:e.change.danger?"danger":e.main?"main":"",disabled:!s,title:s?void 0:`Your token lacks the scope ${e.scope}`,onClick:()=>o(!0),children:e.
change.button}),n?t(os,{change:e.change,onClose:()=>o(!1)}):null]})}function Sn({order:e,scopes:n}){if(e.state==="awaiting-approval")return t(rs,{order:e,scopes:n});if(!e.held&&e.state!=="disarmed")return null;let o=(r,a)=>{let i=r.
slice(0,1).toUpperCase()+r.slice(1);return{title:`${i} this order?`,word:r,button:i,path:`orders/${e.id}/${r}`,body:{},danger:r==="abandon",children:t("p",{children:a})}},
s=o("abandon","You answer for the end of this order: Ballast ends it once no deposit can land.");return t("div",{class:"actions",children:[e.held?t(h,{children:[
t(K,{change:o("retry","Ballast goes on from where the order was held."),scope:"operate",scopes:n,main:!0}),t(K,{change:o("refund","Ballast takes the deposit bac\
k as soon as the HTLC allows it."),scope:"operate",scopes:n})]}):null,t(K,{change:s,scope:"operate",scopes:n})]})}function ss({people:e}){if(e===void 0)return"";
let n=e.approved.map(({by:s})=>s).join(", "),o=e.needed-e.approved.length;return` · approved by ${n===""?"none":n}; ${o} more must approve`}function rs({order:e,
scopes:n}){let o=`${e.amount} ${C(e.from).symbol}`,s={title:"Reject this order?",word:"reject",button:"Reject",path:`orders/${e.id}/reject`,body:{},danger:!0,children:t(
"p",{children:["Nothing was deposited. The order ends, and ",o," stay in the wallet."]})};return t("div",{class:"actions",children:[t(kn,{order:e,scopes:n}),t(K,
{change:s,scope:"approve",scopes:n}),t("span",{class:"note",children:["Approve before ",t($,{at:e.approveBefore,clock:!0})," (",t($,{at:e.approveBefore}),")",ss(
e)]})]})}function $n({events:e,seen:n,outcome:o,state:s,approval:r,updatedAt:a,createdAt:i}){let l=(...u)=>e.find(({type:g})=>u.includes(g))?.at??null,c=s==="awaiting-ap\
proval"||r!==null,m=n.sourceRefunded!=null||s.startsWith("refund")||o==="refunded",d=[{name:"Requested",at:i},{name:"Quoted",at:l("quote.accepted")},{name:"Orde\
red",at:l("order.created")},{name:"Verified",at:l("deposit.verified")},...c?[{name:"Approved",at:r?.at??null}]:[],{name:"Deposited",at:n.sourceInitiated?.at??null},
...m?[{name:"Refunded",at:n.sourceRefunded?.at??null}]:[{name:"Solver deposited",at:n.destinationInitiated?.at??null},{name:"Paid out",at:n.destinationRedeemed?.
at??null}],{name:o===null?"Final":as(o),at:o===null?null:a}],p=d.findLastIndex(({at:u})=>u!==null),f=o==="rejected"||o==="abandoned";return d.map((u,g)=>{if(f&&
g===d.length-1)return{...u,state:"failed"};if(g<=p&&!(f&&u.at===null))return{...u,state:"done"};let O=g===p+1;return{...u,state:O&&o===null?s==="held"?"failed":
"now":"open"}}).filter(({at:u,state:g})=>!(o!==null&&u===null&&g==="open"))}function En(e){let n=e.from.split(":")[0]??"",o=e.to.split(":")[0]??"",s=(r,a,i)=>({
what:a,chain:i,service:e.reportedTxs[r],seen:e.seen[r]??null});return[s("sourceInitiated","Our deposit",n),s("destinationInitiated","The solver's deposit",o),s(
"destinationRedeemed","The payout to us",o),s("sourceRedeemed","The solver takes our deposit",n),s("sourceRefunded","The refund to us",n)]}function Cn({service:e,
seen:n},o){return n!==null&&e.includes(n.tx)?{tone:"good",says:"agree"}:n!==null&&e.length>0?{tone:"warn",says:"another transaction"}:n!==null?{tone:"good",says:"\
proven"}:e.length>0?{tone:o?"calm":"warn",says:"only reported"}:{tone:"calm",says:"not yet"}}function as(e){return e.slice(0,1).toUpperCase()+Y(e).slice(1)}function xn(e){
let[n]=Object.entries(is).filter(([s])=>s===e);return n!==void 0?{who:n[1][0],says:n[1][1]}:{who:e.startsWith("operator.")?"operator":"Ballast",says:e.replaceAll(
/[._]/g," ")}}var is={"order.opened":["Ballast","opens the order"],"work.deferred":["Ballast","waits and looks again later"],"quote.accepted":["service","quotes\
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
e HTLC never had the deposit"]};function An(e){let n=x(`orders/${encodeURIComponent(e.detail)}`,3e3);return t(P,{live:n,children:o=>t(ls,{order:o,desk:e})})}function ls({order:e,desk:n}){let o=`\
#/decisions/${encodeURIComponent(e.rule)}`,s=n.overview.value?.orders.find(({id:r})=>r===e.id)??null;return t(h,{children:[t(N,{note:t(h,{children:["Order ",t("\
code",{children:e.id.slice(0,8)})," of rule ",t("a",{href:o,children:e.rule}),", requested ",t($,{at:e.createdAt})]}),children:[t(X,{amount:e.amount,asset:e.from}),
" →"," ",t(X,{amount:e.destinationAmount,asset:e.to})]}),t("section",{class:`card wide place ${ce(e.state)}`,children:[t("p",{children:t(T,{tone:ce(e.state),children:Y(
e.state)})}),t("p",{class:"money",children:[t("span",{class:"quiet",children:"Where is the money?"})," ",t("b",{children:e.money})]}),s?.left==null?null:t("p",{
children:[t("b",{children:s.left})," left",s.ends===null?"":`: ${s.ends}`]}),t(z,{reasons:e.reasons.map(r=>n.known.humane(r,e))}),t(Sn,{order:e,scopes:n.scopes})]}),
t(w,{title:"The way of the order",wide:!0,children:t(cs,{stages:$n(e)})}),t(w,{title:"The service's word and the chain's word",note:"Ballast believes only the c\
hain.",wide:!0,children:t(us,{order:e,desk:n})}),t("div",{class:"grid even",children:[t(w,{title:"Transactions",children:t(ms,{order:e,desk:n})}),t(w,{title:"Te\
rms",children:t(ps,{order:e})})]}),t(w,{title:"Everything that happened",note:`${e.events.length} events`,wide:!0,children:t(fs,{order:e})})]})}function cs({stages:e}){
return t("ol",{class:"stages",children:e.map(({name:n,at:o,state:s},r)=>{let a=e.slice(0,r).findLast(l=>l.at!==null)?.at??null,i=o===null||a===null?null:Date.parse(
o)-Date.parse(a);return t("li",{class:s,"aria-current":s==="now"?"step":void 0,children:[t("span",{class:"mark","aria-hidden":"true"}),t("b",{children:n}),o===null?
t("small",{children:s==="now"?"next":s==="done"?"passed":"not yet"}):t("small",{title:o,children:[D(o),i===null||i<0?"":` · +${i<1e4?`${(i/1e3).toFixed(1)} s`:
H(i)}`]})]},n)})})}function us({order:e,desk:n}){let o=En(e).filter(({what:s,service:r,seen:a})=>r.length>0||a!==null||s!=="The refund to us").map(({what:s,chain:r,
service:a,seen:i})=>{let{tone:l,says:c}=Cn({service:a,seen:i},e.outcome!==null),m=[t("span",{children:[t("b",{children:s}),t("small",{class:"block",children:["o\
n ",F(r)]})]},"what"),t(ds,{chain:r,txs:a,desk:n},"service"),i===null?t("span",{class:"quiet",children:"shows nothing"},"seen"):t("span",{children:[t(G,{hash:i.
tx,link:n.known.linkOf(r,i.tx),what:"the transaction"}),t("small",{class:"block",children:[D(i.at),", ",i.final?"final":"not final yet"]})]},"seen"),t(T,{tone:l,
children:c},"judgement")];return{key:s,cells:m}});return t(Xe,{caption:"The service's word and the chain's word",columns:["About","The service says","Our own no\
de shows","Together"],rows:o})}var Tn=3;function ds({chain:e,txs:n,desk:o}){if(n.length===0)return t("span",{class:"quiet",children:"says nothing"});let s=n.length-
Tn;return t("span",{children:[n.slice(0,Tn).map(r=>t("span",{class:"block",children:t(G,{hash:r,link:o.known.linkOf(e,r),what:"the transaction"})},r)),s>0?t("sm\
all",{class:"block",children:["and ",s," more"]}):null]})}function ms({order:e,desk:n}){let o=e.from.split(":")[0]??"";return e.transactions.length===0?t("p",{class:"\
empty",children:e.deposit==="gasless"&&e.depositTx!==null?"Ballast signed no transaction of its own: the relay made the deposit and paid its fee.":"Ballast has \
signed no transaction for this order."}):t("ul",{class:"plain",children:e.transactions.map(({purpose:s,attempt:r,tx:a})=>t("li",{children:[t("b",{children:s}),"\
 ",t("small",{children:r>0?`attempt ${r+1}`:`on ${F(o)}`}),t(G,{hash:a,link:n.known.linkOf(o,a),what:"the transaction"})]},a))})}function ps({order:e}){let n=C(
e.to).symbol,o=wn(e,null),s=[["Order",t(G,{hash:e.id,what:"the order's id"},"id")],["Order at the service",e.serviceOrderId===null?"none":t(G,{hash:e.serviceOrderId,
what:"the service's id"},"s")],["Service",e.service??"none yet"],["Solver",e.solver===null?"none yet":t(G,{hash:e.solver,what:"the solver's id"},"solver")],["Se\
cret",bn(e)],...o===null?[]:[["Payout must be redeemed",o]],["Value",e.fiat===null?"unknown":_(e.fiat)],["Cost, network fees so far included",`${_(e.costFiat)} \
(quote: ${Z(e.costBps)})`],["Deposit",e.deposit==="gasless"?"by a relay, without a fee of ours":"by our own transaction"],["Pays to",t(G,{hash:e.destinationOwner,
what:"the address"},"d")],["Fee that the payout may lose",e.payoutFee===null?"unknown":`${A(e.payoutFee)} ${n}`],["Refund possible at height",e.refundableAtHeight??
"not known yet"],["Approved",e.approval===null?"no approval was needed or given":`by ${e.approval.by}, ${D(e.approval.at)}`],["Acts next",e.who]];return t(h,{children:[
t(fe,{pairs:s}),e.calls.length===0?null:t(h,{children:[t("h3",{children:"Asked by people"}),t("ul",{class:"plain",children:e.calls.map(({at:r,caller:a,source:i,
action:l})=>t("li",{children:[t("b",{children:l})," by ",a," from ",i,", ",t($,{at:r})]},`${r} ${l}`))})]})]})}function fs({order:e}){let[n,o]=y(!1),s=n?e.events:
e.events.slice(-40);return t(h,{children:[e.events.length>s.length?t("button",{type:"button",onClick:()=>o(!0),children:["Show the ",e.events.length-s.length," \
earlier events"]}):null,t("ol",{class:"events",children:s.map(({at:r,type:a,state:i},l)=>{let{who:c,says:m}=xn(a);return t("li",{class:c,children:[t("time",{dateTime:r,
title:r,children:D(r)}),t("span",{class:"who",children:c}),t("span",{children:[m," ",t("small",{children:["→ ",Y(i)]})]})]},`${r} ${l}`)})})]})}var Ie=["quoted","ordered","verified","signed","deposited","solver deposited","paid out"],hs={quoting:0,creating:1,verifying:2,"awaiting-approval":3,allowing:3,
"gasless-signing":3,"deposit-planning":3,"deposit-signing":3,"deposit-sending":4,"gasless-submitting":4,"deposit-confirming":4,"gasless-confirming":4,funded:5,revealing:6,
revealed:6,"redeem-reported":6,completed:7};function On({state:e,deposited:n}){let o=hs[e]??(n?5:3),s=["completed","refunded","rejected","abandoned"].includes(e),
r=ce(e),a=Ie[o];return t("svg",{class:`steps ${r}`,viewBox:"0 0 69 6",role:"img","aria-label":s||a===void 0?`${o} of ${Ie.length} stages`:`${o} of ${Ie.length} \
stages, next: ${a}`,children:Ie.map((i,l)=>t("rect",{class:l<o?"passed":l===o&&!s?"next":"track",x:l*10,width:"9",height:"6",rx:"1"},i))})}var gs=["all","open","held","completed","refunded","rejected"],we="";function Rn(e){let[n,o]=y({state:"all",rule:we,pair:we,text:""}),s=i=>o({...n,...i}),r=x(n.
state==="open"?"orders?open=true&limit=200":"orders?limit=200"),a=r.value?.orders??[];return t(h,{children:[t(N,{note:"The newest 200 orders.",children:"Orders"}),
t("div",{class:"filters",children:[t("fieldset",{children:[t("legend",{class:"hidden",children:"Show"}),gs.map(i=>t("button",{type:"button","aria-pressed":i===n.
state,onClick:()=>s({state:i}),children:i},i))]}),t(Pn,{name:"Every rule",value:n.rule,values:[...new Set(a.map(({rule:i})=>i))],onChange:i=>s({rule:i})}),t(Pn,
{name:"Every pair",value:n.pair,values:[...new Set(a.map(Dn))],onChange:i=>s({pair:i})}),t("label",{children:[t("span",{class:"hidden",children:"Search by order\
, rule or asset"}),t("input",{type:"search",placeholder:"Order, rule or asset",value:n.text,onInput:i=>s({text:i.currentTarget.value})})]})]}),t(P,{live:r,children:i=>t(
"section",{class:"card",children:t(ft,{orders:i.orders.filter(l=>ys(l,n)).map(l=>({...l,since:l.updatedAt,left:null})),none:"No order matches."})})})]})}function ys(e,{
state:n,rule:o,pair:s,text:r}){return(n==="all"||(n==="open"?e.outcome===null:e.state===n))&&(o===we||e.rule===o)&&(s===we||Dn(e)===s)&&[e.id,e.rule,e.from,e.to].
some(a=>a.includes(r.trim().toLowerCase()))}function Dn({from:e,to:n}){let o=C(e),s=C(n);return`${o.symbol} ${o.chain} → ${s.symbol} ${s.chain}`}function Pn(e){
return t("label",{children:[t("span",{class:"hidden",children:e.name}),t("select",{value:e.value,onChange:n=>e.onChange(n.currentTarget.value),children:[t("opti\
on",{value:we,children:e.name}),e.values.toSorted().map(n=>t("option",{children:n},n))]})]})}var _s=["Order","Sends","From → to","Receives","Value","Cost","St\
age","State","Took","Rule"];function ft({orders:e,none:n}){return e.length===0?t(U,{children:n}):t("table",{class:"orders",children:[t("caption",{class:"hidden",
children:"Orders"}),t("thead",{children:t("tr",{children:_s.map(o=>t("th",{scope:"col",children:o},o))})}),t("tbody",{children:e.map(o=>t(vs,{order:o},o.id))})]})}
function vs({order:e}){let{id:n,from:o,to:s,state:r,fiat:a,costFiat:i=null,costBps:l=null}=e,c=m=>F(m.split(":")[0]??"");return t("tr",{children:[t("td",{children:t(
"a",{href:`#/orders/${n}`,class:"id",children:n.slice(0,8)})}),t("td",{class:"number",children:t(X,{amount:e.amount,asset:o,chain:!1})}),t("td",{children:[c(o),
" → ",c(s)]}),t("td",{class:"number",children:e.destinationAmount===null?"–":t(X,{amount:e.destinationAmount,asset:s,chain:!1})}),t("td",{class:"number",title:a??
void 0,"data-exact":a??void 0,children:a===null?"–":_(a)}),t("td",{class:"number",title:i===null?void 0:`${i} usd`,children:l===null?"–":`${l} bps`}),t("td",
{children:t(On,{state:r,deposited:e.deposited})}),t("td",{title:e.money,children:[t(bs,{state:r}),e.left===null?null:t("small",{class:"block",children:[e.left,"\
 left"]})]}),t("td",{children:t(ws,{order:e})}),t("td",{class:"rule",children:e.rule})]})}function ws({order:{createdAt:e,since:n,outcome:o}}){let s=V(),r=o!=null,
a=r?Date.parse(n):s;return t("time",{dateTime:e,title:r?`${e} to ${n}`:`since ${e}`,children:H(Math.max(0,a-Date.parse(e)))})}function bs({state:e}){return e===
"completed"?t(h,{children:"✓ completed"}):t(T,{tone:ce(e),children:Y(e)})}function Nn(e,n,o,s){return e.map(({at:a,amount:i},l)=>{if(i===null)return"";let c=e[l-1]?.amount??null,m=o(e[l+1]?.at??n);return`${c===null?`M${o(a)} ${s(Number(
i))}`:`V${s(Number(i))}`}H${m}`}).join("")}function Ln(e,n){return e.flatMap(({at:o,amount:s},r)=>s===null?[{start:o,end:e[r+1]?.at??n}]:[])}var ks=864e5,be=60,ke=300;function Xn(e){let{asset:n,days:o,bound:s}=e,[r]=y(Date.now),a=new Date(r-o*ks).toISOString(),{value:i}=x(`series/${encodeURIComponent(
n)}?since=${a}`,3e4);if(i===null)return null;let l=i.points.flatMap(({amount:c})=>c===null?[]:[Number(c)]);return l.length===0?t("p",{class:"note",children:"No \
reading in this time."}):t(Ss,{series:i,known:l,bound:s})}function Ss({series:e,known:n,bound:o}){let{asset:s,from:r,to:a,points:i}=e,l=Math.min(...n),c=Math.max(
...n),{symbol:m}=C(s),d=Math.min(l,o===null?l:Number(o.min)),p=Math.max(c,o===null?c:Number(o.target)),f=(p-d)*.12||p*.05||1,u=k=>Math.max(0,Math.min(be,be-be*(k-
d+f)/(p-d+2*f))),g=i[0]?.at??r,O=Date.parse(g),v=k=>ke*(Date.parse(k)-O)/Math.max(1,Date.parse(a)-O),S=A(String(l)),b=A(String(c)),L=`${S===b?S:`${S} to ${b}`} ${m}`;
return t("figure",{class:"history",children:[t("svg",{viewBox:`0 0 ${ke} ${be}`,preserveAspectRatio:"none",role:"img","aria-label":`Readings from ${D(g)}: ${L}`,
children:[o===null?null:t(Es,{bound:o,y:u}),Ln(i,a).map(k=>t("rect",{class:"gap",x:v(k.start),width:v(k.end)-v(k.start),height:be},k.start)),t("path",{class:"ba\
lance",d:Nn(i,a,v,u)})]}),t("figcaption",{class:"note",children:["Since ",t("span",{title:g,children:D(g)}),": ",L,o===null?"":` · band ${$s(o)}`]})]})}function $s({
min:e,max:n}){return`${A(e)} to ${n===null?"any":A(n)}`}function Es({bound:e,y:n}){let o=e.max===null?0:n(Number(e.max));return t(h,{children:[t("rect",{class:"\
range",y:o,width:ke,height:Math.max(0,n(Number(e.min))-o)}),t("line",{class:"edge",x2:ke,y1:n(Number(e.min)),y2:n(Number(e.min))}),t("line",{class:"goal",x2:ke,
y1:n(Number(e.target)),y2:n(Number(e.target))})]})}var Cs="Readings of our own nodes, against the bands of the rules. A gap is a time without one.",Jn={"24 h":1,"7 d":7,"30 d":30,"1 y":365};function Mn({overview:e}){
let[n,o]=y("7 d"),{value:s}=x("summary",1e4);return t(P,{live:e,children:({treasury:r,gas:a})=>{let i=[...new Set(r.map(({asset:l})=>l.split(":")[0]??""))];return t(
h,{children:[t(N,{note:Cs,children:"Treasury"}),t("fieldset",{class:"filters",children:[t("legend",{class:"hidden",children:"Range of the plots"}),Object.keys(Jn).
map(l=>t("button",{type:"button","aria-pressed":l===n,onClick:()=>o(l),children:l},l))]}),t("div",{class:"grid even",children:i.map(l=>t(w,{title:F(l),children:[
r.filter(({asset:c})=>c.startsWith(`${l}:`)).map(c=>t(xs,{holding:c,days:Jn[n],fiat:s?.assets.find(({asset:m})=>m===c.asset)?.fiat},c.asset)),a.filter(c=>c.chain===
l).map(c=>t(Ts,{gas:c},c.chain))]},l))}),i.length===0?t(U,{children:"The configuration lists no asset."}):null]})}})}var ht={below:{tone:"bad",word:"below its b\
and"},above:{tone:"warn",word:"above its band"},within:{tone:"good",word:"in its band"},unknown:{tone:"calm",word:"not read yet"}};function xs(e){let{asset:n,amount:o,
readAt:s,bounds:r,shares:a}=e.holding;return t("div",{class:"holding",children:[t("p",{class:"head",children:[t("b",{children:C(n).symbol}),t("span",{children:[
t(X,{amount:o,asset:n,chain:!1})," ",e.fiat==null?null:t("small",{title:e.fiat,children:_(e.fiat)})]})]}),r.map(i=>t("div",{children:[t(gt,{amount:o,bound:i,asset:n}),
t("p",{class:"note legend",children:[t(T,{tone:ht[i.place].tone,children:ht[i.place].word}),t("span",{children:[A(i.min)," –"," ",i.max===null?"no upper bound":
A(i.max),", target"," ",A(i.target)," (",i.rule,")"]})]})]},i.rule)),a.map(({rule:i,percent:l})=>t("p",{class:"note",children:["Target of ",i,": ",l," of the tr\
easury"]},i)),r.length===0&&a.length===0?t("p",{class:"note",children:"No rule keeps a band for it."}):null,t(Xn,{asset:n,days:e.days,bound:r[0]??null}),t("p",{
class:"note",children:["Compared with the chain ",t($,{at:s})]})]})}function gt({amount:e,bound:n,asset:o}){let s=Number(n.min),r=Number(n.target),a=n.max===null?
null:Number(n.max),i=e===null?null:Number(e),l=1.15*Math.max(a??0,r*1.5,s,i??0,Number.MIN_VALUE),c=f=>100*f/l,{tone:m,word:d}=ht[n.place],p=`${d}: from ${A(n.min)}\
 to ${n.max===null?"any":A(n.max)}, target ${A(n.target)} ${C(o).symbol}`;return t("svg",{class:`band ${m}`,viewBox:"0 0 100 10",preserveAspectRatio:"none",role:"\
img","aria-label":p,children:[t("title",{children:p}),t("rect",{class:"track",y:"3",width:"100",height:"4"}),t("rect",{class:"range",x:c(s),y:"1",width:Math.max(
.5,(a===null?100:c(a))-c(s)),height:"8"}),i===null?null:t("rect",{class:"fill",y:"3",width:c(i),height:"4"}),t("rect",{class:"target",x:c(r)-.2,width:"0.5",height:"\
10"})]})}function Ts({gas:e}){let{coin:n,amount:o,needed:s,daysLeft:r}=e,a=o!==null&&Number(o)<Number(s);return t("p",{class:"gas",children:["Coin for fees: ",t(
"b",{children:o===null?"not read yet":`${A(o)} ${n}`}),t("span",{class:"quiet",children:[" ","· ",A(s)," must stay",r===null?"":r>365?" · lasts for more than a\
 year":` · about ${r} days left`]})," ",a?t(T,{tone:"bad",children:"too little"}):null]})}function Fn({overview:e,summary:n}){let{totalFiat:o,change:s,swaps:r,inFlight:a,unpriced:i,unread:l}=n,c=[...i,...l],m=new Set(c.map(d=>C(d).symbol));return t("\
section",{class:"card money-first","aria-label":"Money",children:[t("div",{children:[t("h2",{children:"Treasury"}),t("p",{class:"total",title:`${o} usd`,"data-e\
xact":o,children:_(o)}),t(As,{change:s,total:o}),c.length===0?null:t("p",{class:"note",title:c.join(", "),children:["without ",[...m].join(", "),":"," ",l.length>
0?"no reading or no price":"no price"]})]}),t("dl",{class:"facts",children:[t(me,{name:"Moved in 24 h",value:_(r.volumeFiat),exact:r.volumeFiat,children:In(r.orders)}),
t(me,{name:"Cost in 24 h",value:_(r.costFiat),exact:r.costFiat,children:r.costBps===null?"no swap yet":`${r.costBps} bps`}),t(me,{name:"In flight",value:_(a.fiat),
exact:a.fiat,children:In(a.orders)}),t(me,{name:"Half done within",value:Bn(r.medianMs),children:r.p90Ms===null?"":`nine of ten ${Bn(r.p90Ms)}`}),t(Os,{gas:e.gas}),
t(Ps,{overview:e})]})]})}function me(e){return t("div",{children:[t("dt",{children:e.name}),t("dd",{class:e.tone,children:[t("span",{title:e.exact,"data-exact":e.
exact,children:e.value})," ",t("small",{children:e.children})]})]})}function As({change:e,total:n}){let o=V();if(e===null)return t("p",{class:"note",children:"N\
o older reading to compare with yet."});let{from:s,totalFiat:r,pricesFiat:a,outsideFiat:i,swapsFiat:l}=e;return t(h,{children:[t("p",{children:[t("b",{title:r,children:[
_e(r)," (",et(r,n),")"]})," ",t("span",{class:"quiet",children:["since ",t("span",{title:s,children:D(s,o)})]})]}),t("p",{class:"note parts",children:[t("span",
{title:a,children:["prices ",_e(a)]}),t("span",{title:i,children:["paid in and out ",_e(i)]}),t("span",{title:l,children:["swaps and fees ",_e(l)]})]})]})}function In(e){
return`${e} order${e===1?"":"s"}`}function Bn(e){return e===null?"–":H(e)}function Os({gas:e}){let n=({amount:r,needed:a})=>r!==null&&Number(r)<Number(a),[o]=e.
toSorted((r,a)=>Number(n(a))-Number(n(r))||(r.daysLeft??Number.MAX_VALUE)-(a.daysLeft??Number.MAX_VALUE));if(o===void 0)return t(me,{name:"Runs dry first",value:"\
–"});let s=n(o);return t(me,{name:"Runs dry first",value:s?"▲ too little":Un(o.daysLeft),tone:s||(o.daysLeft??99)<7?"warn":"",children:`${o.coin}, ${F(o.chain)}`})}
function Un(e){return e===null?"no use yet":e>365?"over a year":`${e} days`}function Ps({overview:{services:e,nodes:n}}){let o=[...e.filter(({state:s})=>s!=="go\
od").map(({name:s,state:r})=>`${s} ${r}`),...n.filter(({state:s})=>s!=="good").map(({chain:s,state:r})=>`${F(s)} ${r}`)];return t(me,{name:"Service and nodes",value:o.
length===0?"✓ well":`▲ ${o[0]??""}`,tone:o.length===0?"":"warn",children:o.length===0?`${e.length+n.length} answer`:o.length===1?"":`and ${o.length-1} more`})}
function Hn({overview:e,summary:n}){let{treasury:o,gas:s}=e,r=[...new Set(o.map(({asset:a})=>a.split(":")[0]??""))];return t(w,{title:"Where the money is",link:"\
#/treasury",note:"bar from 0: band, target, balance",children:t("table",{class:"places",children:[t("caption",{class:"hidden",children:"Balances by chain and as\
set"}),t("thead",{children:t("tr",{children:["Asset","Balance","Band","Value","In 24 h","On its way","State"].map(a=>t("th",{scope:"col",children:a},a))})}),r.map(
a=>t("tbody",{children:[t(Rs,{chain:a,holdings:o.filter(({asset:i})=>i.startsWith(`${a}:`)),summary:n}),o.filter(({asset:i})=>i.startsWith(`${a}:`)).map(i=>t(Ns,
{holding:i,valued:n.assets.find(({asset:l})=>l===i.asset)??null,gas:s.find(l=>l.chain===a)??null},i.asset))]},a))]})})}function Rs(e){let{chain:n,summary:o}=e,s=o.
assets.filter(({asset:a})=>a.startsWith(`${n}:`)).reduce((a,i)=>a+Number(i.fiat??0),0),[r]=e.holdings.map(({readAt:a})=>a??"").sort();return t("tr",{class:"chai\
n",children:[t("th",{scope:"rowgroup",colSpan:3,children:[F(n)," ",t("small",{children:[et(String(s),o.totalFiat)," of the total"]})]}),t("td",{children:_(String(
s))}),t("td",{colSpan:3,children:t("small",{children:["read ",t($,{at:r||null})]})})]})}var Ds={below:"▼ below its band",above:"▲ above its band",within:"✓ \
in band",unknown:"no reading"};function Ns(e){let{holding:n,valued:o,gas:s}=e,{asset:r,amount:a,bounds:i}=n,{symbol:l}=C(r),c=s!==null&&s.coin.toUpperCase()===l,
[m]=i;return t("tr",{children:[t("th",{scope:"row",children:l}),t("td",{children:t(X,{amount:a,asset:r,chain:!1,symbol:!1})}),t("td",{class:"band-cell",children:m===
void 0?t("small",{children:c?"coin for fees":"no band"}):t(gt,{amount:a,bound:m,asset:r})}),t("td",{title:o?.fiat??void 0,"data-exact":o?.fiat??void 0,children:o?.
fiat==null?t("small",{children:"no price"}):_(o.fiat)}),t("td",{title:o?.change??void 0,children:o?.change==null||Number(o.change)===0?"=":`${Number(o.change)>0?
"+":""}${A(o.change)}`}),t("td",{class:Wn(o)?"some":"",children:t(Ls,{valued:o})}),t("td",{children:m===void 0?c?Un(s.daysLeft):"":t("span",{class:m.place,children:Ds[m.
place]})})]})}function Be(e){return Number(e)!==0}function Wn(e){return e!==null&&(Be(e.incoming)||Be(e.outgoing))}function Ls({valued:e}){return e===null||!Wn(
e)?t(h,{children:"–"}):t(h,{children:[Be(e.incoming)?t("span",{class:"block",title:e.incoming,children:["↓ in ",A(e.incoming)]}):null,Be(e.outgoing)?t("span",
{class:"block",title:e.outgoing,children:["↑ out ",A(e.outgoing)]}):null]})}function Vn({overview:e,summary:n}){let o=({order:a})=>n?.open.find(i=>i.order===a)?.fiat??null,s=e.tasks.toSorted((a,i)=>+(i.level==="trouble")-+(a.level==="tr\
ouble")||Number(o(i)??0)-Number(o(a)??0)),r=e.problems.filter(({needsPerson:a})=>!a);return s.length+r.length===0?t(w,{title:"Needs you",children:t("p",{class:"\
quiet",children:["✓ Nothing. ",e.verdict]})}):t(w,{title:s.length>0?"Needs you":"Worth knowing",note:s.length>1?"most at stake first":void 0,children:t("ul",{
class:"plain tasks",children:[...s,...r].map(a=>t(Js,{problem:a,stake:o(a)},`${a.code} ${a.sentence}`))})})}var Xs={trouble:"✕",attention:"▲"};function Js({
problem:e,stake:n}){let{level:o,sentence:s,meaning:r,todo:a,command:i,deadline:l,left:c,needsPerson:m}=e,d=m?Ms(e):null;return t("li",{class:o,children:[t("span",
{class:"shape","aria-hidden":"true",children:Xs[o]}),t("div",{children:[t("p",{children:[t("b",{children:t(M,{text:s})}),n===null?null:t("span",{class:"stake",children:_(
n)})]}),t("p",{class:"note",children:[r," ",t(M,{text:a}),m?null:" (ends by itself)"]}),i===null||d!==null?null:t("p",{class:"hash",children:[t("code",{children:i}),
t(de,{text:i,what:"the command"})]})]}),l===null&&d===null?null:t("p",{class:"do",children:[l===null?null:t("span",{children:["Time left: ",t("b",{children:c})]}),
d===null?null:t("a",{class:"button main",href:d.href,children:d.name})]})]})}function Ms({order:e,kind:n}){return e!==null?{name:n==="approval"?"Review":"Open t\
he order",href:`#/orders/${e}`}:n==="rule"?{name:"Open the rules",href:"#/rules"}:n==="limit"?{name:"Open the limits",href:"#/limits"}:null}var Is=2e4;function yt({scope:e,paused:n,scopes:o,children:s}){let r=V(),[a,i]=y(null),[l,c]=y(null),m=o.includes("operate"),d=a===null?0:a+Is-r;async function p(f){
try{await W("POST",f,e),c(null),i(f==="pause"?Date.now():null),ue()}catch(u){u instanceof B&&c(u)}}return t("span",{class:"actions",children:[l===null?null:t("s\
pan",{class:"notice bad",role:"alert",children:l.message}),n&&d>0?t("button",{type:"button",onClick:()=>{p("resume")},children:["Undo (",Math.ceil(d/1e3)," s)"]}):
n?s:t("button",{type:"button",class:"stop",disabled:!m,title:m?"No new order and no new deposit. Orders that have deposited go on.":"Your token lacks the scope \
operate",onClick:()=>{p("pause")},children:"Pause"})]})}function qn({overview:e,scopes:n}){return t(yt,{scope:{},paused:e.pause!==null,scopes:n,children:t(Bs,{overview:e,
scopes:n})})}function Bs({overview:e,scopes:n}){let o=e.pause?.alarms??[],[s,r]=y([]),a={title:"Resume?",word:"resume",button:"Resume",path:"resume",body:{acknowledge:s},
children:o.length===0?t("p",{children:"Rules make orders again at their next time."}):t("fieldset",{children:[t("legend",{children:"Acknowledge each alarm that \
you have dealt with"}),o.map(({id:i,message:l})=>t("label",{class:"check",children:[t("input",{type:"checkbox",checked:s.includes(i),onChange:c=>{let m=s.filter(
d=>d!==i);r(c.currentTarget.checked?[...m,i]:m)}}),l]},i))]})};return t(K,{change:a,scope:"operate",scopes:n})}var vt="ballast.looked",Fs=864e5;function jn(){let e=V(),[n,o]=y(Hs);I(()=>{let p=()=>localStorage.setItem(vt,new Date().toISOString());return addEventListener(
"pagehide",p),()=>removeEventListener("pagehide",p)},[]);let{value:s}=x(`summary?since=${n}`,1e4);if(s===null)return t(w,{title:"Since you last looked",children:t(
"p",{class:"quiet",children:"Reading…"})});let{swaps:r,alarms:a,missed:i}=s,l=p=>r.counts[p]??0,c=l("rejected")+l("abandoned"),m=i.reduce((p,f)=>p+f.runs,0),d=()=>{
let p=new Date(e).toISOString();localStorage.setItem(vt,p),o(p)};return t(w,{title:"Since you last looked",note:t($,{at:n}),children:[t("dl",{class:"facts",children:[
t("div",{children:[t("dt",{children:"Orders"}),t("dd",{children:r.orders})]}),t("div",{children:[t("dt",{children:"Moved"}),t("dd",{children:_(r.volumeFiat)})]}),
t("div",{children:[t("dt",{children:"Cost"}),t("dd",{children:_(r.costFiat)})]})]}),t("ul",{class:"plain small",children:[t(_t,{count:l("refunded"),one:"order r\
efunded",many:"orders refunded"}),t(_t,{count:c,one:"order ended without a swap",many:"orders ended without a swap"}),t(_t,{count:m,one:"planned run came to no \
swap",many:"planned runs came to no swap"}),t(Us,{alarms:a}),a.length+c+m+l("refunded")===0?t("li",{class:"quiet",children:"✓ No refund, no refusal, no missed r\
un, no alarm"}):null]}),t("button",{type:"button",onClick:d,children:"Mark as seen"})]})}function Us({alarms:e}){let n=V();return t(h,{children:[e.slice(0,3).map(
({at:o,sentence:s,order:r})=>t("li",{children:[t("span",{"aria-hidden":"true",children:"▲"})," ",r===null?t(M,{text:s}):t("a",{href:`#/orders/${r}`,children:t(
M,{text:s})})," ",t("small",{title:o,children:D(o,n)})]},`${o} ${s}`)),e.length>3?t("li",{children:t("a",{href:"#/alarms",children:[e.length," alarms in all"]})}):
null]})}function _t(e){return e.count===0?null:t("li",{children:[t("span",{"aria-hidden":"true",children:"▲"})," ",e.count," ",e.count===1?e.one:e.many]})}function Hs(){
return localStorage.getItem(vt)??new Date(Date.now()-Fs).toISOString()}function Yn({overview:e,scopes:n}){let{value:o}=x("summary",5e3);return t(P,{live:e,children:s=>t(h,{children:[t(qs,{overview:s,scopes:n}),o===null?null:t(Fn,{overview:s,
summary:o}),t("div",{class:"grid",children:[t("div",{class:"column",children:[t(Vn,{overview:s,summary:o}),o===null?null:t(Hn,{overview:s,summary:o})]}),t("div",
{class:"column",children:[t(jn,{}),t(js,{overview:s}),t(zs,{overview:s}),t(Gs,{overview:s})]}),t(Ws,{overview:s,summary:o})]})]})})}var zn=6;function Ws({overview:{
orders:e},summary:n}){let o=e.slice(0,zn).map(s=>{let r=n?.open.find(a=>a.order===s.id);return{...s,deposited:r?.deposited??!1,createdAt:r?.requestedAt??s.since,
fiat:r?.fiat??null}});return t(w,{title:"Orders in flight",link:"#/orders",wide:!0,children:[t(ft,{orders:o,none:"No order is in flight."}),e.length<=zn?null:t(
"p",{class:"rest",children:t("a",{href:"#/orders",children:["All ",e.length," orders in flight"]})})]})}var Vs={ok:"All is well",attention:"Needs attention",trouble:"\
Trouble"};function qs({overview:e,scopes:n}){let{level:o,mode:s,pause:r}=e;return t("section",{class:`verdict ${o}`,"aria-label":"Verdict",children:[t("div",{children:[
t("h1",{tabIndex:-1,children:[Vs[o]," · ",s??"unknown"," mode",r===null?"":" · paused"]}),r===null?null:t("p",{children:["Paused by ",r.by," ",t($,{at:r.at}),
r.reason===null||r.by==="alarm"?".":`: ${r.reason}.`]})]}),t(qn,{overview:e,scopes:n})]})}function js({overview:e}){return t(w,{title:"Next",link:"#/rules",children:[
e.next.length===0?t(U,{children:"No rule is due."}):null,t("dl",{class:"pairs",children:e.next.slice(0,5).map(({rule:n,at:o})=>t("div",{children:[t("dt",{children:t(
"a",{href:`#/decisions/${encodeURIComponent(n)}`,children:n})}),t("dd",{children:t($,{at:o})})]},n))})]})}function zs({overview:e}){let n=e.limits.toSorted((o,s)=>s.
percent-o.percent).slice(0,3);return t(w,{title:"Limits used",link:"#/limits",children:n.map(({name:o,used:s,max:r,unit:a,percent:i})=>t("div",{class:"limit",children:[
t("p",{children:[t(M,{text:o})," ",t("span",{class:"quiet",children:dt(s,r,a)})]}),t(Je,{percent:i,label:`${o}: ${i}%`})]},o))})}var Gn={good:"good",slow:"warn",
degraded:"warn",resting:"warn",silent:"bad",failing:"bad",unknown:"calm"};function Gs({overview:e}){let{nodes:n,services:o}=e;return t(w,{title:"Nodes and servi\
ces",children:t("dl",{class:"pairs",children:[n.map(({chain:s,state:r,lastAnswer:a,endpoints:i,needed:l})=>t("div",{children:[t("dt",{title:i.map(({host:c})=>c).
join(", "),children:[F(s)," ",t("small",{class:"block",children:[i.length," node",i.length===1?"":"s",", ",l," must agree"]})]}),t("dd",{children:[t($,{at:a}),"\
 ",t(T,{tone:Gn[r]??"calm",children:r})]})]},s)),o.map(({name:s,state:r,lastAnswer:a,inFlight:i})=>t("div",{children:[t("dt",{children:["Service ",s," ",t("smal\
l",{children:[i," in flight"]})]}),t("dd",{children:[t($,{at:a})," ",t(T,{tone:Gn[r]??"calm",children:r})]})]},s))]})})}var Ys="What the rules would do if every rule decided now. Looking at it changes nothing.";function Kn({known:e}){let n=x("plan",15e3);return t(h,{children:[t(N,
{note:Ys,children:"Plan"}),t(P,{live:n,children:({at:o,proposals:s,declined:r,paused:a,plan:i,mode:l})=>t(h,{children:[(a??[]).map(c=>t("p",{class:"notice warn",
children:t(M,{text:c})},c)),l==="observe"?t("p",{class:"notice warn",children:"Observe mode: Ballast records decisions and makes no order."}):null,t(w,{title:s.
length===0?"Nothing to swap now":`${s.length} swap${s.length===1?"":"s"}`,note:t(h,{children:["computed ",t($,{at:o}),i.cost===null||s.length===0?"":`, cost abo\
ut ${_(i.cost)}`]}),wide:!0,children:[s.length===0?t(U,{children:"Each rule says below why it asks for nothing."}):null,s.map(c=>t(Qs,{proposal:c,known:e},Ks(c)))]}),
t("div",{class:"grid even",children:r.map(({rule:c,reasons:m})=>t(w,{title:c,link:`#/decisions/${encodeURIComponent(c)}`,children:t(z,{reasons:m.map(d=>e.humane(
d)),none:"It proposes a swap."})},c))})]})})]})}function Ks({rules:e,from:n,to:o,amount:s}){return`${e.join()} ${n} ${o} ${s}`}function Qs({proposal:e,known:n}){
let{amount:o,from:s,receive:r,to:a,rules:i,cost:l,why:c,refused:m}=e;return t("article",{class:"proposal",children:[t("p",{class:"line",children:[t(X,{amount:o,
asset:s})," → ",t(X,{amount:r,asset:a}),m.length===0?t(T,{tone:"good",children:"would be ordered"}):t(T,{tone:"bad",children:"refused"}),t("span",{class:"quie\
t",children:[i.join(", "),l===null?"":` · cost ${_(l)}`]})]}),t(z,{reasons:[...c,...m].map(d=>n.humane(d,e))})]})}function Qn({overview:e,scopes:n}){return t(h,{children:[t(N,{note:"Each rule with its last decision, and why it decided so.",children:"Rules"}),t(P,{live:e,children:({
rules:o,orders:s})=>t("div",{class:"grid even",children:[o.map(r=>t(Zs,{rule:r,inFlight:s.filter(a=>a.rule===r.id).length,scopes:n},r.id)),o.length===0?t(U,{children:"\
The configuration has no rules."}):null]})})]})}function Zs({rule:e,inFlight:n,scopes:o}){let{id:s,kind:r,enabled:a,paused:i,next:l,last:c,verdict:m,reasons:d}=e,
p={title:`Resume the rule ${s}?`,word:"resume",button:"Resume",path:"resume",body:{rule:s},children:t("p",{children:"The rule decides again at its next time."})};
return t(w,{title:s,note:Y(r),link:`#/decisions/${encodeURIComponent(s)}`,children:[t("p",{class:"line",children:[a?i?t(T,{tone:"warn",children:"paused"}):t(T,{
tone:"good",children:"on"}):t(T,{tone:"calm",children:"not enabled"}),t("span",{children:["Next: ",t($,{at:l})]}),t("span",{children:["Last: ",t($,{at:c})]}),n===
0?null:t("span",{children:[n," in flight"]})]}),t("p",{children:m===null?t("span",{class:"quiet",children:"It has not decided yet."}):m==="proposed"?t("b",{children:"\
It proposed a swap."}):t("b",{children:"It did nothing, because:"})}),t(z,{reasons:d}),t("div",{class:"actions",children:[t(yt,{scope:{rule:s},paused:i,scopes:o,
children:t(K,{change:p,scope:"operate",scopes:o})}),t("a",{class:"button",href:`#/decisions/${encodeURIComponent(s)}`,children:"All decisions"})]})]})}var er="The configuration that the daemon has in force now. To change it, edit the file and reload; no secret is shown here.";function Zn({overview:e}){let n=x(
"settings",6e4);return t(h,{children:[t(N,{note:er,children:"Settings"}),t(P,{live:n,children:o=>t("div",{class:"grid even",children:[t(w,{title:"Daemon",children:t(
fe,{pairs:[["treasury",o.treasury],["version",e.value?.daemon.version??"unknown"],["configuration",t(G,{hash:o.configHash,what:"the hash of the configuration"},
"hash")],...o.settings.map(({name:s,means:r})=>[s,r])]})}),t(w,{title:"Chains",children:t(fe,{pairs:o.chains.map(({chain:s,family:r,nativeCoin:a,endpoints:i,agree:l})=>[
F(s),`${r}, coin ${a.symbol}, ${i} node${i===1?"":"s"} of which ${l} must agree`])})}),t(w,{title:"Services and access",children:t(fe,{pairs:[...o.services.map(
({name:s,host:r})=>[`service ${s}`,r]),...o.tokens.map(({name:s,scopes:r})=>[`token ${s}`,r.join(", ")])]})}),t(ut,{guards:o.guards})]})})]})}var tr="Nothing is ordered before you have seen the quote and typed the amount.";function no(e){let n=(e.overview.value?.treasury??[]).map(({asset:v})=>v),[o,s]=y(
""),[r,a]=y(""),[i,l]=y(""),[c,m]=y(null),[d,p]=y(null),[f,u]=y(!1);function g(v){v(),m(null)}async function O(v){v.preventDefault(),u(!0),m(null),p(null);try{m(
await nr({from:o,to:r,amount:i}))}catch(S){p(S instanceof B?S.message:"The page failed")}u(!1)}return t(h,{children:[t(N,{note:tr,children:"New swap"}),t("div",
{class:"grid even",children:[t(w,{title:"Request",children:[t("form",{class:"fields",onSubmit:O,children:[t(eo,{label:"Send",id:"swap-from",value:o,assets:n,onChoose:v=>g(
()=>s(v))}),t(or,{asset:o,value:i,onType:v=>g(()=>l(v))}),t(eo,{label:"Receive",id:"swap-to",value:r,assets:n,onChoose:v=>g(()=>a(v))}),t("button",{type:"submit",
class:"main",disabled:o===""||r===""||i===""||f,children:f?"Asking…":"Get a quote"})]}),d===null?null:t("p",{class:"notice bad",role:"alert",children:d})]}),c===
null?null:t(sr,{quote:c,desk:e})]})]})}async function nr(e){return await W("GET",`quote?${new URLSearchParams(e)}`)}function or(e){let n=e.asset===""?"":`, in ${C(
e.asset).symbol}`;return t(h,{children:[t("label",{for:"swap-amount",children:["Amount",n]}),t("input",{id:"swap-amount",inputMode:"decimal",autocomplete:"off",
value:e.value,onInput:({currentTarget:o})=>e.onType(o.value.trim())})]})}function eo(e){return t(h,{children:[t("label",{for:e.id,children:e.label}),t("select",
{id:e.id,value:e.value,onChange:n=>e.onChoose(n.currentTarget.value),children:[t("option",{value:"",children:"Choose an asset"}),e.assets.map(n=>t("option",{value:n,
children:[C(n).symbol," on ",C(n).chain]},n))]})]})}function sr({quote:e,desk:n}){let o={title:"Order this swap?",word:e.amount,button:"Order the swap",path:"sw\
ap",body:{from:e.from,to:e.to,amount:e.amount},onDone:s=>{location.hash=`#/orders/${s.id}`},children:t(h,{children:[t("p",{children:["Send ",t(X,{amount:e.amount,
asset:e.from})," and receive about"," ",t(X,{amount:e.receive,asset:e.to}),"."]}),t(to,{sentences:e.worstCase})]})};return t(w,{title:"Quote",note:e.refused.length===
0?t(T,{tone:"good",children:"the guards allow it"}):t(T,{tone:"bad",children:"refused"}),children:[t("p",{class:"big",children:t(X,{amount:e.receive,asset:e.to})}),
t(rr,{quote:e}),t(to,{sentences:e.worstCase}),t(z,{reasons:e.refused.map(s=>n.known.humane(s,e))}),t("div",{class:"actions",children:e.refused.length===0?t(K,{change:o,
scope:"operate",scopes:n.scopes,main:!0}):null})]})}function rr({quote:e}){return t("dl",{class:"pairs",children:[t("div",{children:[t("dt",{children:"Cost"}),t(
"dd",{children:[Z(e.costBps),e.sendsFiat===null||e.receivesFiat===null?"":`: ${_(e.sendsFiat)} for ${_(e.receivesFiat)}`]})]}),t("div",{children:[t("dt",{children:"\
Service and solver"}),t("dd",{children:[e.service??"none"," ",e.solver===null?null:t(G,{hash:e.solver,what:"the solver's id"})]})]}),t("div",{children:[t("dt",{
children:"Network fees at most"}),t("dd",{children:e.fees===null?"cannot be estimated now":`${e.fees.deposit}; for a refund ${e.fees.refund}`})]}),t("div",{children:[
t("dt",{children:"Approval"}),t("dd",{children:e.needsApproval?"a person must approve the order":"not needed"})]})]})}function to({sentences:e}){return t("div",
{class:"notice warn",children:[t("b",{children:"The worst case"}),t("ul",{children:e.map(n=>t("li",{children:t(M,{text:n})},n))})]})}function oo({parts:e,shown:n,label:o}){return t("nav",{class:"filters tabs","aria-label":o,children:e.map(({id:s,name:r})=>t("a",{class:"chip",href:`#/${s}`,"ar\
ia-current":s===n?"page":void 0,children:r},s))})}var Se=[{id:"",name:"Overview",show:Yn},{id:"orders",name:"Orders",show:Rn},{id:"treasury",name:"Treasury",show:Mn},{id:"books",name:"Books",of:"treasury",show:ln},
{id:"rules",name:"Rules",show:Qn},{id:"plan",name:"Plan",of:"rules",show:Kn},{id:"decisions",name:"Decisions",of:"rules",show:un},{id:"limits",name:"Limits",of:"\
rules",show:yn},{id:"alarms",name:"Alarms",show:an},{id:"settings",name:"Settings",show:Zn}];function so(){let[e,n]=y("asking"),[o,s]=y(0);return I(()=>{Qt().then(
n,()=>setTimeout(()=>s(a=>a+1),2e3))},[o]),e==="asking"?t("main",{class:"login",children:t("p",{class:"quiet",children:o===0?"Reading…":"The daemon does not a\
nswer. The page tries again every two seconds."})}):e===null?t(vn,{onLogin:n}):t(ar,{account:e,onLeave:()=>{nn(),j.loggedOut=!1,n(null)}})}function ar({account:e,
onLeave:n}){let o=x("overview",3e3),s=x("settings",6e4),[r="",a=null]=sn(),i=le(!1);I(()=>{let p=new AbortController;return on(p.signal),document.addEventListener(
"copy",lr,{signal:p.signal}),()=>p.abort()},[]);let l=j.loggedOut;I(()=>{l&&n()},[l]);let c=Se.find(({id:p})=>p===r),m=r==="swap"?"New swap":c?.name??"Not found";
I(()=>{document.title=`${m} · Ballast`,i.current&&document.querySelector("h1")?.focus({preventScroll:!0}),i.current=!0,scrollTo(0,0)},[r,a]);let d={overview:o,
known:gn(s.value),scopes:e.scopes,detail:a};return t(rt.Provider,{value:d.known.speak,children:t("div",{class:"frame",children:[t("button",{type:"button",class:"\
skip",onClick:cr,children:"Skip to the content"}),t(ur,{view:r,overview:o.value,treasury:s.value?.treasury??null}),t("div",{class:"body",children:[t(dr,{account:e,
overview:o.value,onLeave:n}),t(fr,{overview:o.value}),t("main",{id:"content",tabIndex:-1,children:t(ir,{view:r,detail:a,desk:d},`${r}/${a}`)})]})]})})}function ir({
view:e,detail:n,desk:o}){if(e==="orders"&&n!==null)return t(An,{...o,detail:n});if(e==="swap")return t(no,{...o});let s=Se.find(({id:i})=>i===e);if(s===void 0)return t(
"h1",{tabIndex:-1,children:"There is no such view"});let r=s.of??s.id,a=Se.filter(({id:i,of:l})=>i===r||l===r);return t(h,{children:[a.length<2?null:t(oo,{parts:a,
shown:e,label:"Parts of this view"}),t(s.show,{...o})]})}function lr(e){let n=getSelection(),[o,s]=[n?.anchorNode,n?.focusNode].map(r=>r?.parentElement?.closest(
"[data-exact]")??null);o==null||o!==s||(e.clipboardData?.setData("text/plain",o.dataset.exact??""),e.preventDefault())}function cr(){document.querySelector("#co\
ntent")?.focus()}function ur(e){let[n,o]=y(!1);I(()=>o(!1),[e.view]);let s=Se.find(({id:a})=>a===e.view)?.of??e.view,r={orders:e.overview?.orders.length,alarms:e.
overview?.alarms.length};return t("nav",{class:n?"side open":"side","aria-label":"Views",children:t("div",{class:"rail",children:[t("a",{class:"brand",href:"#/",
children:[t("img",{src:"/icon.svg",alt:"",width:"26",height:"26"}),t("span",{children:["Ballast",t("small",{children:e.treasury??""})]})]}),t("ul",{children:Se.
filter(a=>a.of===void 0).map(({id:a,name:i})=>t("li",{children:t("a",{href:`#/${a}`,"aria-current":a===s?"page":void 0,children:[i,r[a]?t("span",{class:`count ${a}`,
children:r[a]}):null]})},a))}),t("button",{type:"button",class:"more","aria-expanded":n,onClick:()=>o(!n),children:n?"Less":"More"})]})})}function dr(e){let{account:n,
overview:o}=e,s=()=>{en().then(e.onLeave)};return t("header",{class:"top",children:[t("p",{class:"state",children:o===null?null:t(h,{children:[t("span",{class:`\
dot ${o.level}`}),o.pause===null?`${o.mode??"unknown"} mode`:"paused"]})}),t("a",{class:"button main",href:"#/swap",children:"New swap"}),t(mr,{}),n.csrf===null?
null:t("button",{type:"button",onClick:s,title:`Logged in with the token ${n.name}: ${n.scopes.join(", ")}`,children:"Log out"})]})}function mr(){let[e,n]=y(localStorage.
getItem("ballast.theme")??"system");I(()=>{e==="system"?delete document.documentElement.dataset.theme:document.documentElement.dataset.theme=e,localStorage.setItem(
"ballast.theme",e)},[e]);let o={light:"Light",dark:"Dark"}[e]??"Auto",s={system:"light",light:"dark",dark:"system"}[e]??"system";return t("button",{type:"button",
onClick:()=>n(s),"aria-label":`${o} colours. Change to ${s}`,children:o})}var pr=1e4;function fr({overview:e}){let n=V(),o=n-j.lastMs,s=e!==null&&(j.failing||o>
pr);return I(()=>{document.body.classList.toggle("old",s)},[s]),t("div",{role:"status",children:s?t("p",{class:"notice bad stale",children:[t("b",{children:"Thi\
s is not live."})," The daemon last answered"," ",Ne(new Date(j.lastMs).toISOString(),n),". You see the state of"," ",D(e.at,n),"."]}):null})}var ro=document.querySelector("#app");ro!==null&&Nt(t(so,{}),ro);
