/*! Ballast's dashboard, made from web/ by `npm run generate`. It contains Preact (MIT), (c) 2015-present Jason Miller. */
var b,ut,$n,Z,Re,be,dt,ge,pt,Ne,De,mt,ue=Symbol.for("pv"),ke={},Se=[],En=/^m(i|n|o|s|text|space)$/,Ie=Array.isArray,ft=Se.slice,se=Object.assign;function oe(e){
e&&e.parentNode&&e.remove()}function ye(e,n,o,s,r){var a={type:e,props:n,key:o,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,constructor:ue,__v:r||++ut,__i:-1,__u:0};return!r&&b.vnode&&b.
vnode(a),a}function f(e){return e.children}function ve(e,n){this.props=e,this.context=n,this.__g=0}function ee(e,n){if(n==null)return e.__&&ee(e.__,e.__i+1);for(var o;n<e.
__k.length;n++)if((o=e.__k[n])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:ee(e)}function An(e){var n,o=e.__v,s=o.__e,r=[],a=[],i=e.__P;
i&&((n=se({constructor:ue},o)).__v=o.__v+1,b.vnode&&b.vnode(n),Je(i,n,o,e.__n,i.namespaceURI,32&o.__u?[s]:null,r,s||ee(o),32&o.__u,a),n.__v=o.__v,n.__.__k[n.__i]=
n,wt(r,n,a),o.__=o.__e=null,n.__e!=s&&ht(n))}function ht(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(n){return n&&(e.__e=n.__e)}),
ht(e)}function Le(e){(8&e.__g||(e.__g|=8,Z.push(e),be++))&&Re==b.debounceRendering||((Re=b.debounceRendering)||queueMicrotask)(_t)}function _t(){try{for(var e,n=1;Z.
length;)Z.length>n&&Z.sort(dt),e=Z.shift(),n=Z.length,8&e.__g&&An(e)}finally{(be=Z.length)&&(Re||queueMicrotask)(_t)}}function gt(e,n,o,s,r,a,i,l,u,p,d){var _,m,
c,h,x,g,C=s.__k||Se,w=n.length;for(u=On(o,n,C,u,w),_=0;_<w;_++)(c=o.__k[_])!=null&&(m=~c.__i&&C[c.__i]||ke,c.__i=_,g=Je(e,c,m,r,a,i,l,u,p,d),h=c.__e,(m.ref!=c.ref||
8&m.__u)&&(m.ref&&Xe(m.ref,null,c,m),c.ref&&d.push(c.ref,c.__c||h,c)),x=x||h,4&c.__u?(u=yt(c,u,e,!m.__v),m.__e&&(m.__e=null)):typeof c.type=="function"&&g!==void 0?
u=g:h&&(u=h.nextSibling),c.__u&=-21);return o.__e=x,u}function On(e,n,o,s,r){var a,i,l,u,p,d,_,m,c,h=o.length,x=h,g=0,C=0,w=e.__k=Array(r);for(a=0;a<r;a++)(i=n[a])!=
null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=w[a]=ye(null,i):Ie(i)?i=w[a]=ye(f,{children:i}):i.constructor===ue&&
i.__b?i=w[a]=ye(i.type,i.props,i.key,i.ref,i.__v):w[a]=i,u=a+g,i.__=e,i.__b=e.__b+1,l=null,~(p=i.__i=Pn(i,o,u,x))&&(x--,(l=o[p])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,
p==u-1?g--:p==u+1?g++:p!=u&&(p>u?g--:g++,C=1)):(~p||(r>h?g--:r<h&&g++),typeof i.type!="function"&&(i.__u|=4))):w[a]=null;if(C){for(d=[],_=[],a=0;a<r;a++)if((i=w[a])&&
16&i.__u){for(g=0,m=d.length;g<m;)d[c=g+m>>1]<i.__i?g=c+1:m=c;d[g]=i.__i,_[a]=g+1}for(g=d.length;a--;)_[a]&&(_[a]==g?g--:w[a].__u|=4)}if(x)for(a=0;a<h;a++)!(l=o[a])||
2&l.__u||(l.__e==s&&(s=ee(l)),Me(l,l));return s}function yt(e,n,o,s){var r,a,i,l;if(typeof e.type=="function"){if(e.props.__P)return n;if(r=e.__k)for(a=0;a<r.length;a++)
r[a]&&(r[a].__=e,n=yt(r[a],n,o,!1));return n}for(n&&!n.parentNode&&(n=ee(e))&&!n.parentNode&&(n=null),i=e.__e,l=n;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!s&&
o.moveBefore&&i.parentNode?o.moveBefore(i,n):o.insertBefore(i,n||null)),n=i;(n=n&&n.nextSibling)&&n.nodeType==8&&!n.data.startsWith("$s"););return n}function Pn(e,n,o,s){var r,a=e.key,i=e.type,l=n[o],u=l&&!(2&l.__u);if(l===null&&a==null||u&&a==l.key&&i==l.type)return o;if(s>(u?1:0)){for(r=o-1;r>=0;r--)if((l=
n[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r;for(r=o+1;r<n.length;r++)if((l=n[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r}return-1}function ct(e,n,o){o==null&&
(o=""),n[0]=="-"?e.setProperty(n,o):e[n]=o}function _e(e,n,o,s,r){var a,i;if(n=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof s=="string"&&(e.style.
cssText=s=""),s)for(n in s)o&&n in o||ct(e.style,n);if(o)for(n in o)s&&o[n]==s[n]||ct(e.style,n,o[n])}else if(n[0]=="o"&&n[1]=="n")typeof o!="function"&&(o=null),
typeof s!="function"&&(s=null),(e.__e||(e.__e={}))[n]=o,o&&s||(i=De[n]||(De[n]=Rn(n)),(e.__a||(e.__a={}))[n]=Ne,a=n!=(n=n.replace(pt,"$1")),(n=n.slice(2))[0]<"a"&&
(n=n.toLowerCase()),o?e.addEventListener(n,i,a):e.removeEventListener(n,i,a));else{if(r=="http://www.w3.org/2000/svg")n=n.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(n!="width"&&n!="height"&&n!="href"&&n!="list"&&n!="form"&&n!="tabIndex"&&n!="download"&&n!="rowSpan"&&n!="colSpan"&&n!="role"&&n!="popover"&&n in e)
try{return void(e[n]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&n[4]!="-"?e.removeAttribute(n):e.setAttribute(n,n=="popover"&&o==1?"":o)}}function Rn(e){
return function(n){var o=this.__e;if(o){if(o=o[e],n[ge]==null)n[ge]=Ne++;else if(n[ge]<this.__a[e])return;return o(b.event?b.event(n):n)}}}function Je(e,n,o,s,r,a,i,l,u,p){
var d,_,m,c,h,x,g,C,w,N,$,Pe,it,he,te,lt,Y,ne,K=n.type;if(n.constructor!==ue)return null;128&o.__u&&(u=32&o.__u,d=o.__c.__z)&&(n.__u|=u,_=a=[],d.nodeType==8?l=we(
d,a):a.push(d),l=a[0]||l),(d=b.__b)&&d(n);e:if(typeof K=="function"){m=i.length;try{if(C=n.props,w=(d=K.prototype)&&d.render,N=(d=K.contextType)&&s[d.__c],$=d?N?
N.props.value:d.__:s,(c=o.__c)?(n.__c=c,2&c.__g&&(c.__g|=1)):(w?n.__c=c=new K(C,$):(n.__c=c=new ve(C,$),c.constructor=K,c.render=Ln),N&&N.sub(c),c.state||(c.state=
{}),c.__n=s,c.__g|=8,c.__h=[],c.__k=[]),w&&(c.__s||(c.__s=c.state),K.getDerivedStateFromProps&&(c.__s==c.state&&(c.__s=se({},c.__s)),se(c.__s,K.getDerivedStateFromProps(
C,c.__s)))),h=c.props,x=c.state,c.__v=n,o.__c){if(C!==h&&w&&!K.getDerivedStateFromProps&&c.componentWillReceiveProps&&c.componentWillReceiveProps(C,$),n.__v==o.
__v&&!(8&c.__g)||!(4&c.__g)&&c.shouldComponentUpdate&&c.shouldComponentUpdate(C,c.__s,$)===!1){n.__v!=o.__v&&(c.props=C,c.state=c.__s,c.__g&=-9),n.__e=o.__e,n.__k=
o.__k,n.__k.some(function(F){F&&(F.__=n)}),Se.push.apply(c.__h,c.__k),c.__k=[],c.__h.length&&i.push(c),l=ee(o);break e}c.componentWillUpdate&&c.componentWillUpdate(
C,c.__s,$),w&&c.componentDidUpdate&&c.__h.push(function(){c.componentDidUpdate(h,x,g)})}else w&&!K.getDerivedStateFromProps&&c.componentWillMount&&c.componentWillMount(),
w&&c.componentDidMount&&c.__h.push(c.componentDidMount);c.context=$,c.props=C,c.__P=e,c.__g&=-5,Pe=b.__r,it=w?25:0;do c.__g&=-9,Pe&&Pe(n),d=c.render(c.props,c.state=
c.__s,c.context);while(8&c.__g&&++it<25);w&&(Se.push.apply(c.__h,c.__k),c.__k=[]),c.state=c.__s,c.getChildContext&&(s=se({},s,c.getChildContext())),w&&o.__c&&c.
getSnapshotBeforeUpdate&&(g=c.getSnapshotBeforeUpdate(h,x)),he=d&&d.type===f&&d.key==null?d.props.children:d,C.__P&&(d=l,r=(e=C.__P).namespaceURI,u=a=null,o.props&&
o.props.__P!=e&&(o.__k.some(function(F){F&&Me(F,F)}),o.__k=null),l=o.__k?ee(o,0):null),l=gt(e,Ie(he)?he:[he],n,o,s,r,a,i,l,u,p),C.__P&&(n.__e=null,l=d),n.__u&=-161,
_&&_.some(oe),c.__h.length&&i.push(c),1&c.__g&&(c.__g&=-4)}catch(F){if(i.length=m,n.__v=null,u||a)if(F&&F.then){if(n.__u|=128|u,a){for(~(Y=a.indexOf(l||void 0))||
(Y=a.length);(ne=a[Y-1])&&ne.nodeType==8;)Y--;for(;Y<a.length;Y++)if(ne=a[Y])if(a[Y]=null,te){if(ne==lt)break}else{if(ne.nodeType!=8)break;ne.data.startsWith("$\
s")&&(lt=we(te=ne))}}if(!te){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;te=l}(d=we(te=n.__c.__z||(n.__c.__z=te)))?(n.__e=te,l=d):n.__e=l,l=l&&l.nextSibling}else
a&&a.some(oe);else n.__e=o.__e;n.__k||(n.__k=o.__k||[]),F&&F.then||vt(n),b.__e(F,n,o)}}else l=n.__e=Dn(o.__e,n,o,s,r,a,i,u,p,e);return(d=b.diffed)&&d(n),l}function we(e,n){
if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.data.startsWith("/$s")&&!--o)
return e}n&&n.push(e)}}function vt(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(vt))}function wt(e,n,o){for(var s=0;s<o.length;)Xe(o[s++],o[s++],o[s++]);b.__c&&
b.__c(n,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(a){a.call(r)})}catch(a){b.__e(a,r.__v)}})}function Dn(e,n,o,s,r,a,i,l,u,p){var d,_,m,c,h,x,g,
C,w=o.props||ke,N=n.props,$=n.type;if($=="svg"?r="http://www.w3.org/2000/svg":$=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xht\
ml"),a){for(d=0;d<a.length;d++)if((h=a[d])&&($?h.localName==$:h.nodeType==3)){e=h,a[d]=null;break}}if(!e){if(C=p.ownerDocument||document,!$)return C.createTextNode(
N);e=C.createElementNS(r,$,N.is?N:p),l&&(b.__m&&b.__m(n,a),l=!1),a=null}if($){if(p=$=="template"&&e.content||e,a=$=="textarea"&&N.defaultValue!=null?null:a&&ft.
call(p.childNodes),!l&&a)for(w={},d=0;d<e.attributes.length;d++)w[(h=e.attributes[d]).name]=h.value;for(d in w)h=w[d],d=="dangerouslySetInnerHTML"?m=h:d=="child\
ren"||d in N||d=="value"&&"defaultValue"in N||d=="checked"&&"defaultChecked"in N||_e(e,d,null,h,r);for(d in N)h=N[d],d=="children"?c=h:d=="dangerouslySetInnerHT\
ML"?_=h:d=="value"?x=h:d=="checked"?g=h:l&&typeof h!="function"||w[d]===h||_e(e,d,h,w[d],r);_?(l||m&&(_.__html==m.__html||_.__html==e.innerHTML)||(e.innerHTML=_.
__html),n.__k=[]):(m&&(e.textContent=""),($=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&En.test($))&&(r="http://www.w3.org/1999/xhtml"),gt(p,Ie(c)?
c:[c],n,o,s,r,a,i,a?a[0]:o.__k&&ee(o,0),l,u),a&&a.some(oe)),l&&$!="textarea"||(d="value",$=="progress"&&x==null?e.removeAttribute(d):x==null||x===e[d]&&($!="pro\
gress"||x)||_e(e,d,x,w[d],r),d="checked",g!=null&&g!=e[d]&&_e(e,d,g,w[d],r))}else w===N||l&&e.data==N||(e.data=N);return e}function Xe(e,n,o,s){try{typeof e=="f\
unction"?n?n.__x=e(n)||1:s&&(s=s.__c||s.__e)&&(n=s.__x)&&(s.__x=null,typeof n=="function"?n():e(null)):e.current=n}catch(r){b.__e(r,o)}}function Me(e,n,o){var s,
r,a,i;if(b.unmount&&b.unmount(e),!(s=e.ref)||s.current&&s.current!=e.__e||Xe(s,null,n,e),s=e.__c){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(l){
b.__e(l,n)}s.__P=s.__n=null}if(s=e.__k)for(i=0;i<s.length;i++)s[i]&&Me(s[i],n,typeof e.type!="function"||o&&!e.props.__P);!o&&(s=e.__c)&&(s=s.__z)&&(r=we(s,a=[]))&&
(s==e.__e&&a.some(oe),oe(r),oe(s)),o||oe(e.__e),e.__e=e.__c=e.__=null}function Ln(e,n,o){return this.constructor(e,o)}function bt(e,n){var o,s,r,a;b.__&&b.__(e,
n),n.nodeType==9&&(n=n.documentElement),s=(o=e&&32&e.__u)?null:n.__k,n.__k=ye(f,{children:[e]}),r=[],a=[],Je(n,n.__k,s||ke,ke,n.namespaceURI,s?null:n.firstChild?
ft.call(n.childNodes):null,r,s?s.__e:n.firstChild,o,a),wt(r,n.__k,a),n.__k.props.children=null}function kt(e){function n(o){var s,r;return this.getChildContext||(s=new Set,(r={})[n.__c]=this,this.getChildContext=function(){return r},this.shouldComponentUpdate=
function(a){this.props.value!=a.value&&s.forEach(function(i){i.__g|=4,Le(i)})},this.sub=function(a){s.add(a);var i=a.componentWillUnmount;a.componentWillUnmount=
function(){s.delete(a),i&&i.call(a)}}),o.children}return n.__c="__cC"+mt++,n.__=e,n.Provider=(n.Consumer=function(o,s){return o.children(s)}).contextType=n,n}b={__e:function(e,n,o,s){for(var r,a,i;n=n.__;)if((r=n.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(a=r.constructor)&&a.getDerivedStateFromError)&&r.setState(a.getDerivedStateFromError(
e)),r.componentDidCatch&&(r.componentDidCatch(e,s||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw be=0,e}},ut=0,$n=function(e){return e!=null&&e.
constructor===ue},ve.prototype.setState=function(e,n){var o=this.__s;o&&o!=this.state||(o=this.__s=se({},this.state)),typeof e=="function"&&(e=e(se({},o),this.props)),
e&&(se(o,e),this.__v&&(n&&this.__k.push(n),Le(this)))},ve.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Le(this))},ve.prototype.render=
f,Z=[],be=0,dt=function(e,n){return e.__v.__b-n.__v.__b},ge=Symbol(),pt=/(PointerCapture)$|Capture$/i,Ne=0,De={},mt=0;var re,E,Be,St,Ue=Object.is,Ce=0,Rt=[],He=[],D=b,Ct=D.__b,Tt=D.__r,xt=D.diffed,$t=D.__c,Et=D.unmount,At=D.__;function pe(e,n){D.__h&&D.__h(E,e,Ce||n),Ce=0;var o=E.
__H||(E.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function y(e){return Ce=1,Nn(Nt,e)}function Nn(e,n,o){var s=pe(re++,2);if(s.t=e,!s.__c&&
(s.__=[o?o(n):Nt(void 0,n),function(a){var i=(s.__N||s.__)[0],l=s.t(i,a);Ue(i,l)||(s.__N=[l,s.__[1]],s.__c.setState({}))}],s.__c=E,!E.__f)){E.__f=!0;var r=E.shouldComponentUpdate;
E.shouldComponentUpdate=function(a,i,l){var u=this.__H;if(!u)return!0;var p=!1,d=this.props!=a;if(u.__.some(function(m){m.__N&&(p=!0,Ue(m.__[0],m.__N[0])||(d=!0))}),
r){var _=r.call(this,a,i,l);return p?_||d:_}return!p||d}}return s.__}function U(e,n){var o=pe(re++,3);!D.__s&&Lt(o.__H,n)&&(o.__P=!0,o.__=e,o.u=n,E.__H.__h.push(
o))}function Te(e){return Ce=5,In(function(){return{current:e}},[])}function In(e,n){var o=pe(re++,7);return Lt(o.__H,n)&&(o.__=e(),o.__H=n),o.__}function Dt(e){var n=E.context[e.__c],o=pe(re++,9);return o.c=e,n?(o.__==null&&(o.__=!0,n.sub(E)),n.props.value):e.__}function Ve(){var e=pe(re++,11);if(!e.__){for(var n=E.__v;!n.__m&&n.__;)n=n.__;var o=n.__m||(n.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function Jn(){var e;
do{for(;e=He.shift();)try{de(e)}catch(o){D.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=Rt.shift();){var n=e.__H;if(e.__P&&n)try{n.__h.some(de),n.__h.some(Fe),n.__h=[]}catch(o){
n.__h=[],D.__e(o,e.__v)}}}while(He.length)}D.__b=function(e){E=null,Ct&&Ct(e)},D.__=function(e,n){e&&n.__k&&n.__k.__m&&(e.__m=n.__k.__m),At&&At(e,n)},D.__r=function(e){
Tt&&Tt(e),re=0;var n=(E=e.__c).__H;n&&(Be==E?E.__h=[]:(n.__h.some(de),n.__h.some(Fe),re=0),n.__h=[],n.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),
Be=E},D.diffed=function(e){xt&&xt(e);var n=e.__c;n&&n.__H&&(n.__H.__h.length&&Pt(Rt.push(n)),n.__H.__.some(function(o){o.u&&(o.__H=o.u)})),Be=E=null},D.__c=function(e,n){
n.some(function(o){try{o.__h.some(de),o.__h=o.__h.filter(function(s){return!s.__||Fe(s)})}catch(s){o.__h=[function(){throw s}]}}),$t&&$t(e,n)},D.unmount=function(e){
Et&&Et(e);var n,o,s=e.__c;s&&s.__H&&(s.__H.__.some(function(r){try{if(r.__P&&r.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}r.__P=o,
Pt(He.push(r))}else de(r)}catch(a){n=a}}),s.__H=void 0,n&&D.__e(n,s.__v))};var Ot=typeof requestAnimationFrame=="function";function Xn(e){var n,o=function(){clearTimeout(
s),Ot&&cancelAnimationFrame(n),setTimeout(e)},s=setTimeout(o,35);Ot&&(n=requestAnimationFrame(o))}function Pt(e){e!=1&&St==D.requestAnimationFrame||((St=D.requestAnimationFrame)||
Xn)(Jn)}function de(e){var n=E,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),E=n}function Fe(e){var n=E;e.__c=e.__(),E=n}function Lt(e,n){return!e||e.length!=
n.length||n.some(function(o,s){return!Ue(o,e[s])})}function Nt(e,n){return typeof n=="function"?n(e):n}function V(e){if(e<6e4)return`${Math.max(0,Math.floor(e/1e3))} s`;if(e<36e5)return`${Math.floor(e/6e4)} min`;if(e>=2*864e5)return`${Math.floor(e/864e5)} d`;let n=Math.
floor(e%36e5/6e4);return`${Math.floor(e/36e5)} h${n===0?"":` ${n} min`}`}function It(e){return Number.isFinite(e)?`${new Date(e).toISOString().slice(0,16).replace(
"T"," ")} UTC`:"an unknown time"}function P(e){let[n="",o=""]=e.split(":");return{symbol:o.toUpperCase(),chain:W(n)}}function W(e){return e.replace(/(^|_)([a-z])/g,(n,o,s)=>(o?" ":"")+s.toUpperCase())}
function I(e){let[n="0",o=""]=e.split("."),s=o.slice(0,n.length>4?2:8).replace(/0+$/,""),r=n.replace(/\B(?=(\d{3})+$)/g," ");return s===""?r:`${r}.${s}`}function A(e){
if(e===null)return"unknown";let n=Number(e),o=n!==0&&Math.abs(n)<.01?4:2;return`$${n.toLocaleString("en-US",{minimumFractionDigits:o,maximumFractionDigits:o})}`}
function ae(e){return e===null?"unknown":`${(e/100).toFixed(2)}%`}function xe(e,n){let o=Date.parse(e)-n;return Number.isNaN(o)?e:Math.abs(o)<1500?"now":o>0?`in\
 ${V(o)}`:`${V(-o)} ago`}function M(e,n=Date.now()){let o=new Date(e),s=o.toLocaleTimeString("en-GB");return o.toDateString()===new Date(n).toDateString()?s:`${o.
toLocaleDateString("en-GB",{day:"numeric",month:"short"})}, ${s}`}function G(e){return e.replace(/[-_]/g," ")}function We(e){return e.length<=18?e:`${e.slice(0,
8)}…${e.slice(-6)}`}function me(e){return e==="completed"?"good":e==="held"?"bad":e==="awaiting-approval"||e.startsWith("refund")?"warn":e==="rejected"||e==="\
abandoned"?"calm":"busy"}var B=class extends Error{status;reasons;constructor(n,o){super(o.map(({message:s})=>s).join(" ")),this.status=n,this.reasons=o}},$e="ballast.csrf";async function Jt(){
try{return{...await Q("GET","session"),csrf:localStorage.getItem($e)}}catch(e){if(e instanceof B&&e.status===401)return null;throw e}}async function Xt(e){let n=await Q(
"POST","session",{token:e});return localStorage.setItem($e,n.csrf),n}async function Mt(){await Q("DELETE","session").catch(()=>{}),localStorage.removeItem($e)}async function Q(e,n,o){
let s=await je(e,n,o).catch(()=>{throw new B(0,[{code:"page.silent",message:"The daemon does not answer."}])}),r=await s.json().catch(()=>null);if(s.ok)return r;
let{reasons:a}=r??{};throw new B(s.status,a??[{code:"page.answer",message:`The daemon answered ${s.status}.`}])}function je(e,n,o,s){return fetch(`/api/v1/${n}`,
{method:e,headers:{"x-ballast-csrf":localStorage.getItem($e)??"",...o===void 0?{}:{"content-type":"application/json"}},...o===void 0?{}:{body:JSON.stringify(o)},
...s===void 0?{}:{signal:s}})}var j={lastMs:Date.now(),failing:!1,loggedOut:!1,streaming:!1},qe=new Map,ze=new Set;function R(e,n=5e3){let[,o]=y(0),[s,r]=y(null),[a,i]=y(0);return U(()=>{if(e===
null)return;let u=!1;async function p(){if(!(e===null||document.hidden))try{if(qe.set(e,await Q("GET",e)),u)return;j.lastMs=Date.now(),j.failing=!1,r(null),o(m=>m+
1)}catch(m){if(u||!(m instanceof B))return;m.status===401&&(j.loggedOut=!0),m.status===0&&(j.failing=!0),r(m)}}let d=()=>{p()};p();let _=setInterval(d,n);return ze.
add(d),document.addEventListener("visibilitychange",d),()=>{u=!0,clearInterval(_),ze.delete(d),document.removeEventListener("visibilitychange",d)}},[e,n,a]),{value:e===
null?null:qe.get(e)??null,error:s,refresh:()=>i(u=>u+1)}}function Ge(){for(let e of ze)e()}function Ut(){qe.clear()}var Mn=700,Bt=4e4;async function Ht(e){let n=0,
o=()=>{n===0&&(n=window.setTimeout(()=>{n=0,Ge()},Mn))};for(;!e.aborted;)await Bn(e,o).catch(()=>{}),j.streaming=!1,await new Promise(s=>setTimeout(s,2e3))}async function Bn(e,n){
let o=new AbortController,s=setTimeout(()=>o.abort(),Bt),r=await je("GET","events",void 0,AbortSignal.any([e,o.signal]));if(!r.ok||r.body===null)return;j.streaming=
!0;let a=r.body.pipeThrough(new TextDecoderStream).getReader();for(let i=await a.read();!i.done;i=await a.read())clearTimeout(s),s=setTimeout(()=>o.abort(),Bt),
i.value.includes("data:")&&n();clearTimeout(s)}function Ee(){let[e,n]=y(Date.now());return U(()=>{let o=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(
o)},[]),e}function Ft(){let[e,n]=y(location.hash);return U(()=>{let o=()=>n(location.hash);return addEventListener("hashchange",o),()=>removeEventListener("hash\
change",o)},[]),e.replace(/^#\/?/,"").split("/").map(o=>decodeURIComponent(o))}var Un=Symbol.for("pv"),Hn=0;function t(e,n,o,s,r,a){n||(n={});var i,l,u=n;if("ref"in u&&typeof e!="function")for(l in u={},n)l=="ref"?i=n[l]:u[l]=n[l];var p={type:e,props:u,key:o,ref:i,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:Un,__v:--Hn,__i:-1,__u:0};return(r||a)&&(p.__source=r,p.__self=a),b.vnode&&b.vnode(p),p}var Qe=kt(e=>e);function J({text:e}){return t(f,{children:Dt(Qe)(e)})}function k({tone:e,children:n}){return t("span",{class:`pill ${e}`,children:n})}function v(e){
return t("section",{class:e.wide?"card wide":"card",children:[t("header",{children:[t("h2",{children:e.link===void 0?e.title:t("a",{href:e.link,children:e.title})}),
e.note===void 0?null:t("span",{class:"note",children:e.note})]}),e.children]})}function O({children:e,note:n}){return t("header",{class:"title",children:[t("h1",
{tabIndex:-1,children:e}),n===void 0?null:t("p",{class:"note",children:n})]})}function L({amount:e,asset:n,chain:o=!0}){let s=P(n);return t("span",{class:"amoun\
t",title:`${e??"unknown"} ${n}`,children:[t("b",{children:e===null?"?":I(e)})," ",s.symbol,o?t("small",{children:[" ",s.chain]}):null]})}function S({at:e,clock:n=!1}){
let o=Ee();return e===null?t("span",{class:"quiet",children:"never"}):t("time",{dateTime:e,title:e,children:n?M(e,o):xe(e,o)})}function q({reasons:e,none:n=null}){
let o=[...new Map(e.map(s=>[s.message,s])).values()];return o.length===0?n===null?null:t("p",{class:"quiet",children:n}):t("ul",{class:"reasons",children:o.map(
({code:s,message:r})=>t("li",{children:[t(J,{text:r})," ",t("code",{class:"code",children:s})]},r))})}function z({hash:e,link:n=null,what:o}){return t("span",{class:"\
hash",children:[n===null?t("code",{title:e,children:We(e)}):t("a",{href:n,target:"_blank",rel:"noopener noreferrer",title:e,children:[t("code",{children:We(e)}),
t("span",{class:"hidden",children:" (opens the explorer)"})]}),t(ie,{text:e,what:o})]})}function ie({text:e,what:n}){let[o,s]=y(!1);return t("button",{type:"but\
ton",class:"copy",onClick:()=>{navigator.clipboard?.writeText(e).then(()=>{s(!0),setTimeout(()=>s(!1),1500)})},"aria-label":`Copy ${n}`,children:o?"copied":"cop\
y"})}function T({live:e,children:n}){return e.value!==null?t(f,{children:n(e.value)}):e.error===null?t("p",{class:"quiet",children:"Reading…"}):t("p",{class:"\
notice bad",children:e.error.message})}function X({children:e}){return t("p",{class:"empty",children:e})}function le(e){return t("table",{children:[t("caption",
{class:"hidden",children:e.caption}),t("thead",{children:t("tr",{children:e.columns.map(n=>t("th",{scope:"col",children:n},n))})}),t("tbody",{children:e.rows.map(
({key:n,cells:o})=>t("tr",{children:o.map((s,r)=>t("td",{"data-label":e.columns[r],children:t("div",{children:s})},e.columns[r]))},n))})]})}function Ae({percent:e,
label:n}){let o=e>=100?"bad":e>=80?"warn":"good";return t("svg",{class:`meter ${o}`,viewBox:"0 0 100 6",preserveAspectRatio:"none",role:"img","aria-label":n,children:[
t("rect",{class:"track",width:"100",height:"6"}),t("rect",{class:"fill",width:Math.max(0,Math.min(100,e)),height:"6"})]})}function ce({pairs:e}){return t("dl",{
class:"pairs",children:e.map(([n,o])=>t("div",{children:[t("dt",{children:n}),t("dd",{children:o})]},n))})}var Fn="An alarm is open as long as its cause lasts. A pause by an alarm ends when a person acknowledges it (Resume, on the overview).";function Wt({overview:e}){
let n=R("alerts?limit=100",1e4);return t(f,{children:[t(O,{note:Fn,children:"Alarms"}),t(T,{live:n,children:o=>{let s=o.alerts.filter(({closed:i})=>i===null),r=e.
value?.problems??[],a=o.alerts.filter(({closed:i})=>i!==null);return t(f,{children:[t(v,{title:s.length===0?"No alarm is open":`${s.length} open`,wide:!0,children:s.
length===0?t(X,{children:"Nothing needs you here."}):t(Vt,{alerts:s,problems:r})}),a.length===0?null:t(v,{title:"Over",note:`${a.length} of the last 100`,wide:!0,
children:t(Vt,{alerts:a})})]})}})]})}function Vt({alerts:e,problems:n=[]}){return t("ul",{class:"plain alarms",children:e.map(({at:o,order:s,reason:r,closed:a})=>t(
"li",{children:[t("p",{children:[t(k,{tone:a===null?"bad":"calm",children:a===null?"open":`over after ${V(Date.parse(a)-Date.parse(o))}`})," ",t("b",{children:t(
J,{text:r.message})})]}),t("p",{class:"line quiet",children:[t("span",{title:o,children:M(o)}),t(S,{at:o}),t("code",{children:r.code}),s===null?null:t("a",{href:`\
#/orders/${s}`,children:["Order ",s.slice(0,8)]})]}),t(Vn,{problem:n.find(i=>i.code===r.code&&i.order===s)})]},`${o} ${r.code} ${s}`))})}function Vn({problem:e}){
if(e===void 0)return null;let{meaning:n,todo:o,command:s}=e;return t(f,{children:[t("p",{children:[n," ",t(J,{text:o})]}),s===null?null:t("p",{class:"hash",children:[
t("code",{children:s}),t(ie,{text:s,what:"the command"})]})]})}function jt(e){let n=R("books",2e4);return t(f,{children:[t(O,{note:"Swaps of the last 52 weeks, by the ledger. A week begins on Monday, 00:00 UTC.",children:"B\
ooks"}),t(T,{live:n,children:({weeks:o,rules:s,total:r,at:a})=>t(f,{children:[t("div",{class:"grid thirds",children:[t(Ke,{name:"Volume",value:A(r.volume),note:`${r.
orders} orders`}),t(Ke,{name:"Cost of swaps",value:A(r.swapCost),note:`${ae(r.costBps)} of the volume, network fees included`}),t(Ke,{name:"Network fees",value:A(
r.networkFees),note:r.unpriced===0?"all priced":`${r.unpriced} without a price are not in it`})]}),t("div",{class:"grid thirds",children:[t(v,{title:"Volume by \
week",children:t(Ye,{weeks:o,series:[{name:"volume",of:i=>Number(i.volume),tone:"a"}]})}),t(v,{title:"Cost by week",children:t(Ye,{weeks:o,series:[{name:"cost o\
f swaps",of:i=>Number(i.swapCost),tone:"b"}]})}),t(v,{title:"Network fees by week",children:t(Ye,{weeks:o,series:[{name:"network fees",of:i=>Number(i.networkFees),
tone:"c"}]})})]}),t(v,{title:"By rule",note:t(S,{at:a}),wide:!0,children:s.length===0?t(X,{children:"No order in these weeks."}):t(Wn,{lines:[...s,r]})})]})})]})}
function Ke({name:e,value:n,note:o}){return t("section",{class:"card figure",children:[t("h2",{children:e}),t("p",{class:"big",children:n}),t("p",{class:"note",
children:o})]})}function Ye({weeks:e,series:n}){let[o]=n;if(o===void 0)return t(X,{children:"Nothing to plot."});let s=Math.max(...e.map(o.of),0),r=240/e.length;
return t("figure",{class:"plot",children:[t("p",{class:"scale quiet",children:t("span",{children:A(String(s))})}),t("svg",{viewBox:"0 0 240 100",preserveAspectRatio:"\
none","aria-hidden":"true",children:[t("line",{x1:"0",x2:"240",y1:"99.5",y2:"99.5"}),t("line",{x1:"0",x2:"240",y1:"50",y2:"50",class:"soft"}),t("line",{x1:"0",x2:"\
240",y1:"0.5",y2:"0.5",class:"soft"}),e.map((a,i)=>{let l=s===0?0:98*o.of(a)/s;return t("rect",{class:o.tone,x:(i+.1)*r,width:.8*r,y:99-l,height:l,rx:"1",children:t(
"title",{children:`Week of ${a.group}: ${A(String(o.of(a)))}`})},a.group)})]}),t("p",{class:"scale quiet",children:[t("span",{children:e[0]?.group}),t("span",{children:e.
at(-1)?.group})]}),t("div",{class:"hidden",children:t("table",{children:[t("caption",{children:[o.name," by week"]}),t("tbody",{children:e.map(a=>t("tr",{children:[
t("th",{scope:"row",children:a.group}),t("td",{children:A(String(o.of(a)))})]},a.group))})]})})]})}function Wn({lines:e}){let n=e.map(o=>({key:o.group,cells:[t(
"b",{children:o.group},"group"),Object.entries(o.counts).map(([s,r])=>`${r} ${G(s)}`).join(", "),A(o.volume),A(o.swapCost),A(o.networkFees),ae(o.costBps)]}));return t(
le,{caption:"Swaps by rule",columns:["Rule","Orders","Volume","Cost","Network fees","Cost of volume"],rows:n})}var jn="Why did a rule do something, or nothing? The same answer in a row is one line with its number of times.";function zt({detail:e,overview:n,known:o}){let s=e===
null?"":`rule=${encodeURIComponent(e)}&`,r=R(`decisions?${s}limit=40`,1e4);return t(f,{children:[t(O,{note:jn,children:e===null?"Decisions":`Decisions of ${e}`}),
t("nav",{class:"filters","aria-label":"Rules",children:[t("a",{class:"chip",href:"#/decisions","aria-current":e===null?"page":void 0,children:"all rules"}),(n.value?.
rules??[]).map(({id:a})=>t("a",{class:"chip",href:`#/decisions/${encodeURIComponent(a)}`,"aria-current":a===e?"page":void 0,children:a},a))]}),t(T,{live:r,children:a=>t(
"section",{class:"card",children:[a.decisions.length===0?t(X,{children:"No decision yet."}):null,a.decisions.map(i=>t(qn,{decision:i,known:o},i.id))]})})]})}function qn({
decision:e,known:n}){let{id:o,at:s,lastAt:r,times:a,rule:i,verdict:l,reasons:u,proposals:p,orders:d}=e,_=`ballast replay ${o}`;return t("article",{class:"propos\
al",children:[t("p",{class:"line",children:[t("b",{title:s,children:M(s)}),t("a",{href:`#/decisions/${encodeURIComponent(i)}`,children:i}),t(k,{tone:l==="propos\
ed"?"good":"calm",children:l==="proposed"?"proposed":"did nothing"}),a>1?t("span",{class:"quiet",children:[a," times, last ",t(S,{at:r})]}):null]}),p.map(m=>t("\
p",{class:"line",children:[t(L,{amount:m.amount,asset:m.from})," →"," ",t(L,{amount:m.receive,asset:m.to}),m.cost===null?null:t("span",{class:"quiet",children:[
"cost ",A(m.cost)]})]},`${m.from} ${m.to} ${m.amount}`)),t(q,{reasons:u.map(m=>n.humane(m,p[0]??null))}),t("p",{class:"line quiet",children:[d.map(m=>t("a",{href:`\
#/orders/${m}`,children:["Order ",m.slice(0,8)]},m)),t("span",{class:"hash",children:[t("code",{children:_}),t(ie,{text:_,what:"the command that computes this d\
ecision again"})]})]}),t(zn,{decision:o,known:n})]})}function zn({decision:e,known:n}){let[o,s]=y(null);return t(f,{children:[t("button",{type:"button",onClick:()=>{
Q("GET",`decisions/${encodeURIComponent(e)}/replay`).catch(i=>i).then(s)},"aria-label":`Replay ${e}`,children:"Replay"}),t("div",{"aria-live":"polite",children:o===
null?null:t(Gn,{replay:o,known:n})})]})}function Gn({replay:e,known:n}){if(e instanceof B)return t("p",{class:"notice bad",children:e.message});let{same:o,again:s,
stored:r}=e;return o?t("p",{class:"notice",children:[t(k,{tone:"good",children:"same decision"})," The stored inputs give the stored result again."]}):t("div",{
class:"notice bad",children:[t("p",{children:[t("b",{children:"Another decision."})," The stored inputs give another result now."]}),t("div",{class:"grid even",
children:[t(qt,{name:"Stored",of:r,known:n}),t(qt,{name:"Now",of:s,known:n})]})]})}function qt({name:e,of:n,known:o}){let s=n.proposals,r=s[0]??null;return t("s\
ection",{"aria-label":e,children:[t("h3",{children:e}),s.map(({from:a,to:i,units:l})=>t("p",{children:["Sell ",t(L,{amount:o.amountOf(l,a),asset:a})," for ",t(J,
{text:i})]},`${a} ${i} ${l}`)),t(q,{reasons:[...s.flatMap(({why:a})=>a),...n.reasons].map(a=>o.humane(a,r)),none:"No reason."})]})}var fe=class extends Error{name="AppError";code;disposition;details;constructor(n){super(n.message,n.cause===void 0?void 0:{cause:n.cause}),this.code=n.code,this.
disposition=n.disposition,this.details=n.details??{}}};function Gt(e,n){let o=e.length;for(;o>0&&e[o-1]===n;)o--;return e.slice(0,o)}function Oe(e,n){let o=e<0n?"-":"",s=(e<0n?-e:e).toString().padStart(n+1,"0"),r=s.slice(0,s.length-n),a=Gt(s.slice(s.length-n),"0");return`${o}${r}${a===""?"":`\
.${a}`}`}function Qt(e){return e===null?n=>n:(n,o=null)=>{let[,s=null]=Kn.exec(n)??[],[,r=null]=Yn.exec(n)??[],a=(s===null?null:Ze(e,`${s}:native`))??Ze(e,r)??Ze(e,o);if(a===
null)return n;let i=l=>`${Oe(BigInt(l),a.decimals)} ${a.name}`;return n.replace(so,(l,u)=>`within ${V(Number(u)*1e3)}`).replace(eo,(l,u,p)=>`(${i(u)}, at most ${i(
p)})`).replace(oo,(l,u,p)=>`within the range of ${i(u)} to ${i(p)}`).replace(no,(l,u,p)=>`(${u} usd, at most ${p} usd)`).replace(Zn,(l,u)=>i(u)).replace(ro,l=>a.
decimals<ao?l:i(l))}}function Kt(e,n,o){let s=n.asset??(Qn.includes(n.code)?o?.to:o?.from)??null;return{...n,message:e(n.message,s)}}var Qn=["alarm.payout_short",
"quote.too_good","quote.unproven"],Yt="[a-z0-9_]+:[a-z0-9._-]+",Kn=/units of (?:the coin|the native coin) of ([a-z0-9_]+)/i,Yn=new RegExp(`\\d (?:smallest )?(?:u\
nits of )?(${Yt})`,"i"),Zn=new RegExp(`(?<![\\w.])(\\d+) (?:smallest )?units(?: of the coin of [a-z0-9_]+| of ${Yt})?`,"gi"),eo=/(?<=larger than one order may be |would sell more than allowed )\((\d+), at most (\d+)\)/g,
to=["worth more than one order may be","would be worth more than allowed","would cost more than allowed"],no=new RegExp(`(?<=(?:${to.join("|")}) )\\(([\\d.]+), at\
 most ([\\d.]+)\\)`,"g"),oo=/within the range of (\d{1,40}) to (\d{1,40})(?![\d.])/gi,so=/(?<=Orders |orders )within (\d+) s\b/g,ro=/(?<![\w.:-])\d{10,}(?![\w.:])(?!\s(?:units|smallest))/g,
ao=6;function Ze({assets:e,chains:n},o){let s=e.find(a=>a.id===o);if(s!==void 0)return{decimals:s.decimals,name:s.id};let r=n.find(({chain:a})=>`${a}:native`===
o)?.nativeCoin;return r===void 0?null:{decimals:r.decimals,name:r.symbol}}function et(e){if(!/^[a-z0-9_-]+:[a-z0-9_.-]+$/.test(e)){let n="<chain>:<asset>, for example base_sepolia:wbtc";throw new fe({code:"domain.asset_id",disposition:"\
refused",message:`"${e}" is not an asset id; expected ${n}`,details:{text:e}})}return e}function io(e){return e.slice(0,e.indexOf(":"))}function Zt(e){return io(
et(`${e}:x`))}function en(e){let n=Qt(e===null?null:{assets:e.assets.map(({id:r,decimals:a})=>({id:et(r),decimals:a})),chains:e.chains.map(({chain:r,nativeCoin:a})=>({chain:Zt(
r),nativeCoin:{...a,token:null}}))}),o=new Set(e?.assets.map(({id:r})=>r)),s=new Set(e?.chains.map(({chain:r})=>r));return{linkOf:(r,a)=>{let l=(e?.chains.find(
u=>u.chain===r)?.explorer??null)?.tx.replace("{tx}",encodeURIComponent(a))??null;return l?.startsWith("https://")===!0?l:null},amountOf:(r,a)=>{let i=e?.assets.
find(({id:l})=>l===a)?.decimals;return i===void 0?null:Oe(BigInt(r),i)},humane:(r,a=null)=>Kt(n,r,a),speak:r=>r.replace(lo,a=>o.has(a)?po(a):a).replace(co,a=>s.
has(a)?W(a):a).replace(uo,a=>M(a))}}var lo=/\b[a-z0-9_]+:[a-z0-9._-]*[a-z0-9]/g,co=/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g,uo=/\b\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g;
function po(e){let{symbol:n,chain:o}=P(e);return`${n} on ${o}`}function tn({overview:e}){let n=R("settings",6e4);return t(f,{children:[t(O,{note:"What Ballast may still sell, and what it has used.",children:"Limits"}),t(T,{
live:e,children:({limits:o})=>{let s=({used:r,unit:a})=>Number(r)===0&&a.includes(":");return t("div",{class:"grid even",children:[o.filter(r=>!s(r)).toSorted((r,a)=>a.
percent-r.percent).map(r=>t(mo,{limit:r},r.name)),t(fo,{limits:o.filter(s)})]})}}),t(T,{live:n,children:({guards:o})=>t(tt,{guards:o})})]})}function mo({limit:e}){
let{name:n,used:o,max:s,left:r,unit:a,percent:i}=e,l=`${i}% used`;return t(v,{title:nn(n),note:i>=80?t(k,{tone:i>=100?"bad":"warn",children:l}):l,children:[t("p",
{class:"big",children:[ot(r,a)," ",t("small",{children:"left"})]}),t(Ae,{percent:i,label:l}),t("p",{class:"note",children:[nt(o,s,a)," used"]})]})}function fo({
limits:e}){return e.length===0?null:t(v,{title:"Not used yet",children:t("dl",{class:"pairs",children:e.map(({name:n,left:o,unit:s})=>t("div",{children:[t("dt",
{children:nn(n)}),t("dd",{children:[ot(o,s)," left"]})]},n))})})}function tt({guards:e}){return t(v,{title:"Every guard",note:"as the configuration in force say\
s",wide:!0,children:t("dl",{class:"pairs",children:e.map(({guard:n,means:o})=>t("div",{children:[t("dt",{children:t("code",{children:n})}),t("dd",{children:t(J,
{text:ho(o)})})]},n))})})}function nt(e,n,o){return o==="usd"?`${A(e)} of ${A(n)}`:`${I(e)} of ${ot(n,o)}`}function ot(e,n){return n==="usd"?A(e):`${I(e)} ${n.includes(
":")?P(n).symbol:n}`}function ho(e){let n=e.split(", ").map(r=>r.split(" ")),[[o=""]=[]]=n;return n.length>1&&n.every(([r,a="",...i])=>r===o&&a.includes(":")&&i.
length===0)?`${o} of each asset`:e}function nn(e){let[n=""]=e.split(" ");if(!n.includes(":"))return e.slice(0,1).toUpperCase()+e.slice(1);let{symbol:o,chain:s}=P(
n);return`${o} on ${s}${e.slice(n.length)}`}function on({onLogin:e}){let[n,o]=y(""),[s,r]=y(!1),[a,i]=y(null);async function l(u){u.preventDefault(),r(!0);try{e(await Xt(n.trim()))}catch(p){i(p instanceof
B?p.message:"The page failed"),r(!1)}}return t("main",{class:"login",children:t("form",{class:"card",onSubmit:l,children:[t("img",{src:"/icon.svg",alt:"",width:"\
44",height:"44"}),t("h1",{children:"Ballast"}),t("p",{class:"note",children:["Log in with one of the tokens of ",t("code",{children:"ops.token"})," or ",t("code",
{children:"ops.tokens"}),". What you can do here is what the token's scopes allow."]}),t("label",{for:"token",children:"Token"}),t("input",{id:"token",type:"pas\
sword",autocomplete:"current-password",value:n,onInput:u=>o(u.currentTarget.value)}),a===null?null:t("p",{class:"notice bad",role:"alert",children:a}),t("button",
{type:"submit",class:"main",disabled:n===""||s,children:"Log in"})]})})}function sn({payoutDeadline:e},n){if(e===void 0)return null;let{at:o,height:s}=e,r=_o(e);if(o===null)return`before its lock ends, at an unknown time; ${r}`;let a=Date.
parse(o)-(n??0),i=a>0?`${V(a)} left`:`over since ${V(-a)}`,l=[`height ${s??"unknown"}`,...n===null?[]:[i],"estimated"];return`before ${It(Date.parse(o))} (${l.join(
", ")}); ${r}`}function _o({offerUnits:e,capUnits:n}){let o=n===null?"":`, and one may offer up to ${n}`;return e===null?`no redemption of ours is signed yet${o}${o===
""?"":" of the coin's smallest units"}`:`our newest redemption offers at most ${e}${o} of the coin's smallest units`}function rn({secret:e,ownSecret:n}){if(n===void 0)return e==="service"?"chosen by the service":"not chosen yet";let{status:o,revealedAt:s}=n,r=s===null?"":` at ${s}`;
return{unknown:"our own, told to no other party",revealed:`our own, revealed${r}`,withheld:"our own, withheld for ever",lost:`our own, revealed${r}, and the pay\
out went back to the solver`}[o]}function go({change:e,onClose:n}){let o=Te(null),[s,r]=y(""),[a,i]=y(!1),[l,u]=y(null),p=Ve(),d=Ve();U(()=>o.current?.showModal(),[]);let _=s.trim()===e.word;async function m(c){
if(c.preventDefault(),!(!_||a)){i(!0);try{let h=await Q("POST",e.path,e.body);Ge(),n(),e.onDone?.(h)}catch(h){h instanceof B&&u(h),i(!1)}}}return t("dialog",{ref:o,
"aria-labelledby":p,onClose:n,children:t("form",{onSubmit:m,children:[t("h2",{id:p,children:e.title}),e.children,t("label",{for:d,children:["Type ",t("code",{class:"\
word",children:e.word})," to confirm"]}),t("input",{id:d,value:s,autocomplete:"off",spellcheck:!1,onInput:c=>r(c.currentTarget.value)}),l===null?null:t("p",{class:"\
notice bad",role:"alert",children:l.message}),t("footer",{children:[t("button",{type:"button",onClick:n,children:"Cancel"}),t("button",{type:"submit",class:e.danger?
"main danger":"main",disabled:!_||a,children:a?"Sending…":e.button})]})]})})}function H(e){let[n,o]=y(!1),s=e.scopes.includes(e.scope);return t(f,{children:[t(
"button",{type:"button",class:e.change.danger?"danger":e.main?"main":"",disabled:!s,title:s?void 0:`Your token lacks the scope ${e.scope}`,onClick:()=>o(!0),children:e.
change.button}),n?t(go,{change:e.change,onClose:()=>o(!1)}):null]})}function an({order:e,scopes:n}){if(e.state==="awaiting-approval")return t(yo,{order:e,scopes:n});if(!e.held&&e.state!=="disarmed")return null;let o=(r,a)=>{let i=r.
slice(0,1).toUpperCase()+r.slice(1);return{title:`${i} this order?`,word:r,button:i,path:`orders/${e.id}/${r}`,body:{},danger:r==="abandon",children:t("p",{children:a})}},
s=o("abandon","You answer for the end of this order: Ballast ends it once no deposit can land.");return t("div",{class:"actions",children:[e.held?t(f,{children:[
t(H,{change:o("retry","Ballast goes on from where the order was held."),scope:"operate",scopes:n,main:!0}),t(H,{change:o("refund","Ballast takes the deposit bac\
k as soon as the HTLC allows it."),scope:"operate",scopes:n})]}):null,t(H,{change:s,scope:"operate",scopes:n})]})}function yo({order:e,scopes:n}){let o=`${e.amount}\
 ${P(e.from).symbol}`,s={title:"Approve this order?",word:e.amount,button:"Approve",path:`orders/${e.id}/approve`,body:{intent:e.intent},children:t(vo,{order:e})},
r={title:"Reject this order?",word:"reject",button:"Reject",path:`orders/${e.id}/reject`,body:{},danger:!0,children:t("p",{children:["Nothing was deposited. The\
 order ends, and ",o," stay in the wallet."]})};return t("div",{class:"actions",children:[t(H,{change:s,scope:"approve",scopes:n,main:!0}),t(H,{change:r,scope:"\
approve",scopes:n}),t("span",{class:"note",children:["Approve before ",t(S,{at:e.approveBefore,clock:!0})," (",t(S,{at:e.approveBefore}),")"]})]})}function vo({
order:e}){let n=P(e.from),o=P(e.to);return t(f,{children:[t("p",{children:["You approve exactly this deposit, of"," ",t("b",{children:[e.amount," ",n.symbol]}),
" ","on ",n.chain,", for"," ",t("b",{children:[e.destinationAmount," ",o.symbol]})," ","on ",o.chain,". Any other deposit needs a new approval."]}),t("dl",{class:"\
pairs small",tabIndex:0,"aria-label":"The fields of the deposit",children:Object.entries(e.intentFields??{}).filter(([s])=>!/units/i.test(s)).map(([s,r])=>t("di\
v",{children:[t("dt",{children:s}),t("dd",{children:t("code",{children:r})})]},s))})]})}function ln({events:e,seen:n,outcome:o,state:s,approval:r,updatedAt:a,createdAt:i}){let l=(...c)=>e.find(({type:h})=>c.includes(h))?.at??null,u=s==="awaiting-ap\
proval"||r!==null,p=n.sourceRefunded!=null||s.startsWith("refund")||o==="refunded",d=[{name:"Requested",at:i},{name:"Quoted",at:l("quote.accepted")},{name:"Orde\
red",at:l("order.created")},{name:"Verified",at:l("deposit.verified")},...u?[{name:"Approved",at:r?.at??null}]:[],{name:"Deposited",at:n.sourceInitiated?.at??null},
...p?[{name:"Refunded",at:n.sourceRefunded?.at??null}]:[{name:"Solver deposited",at:n.destinationInitiated?.at??null},{name:"Paid out",at:n.destinationRedeemed?.
at??null}],{name:o===null?"Final":wo(o),at:o===null?null:a}],_=d.findLastIndex(({at:c})=>c!==null),m=o==="rejected"||o==="abandoned";return d.map((c,h)=>{if(m&&
h===d.length-1)return{...c,state:"failed"};if(h<=_&&!(m&&c.at===null))return{...c,state:"done"};let x=h===_+1;return{...c,state:x&&o===null?s==="held"?"failed":
"now":"open"}}).filter(({at:c,state:h})=>!(o!==null&&c===null&&h==="open"))}function cn(e){let n=e.from.split(":")[0]??"",o=e.to.split(":")[0]??"",s=(r,a,i)=>({
what:a,chain:i,service:e.reportedTxs[r],seen:e.seen[r]??null});return[s("sourceInitiated","Our deposit",n),s("destinationInitiated","The solver's deposit",o),s(
"destinationRedeemed","The payout to us",o),s("sourceRedeemed","The solver takes our deposit",n),s("sourceRefunded","The refund to us",n)]}function un({service:e,
seen:n},o){return n!==null&&e.includes(n.tx)?{tone:"good",says:"agree"}:n!==null&&e.length>0?{tone:"warn",says:"another transaction"}:n!==null?{tone:"good",says:"\
proven"}:e.length>0?{tone:o?"calm":"warn",says:"only reported"}:{tone:"calm",says:"not yet"}}function wo(e){return e.slice(0,1).toUpperCase()+G(e).slice(1)}function dn(e){
let[n]=Object.entries(bo).filter(([s])=>s===e);return n!==void 0?{who:n[1][0],says:n[1][1]}:{who:e.startsWith("operator.")?"operator":"Ballast",says:e.replaceAll(
/[._]/g," ")}}var bo={"order.opened":["Ballast","opens the order"],"work.deferred":["Ballast","waits and looks again later"],"quote.accepted":["service","quotes\
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
e HTLC never had the deposit"]};function mn(e){let n=R(`orders/${encodeURIComponent(e.detail)}`,3e3);return t(T,{live:n,children:o=>t(ko,{order:o,desk:e})})}function ko({order:e,desk:n}){let o=`\
#/decisions/${encodeURIComponent(e.rule)}`,s=n.overview.value?.orders.find(({id:r})=>r===e.id)??null;return t(f,{children:[t(O,{note:t(f,{children:["Order ",t("\
code",{children:e.id.slice(0,8)})," of rule ",t("a",{href:o,children:e.rule}),", requested ",t(S,{at:e.createdAt})]}),children:[t(L,{amount:e.amount,asset:e.from}),
" →"," ",t(L,{amount:e.destinationAmount,asset:e.to})]}),t("section",{class:`card wide place ${me(e.state)}`,children:[t("p",{children:t(k,{tone:me(e.state),children:G(
e.state)})}),t("p",{class:"money",children:[t("span",{class:"quiet",children:"Where is the money?"})," ",t("b",{children:e.money})]}),s?.left==null?null:t("p",{
children:[t("b",{children:s.left})," left",s.ends===null?"":`: ${s.ends}`]}),t(q,{reasons:e.reasons.map(r=>n.known.humane(r,e))}),t(an,{order:e,scopes:n.scopes})]}),
t(v,{title:"The way of the order",wide:!0,children:t(So,{stages:ln(e)})}),t(v,{title:"The service's word and the chain's word",note:"Ballast believes only the c\
hain.",wide:!0,children:t(Co,{order:e,desk:n})}),t("div",{class:"grid even",children:[t(v,{title:"Transactions",children:t(xo,{order:e,desk:n})}),t(v,{title:"Te\
rms",children:t($o,{order:e})})]}),t(v,{title:"Everything that happened",note:`${e.events.length} events`,wide:!0,children:t(Eo,{order:e})})]})}function So({stages:e}){
return t("ol",{class:"stages",children:e.map(({name:n,at:o,state:s},r)=>{let a=e.slice(0,r).findLast(l=>l.at!==null)?.at??null,i=o===null||a===null?null:Date.parse(
o)-Date.parse(a);return t("li",{class:s,"aria-current":s==="now"?"step":void 0,children:[t("span",{class:"mark","aria-hidden":"true"}),t("b",{children:n}),o===null?
t("small",{children:s==="now"?"next":s==="done"?"passed":"not yet"}):t("small",{title:o,children:[M(o),i===null||i<0?"":` · +${i<1e4?`${(i/1e3).toFixed(1)} s`:
V(i)}`]})]},n)})})}function Co({order:e,desk:n}){let o=cn(e).filter(({what:s,service:r,seen:a})=>r.length>0||a!==null||s!=="The refund to us").map(({what:s,chain:r,
service:a,seen:i})=>{let{tone:l,says:u}=un({service:a,seen:i},e.outcome!==null),p=[t("span",{children:[t("b",{children:s}),t("small",{class:"block",children:["o\
n ",W(r)]})]},"what"),t(To,{chain:r,txs:a,desk:n},"service"),i===null?t("span",{class:"quiet",children:"shows nothing"},"seen"):t("span",{children:[t(z,{hash:i.
tx,link:n.known.linkOf(r,i.tx),what:"the transaction"}),t("small",{class:"block",children:[M(i.at),", ",i.final?"final":"not final yet"]})]},"seen"),t(k,{tone:l,
children:u},"judgement")];return{key:s,cells:p}});return t(le,{caption:"The service's word and the chain's word",columns:["About","The service says","Our own no\
de shows","Together"],rows:o})}var pn=3;function To({chain:e,txs:n,desk:o}){if(n.length===0)return t("span",{class:"quiet",children:"says nothing"});let s=n.length-
pn;return t("span",{children:[n.slice(0,pn).map(r=>t("span",{class:"block",children:t(z,{hash:r,link:o.known.linkOf(e,r),what:"the transaction"})},r)),s>0?t("sm\
all",{class:"block",children:["and ",s," more"]}):null]})}function xo({order:e,desk:n}){let o=e.from.split(":")[0]??"";return e.transactions.length===0?t("p",{class:"\
empty",children:e.deposit==="gasless"&&e.depositTx!==null?"Ballast signed no transaction of its own: the relay made the deposit and paid its fee.":"Ballast has \
signed no transaction for this order."}):t("ul",{class:"plain",children:e.transactions.map(({purpose:s,attempt:r,tx:a})=>t("li",{children:[t("b",{children:s}),"\
 ",t("small",{children:r>0?`attempt ${r+1}`:`on ${W(o)}`}),t(z,{hash:a,link:n.known.linkOf(o,a),what:"the transaction"})]},a))})}function $o({order:e}){let n=P(
e.to).symbol,o=sn(e,null),s=[["Order",t(z,{hash:e.id,what:"the order's id"},"id")],["Order at the service",e.serviceOrderId===null?"none":t(z,{hash:e.serviceOrderId,
what:"the service's id"},"s")],["Service",e.service??"none yet"],["Solver",e.solver===null?"none yet":t(z,{hash:e.solver,what:"the solver's id"},"solver")],["Se\
cret",rn(e)],...o===null?[]:[["Payout must be redeemed",o]],["Cost of the swap",ae(e.costBps)],["Deposit",e.deposit==="gasless"?"by a relay, without a fee of ou\
rs":"by our own transaction"],["Pays to",t(z,{hash:e.destinationOwner,what:"the address"},"d")],["Fee that the payout may lose",e.payoutFee===null?"unknown":`${I(
e.payoutFee)} ${n}`],["Refund possible at height",e.refundableAtHeight??"not known yet"],["Approved",e.approval===null?"no approval was needed or given":`by ${e.
approval.by}, ${M(e.approval.at)}`],["Acts next",e.who]];return t(f,{children:[t(ce,{pairs:s}),e.calls.length===0?null:t(f,{children:[t("h3",{children:"Asked by\
 people"}),t("ul",{class:"plain",children:e.calls.map(({at:r,caller:a,source:i,action:l})=>t("li",{children:[t("b",{children:l})," by ",a," from ",i,", ",t(S,{at:r})]},
`${r} ${l}`))})]})]})}function Eo({order:e}){let[n,o]=y(!1),s=n?e.events:e.events.slice(-40);return t(f,{children:[e.events.length>s.length?t("button",{type:"bu\
tton",onClick:()=>o(!0),children:["Show the ",e.events.length-s.length," earlier events"]}):null,t("ol",{class:"events",children:s.map(({at:r,type:a,state:i},l)=>{
let{who:u,says:p}=dn(a);return t("li",{class:u,children:[t("time",{dateTime:r,title:r,children:M(r)}),t("span",{class:"who",children:u}),t("span",{children:[p,"\
 ",t("small",{children:["→ ",G(i)]})]})]},`${r} ${l}`)})})]})}var Ao=["all","open","held","completed","refunded","rejected"];function fn(e){let[n,o]=y("all"),[s,r]=y(""),a=R(n==="open"?"orders?open=true&limit=200":"orders?\
limit=200"),i=l=>(n==="all"||(n==="open"?l.outcome===null:l.state===n))&&[l.id,l.rule,l.from,l.to].some(u=>u.includes(s.trim().toLowerCase()));return t(f,{children:[
t(O,{note:"The newest 200 orders, each with the place of its money.",children:"Orders"}),t("div",{class:"filters",children:[t("fieldset",{children:[t("legend",{
class:"hidden",children:"Show"}),Ao.map(l=>t("button",{type:"button","aria-pressed":l===n,onClick:()=>o(l),children:l},l))]}),t("label",{children:[t("span",{class:"\
hidden",children:"Search by order, rule or asset"}),t("input",{type:"search",placeholder:"Order, rule or asset",value:s,onInput:l=>r(l.currentTarget.value)})]})]}),
t(T,{live:a,children:l=>t("section",{class:"card",children:t(st,{orders:l.orders.filter(i).map(u=>({...u,since:u.updatedAt,ends:null,left:null})),none:"No order\
 matches."})})})]})}function st({orders:e,none:n}){if(e.length===0)return t(X,{children:n});let o=e.map(s=>({key:s.id,cells:[t("a",{href:`#/orders/${s.id}`,class:"\
id",children:s.id.slice(0,8)},"id"),t(k,{tone:me(s.state),children:G(s.state)},"state"),t(L,{amount:s.amount,asset:s.from},"from"),t(L,{amount:s.destinationAmount,
asset:s.to},"to"),t("span",{children:[s.money,s.left===null?null:t("small",{class:"block",children:[s.left," left",s.ends===null?"":`: ${s.ends}`]})]},"money"),
t("span",{class:"name",children:s.rule},"rule"),t("span",{class:"name",children:t(S,{at:s.since})},"since")]}));return t(le,{caption:"Orders",columns:["Order","\
State","Sends","Receives","Where is the money?","Rule","Since"],rows:o})}var Oo="Balances of the last comparison of the books with the chains, against the bands of the rules.";function hn({overview:e}){let n=R("books",2e4);return t(T,
{live:e,children:({treasury:o,gas:s})=>{let r=[...new Set(o.map(({asset:a})=>a.split(":")[0]??""))];return t(f,{children:[t(O,{note:Oo,children:"Treasury"}),t("\
div",{class:"grid even",children:r.map(a=>t(v,{title:W(a),children:[o.filter(({asset:i})=>i.startsWith(`${a}:`)).map(i=>t(rt,{holding:i,points:n.value?.balances.
find(({asset:l})=>l===i.asset)?.points??[],full:!0},i.asset)),s.filter(i=>i.chain===a).map(i=>t(Lo,{gas:i},i.chain))]},a))}),r.length===0?t(X,{children:"The con\
figuration lists no asset."}):null]})}})}var Po={below:{tone:"bad",word:"below its band"},above:{tone:"warn",word:"above its band"},within:{tone:"good",word:"in\
 its band"},unknown:{tone:"calm",word:"not read yet"}};function rt(e){let{asset:n,amount:o,readAt:s,bounds:r,shares:a}=e.holding,i=P(n);return t("div",{class:"h\
olding",children:[t("p",{class:"head",children:[t("span",{children:[t("b",{children:i.symbol})," ",e.full?null:t("small",{children:i.chain})]}),t(L,{amount:o,asset:n,
chain:!1})]}),r.map(l=>t(Ro,{amount:o,bound:l,asset:n,full:e.full??!1},l.rule)),a.map(({rule:l,percent:u})=>t("p",{class:"note",children:["Target of ",l,": ",u,
" of the treasury"]},l)),e.full&&r.length===0&&a.length===0?t("p",{class:"note",children:"No rule keeps a band for it."}):null,e.full&&e.points!==void 0?t(Do,{points:e.
points,asset:n,bounds:r}):null,e.full?t("p",{class:"note",children:["Compared with the chain ",t(S,{at:s})]}):null]})}function Ro({amount:e,bound:n,asset:o,full:s}){
let r=Number(n.min),a=Number(n.target),i=n.max===null?null:Number(n.max),l=e===null?null:Number(e),u=1.15*Math.max(i??0,a*1.5,r,l??0,Number.MIN_VALUE),p=h=>100*
h/u,{tone:d,word:_}=Po[n.place],m=P(o).symbol,c=`${_}: from ${I(n.min)} to ${n.max===null?"any":I(n.max)}, target ${I(n.target)} ${m}`;return t(f,{children:[t("\
svg",{class:`band ${d}`,viewBox:"0 0 100 10",preserveAspectRatio:"none",role:"img","aria-label":c,children:[t("rect",{class:"track",y:"3",width:"100",height:"4"}),
t("rect",{class:"range",x:p(r),y:"1",width:Math.max(.5,(i===null?100:p(i))-p(r)),height:"8"}),l===null?null:t("rect",{class:"fill",y:"3",width:p(l),height:"4"}),
t("rect",{class:"target",x:p(a)-.2,width:"0.5",height:"10"})]}),t("p",{class:"note legend",children:[t(k,{tone:d,children:_}),t("span",{children:[I(n.min)," –",
" ",n.max===null?"no upper bound":I(n.max),", target"," ",I(n.target),s?` (${n.rule})`:""]})]})]})}function Do(e){let n=e.points.map(({amount:l})=>Number(l)),o=e.
points[0],s=e.points.at(-1);if(o===void 0||s===void 0)return null;let r=Math.max(...n),a=Math.min(...n);if(r===a)return t("p",{class:"note",children:["Unchanged\
 since ",t(S,{at:o.at})]});let i=100/n.length;return t("figure",{class:"history",children:[t("svg",{viewBox:"0 0 100 24",preserveAspectRatio:"none",role:"img","\
aria-label":`Balance from ${o.amount} to ${s.amount}`,children:n.map((l,u)=>{let p=3+20*(l-a)/(r-a);return t("rect",{x:u*i,y:24-p,width:i*.8,height:p},e.points[u]?.
at)})}),t("figcaption",{class:"note",children:["Since ",t(S,{at:o.at}),": ",I(String(a))," to ",I(String(r))," ",P(e.asset).symbol]})]})}function Lo({gas:e}){let{
coin:n,amount:o,needed:s,daysLeft:r}=e,a=o!==null&&Number(o)<Number(s);return t("p",{class:"gas",children:["Coin for fees: ",t("b",{children:o===null?"not read \
yet":`${I(o)} ${n}`}),t("span",{class:"quiet",children:[" ","· ",I(s)," must stay",r===null?"":r>365?" · lasts for more than a year":` · about ${r} days left`]}),
" ",a?t(k,{tone:"bad",children:"too little"}):null]})}function yn({overview:e,scopes:n}){return t(T,{live:e,children:o=>t(f,{children:[t(Io,{overview:o,scopes:n}),t(Mo,{overview:o}),t("div",{class:"grid",children:[
t(v,{title:"Orders in flight",link:"#/orders",wide:!0,children:[t(st,{orders:o.orders.slice(0,_n),none:"No order is in flight."}),o.orders.length<=_n?null:t("p",
{class:"rest",children:t("a",{href:"#/orders",children:["All ",o.orders.length," orders in flight"]})})]}),t(v,{title:"Treasury",link:"#/treasury",children:o.treasury.
map(s=>t(rt,{holding:s},s.asset))}),t("div",{class:"column",children:[t(Bo,{overview:o}),t(Uo,{overview:o}),t(Ho,{overview:o})]})]})]})})}var _n=6,No={ok:"All i\
s well",attention:"Needs attention",trouble:"Trouble"};function Io({overview:e,scopes:n}){let{level:o,verdict:s,mode:r,pause:a}=e;return t("section",{class:`ver\
dict ${o}`,"aria-label":"Verdict",children:[t("div",{children:[t("p",{class:"level",children:[No[o]," · ",r??"unknown"," mode",a===null?"":" · paused"]}),t("h\
1",{tabIndex:-1,children:t(J,{text:s})}),a===null?null:t("p",{children:["Paused by ",a.by," ",t(S,{at:a.at}),a.reason===null||a.by==="alarm"?".":`: ${a.reason}.`]})]}),
t("div",{class:"actions",children:a===null?t(Jo,{scopes:n}):t(Xo,{overview:e,scopes:n})})]})}function Jo({scopes:e}){return t(H,{change:{title:"Pause everything\
?",word:"pause",button:"Pause",path:"pause",body:{},children:t("p",{children:"Ballast accepts no new order and signs no new deposit. Orders that have deposited \
go on: they are watched, and refunded when the time comes."})},scope:"operate",scopes:e})}function Xo({overview:e,scopes:n}){let o=e.pause?.alarms??[],[s,r]=y([]),
a={title:"Resume?",word:"resume",button:"Resume",path:"resume",body:{acknowledge:s},children:o.length===0?t("p",{children:"Rules make orders again at their next\
 time."}):t("fieldset",{children:[t("legend",{children:"Acknowledge each alarm that you have dealt with"}),o.map(({id:i,message:l})=>t("label",{class:"check",children:[
t("input",{type:"checkbox",checked:s.includes(i),onChange:u=>{let p=s.filter(d=>d!==i);r(u.currentTarget.checked?[...p,i]:p)}}),l]},i))]})};return t(H,{change:a,
scope:"operate",scopes:n,main:!0})}function Mo({overview:e}){let n=e.problems.filter(({needsPerson:s})=>!s),o=[...e.tasks,...n];return o.length===0?null:t("sect\
ion",{class:"problems","aria-label":"Problems",children:[t("h2",{children:e.tasks.length>0?"Needs you":"Worth knowing"}),t("ul",{children:o.map(({level:s,code:r,
sentence:a,meaning:i,todo:l,command:u,order:p,deadline:d,left:_,needsPerson:m})=>t("li",{class:s,children:[t("p",{children:[t(k,{tone:s==="trouble"?"bad":"warn",
children:m?"for you":"by itself"})," ",t("b",{children:t(J,{text:a})})]}),t("p",{children:i}),t("p",{children:t(J,{text:l})}),t("p",{class:"line",children:[d===
null?null:t("span",{children:["Time left: ",t("b",{children:_})]}),p===null?null:t("a",{href:`#/orders/${p}`,children:"Open the order"}),u===null?null:t("span",
{class:"hash",children:[t("code",{children:u}),t(ie,{text:u,what:"the command"})]})]})]},`${r} ${a}`))})]})}function Bo({overview:e}){return t(v,{title:"Next",link:"\
#/rules",children:[e.next.length===0?t(X,{children:"No rule is due."}):null,t("dl",{class:"pairs",children:e.next.slice(0,5).map(({rule:n,at:o})=>t("div",{children:[
t("dt",{children:t("a",{href:`#/decisions/${encodeURIComponent(n)}`,children:n})}),t("dd",{children:t(S,{at:o})})]},n))})]})}function Uo({overview:e}){let n=e.limits.
toSorted((o,s)=>s.percent-o.percent).slice(0,3);return t(v,{title:"Limits used",link:"#/limits",children:n.map(({name:o,used:s,max:r,unit:a,percent:i})=>t("div",
{class:"limit",children:[t("p",{children:[t(J,{text:o})," ",t("span",{class:"quiet",children:nt(s,r,a)})]}),t(Ae,{percent:i,label:`${o}: ${i}%`})]},o))})}var gn={
good:"good",slow:"warn",degraded:"warn",resting:"warn",silent:"bad",failing:"bad",unknown:"calm"};function Ho({overview:e}){let{nodes:n,services:o}=e;return t(v,
{title:"Nodes and services",children:t("dl",{class:"pairs",children:[n.map(({chain:s,state:r,lastAnswer:a,endpoints:i,needed:l})=>t("div",{children:[t("dt",{title:i.
map(({host:u})=>u).join(", "),children:[W(s)," ",t("small",{class:"block",children:[i.length," node",i.length===1?"":"s",", ",l," must agree"]})]}),t("dd",{children:[
t(S,{at:a})," ",t(k,{tone:gn[r]??"calm",children:r})]})]},s)),o.map(({name:s,state:r,lastAnswer:a,inFlight:i})=>t("div",{children:[t("dt",{children:["Service ",
s," ",t("small",{children:[i," in flight"]})]}),t("dd",{children:[t(S,{at:a})," ",t(k,{tone:gn[r]??"calm",children:r})]})]},s))]})})}var Fo="What the rules would do if every rule decided now. Looking at it changes nothing.";function vn({known:e}){let n=R("plan",15e3);return t(f,{children:[t(O,
{note:Fo,children:"Plan"}),t(T,{live:n,children:({at:o,proposals:s,declined:r,paused:a,plan:i,mode:l})=>t(f,{children:[(a??[]).map(u=>t("p",{class:"notice warn",
children:t(J,{text:u})},u)),l==="observe"?t("p",{class:"notice warn",children:"Observe mode: Ballast records decisions and makes no order."}):null,t(v,{title:s.
length===0?"Nothing to swap now":`${s.length} swap${s.length===1?"":"s"}`,note:t(f,{children:["computed ",t(S,{at:o}),i.cost===null||s.length===0?"":`, cost abo\
ut ${A(i.cost)}`]}),wide:!0,children:[s.length===0?t(X,{children:"Each rule says below why it asks for nothing."}):null,s.map(u=>t(Wo,{proposal:u,known:e},Vo(u)))]}),
t("div",{class:"grid even",children:r.map(({rule:u,reasons:p})=>t(v,{title:u,link:`#/decisions/${encodeURIComponent(u)}`,children:t(q,{reasons:p.map(d=>e.humane(
d)),none:"It proposes a swap."})},u))})]})})]})}function Vo({rules:e,from:n,to:o,amount:s}){return`${e.join()} ${n} ${o} ${s}`}function Wo({proposal:e,known:n}){
let{amount:o,from:s,receive:r,to:a,rules:i,cost:l,why:u,refused:p}=e;return t("article",{class:"proposal",children:[t("p",{class:"line",children:[t(L,{amount:o,
asset:s})," → ",t(L,{amount:r,asset:a}),p.length===0?t(k,{tone:"good",children:"would be ordered"}):t(k,{tone:"bad",children:"refused"}),t("span",{class:"quie\
t",children:[i.join(", "),l===null?"":` · cost ${A(l)}`]})]}),t(q,{reasons:[...u,...p].map(d=>n.humane(d,e))})]})}function wn({overview:e,scopes:n}){return t(f,{children:[t(O,{note:"Each rule with its last decision, and why it decided so.",children:"Rules"}),t(T,{live:e,children:({
rules:o,orders:s})=>t("div",{class:"grid even",children:[o.map(r=>t(jo,{rule:r,inFlight:s.filter(a=>a.rule===r.id).length,scopes:n},r.id)),o.length===0?t(X,{children:"\
The configuration has no rules."}):null]})})]})}function jo({rule:e,inFlight:n,scopes:o}){let{id:s,kind:r,enabled:a,paused:i,next:l,last:u,verdict:p,reasons:d}=e,
_={title:`Pause the rule ${s}?`,word:"pause",button:"Pause",path:"pause",body:{rule:s},children:t("p",{children:"The rule makes no new order until it is resumed\
. Its orders in flight go on."})},m={title:`Resume the rule ${s}?`,word:"resume",button:"Resume",path:"resume",body:{rule:s},children:t("p",{children:"The rule \
decides again at its next time."})};return t(v,{title:s,note:G(r),link:`#/decisions/${encodeURIComponent(s)}`,children:[t("p",{class:"line",children:[a?i?t(k,{tone:"\
warn",children:"paused"}):t(k,{tone:"good",children:"on"}):t(k,{tone:"calm",children:"not enabled"}),t("span",{children:["Next: ",t(S,{at:l})]}),t("span",{children:[
"Last: ",t(S,{at:u})]}),n===0?null:t("span",{children:[n," in flight"]})]}),t("p",{children:p===null?t("span",{class:"quiet",children:"It has not decided yet."}):
p==="proposed"?t("b",{children:"It proposed a swap."}):t("b",{children:"It did nothing, because:"})}),t(q,{reasons:d}),t("div",{class:"actions",children:[t(H,{change:i?
m:_,scope:"operate",scopes:o}),t("a",{class:"button",href:`#/decisions/${encodeURIComponent(s)}`,children:"All decisions"})]})]})}var qo="The configuration that the daemon has in force now. To change it, edit the file and reload; no secret is shown here.";function bn({overview:e}){let n=R(
"settings",6e4);return t(f,{children:[t(O,{note:qo,children:"Settings"}),t(T,{live:n,children:o=>t("div",{class:"grid even",children:[t(v,{title:"Daemon",children:t(
ce,{pairs:[["treasury",o.treasury],["version",e.value?.daemon.version??"unknown"],["configuration",t(z,{hash:o.configHash,what:"the hash of the configuration"},
"hash")],...o.settings.map(({name:s,means:r})=>[s,r])]})}),t(v,{title:"Chains",children:t(ce,{pairs:o.chains.map(({chain:s,family:r,nativeCoin:a,endpoints:i,agree:l})=>[
W(s),`${r}, coin ${a.symbol}, ${i} node${i===1?"":"s"} of which ${l} must agree`])})}),t(v,{title:"Services and access",children:t(ce,{pairs:[...o.services.map(
({name:s,host:r})=>[`service ${s}`,r]),...o.tokens.map(({name:s,scopes:r})=>[`token ${s}`,r.join(", ")])]})}),t(tt,{guards:o.guards})]})})]})}var zo="Nothing is ordered before you have seen the quote and typed the amount.";function Cn(e){let n=(e.overview.value?.treasury??[]).map(({asset:g})=>g),[o,s]=y(
""),[r,a]=y(""),[i,l]=y(""),[u,p]=y(null),[d,_]=y(null),[m,c]=y(!1);function h(g){g(),p(null)}async function x(g){g.preventDefault(),c(!0),p(null),_(null);try{p(
await Go({from:o,to:r,amount:i}))}catch(C){_(C instanceof B?C.message:"The page failed")}c(!1)}return t(f,{children:[t(O,{note:zo,children:"New swap"}),t("div",
{class:"grid even",children:[t(v,{title:"Request",children:[t("form",{class:"fields",onSubmit:x,children:[t(kn,{label:"Send",id:"swap-from",value:o,assets:n,onChoose:g=>h(
()=>s(g))}),t(Qo,{asset:o,value:i,onType:g=>h(()=>l(g))}),t(kn,{label:"Receive",id:"swap-to",value:r,assets:n,onChoose:g=>h(()=>a(g))}),t("button",{type:"submit",
class:"main",disabled:o===""||r===""||i===""||m,children:m?"Asking…":"Get a quote"})]}),d===null?null:t("p",{class:"notice bad",role:"alert",children:d})]}),u===
null?null:t(Ko,{quote:u,desk:e})]})]})}async function Go(e){return await Q("GET",`quote?${new URLSearchParams(e)}`)}function Qo(e){let n=e.asset===""?"":`, in ${P(
e.asset).symbol}`;return t(f,{children:[t("label",{for:"swap-amount",children:["Amount",n]}),t("input",{id:"swap-amount",inputMode:"decimal",autocomplete:"off",
value:e.value,onInput:({currentTarget:o})=>e.onType(o.value.trim())})]})}function kn(e){return t(f,{children:[t("label",{for:e.id,children:e.label}),t("select",
{id:e.id,value:e.value,onChange:n=>e.onChoose(n.currentTarget.value),children:[t("option",{value:"",children:"Choose an asset"}),e.assets.map(n=>t("option",{value:n,
children:[P(n).symbol," on ",P(n).chain]},n))]})]})}function Ko({quote:e,desk:n}){let o={title:"Order this swap?",word:e.amount,button:"Order the swap",path:"sw\
ap",body:{from:e.from,to:e.to,amount:e.amount},onDone:s=>{location.hash=`#/orders/${s.id}`},children:t(f,{children:[t("p",{children:["Send ",t(L,{amount:e.amount,
asset:e.from})," and receive about"," ",t(L,{amount:e.receive,asset:e.to}),"."]}),t(Sn,{sentences:e.worstCase})]})};return t(v,{title:"Quote",note:e.refused.length===
0?t(k,{tone:"good",children:"the guards allow it"}):t(k,{tone:"bad",children:"refused"}),children:[t("p",{class:"big",children:t(L,{amount:e.receive,asset:e.to})}),
t(Yo,{quote:e}),t(Sn,{sentences:e.worstCase}),t(q,{reasons:e.refused.map(s=>n.known.humane(s,e))}),t("div",{class:"actions",children:e.refused.length===0?t(H,{change:o,
scope:"operate",scopes:n.scopes,main:!0}):null})]})}function Yo({quote:e}){return t("dl",{class:"pairs",children:[t("div",{children:[t("dt",{children:"Cost"}),t(
"dd",{children:[ae(e.costBps),e.sendsFiat===null||e.receivesFiat===null?"":`: ${A(e.sendsFiat)} for ${A(e.receivesFiat)}`]})]}),t("div",{children:[t("dt",{children:"\
Service and solver"}),t("dd",{children:[e.service??"none"," ",e.solver===null?null:t(z,{hash:e.solver,what:"the solver's id"})]})]}),t("div",{children:[t("dt",{
children:"Network fees at most"}),t("dd",{children:e.fees===null?"cannot be estimated now":`${e.fees.deposit}; for a refund ${e.fees.refund}`})]}),t("div",{children:[
t("dt",{children:"Approval"}),t("dd",{children:e.needsApproval?"a person must approve the order":"not needed"})]})]})}function Sn({sentences:e}){return t("div",
{class:"notice warn",children:[t("b",{children:"The worst case"}),t("ul",{children:e.map(n=>t("li",{children:t(J,{text:n})},n))})]})}var at=[{id:"",name:"Overview",show:yn},{id:"orders",name:"Orders",show:fn},{id:"treasury",name:"Treasury",show:hn},{id:"rules",name:"Rules",show:wn},{id:"plan",
name:"Plan",show:vn},{id:"decisions",name:"Decisions",show:zt},{id:"limits",name:"Limits",show:tn},{id:"books",name:"Books",show:jt},{id:"alarms",name:"Alarms",
show:Wt},{id:"settings",name:"Settings",show:bn}];function Tn(){let[e,n]=y("asking"),[o,s]=y(0);return U(()=>{Jt().then(n,()=>setTimeout(()=>s(a=>a+1),2e3))},[o]),
e==="asking"?t("main",{class:"login",children:t("p",{class:"quiet",children:o===0?"Reading…":"The daemon does not answer. The page tries again every two secon\
ds."})}):e===null?t(on,{onLogin:n}):t(Zo,{account:e,onLeave:()=>{Ut(),j.loggedOut=!1,n(null)}})}function Zo({account:e,onLeave:n}){let o=R("overview",3e3),s=R("\
settings",6e4),[r="",a=null]=Ft(),i=Te(!1);U(()=>{let _=new AbortController;return Ht(_.signal),()=>_.abort()},[]);let l=j.loggedOut;U(()=>{l&&n()},[l]);let u=at.
find(({id:_})=>_===r),p=r==="swap"?"New swap":u?.name??"Not found";U(()=>{document.title=`${p} · Ballast`,i.current&&document.querySelector("h1")?.focus({preventScroll:!0}),
i.current=!0,scrollTo(0,0)},[r,a]);let d={overview:o,known:en(s.value),scopes:e.scopes,detail:a};return t(Qe.Provider,{value:d.known.speak,children:t("div",{class:"\
frame",children:[t("button",{type:"button",class:"skip",onClick:ts,children:"Skip to the content"}),t(ns,{view:r,overview:o.value,treasury:s.value?.treasury??null}),
t("div",{class:"body",children:[t(os,{account:e,overview:o.value,onLeave:n}),t(as,{overview:o.value}),t("main",{id:"content",tabIndex:-1,children:t(es,{view:r,detail:a,
desk:d},`${r}/${a}`)})]})]})})}function es({view:e,detail:n,desk:o}){if(e==="orders"&&n!==null)return t(mn,{...o,detail:n});if(e==="swap")return t(Cn,{...o});let s=at.
find(({id:r})=>r===e)?.show;return s===void 0?t("h1",{tabIndex:-1,children:"There is no such view"}):t(s,{...o})}function ts(){document.querySelector("#content")?.
focus()}function ns(e){let[n,o]=y(!1);U(()=>o(!1),[e.view]);let s={orders:e.overview?.orders.length,alarms:e.overview?.alarms.length};return t("nav",{class:n?"s\
ide open":"side","aria-label":"Views",children:t("div",{class:"rail",children:[t("a",{class:"brand",href:"#/",children:[t("img",{src:"/icon.svg",alt:"",width:"2\
6",height:"26"}),t("span",{children:["Ballast",t("small",{children:e.treasury??""})]})]}),t("ul",{children:at.map(({id:r,name:a})=>t("li",{children:t("a",{href:`\
#/${r}`,"aria-current":r===e.view?"page":void 0,children:[a,s[r]?t("span",{class:`count ${r}`,children:s[r]}):null]})},r))}),t("button",{type:"button",class:"mo\
re","aria-expanded":n,onClick:()=>o(!n),children:n?"Less":"More"})]})})}function os(e){let{account:n,overview:o}=e,s=()=>{Mt().then(e.onLeave)};return t("header",
{class:"top",children:[t("p",{class:"state",children:o===null?null:t(f,{children:[t("span",{class:`dot ${o.level}`}),o.pause===null?`${o.mode??"unknown"} mode`:
"paused"]})}),t("a",{class:"button main",href:"#/swap",children:"New swap"}),t(ss,{}),n.csrf===null?null:t("button",{type:"button",onClick:s,title:`Logged in wi\
th the token ${n.name}: ${n.scopes.join(", ")}`,children:"Log out"})]})}function ss(){let[e,n]=y(localStorage.getItem("ballast.theme")??"system");U(()=>{e==="sy\
stem"?delete document.documentElement.dataset.theme:document.documentElement.dataset.theme=e,localStorage.setItem("ballast.theme",e)},[e]);let o={light:"Light",
dark:"Dark"}[e]??"Auto",s={system:"light",light:"dark",dark:"system"}[e]??"system";return t("button",{type:"button",onClick:()=>n(s),"aria-label":`${o} colours.\
 Change to ${s}`,children:o})}var rs=1e4;function as({overview:e}){let n=Ee(),o=n-j.lastMs,s=e!==null&&(j.failing||o>rs);return U(()=>{document.body.classList.toggle(
"old",s)},[s]),t("div",{role:"status",children:s?t("p",{class:"notice bad stale",children:[t("b",{children:"This is not live."})," The daemon last answered"," ",
xe(new Date(j.lastMs).toISOString(),n),". You see the state of"," ",M(e.at,n),"."]}):null})}var xn=document.querySelector("#app");xn!==null&&bt(t(Tn,{}),xn);
