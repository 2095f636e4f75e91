/*! Ballast's dashboard, made from web/ by `npm run generate`. It contains Preact (MIT), (c) 2015-present Jason Miller. */
var S,st,dn,Q,Ae,ye,rt,fe,at,Le,Oe,pn,ie=Symbol.for("pv"),ve={},we=[],mn=/^m(i|n|o|s|text|space)$/,Pe=Array.isArray,it=we.slice,ne=Object.assign;function te(e){
e&&e.parentNode&&e.remove()}function he(e,n,o,s,a){var r={type:e,props:n,key:o,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,constructor:ie,__v:a||++st,__i:-1,__u:0};return!a&&S.vnode&&S.
vnode(r),r}function h(e){return e.children}function _e(e,n){this.props=e,this.context=n,this.__g=0}function Y(e,n){if(n==null)return e.__&&Y(e.__,e.__i+1);for(var o;n<e.__k.
length;n++)if((o=e.__k[n])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:Y(e)}function fn(e){var n,o=e.__v,s=o.__e,a=[],r=[],i=e.__P;i&&
((n=ne({constructor:ie},o)).__v=o.__v+1,S.vnode&&S.vnode(n),Re(i,n,o,e.__n,i.namespaceURI,32&o.__u?[s]:null,a,s||Y(o),32&o.__u,r),n.__v=o.__v,n.__.__k[n.__i]=n,
mt(a,n,r),o.__=o.__e=null,n.__e!=s&&lt(n))}function lt(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(n){return n&&(e.__e=n.__e)}),lt(
e)}function nt(e){(8&e.__g||(e.__g|=8,Q.push(e),ye++))&&Ae==S.debounceRendering||((Ae=S.debounceRendering)||queueMicrotask)(ct)}function ct(){try{for(var e,n=1;Q.
length;)Q.length>n&&Q.sort(rt),e=Q.shift(),n=Q.length,8&e.__g&&fn(e)}finally{(ye=Q.length)&&(Ae||queueMicrotask)(ct)}}function ut(e,n,o,s,a,r,i,l,u,p,d){var _,m,
c,f,T,y,k=s.__k||we,w=n.length;for(u=hn(o,n,k,u,w),_=0;_<w;_++)(c=o.__k[_])!=null&&(m=~c.__i&&k[c.__i]||ve,c.__i=_,y=Re(e,c,m,a,r,i,l,u,p,d),f=c.__e,(m.ref!=c.ref||
8&m.__u)&&(m.ref&&De(m.ref,null,c,m),c.ref&&d.push(c.ref,c.__c||f,c)),T=T||f,4&c.__u?(u=dt(c,u,e,!m.__v),m.__e&&(m.__e=null)):typeof c.type=="function"&&y!==void 0?
u=y:f&&(u=f.nextSibling),c.__u&=-21);return o.__e=T,u}function hn(e,n,o,s,a){var r,i,l,u,p,d,_,m,c,f=o.length,T=f,y=0,k=0,w=e.__k=Array(a);for(r=0;r<a;r++)(i=n[r])!=
null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=w[r]=he(null,i):Pe(i)?i=w[r]=he(h,{children:i}):i.constructor===ie&&
i.__b?i=w[r]=he(i.type,i.props,i.key,i.ref,i.__v):w[r]=i,u=r+y,i.__=e,i.__b=e.__b+1,l=null,~(p=i.__i=_n(i,o,u,T))&&(T--,(l=o[p])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,
p==u-1?y--:p==u+1?y++:p!=u&&(p>u?y--:y++,k=1)):(~p||(a>f?y--:a<f&&y++),typeof i.type!="function"&&(i.__u|=4))):w[r]=null;if(k){for(d=[],_=[],r=0;r<a;r++)if((i=w[r])&&
16&i.__u){for(y=0,m=d.length;y<m;)d[c=y+m>>1]<i.__i?y=c+1:m=c;d[y]=i.__i,_[r]=y+1}for(y=d.length;r--;)_[r]&&(_[r]==y?y--:w[r].__u|=4)}if(T)for(r=0;r<f;r++)!(l=o[r])||
2&l.__u||(l.__e==s&&(s=Y(l)),Ie(l,l));return s}function dt(e,n,o,s){var a,r,i,l;if(typeof e.type=="function"){if(e.props.__P)return n;if(a=e.__k)for(r=0;r<a.length;r++)
a[r]&&(a[r].__=e,n=dt(a[r],n,o,!1));return n}for(n&&!n.parentNode&&(n=Y(e))&&!n.parentNode&&(n=null),i=e.__e,l=n;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!s&&
o.moveBefore&&i.parentNode?o.moveBefore(i,n):o.insertBefore(i,n||null)),n=i;(n=n&&n.nextSibling)&&n.nodeType==8&&!n.data.startsWith("$s"););return n}function _n(e,n,o,s){var a,r=e.key,i=e.type,l=n[o],u=l&&!(2&l.__u);if(l===null&&r==null||u&&r==l.key&&i==l.type)return o;if(s>(u?1:0)){for(a=o-1;a>=0;a--)if((l=
n[a])&&!(2&l.__u)&&r==l.key&&i==l.type)return a;for(a=o+1;a<n.length;a++)if((l=n[a])&&!(2&l.__u)&&r==l.key&&i==l.type)return a}return-1}function ot(e,n,o){o==null&&
(o=""),n[0]=="-"?e.setProperty(n,o):e[n]=o}function me(e,n,o,s,a){var r,i;if(n=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof s=="string"&&(e.style.
cssText=s=""),s)for(n in s)o&&n in o||ot(e.style,n);if(o)for(n in o)s&&o[n]==s[n]||ot(e.style,n,o[n])}else if(n[0]=="o"&&n[1]=="n")typeof o!="function"&&(o=null),
typeof s!="function"&&(s=null),(e.__e||(e.__e={}))[n]=o,o&&s||(i=Oe[n]||(Oe[n]=gn(n)),(e.__a||(e.__a={}))[n]=Le,r=n!=(n=n.replace(at,"$1")),(n=n.slice(2))[0]<"a"&&
(n=n.toLowerCase()),o?e.addEventListener(n,i,r):e.removeEventListener(n,i,r));else{if(a=="http://www.w3.org/2000/svg")n=n.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(n!="width"&&n!="height"&&n!="href"&&n!="list"&&n!="form"&&n!="tabIndex"&&n!="download"&&n!="rowSpan"&&n!="colSpan"&&n!="role"&&n!="popover"&&n in e)
try{return void(e[n]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&n[4]!="-"?e.removeAttribute(n):e.setAttribute(n,n=="popover"&&o==1?"":o)}}function gn(e){
return function(n){var o=this.__e;if(o){if(o=o[e],n[fe]==null)n[fe]=Le++;else if(n[fe]<this.__a[e])return;return o(S.event?S.event(n):n)}}}function Re(e,n,o,s,a,r,i,l,u,p){
var d,_,m,c,f,T,y,k,w,x,$,$e,et,pe,Z,tt,K,ee,q=n.type;if(n.constructor!==ie)return null;128&o.__u&&(u=32&o.__u,d=o.__c.__z)&&(n.__u|=u,_=r=[],d.nodeType==8?l=ge(
d,r):r.push(d),l=r[0]||l),(d=S.__b)&&d(n);e:if(typeof q=="function"){m=i.length;try{if(k=n.props,w=(d=q.prototype)&&d.render,x=(d=q.contextType)&&s[d.__c],$=d?x?
x.props.value:d.__:s,(c=o.__c)?(n.__c=c,2&c.__g&&(c.__g|=1)):(w?n.__c=c=new q(k,$):(n.__c=c=new _e(k,$),c.constructor=q,c.render=vn),x&&x.sub(c),c.state||(c.state=
{}),c.__n=s,c.__g|=8,c.__h=[],c.__k=[]),w&&(c.__s||(c.__s=c.state),q.getDerivedStateFromProps&&(c.__s==c.state&&(c.__s=ne({},c.__s)),ne(c.__s,q.getDerivedStateFromProps(
k,c.__s)))),f=c.props,T=c.state,c.__v=n,o.__c){if(k!==f&&w&&!q.getDerivedStateFromProps&&c.componentWillReceiveProps&&c.componentWillReceiveProps(k,$),n.__v==o.
__v&&!(8&c.__g)||!(4&c.__g)&&c.shouldComponentUpdate&&c.shouldComponentUpdate(k,c.__s,$)===!1){n.__v!=o.__v&&(c.props=k,c.state=c.__s,c.__g&=-9),n.__e=o.__e,n.__k=
o.__k,n.__k.some(function(H){H&&(H.__=n)}),we.push.apply(c.__h,c.__k),c.__k=[],c.__h.length&&i.push(c),l=Y(o);break e}c.componentWillUpdate&&c.componentWillUpdate(
k,c.__s,$),w&&c.componentDidUpdate&&c.__h.push(function(){c.componentDidUpdate(f,T,y)})}else w&&!q.getDerivedStateFromProps&&c.componentWillMount&&c.componentWillMount(),
w&&c.componentDidMount&&c.__h.push(c.componentDidMount);c.context=$,c.props=k,c.__P=e,c.__g&=-5,$e=S.__r,et=w?25:0;do c.__g&=-9,$e&&$e(n),d=c.render(c.props,c.state=
c.__s,c.context);while(8&c.__g&&++et<25);w&&(we.push.apply(c.__h,c.__k),c.__k=[]),c.state=c.__s,c.getChildContext&&(s=ne({},s,c.getChildContext())),w&&o.__c&&c.
getSnapshotBeforeUpdate&&(y=c.getSnapshotBeforeUpdate(f,T)),pe=d&&d.type===h&&d.key==null?d.props.children:d,k.__P&&(d=l,a=(e=k.__P).namespaceURI,u=r=null,o.props&&
o.props.__P!=e&&(o.__k.some(function(H){H&&Ie(H,H)}),o.__k=null),l=o.__k?Y(o,0):null),l=ut(e,Pe(pe)?pe:[pe],n,o,s,a,r,i,l,u,p),k.__P&&(n.__e=null,l=d),n.__u&=-161,
_&&_.some(te),c.__h.length&&i.push(c),1&c.__g&&(c.__g&=-4)}catch(H){if(i.length=m,n.__v=null,u||r)if(H&&H.then){if(n.__u|=128|u,r){for(~(K=r.indexOf(l||void 0))||
(K=r.length);(ee=r[K-1])&&ee.nodeType==8;)K--;for(;K<r.length;K++)if(ee=r[K])if(r[K]=null,Z){if(ee==tt)break}else{if(ee.nodeType!=8)break;ee.data.startsWith("$s")&&
(tt=ge(Z=ee))}}if(!Z){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;Z=l}(d=ge(Z=n.__c.__z||(n.__c.__z=Z)))?(n.__e=Z,l=d):n.__e=l,l=l&&l.nextSibling}else
r&&r.some(te);else n.__e=o.__e;n.__k||(n.__k=o.__k||[]),H&&H.then||pt(n),S.__e(H,n,o)}}else l=n.__e=yn(o.__e,n,o,s,a,r,i,u,p,e);return(d=S.diffed)&&d(n),l}function ge(e,n){
if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.data.startsWith("/$s")&&!--o)
return e}n&&n.push(e)}}function pt(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(pt))}function mt(e,n,o){for(var s=0;s<o.length;)De(o[s++],o[s++],o[s++]);S.__c&&
S.__c(n,e),e.some(function(a){try{e=a.__h,a.__h=[],e.some(function(r){r.call(a)})}catch(r){S.__e(r,a.__v)}})}function yn(e,n,o,s,a,r,i,l,u,p){var d,_,m,c,f,T,y,
k,w=o.props||ve,x=n.props,$=n.type;if($=="svg"?a="http://www.w3.org/2000/svg":$=="math"?a="http://www.w3.org/1998/Math/MathML":a||(a="http://www.w3.org/1999/xht\
ml"),r){for(d=0;d<r.length;d++)if((f=r[d])&&($?f.localName==$:f.nodeType==3)){e=f,r[d]=null;break}}if(!e){if(k=p.ownerDocument||document,!$)return k.createTextNode(
x);e=k.createElementNS(a,$,x.is?x:p),l&&(S.__m&&S.__m(n,r),l=!1),r=null}if($){if(p=$=="template"&&e.content||e,r=$=="textarea"&&x.defaultValue!=null?null:r&&it.
call(p.childNodes),!l&&r)for(w={},d=0;d<e.attributes.length;d++)w[(f=e.attributes[d]).name]=f.value;for(d in w)f=w[d],d=="dangerouslySetInnerHTML"?m=f:d=="child\
ren"||d in x||d=="value"&&"defaultValue"in x||d=="checked"&&"defaultChecked"in x||me(e,d,null,f,a);for(d in x)f=x[d],d=="children"?c=f:d=="dangerouslySetInnerHT\
ML"?_=f:d=="value"?T=f:d=="checked"?y=f:l&&typeof f!="function"||w[d]===f||me(e,d,f,w[d],a);_?(l||m&&(_.__html==m.__html||_.__html==e.innerHTML)||(e.innerHTML=_.
__html),n.__k=[]):(m&&(e.textContent=""),($=="foreignObject"||a=="http://www.w3.org/1998/Math/MathML"&&mn.test($))&&(a="http://www.w3.org/1999/xhtml"),ut(p,Pe(c)?
c:[c],n,o,s,a,r,i,r?r[0]:o.__k&&Y(o,0),l,u),r&&r.some(te)),l&&$!="textarea"||(d="value",$=="progress"&&T==null?e.removeAttribute(d):T==null||T===e[d]&&($!="prog\
ress"||T)||me(e,d,T,w[d],a),d="checked",y!=null&&y!=e[d]&&me(e,d,y,w[d],a))}else w===x||l&&e.data==x||(e.data=x);return e}function De(e,n,o,s){try{typeof e=="fu\
nction"?n?n.__x=e(n)||1:s&&(s=s.__c||s.__e)&&(n=s.__x)&&(s.__x=null,typeof n=="function"?n():e(null)):e.current=n}catch(a){S.__e(a,o)}}function Ie(e,n,o){var s,
a,r,i;if(S.unmount&&S.unmount(e),!(s=e.ref)||s.current&&s.current!=e.__e||De(s,null,n,e),s=e.__c){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(l){
S.__e(l,n)}s.__P=s.__n=null}if(s=e.__k)for(i=0;i<s.length;i++)s[i]&&Ie(s[i],n,typeof e.type!="function"||o&&!e.props.__P);!o&&(s=e.__c)&&(s=s.__z)&&(a=ge(s,r=[]))&&
(s==e.__e&&r.some(te),te(a),te(s)),o||te(e.__e),e.__e=e.__c=e.__=null}function vn(e,n,o){return this.constructor(e,o)}function ft(e,n){var o,s,a,r;S.__&&S.__(e,
n),n.nodeType==9&&(n=n.documentElement),s=(o=e&&32&e.__u)?null:n.__k,n.__k=he(h,{children:[e]}),a=[],r=[],Re(n,n.__k,s||ve,ve,n.namespaceURI,s?null:n.firstChild?
it.call(n.childNodes):null,a,s?s.__e:n.firstChild,o,r),mt(a,n.__k,r),n.__k.props.children=null}S={__e:function(e,n,o,s){for(var a,r,i;n=n.__;)if((a=n.__c)&&!(1&a.__g)){a.__g|=4;try{if((i=(r=a.constructor)&&r.getDerivedStateFromError)&&a.setState(r.getDerivedStateFromError(
e)),a.componentDidCatch&&(a.componentDidCatch(e,s||{}),i=1),i&&8&a.__g)return void(a.__g|=2)}catch(l){e=l}}throw ye=0,e}},st=0,dn=function(e){return e!=null&&e.
constructor===ie},_e.prototype.setState=function(e,n){var o=this.__s;o&&o!=this.state||(o=this.__s=ne({},this.state)),typeof e=="function"&&(e=e(ne({},o),this.props)),
e&&(ne(o,e),this.__v&&(n&&this.__k.push(n),nt(this)))},_e.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),nt(this))},_e.prototype.render=
h,Q=[],ye=0,rt=function(e,n){return e.__v.__b-n.__v.__b},fe=Symbol(),at=/(PointerCapture)$|Capture$/i,Le=0,Oe={},pn=0;var re,P,Je,ht,Xe=Object.is,be=0,Ct=[],Me=[],L=S,_t=L.__b,gt=L.__r,yt=L.diffed,vt=L.__c,wt=L.unmount,bt=L.__;function ke(e,n){L.__h&&L.__h(P,e,be||n),be=0;var o=P.
__H||(P.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function v(e){return be=1,wn(Et,e)}function wn(e,n,o){var s=ke(re++,2);if(s.t=e,!s.__c&&
(s.__=[o?o(n):Et(void 0,n),function(r){var i=(s.__N||s.__)[0],l=s.t(i,r);Xe(i,l)||(s.__N=[l,s.__[1]],s.__c.setState({}))}],s.__c=P,!P.__f)){P.__f=!0;var a=P.shouldComponentUpdate;
P.shouldComponentUpdate=function(r,i,l){var u=this.__H;if(!u)return!0;var p=!1,d=this.props!=r;if(u.__.some(function(m){m.__N&&(p=!0,Xe(m.__[0],m.__N[0])||(d=!0))}),
a){var _=a.call(this,r,i,l);return p?_||d:_}return!p||d}}return s.__}function M(e,n){var o=ke(re++,3);!L.__s&&Tt(o.__H,n)&&(o.__P=!0,o.__=e,o.u=n,P.__H.__h.push(
o))}function xt(e){return be=5,bn(function(){return{current:e}},[])}function bn(e,n){var o=ke(re++,7);return Tt(o.__H,n)&&(o.__=e(),o.__H=n),o.__}function Be(){var e=ke(re++,11);if(!e.__){for(var n=P.__v;!n.__m&&n.__;)n=n.__;var o=n.__m||(n.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function kn(){var e;
do{for(;e=Me.shift();)try{le(e)}catch(o){L.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=Ct.shift();){var n=e.__H;if(e.__P&&n)try{n.__h.some(le),n.__h.some(Ne),n.__h=[]}catch(o){
n.__h=[],L.__e(o,e.__v)}}}while(Me.length)}L.__b=function(e){P=null,_t&&_t(e)},L.__=function(e,n){e&&n.__k&&n.__k.__m&&(e.__m=n.__k.__m),bt&&bt(e,n)},L.__r=function(e){
gt&&gt(e),re=0;var n=(P=e.__c).__H;n&&(Je==P?P.__h=[]:(n.__h.some(le),n.__h.some(Ne),re=0),n.__h=[],n.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),
Je=P},L.diffed=function(e){yt&&yt(e);var n=e.__c;n&&n.__H&&(n.__H.__h.length&&St(Ct.push(n)),n.__H.__.some(function(o){o.u&&(o.__H=o.u)})),Je=P=null},L.__c=function(e,n){
n.some(function(o){try{o.__h.some(le),o.__h=o.__h.filter(function(s){return!s.__||Ne(s)})}catch(s){o.__h=[function(){throw s}]}}),vt&&vt(e,n)},L.unmount=function(e){
wt&&wt(e);var n,o,s=e.__c;s&&s.__H&&(s.__H.__.some(function(a){try{if(a.__P&&a.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}a.__P=o,
St(Me.push(a))}else le(a)}catch(r){n=r}}),s.__H=void 0,n&&L.__e(n,s.__v))};var kt=typeof requestAnimationFrame=="function";function Sn(e){var n,o=function(){clearTimeout(
s),kt&&cancelAnimationFrame(n),setTimeout(e)},s=setTimeout(o,35);kt&&(n=requestAnimationFrame(o))}function St(e){e!=1&&ht==L.requestAnimationFrame||((ht=L.requestAnimationFrame)||
Sn)(kn)}function le(e){var n=P,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),P=n}function Ne(e){var n=P;e.__c=e.__(),P=n}function Tt(e,n){return!e||e.length!=
n.length||n.some(function(o,s){return!Xe(o,e[s])})}function Et(e,n){return typeof n=="function"?n(e):n}function oe(e){if(e<6e4)return`${Math.max(0,Math.floor(e/1e3))} s`;if(e<36e5)return`${Math.floor(e/6e4)} min`;if(e>=2*864e5)return`${Math.floor(e/864e5)} d`;let n=Math.
floor(e%36e5/6e4);return`${Math.floor(e/36e5)} h${n===0?"":` ${n} min`}`}function R(e){let[n="",o=""]=e.split(":");return{symbol:o.toUpperCase(),chain:j(n)}}function j(e){return e.replace(/(^|_)([a-z])/g,(n,o,s)=>(o?" ":"")+s.toUpperCase())}
function D(e){let[n="0",o=""]=e.split("."),s=o.slice(0,n.length>4?2:8).replace(/0+$/,""),a=n.replace(/\B(?=(\d{3})+$)/g," ");return s===""?a:`${a}.${s}`}function I(e){
if(e===null)return"unknown";let n=Number(e),o=n!==0&&Math.abs(n)<.01?4:2;return`$${n.toLocaleString("en-US",{minimumFractionDigits:o,maximumFractionDigits:o})}`}
function se(e){return e===null?"unknown":`${(e/100).toFixed(2)}%`}function Se(e,n){let o=Date.parse(e)-n;return Number.isNaN(o)?e:Math.abs(o)<1500?"now":o>0?`in\
 ${oe(o)}`:`${oe(-o)} ago`}function N(e,n=Date.now()){let o=new Date(e),s=o.toLocaleTimeString("en-GB");return o.toDateString()===new Date(n).toDateString()?s:`${o.
toLocaleDateString("en-GB",{day:"numeric",month:"short"})}, ${s}`}function V(e){return e.replace(/[-_]/g," ")}function Ue(e){return e.length<=18?e:`${e.slice(0,
8)}…${e.slice(-6)}`}function ce(e){return e==="completed"?"good":e==="held"?"bad":e==="awaiting-approval"||e.startsWith("refund")?"warn":e==="rejected"||e==="\
abandoned"?"calm":"busy"}var B=class extends Error{status;reasons;constructor(n,o){super(o.map(({message:s})=>s).join(" ")),this.status=n,this.reasons=o}},Ce="ballast.csrf";async function $t(){
try{return{...await z("GET","session"),csrf:localStorage.getItem(Ce)}}catch(e){if(e instanceof B&&e.status===401)return null;throw e}}async function At(e){let n=await z(
"POST","session",{token:e});return localStorage.setItem(Ce,n.csrf),n}async function Ot(){await z("DELETE","session").catch(()=>{}),localStorage.removeItem(Ce)}async function z(e,n,o){
let s=await He(e,n,o).catch(()=>{throw new B(0,[{code:"page.silent",message:"The daemon does not answer."}])}),a=await s.json().catch(()=>null);if(s.ok)return a;
let{reasons:r}=a??{};throw new B(s.status,r??[{code:"page.answer",message:`The daemon answered ${s.status}.`}])}function He(e,n,o,s){return fetch(`/api/v1/${n}`,
{method:e,headers:{"x-ballast-csrf":localStorage.getItem(Ce)??"",...o===void 0?{}:{"content-type":"application/json"}},...o===void 0?{}:{body:JSON.stringify(o)},
...s===void 0?{}:{signal:s}})}var F={lastMs:Date.now(),failing:!1,loggedOut:!1,streaming:!1},Fe=new Map,Ve=new Set;function O(e,n=5e3){let[,o]=v(0),[s,a]=v(null),[r,i]=v(0);return M(()=>{if(e===
null)return;let u=!1;async function p(){if(!(e===null||document.hidden))try{if(Fe.set(e,await z("GET",e)),u)return;F.lastMs=Date.now(),F.failing=!1,a(null),o(m=>m+
1)}catch(m){if(u||!(m instanceof B))return;m.status===401&&(F.loggedOut=!0),m.status===0&&(F.failing=!0),a(m)}}let d=()=>{p()};p();let _=setInterval(d,n);return Ve.
add(d),document.addEventListener("visibilitychange",d),()=>{u=!0,clearInterval(_),Ve.delete(d),document.removeEventListener("visibilitychange",d)}},[e,n,r]),{value:e===
null?null:Fe.get(e)??null,error:s,refresh:()=>i(u=>u+1)}}function We(){for(let e of Ve)e()}function Pt(){Fe.clear()}var Cn=700,Lt=4e4;async function Rt(e){let n=0,
o=()=>{n===0&&(n=window.setTimeout(()=>{n=0,We()},Cn))};for(;!e.aborted;)await xn(e,o).catch(()=>{}),F.streaming=!1,await new Promise(s=>setTimeout(s,2e3))}async function xn(e,n){
let o=new AbortController,s=setTimeout(()=>o.abort(),Lt),a=await He("GET","events",void 0,AbortSignal.any([e,o.signal]));if(!a.ok||a.body===null)return;F.streaming=
!0;let r=a.body.pipeThrough(new TextDecoderStream).getReader();for(let i=await r.read();!i.done;i=await r.read())clearTimeout(s),s=setTimeout(()=>o.abort(),Lt),
i.value.includes("data:")&&n();clearTimeout(s)}function xe(){let[e,n]=v(Date.now());return M(()=>{let o=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(
o)},[]),e}function Dt(){let[e,n]=v(location.hash);return M(()=>{let o=()=>n(location.hash);return addEventListener("hashchange",o),()=>removeEventListener("hash\
change",o)},[]),e.replace(/^#\/?/,"").split("/").map(o=>decodeURIComponent(o))}var Tn=Symbol.for("pv"),En=0;function t(e,n,o,s,a,r){n||(n={});var i,l,u=n;if("ref"in u&&typeof e!="function")for(l in u={},n)l=="ref"?i=n[l]:u[l]=n[l];var p={type:e,props:u,key:o,ref:i,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:Tn,__v:--En,__i:-1,__u:0};return(a||r)&&(p.__source=a,p.__self=r),S.vnode&&S.vnode(p),p}function b({tone:e,children:n}){return t("span",{class:`pill ${e}`,children:n})}function g(e){return t("section",{class:e.wide?"card wide":"card",children:[t("h\
eader",{children:[t("h2",{children:e.link===void 0?e.title:t("a",{href:e.link,children:e.title})}),e.note===void 0?null:t("span",{class:"note",children:e.note})]}),
e.children]})}function A({children:e,note:n}){return t("header",{class:"title",children:[t("h1",{tabIndex:-1,children:e}),n===void 0?null:t("p",{class:"note",children:n})]})}
function J({amount:e,asset:n,chain:o=!0}){let s=R(n);return t("span",{class:"amount",title:`${e??"unknown"} ${n}`,children:[t("b",{children:e===null?"?":D(e)}),
" ",s.symbol,o?t("small",{children:[" ",s.chain]}):null]})}function C({at:e,clock:n=!1}){let o=xe();return e===null?t("span",{class:"quiet",children:"never"}):t(
"time",{dateTime:e,title:e,children:n?N(e,o):Se(e,o)})}function W({reasons:e,none:n=null}){let o=[...new Map(e.map(s=>[s.message,s])).values()];return o.length===
0?n===null?null:t("p",{class:"quiet",children:n}):t("ul",{class:"reasons",children:o.map(({code:s,message:a})=>t("li",{children:[a," ",t("code",{class:"code",children:s})]},
a))})}function G({hash:e,link:n=null,what:o}){return t("span",{class:"hash",children:[n===null?t("code",{title:e,children:Ue(e)}):t("a",{href:n,target:"_blank",
rel:"noopener noreferrer",title:e,children:[t("code",{children:Ue(e)}),t("span",{class:"hidden",children:" (opens the explorer)"})]}),t(ue,{text:e,what:o})]})}function ue({
text:e,what:n}){let[o,s]=v(!1);return t("button",{type:"button",class:"copy",onClick:()=>{navigator.clipboard?.writeText(e).then(()=>{s(!0),setTimeout(()=>s(!1),
1500)})},"aria-label":`Copy ${n}`,children:o?"copied":"copy"})}function E({live:e,children:n}){return e.value!==null?t(h,{children:n(e.value)}):e.error===null?t(
"p",{class:"quiet",children:"Reading…"}):t("p",{class:"notice bad",children:e.error.message})}function X({children:e}){return t("p",{class:"empty",children:e})}
function ae(e){return t("table",{children:[t("caption",{class:"hidden",children:e.caption}),t("thead",{children:t("tr",{children:e.columns.map(n=>t("th",{scope:"\
col",children:n},n))})}),t("tbody",{children:e.rows.map(({key:n,cells:o})=>t("tr",{children:o.map((s,a)=>t("td",{"data-label":e.columns[a],children:t("div",{children:s})},
e.columns[a]))},n))})]})}function Te({percent:e,label:n}){let o=e>=100?"bad":e>=80?"warn":"good";return t("svg",{class:`meter ${o}`,viewBox:"0 0 100 6",preserveAspectRatio:"\
none",role:"img","aria-label":n,children:[t("rect",{class:"track",width:"100",height:"6"}),t("rect",{class:"fill",width:Math.max(0,Math.min(100,e)),height:"6"})]})}function Jt(e){let n=O("alerts?limit=100",1e4);return t(h,{children:[t(A,{note:"An alarm is open as long as its cause lasts. A pause by an alarm ends when a per\
son acknowledges it (Resume, on the overview).",children:"Alarms"}),t(E,{live:n,children:o=>{let s=o.alerts.filter(({closed:r})=>r===null),a=o.alerts.filter(({closed:r})=>r!==
null);return t(h,{children:[t(g,{title:s.length===0?"No alarm is open":`${s.length} open`,wide:!0,children:s.length===0?t(X,{children:"Nothing needs you here."}):
t(It,{alerts:s})}),a.length===0?null:t(g,{title:"Over",note:`${a.length} of the last 100`,wide:!0,children:t(It,{alerts:a})})]})}})]})}function It({alerts:e}){return t(
"ul",{class:"plain alarms",children:e.map(({at:n,order:o,reason:s,closed:a})=>t("li",{children:[t("p",{children:[t(b,{tone:a===null?"bad":"calm",children:a===null?
"open":`over after ${oe(Date.parse(a)-Date.parse(n))}`})," ",t("b",{children:s.message})]}),t("p",{class:"line quiet",children:[t("span",{title:n,children:N(n)}),
t(C,{at:n}),t("code",{children:s.code}),o===null?null:t("a",{href:`#/orders/${o}`,children:["Order ",o.slice(0,8)]})]})]},`${n} ${s.code} ${o}`))})}function Xt(e){let n=O("books",2e4);return t(h,{children:[t(A,{note:"Swaps of the last twelve weeks, by the ledger. A week begins on Monday, 00:00 UTC.",children:"\
Books"}),t(E,{live:n,children:({weeks:o,rules:s,total:a,isShortened:r,at:i})=>t(h,{children:[r?t("p",{class:"notice warn",children:"Only the newest 5000 orders \
count here; `ballast report` counts all of them."}):null,t("div",{class:"grid thirds",children:[t(je,{name:"Volume",value:I(a.volume),note:`${a.orders} orders`}),
t(je,{name:"Cost of swaps",value:I(a.swapCost),note:`${se(a.costBps)} of the volume, network fees included`}),t(je,{name:"Network fees",value:I(a.networkFees),note:a.
unpriced===0?"all priced":`${a.unpriced} without a price are not in it`})]}),t("div",{class:"grid thirds",children:[t(g,{title:"Volume by week",children:t(qe,{weeks:o,
series:[{name:"volume",of:l=>Number(l.volume),tone:"a"}]})}),t(g,{title:"Cost by week",children:t(qe,{weeks:o,series:[{name:"cost of swaps",of:l=>Number(l.swapCost),
tone:"b"}]})}),t(g,{title:"Network fees by week",children:t(qe,{weeks:o,series:[{name:"network fees",of:l=>Number(l.networkFees),tone:"c"}]})})]}),t(g,{title:"B\
y rule",note:t(C,{at:i}),wide:!0,children:s.length===0?t(X,{children:"No order in these weeks."}):t($n,{lines:[...s,a]})})]})})]})}function je({name:e,value:n,note:o}){
return t("section",{class:"card figure",children:[t("h2",{children:e}),t("p",{class:"big",children:n}),t("p",{class:"note",children:o})]})}function qe({weeks:e,
series:n}){let[o]=n;if(o===void 0)return t(X,{children:"Nothing to plot."});let s=Math.max(...e.map(o.of),0),a=240/e.length;return t("figure",{class:"plot",children:[
t("p",{class:"scale quiet",children:t("span",{children:I(String(s))})}),t("svg",{viewBox:"0 0 240 100",preserveAspectRatio:"none","aria-hidden":"true",children:[
t("line",{x1:"0",x2:"240",y1:"99.5",y2:"99.5"}),t("line",{x1:"0",x2:"240",y1:"50",y2:"50",class:"soft"}),t("line",{x1:"0",x2:"240",y1:"0.5",y2:"0.5",class:"soft"}),
e.map((r,i)=>{let l=s===0?0:98*o.of(r)/s;return t("rect",{class:o.tone,x:i*a+2,width:a-4,y:99-l,height:l,rx:"1.5",children:t("title",{children:`Week of ${r.group}\
: ${I(String(o.of(r)))}`})},r.group)})]}),t("p",{class:"scale quiet",children:[t("span",{children:e[0]?.group}),t("span",{children:e.at(-1)?.group})]}),t("table",
{class:"hidden",children:[t("caption",{children:[o.name," by week"]}),t("tbody",{children:e.map(r=>t("tr",{children:[t("th",{scope:"row",children:r.group}),t("t\
d",{children:I(String(o.of(r)))})]},r.group))})]})]})}function $n({lines:e}){let n=e.map(o=>({key:o.group,cells:[t("b",{children:o.group},"group"),Object.entries(
o.counts).map(([s,a])=>`${a} ${V(s)}`).join(", "),I(o.volume),I(o.swapCost),I(o.networkFees),se(o.costBps)]}));return t(ae,{caption:"Swaps by rule",columns:["Ru\
le","Orders","Volume","Cost","Network fees","Cost of volume"],rows:n})}function Mt({detail:e,overview:n,known:o}){let s=e===null?"":`rule=${encodeURIComponent(e)}&`,a=O(`decisions?${s}limit=60`,1e4);return t(h,{children:[t(A,{note:"\
Why did a rule do something, or nothing? The same answer in a row is one line with its number of times.",children:e===null?"Decisions":`Decisions of ${e}`}),t("\
nav",{class:"filters","aria-label":"Rules",children:[t("a",{class:"chip",href:"#/decisions","aria-current":e===null?"page":void 0,children:"all rules"}),(n.value?.
rules??[]).map(({id:r})=>t("a",{class:"chip",href:`#/decisions/${encodeURIComponent(r)}`,"aria-current":r===e?"page":void 0,children:r},r))]}),t(E,{live:a,children:r=>t(
"section",{class:"card",children:[r.decisions.length===0?t(X,{children:"No decision yet."}):null,r.decisions.map(i=>t(An,{decision:i,known:o},i.id))]})})]})}function An({
decision:e,known:n}){let{id:o,at:s,lastAt:a,times:r,rule:i,verdict:l,reasons:u,proposals:p,orders:d}=e,_=`ballast replay ${o}`;return t("article",{class:"propos\
al",children:[t("p",{class:"line",children:[t("b",{title:s,children:N(s)}),t("a",{href:`#/decisions/${encodeURIComponent(i)}`,children:i}),t(b,{tone:l==="propos\
ed"?"good":"calm",children:l==="proposed"?"proposed":"did nothing"}),r>1?t("span",{class:"quiet",children:[r," times, last ",t(C,{at:a})]}):null]}),p.map(m=>t("\
p",{class:"line",children:[t(J,{amount:m.amount,asset:m.from})," →"," ",t(J,{amount:m.receive,asset:m.to}),m.cost===null?null:t("span",{class:"quiet",children:[
"cost ",I(m.cost)]})]},`${m.from} ${m.to} ${m.amount}`)),t(W,{reasons:u.map(m=>n.humane(m,p[0]??null))}),t("p",{class:"line quiet",children:[d.map(m=>t("a",{href:`\
#/orders/${m}`,children:["Order ",m.slice(0,8)]},m)),t("span",{class:"hash",children:[t("code",{children:_}),t(ue,{text:_,what:"the command that computes this d\
ecision again"})]})]})]})}var de=class extends Error{name="AppError";code;disposition;details;constructor(n){super(n.message,n.cause===void 0?void 0:{cause:n.cause}),this.code=n.code,this.
disposition=n.disposition,this.details=n.details??{}}};function Nt(e,n){let o=e.length;for(;o>0&&e[o-1]===n;)o--;return e.slice(0,o)}function Bt(e,n){let o=e<0n?"-":"",s=(e<0n?-e:e).toString().padStart(n+1,"0"),a=s.slice(0,s.length-n),r=Nt(s.slice(s.length-n),"0");return`${o}${a}${r===""?"":`\
.${r}`}`}function Ut(e){return e===null?n=>n:(n,o=null)=>{let[,s=null]=Ln.exec(n)??[],[,a=null]=Pn.exec(n)??[],r=(s===null?null:ze(e,`${s}:native`))??ze(e,a)??ze(e,o);if(r===
null)return n;let i=l=>`${Bt(BigInt(l),r.decimals)} ${r.name}`;return n.replace(Rn,(l,u)=>i(u)).replace(Dn,l=>r.decimals<In?l:i(l))}}function Ht(e,n,o){let s=n.
asset??(On.includes(n.code)?o?.to:o?.from)??null;return{...n,message:e(n.message,s)}}var On=["alarm.payout_short","quote.too_good","quote.unproven"],Ft="[a-z0-9\
_]+:[a-z0-9._-]+",Ln=/units of (?:the coin|the native coin) of ([a-z0-9_]+)/i,Pn=new RegExp(`\\d (?:smallest )?(?:units of )?(${Ft})`,"i"),Rn=new RegExp(`(?<![\\\
w.])(\\d+) (?:smallest )?units(?: of the coin of [a-z0-9_]+| of ${Ft})?`,"gi"),Dn=/(?<![\w.:-])\d{10,}(?![\w.:])(?!\s(?:units|smallest))/g,In=6;function ze({assets:e,
chains:n},o){let s=e.find(r=>r.id===o);if(s!==void 0)return{decimals:s.decimals,name:s.id};let a=n.find(({chain:r})=>`${r}:native`===o)?.nativeCoin;return a===void 0?
null:{decimals:a.decimals,name:a.symbol}}function Ge(e){if(!/^[a-z0-9_-]+:[a-z0-9_.-]+$/.test(e))throw new de({code:"domain.asset_id",disposition:"refused",message:`"${e}" is not an asset id; expected \
<chain>:<asset>, for example base_sepolia:wbtc`,details:{text:e}});return e}function Jn(e){return e.slice(0,e.indexOf(":"))}function Vt(e){return Jn(Ge(`${e}:x`))}function Wt(e){let n=Ut(e===null?null:{assets:e.assets.map(({id:o,decimals:s})=>({id:Ge(o),decimals:s})),chains:e.chains.map(({chain:o,nativeCoin:s})=>({chain:Vt(
o),nativeCoin:{...s,token:null}}))});return{linkOf:(o,s)=>{let r=(e?.chains.find(i=>i.chain===o)?.explorer??null)?.tx.replace("{tx}",encodeURIComponent(s))??null;
return r?.startsWith("https://")===!0?r:null},humane:(o,s=null)=>Ht(n,o,s)}}function qt({overview:e}){let n=O("settings",6e4);return t(h,{children:[t(A,{note:"What Ballast may still sell, and what it has used.",children:"Limits"}),t(E,{
live:e,children:({limits:o})=>t("div",{class:"grid even",children:o.map(({name:s,used:a,max:r,left:i,unit:l,percent:u})=>t(g,{title:Mn(s),note:u>=80?t(b,{tone:u>=
100?"bad":"warn",children:`${u}%`}):`${u}% used`,children:[t("p",{class:"big",children:[D(i)," ",t("small",{children:[jt(l)," left"]})]}),t(Te,{percent:u,label:`${u}\
% used`}),t("p",{class:"note",children:[D(a)," of ",D(r)," ",jt(l)," used"]})]},s))})}),t(E,{live:n,children:({guards:o})=>t(Xn,{guards:o})})]})}function Xn({guards:e}){
return t(g,{title:"Every guard",note:"as the configuration in force says",wide:!0,children:t("dl",{class:"pairs",children:e.map(({guard:n,means:o})=>t("div",{children:[
t("dt",{children:t("code",{children:n})}),t("dd",{children:o})]},n))})})}function jt(e){return e==="usd"?"$":e.includes(":")?R(e).symbol:e}function Mn(e){let[n=""]=e.
split(" ");if(!n.includes(":"))return e[0]?.toUpperCase()+e.slice(1);let{symbol:o,chain:s}=R(n);return`${o} on ${s}${e.slice(n.length)}`}function zt({onLogin:e}){let[n,o]=v(""),[s,a]=v(!1),[r,i]=v(null);async function l(u){u.preventDefault(),a(!0);try{e(await At(n.trim()))}catch(p){i(p instanceof
B?p.message:"The page failed"),a(!1)}}return t("main",{class:"login",children:t("form",{class:"card",onSubmit:l,children:[t("img",{src:"/icon.svg",alt:"",width:"\
44",height:"44"}),t("h1",{children:"Ballast"}),t("p",{class:"note",children:["Log in with one of the tokens of ",t("code",{children:"ops.token"})," or ",t("code",
{children:"ops.tokens"}),". What you can do here is what the token's scopes allow."]}),t("label",{for:"token",children:"Token"}),t("input",{id:"token",type:"pas\
sword",autocomplete:"current-password",value:n,onInput:u=>o(u.currentTarget.value)}),r===null?null:t("p",{class:"notice bad",role:"alert",children:r}),t("button",
{type:"submit",class:"main",disabled:n===""||s,children:"Log in"})]})})}function Nn({change:e,onClose:n}){let o=xt(null),[s,a]=v(""),[r,i]=v(!1),[l,u]=v(null),[p,d]=[Be(),Be()];M(()=>o.current?.showModal(),[]);let _=s.trim()===e.word;
async function m(c){if(c.preventDefault(),!(!_||r)){i(!0);try{let f=await z("POST",e.path,e.body);We(),n(),e.onDone?.(f)}catch(f){f instanceof B&&u(f),i(!1)}}}return t(
"dialog",{ref:o,"aria-labelledby":p,onClose:n,children:t("form",{onSubmit:m,children:[t("h2",{id:p,children:e.title}),e.children,t("label",{for:d,children:["Typ\
e ",t("code",{class:"word",children:e.word})," to confirm"]}),t("input",{id:d,value:s,autocomplete:"off",spellcheck:!1,onInput:c=>a(c.currentTarget.value)}),l===
null?null:t("p",{class:"notice bad",role:"alert",children:l.message}),t("footer",{children:[t("button",{type:"button",onClick:n,children:"Cancel"}),t("button",{
type:"submit",class:e.danger?"main danger":"main",disabled:!_||r,children:r?"Sending…":e.button})]})]})})}function U(e){let[n,o]=v(!1),s=e.scopes.includes(e.scope);
return t(h,{children:[t("button",{type:"button",class:e.change.danger?"danger":e.main?"main":"",disabled:!s,title:s?void 0:`Your token lacks the scope ${e.scope}`,
onClick:()=>o(!0),children:e.change.button}),n?t(Nn,{change:e.change,onClose:()=>o(!1)}):null]})}function Gt({events:e,seen:n,outcome:o,state:s,approval:a,updatedAt:r,createdAt:i}){let l=(...c)=>e.find(({type:f})=>c.includes(f))?.at??null,u=s==="awaiting-ap\
proval"||a!==null,p=n.sourceRefunded!=null||s.startsWith("refund")||o==="refunded",d=[{name:"Requested",at:i},{name:"Quoted",at:l("quote.accepted")},{name:"Orde\
red",at:l("order.created")},{name:"Verified",at:l("deposit.verified")},...u?[{name:"Approved",at:a?.at??null}]:[],{name:"Deposited",at:n.sourceInitiated?.at??null},
...p?[{name:"Refunded",at:n.sourceRefunded?.at??null}]:[{name:"Solver deposited",at:n.destinationInitiated?.at??null},{name:"Paid out",at:n.destinationRedeemed?.
at??null}],{name:o===null?"Final":V(o),at:o===null?null:r}],_=d.findLastIndex(({at:c})=>c!==null),m=o==="rejected"||o==="abandoned";return d.map((c,f)=>{if(m&&f===
d.length-1)return{...c,state:"failed"};if(f<=_&&!(m&&c.at===null))return{...c,state:"done"};let T=f===_+1;return{...c,state:T&&o===null?s==="held"?"failed":"now":
"open"}}).filter(({at:c,state:f})=>!(o!==null&&c===null&&f==="open"))}function Kt(e){let{from:n,to:o,seen:s,reported:a}=e,[r,i]=[n.split(":")[0]??"",o.split(":")[0]??
""],l=Bn(e.events),u=(p,d)=>Un(Ke(l?.[p])?.[d]);return[{what:"Our deposit",chain:r,service:u("source","initiateTx"),seen:s.sourceInitiated??null},{what:"The sol\
ver's deposit",chain:i,service:u("destination","initiateTx"),seen:s.destinationInitiated??null},{what:"The payout to us",chain:i,service:u("destination","redeem\
Tx")??(a?.redeemTx||null),seen:s.destinationRedeemed??null},{what:"The solver takes our deposit",chain:r,service:u("source","redeemTx"),seen:s.sourceRedeemed??null},
{what:"The refund to us",chain:r,service:u("source","refundTx"),seen:s.sourceRefunded??null}]}function Bn(e){return e.map(({body:n})=>Ke(Ke(n)?.serviceOrder)).findLast(
n=>n!==null)??null}function Ke(e){return typeof e=="object"&&e!==null?e:null}function Un(e){return typeof e=="string"&&e!==""?e:null}function Qt(e){let[n]=Object.
entries(Hn).filter(([s])=>s===e);return n!==void 0?{who:n[1][0],says:n[1][1]}:{who:e.startsWith("operator.")?"operator":"Ballast",says:e.replaceAll(/[._]/g," ")}}
var Hn={"quote.accepted":["service","quotes a price that all guards accept"],"quote.outdated":["service","no longer accepts the quote; Ballast asks again"],"ord\
er.created":["service","creates the order"],"order.declined":["Ballast","declines to go on"],"deposit.verified":["Ballast","compared the deposit with the order;\
 every field agrees"],"operator.approved":["operator","approves the order"],"operator.rejected":["operator","rejects the order"],"operator.retried":["operator",
"asks to try again"],"operator.abandoned":["operator","gives the order up"],"operator.refunded":["operator","asks for a refund"],"approval.expired":["Ballast","\
ends the wait for an approval"],"allowance.ready":["chain","shows the allowance that the deposit needs"],"transaction.planned":["Ballast","plans a transaction"],
"transaction.signed":["Ballast","signs a transaction and stores it"],"transaction.sent":["Ballast","sends the transaction"],"transaction.mined":["chain","shows \
the transaction in a block"],"transaction.pending":["chain","shows the transaction as pending"],"transaction.unseen":["chain","does not show the transaction; it\
 is sent again"],"transaction.stuck":["chain","does not take the transaction up"],"transaction.excluded":["chain","shows that the transaction can never land"],"\
transaction.late":["Ballast","finds that the time for the transaction is over"],"gasless.signed":["Ballast","signs the typed data for the relay"],"gasless.submi\
tted":["service","takes the signature for its relay"],"gasless.initiated":["chain","shows the deposit of the relay"],"gasless.missing":["chain","does not show t\
he deposit of the relay yet"],"order.observed":["chain","shows the state of both HTLCs"],"order.unfunded":["chain","proves that the HTLC never had the deposit"]};function Yt(e){let n=O(`orders/${encodeURIComponent(e.detail)}`,3e3);return t(E,{live:n,children:o=>t(Fn,{order:o,desk:e})})}function Fn({order:e,desk:n}){let o=n.
overview.value?.orders.find(({id:s})=>s===e.id)??null;return t(h,{children:[t(A,{note:t(h,{children:["Order ",t("code",{children:e.id.slice(0,8)})," of rule"," ",
t("a",{href:`#/decisions/${encodeURIComponent(e.rule)}`,children:e.rule}),", requested"," ",t(C,{at:e.createdAt})]}),children:[t(J,{amount:e.amount,asset:e.from}),
" →"," ",t(J,{amount:e.destinationAmount,asset:e.to})]}),t("section",{class:`card wide place ${ce(e.state)}`,children:[t("p",{children:t(b,{tone:ce(e.state),children:V(
e.state)})}),t("p",{class:"money",children:[t("span",{class:"quiet",children:"Where is the money?"})," ",t("b",{children:e.money})]}),o?.left==null?null:t("p",{
children:[t("b",{children:o.left})," left",o.ends===null?"":`: ${o.ends}`]}),t(W,{reasons:e.reasons.map(s=>n.known.humane(s,e))}),t(Kn,{order:e,scopes:n.scopes})]}),
t(g,{title:"The way of the order",wide:!0,children:t(Vn,{stages:Gt(e)})}),t(g,{title:"The service's word and the chain's word",note:"Ballast believes only the c\
hain.",wide:!0,children:t(Wn,{order:e,desk:n})}),t("div",{class:"grid even",children:[t(g,{title:"Transactions",children:t(qn,{order:e,desk:n})}),t(g,{title:"Te\
rms",children:t(zn,{order:e})})]}),t(g,{title:"Everything that happened",note:`${e.events.length} events`,wide:!0,children:t(Gn,{order:e})})]})}function Vn({stages:e}){
return t("ol",{class:"stages",children:e.map(({name:n,at:o,state:s},a)=>{let r=e.slice(0,a).findLast(l=>l.at!==null)?.at??null,i=o===null||r===null?null:Date.parse(
o)-Date.parse(r);return t("li",{class:s,"aria-current":s==="now"?"step":void 0,children:[t("span",{class:"mark","aria-hidden":"true"}),t("b",{children:n}),o===null?
t("small",{children:s==="now"?"next":s==="done"?"passed":"not yet"}):t("small",{title:o,children:[N(o),i===null||i<0?"":` · +${i<1e3?`${i} ms`:oe(i)}`]})]},n)})})}
function Wn({order:e,desk:n}){let o=Kt(e).filter(({what:s,service:a,seen:r})=>a!==null||r!==null||s!=="The refund to us").map(({what:s,chain:a,service:r,seen:i})=>({
key:s,cells:[t("span",{children:[t("b",{children:s}),t("small",{class:"block",children:["on ",j(a)]})]},"what"),r===null?t("span",{class:"quiet",children:"says \
nothing"},"service"):t(G,{hash:r,link:n.known.linkOf(a,r),what:"the transaction"},"service"),i===null?t("span",{class:"quiet",children:"shows nothing"},"seen"):
t("span",{children:[t(G,{hash:i.tx,link:n.known.linkOf(a,i.tx),what:"the transaction"}),t("small",{class:"block",children:[N(i.at),", ",i.final?"final":"not fin\
al yet"]})]},"seen"),t(jn,{service:r,seen:i},"judgement")]}));return t(ae,{caption:"The service's word and the chain's word",columns:["About","The service says",
"Our own node shows","Together"],rows:o})}function jn({service:e,seen:n}){return n!==null&&e!==null&&e.toLowerCase()===n.tx.toLowerCase()?t(b,{tone:"good",children:"\
agree"}):n!==null&&e!==null?t(b,{tone:"warn",children:"another transaction"}):n!==null?t(b,{tone:"good",children:"proven"}):e!==null?t(b,{tone:"warn",children:"\
only reported"}):t(b,{tone:"calm",children:"not yet"})}function qn({order:e,desk:n}){let o=e.from.split(":")[0]??"";return e.transactions.length===0?t("p",{class:"\
empty",children:e.deposit==="gasless"&&e.depositTx!==null?"Ballast signed no transaction of its own: the relay made the deposit and paid its fee.":"Ballast has \
signed no transaction for this order."}):t("ul",{class:"plain",children:e.transactions.map(({purpose:s,attempt:a,tx:r})=>t("li",{children:[t("b",{children:s}),"\
 ",t("small",{children:a>0?`attempt ${a+1}`:`on ${j(o)}`}),t(G,{hash:r,link:n.known.linkOf(o,r),what:"the transaction"})]},r))})}function zn({order:e}){let n=R(
e.to).symbol,o=[["Order",t(G,{hash:e.id,what:"the order's id"},"id")],["Order at the service",e.serviceOrderId===null?"none":t(G,{hash:e.serviceOrderId,what:"th\
e service's id"},"s")],["Service and solver",`${e.service??"none yet"}${e.solver===null?"":`, ${e.solver}`}`],["Cost of the swap",se(e.costBps)],["Deposit",e.deposit===
"gasless"?"by a relay, without a fee of ours":"by our own transaction"],["Pays to",t(G,{hash:e.destinationOwner,what:"the address"},"d")],["Fee that the payout \
may lose",e.payoutFee===null?"unknown":`${D(e.payoutFee)} ${n}`],["Refund possible at height",e.refundableAtHeight??"not known yet"],["Approved",e.approval===null?
"no approval was needed or given":`by ${e.approval.by}, ${N(e.approval.at)}`],["A person can",e.who]];return t(h,{children:[t("dl",{class:"pairs",children:o.map(
([s,a])=>t("div",{children:[t("dt",{children:s}),t("dd",{children:a})]},s))}),e.calls.length===0?null:t(h,{children:[t("h3",{children:"Asked by people"}),t("ul",
{class:"plain",children:e.calls.map(({at:s,caller:a,source:r,action:i})=>t("li",{children:[t("b",{children:i})," by ",a," from ",r,", ",t(C,{at:s})]},`${s} ${i}`))})]})]})}
function Gn({order:e}){let[n,o]=v(!1),s=n?e.events:e.events.slice(-12);return t(h,{children:[e.events.length>s.length?t("button",{type:"button",onClick:()=>o(!0),
children:["Show the ",e.events.length-s.length," earlier events"]}):null,t("ol",{class:"events",children:s.map(({at:a,type:r,state:i},l)=>{let{who:u,says:p}=Qt(
r);return t("li",{class:u,children:[t("time",{dateTime:a,title:a,children:N(a)}),t("span",{class:"who",children:u}),t("span",{children:[p," ",t("small",{children:[
"→ ",V(i)]})]})]},`${a} ${l}`)})})]})}function Kn({order:e,scopes:n}){let o=`${e.amount} ${R(e.from).symbol}`,s=`orders/${e.id}`;if(e.state==="awaiting-approv\
al"){let r={title:"Approve this order?",word:e.amount,button:"Approve",path:`${s}/approve`,body:{intent:e.intent},children:t(h,{children:[t("p",{children:["You \
approve exactly this deposit, of ",t("b",{children:o})," on ",R(e.from).chain,", for"," ",t("b",{children:[e.destinationAmount," ",R(e.to).symbol]})," ","on ",R(
e.to).chain,". Any other deposit needs a new approval."]}),t("dl",{class:"pairs small",children:Object.entries(e.intentFields??{}).filter(([l])=>!/units/i.test(
l)).map(([l,u])=>t("div",{children:[t("dt",{children:l}),t("dd",{children:t("code",{children:u})})]},l))})]})},i={title:"Reject this order?",word:"reject",button:"\
Reject",path:`${s}/reject`,body:{},danger:!0,children:t("p",{children:["Nothing was deposited. The order ends, and ",o," stay in the wallet."]})};return t("div",
{class:"actions",children:[t(U,{change:r,scope:"approve",scopes:n,main:!0}),t(U,{change:i,scope:"approve",scopes:n}),t("span",{class:"note",children:["Approve b\
efore ",t(C,{at:e.approveBefore,clock:!0})," (",t(C,{at:e.approveBefore}),")"]})]})}if(!e.held&&e.state!=="disarmed")return null;let a=(r,i)=>({title:`${r[0]?.toUpperCase()}${r.
slice(1)} this order?`,word:r,button:r[0]?.toUpperCase()+r.slice(1),path:`${s}/${r}`,body:{},danger:r==="abandon",children:t("p",{children:i})});return t("div",
{class:"actions",children:[e.held?t(h,{children:[t(U,{change:a("retry","Ballast goes on from where the order was held."),scope:"operate",scopes:n,main:!0}),t(U,
{change:a("refund","Ballast takes the deposit back as soon as the HTLC allows it."),scope:"operate",scopes:n})]}):null,t(U,{change:a("abandon","You answer for t\
he end of this order: Ballast ends it once no deposit can land."),scope:"operate",scopes:n})]})}var Qn=["all","open","held","completed","refunded","rejected"];function Zt(e){let[n,o]=v("all"),[s,a]=v(""),r=O(n==="open"?"orders?open=true&limit=200":"orders?\
limit=200"),i=l=>(n==="all"||(n==="open"?l.outcome===null:l.state===n))&&[l.id,l.rule,l.from,l.to].some(u=>u.includes(s.trim().toLowerCase()));return t(h,{children:[
t(A,{note:"The newest 200 orders, each with the place of its money.",children:"Orders"}),t("div",{class:"filters",children:[t("fieldset",{children:[t("legend",{
class:"hidden",children:"Show"}),Qn.map(l=>t("button",{type:"button","aria-pressed":l===n,onClick:()=>o(l),children:l},l))]}),t("label",{children:[t("span",{class:"\
hidden",children:"Search by order, rule or asset"}),t("input",{type:"search",placeholder:"Order, rule or asset",value:s,onInput:l=>a(l.currentTarget.value)})]})]}),
t(E,{live:r,children:l=>t("section",{class:"card",children:t(Qe,{orders:l.orders.filter(i).map(u=>({...u,since:u.updatedAt,ends:null,left:null})),none:"No order\
 matches."})})})]})}function Qe({orders:e,none:n}){if(e.length===0)return t(X,{children:n});let o=e.map(s=>({key:s.id,cells:[t("a",{href:`#/orders/${s.id}`,class:"\
id",children:s.id.slice(0,8)},"id"),t(b,{tone:ce(s.state),children:V(s.state)},"state"),t(J,{amount:s.amount,asset:s.from},"from"),t(J,{amount:s.destinationAmount,
asset:s.to},"to"),t("span",{children:[s.money,s.left===null?null:t("small",{class:"block",children:[s.left," left",s.ends===null?"":`: ${s.ends}`]})]},"money"),
s.rule,t(C,{at:s.since},"since")]}));return t(ae,{caption:"Orders",columns:["Order","State","Sends","Receives","Where is the money?","Rule","Since"],rows:o})}function en({overview:e}){let n=O("books",2e4);return t(E,{live:e,children:({treasury:o,gas:s})=>{let a=[...new Set(o.map(({asset:r})=>r.split(":")[0]??""))];return t(
h,{children:[t(A,{note:"Balances of the last comparison of the books with the chains, against the bands of the rules.",children:"Treasury"}),t("div",{class:"gri\
d even",children:a.map(r=>t(g,{title:j(r),children:[o.filter(({asset:i})=>i.startsWith(`${r}:`)).map(i=>t(Ye,{holding:i,points:n.value?.balances.find(({asset:l})=>l===
i.asset)?.points??[],full:!0},i.asset)),s.filter(i=>i.chain===r).map(i=>t(to,{gas:i},i.chain))]},r))}),a.length===0?t(X,{children:"The configuration lists no as\
set."}):null]})}})}var Yn={below:{tone:"bad",word:"below its band"},above:{tone:"warn",word:"above its band"},within:{tone:"good",word:"in its band"},unknown:{tone:"\
calm",word:"not read yet"}};function Ye(e){let{asset:n,amount:o,readAt:s,bounds:a,shares:r}=e.holding,i=R(n);return t("div",{class:"holding",children:[t("p",{class:"\
head",children:[t("span",{children:[t("b",{children:i.symbol})," ",t("small",{children:i.chain})]}),t(J,{amount:o,asset:n,chain:!1})]}),a.map(l=>t(Zn,{amount:o,
bound:l,asset:n,full:e.full??!1},l.rule)),r.map(({rule:l,percent:u})=>t("p",{class:"note",children:["Target of ",l,": ",u," of the treasury"]},l)),e.full&&a.length===
0&&r.length===0?t("p",{class:"note",children:"No rule keeps a band for it."}):null,e.full&&e.points!==void 0?t(eo,{points:e.points,asset:n,bounds:a}):null,e.full?
t("p",{class:"note",children:["Compared with the chain ",t(C,{at:s})]}):null]})}function Zn({amount:e,bound:n,asset:o,full:s}){let[a,r,i]=[Number(n.min),Number(
n.target),n.max===null?null:Number(n.max)],l=e===null?null:Number(e),u=1.15*Math.max(i??0,r*1.5,a,l??0,Number.MIN_VALUE),p=f=>100*f/u,{tone:d,word:_}=Yn[n.place],
m=R(o).symbol,c=`${_}: from ${D(n.min)} to ${n.max===null?"any":D(n.max)}, target ${D(n.target)} ${m}`;return t(h,{children:[t("svg",{class:`band ${d}`,viewBox:"\
0 0 100 10",preserveAspectRatio:"none",role:"img","aria-label":c,children:[t("rect",{class:"track",y:"3",width:"100",height:"4"}),t("rect",{class:"range",x:p(a),
y:"1",width:Math.max(.5,(i===null?100:p(i))-p(a)),height:"8"}),l===null?null:t("rect",{class:"fill",y:"3",width:p(l),height:"4"}),t("rect",{class:"target",x:p(r)-
.2,width:"0.5",height:"10"})]}),t("p",{class:"note legend",children:[t(b,{tone:d,children:_}),t("span",{children:[D(n.min)," – ",n.max===null?"no upper bound":
D(n.max),", target"," ",D(n.target),s?` (${n.rule})`:""]})]})]})}function eo(e){let n=e.points.map(({amount:u})=>Number(u)),[o,s]=[e.points[0],e.points.at(-1)];
if(o===void 0||s===void 0)return null;let a=Math.max(...n),r=Math.min(...n),i=a-r||1,l=100/n.length;return t("figure",{class:"history",children:[t("svg",{viewBox:"\
0 0 100 24",preserveAspectRatio:"none",role:"img","aria-label":`Balance from ${o.amount} to ${s.amount}`,children:n.map((u,p)=>{let d=a===r?12:3+20*(u-r)/i;return t(
"rect",{x:p*l,y:24-d,width:l*.8,height:d},e.points[p]?.at)})}),t("figcaption",{class:"note",children:["Since ",t(C,{at:o.at}),": ",D(String(r))," to ",D(String(
a))," ",R(e.asset).symbol]})]})}function to({gas:e}){let{coin:n,amount:o,needed:s,daysLeft:a}=e,r=o!==null&&Number(o)<Number(s);return t("p",{class:"gas",children:[
"Coin for fees: ",t("b",{children:o===null?"not read yet":`${D(o)} ${n}`}),t("span",{class:"quiet",children:[" ","· ",D(s)," must stay",a===null?"":` · about ${a}\
 days left`]})," ",r?t(b,{tone:"bad",children:"too little"}):null]})}function nn({overview:e,scopes:n}){return t(E,{live:e,children:o=>t(h,{children:[t(oo,{overview:o,scopes:n}),t(ao,{overview:o}),t("div",{class:"grid",children:[
t(g,{title:"Orders in flight",link:"#/orders",wide:!0,children:t(Qe,{orders:o.orders,none:"No order is in flight."})}),t(g,{title:"Treasury",link:"#/treasury",children:o.
treasury.map(s=>t(Ye,{holding:s},s.asset))}),t("div",{class:"column",children:[t(io,{overview:o}),t(lo,{overview:o}),t(co,{overview:o})]})]})]})})}var no={ok:"A\
ll is well",attention:"Needs attention",trouble:"Trouble"};function oo({overview:e,scopes:n}){let{level:o,verdict:s,mode:a,pause:r}=e;return t("section",{class:`\
verdict ${o}`,"aria-label":"Verdict",children:[t("div",{children:[t("p",{class:"level",children:[no[o]," · ",a??"unknown"," mode",r===null?"":" · paused"]}),t(
"h1",{tabIndex:-1,children:s}),r===null?null:t("p",{children:["Paused by ",r.by," ",t(C,{at:r.at}),r.reason===null?".":`: ${r.reason}.`]})]}),t("div",{class:"ac\
tions",children:r===null?t(so,{scopes:n}):t(ro,{overview:e,scopes:n})})]})}function so({scopes:e}){return t(U,{change:{title:"Pause everything?",word:"pause",button:"\
Pause",path:"pause",body:{},children:t("p",{children:"Ballast accepts no new order and signs no new deposit. Orders that have deposited go on: they are watched,\
 and refunded when the time comes."})},scope:"operate",scopes:e})}function ro({overview:e,scopes:n}){let o=e.pause?.alarms??[],[s,a]=v([]),r={title:"Resume?",word:"\
resume",button:"Resume",path:"resume",body:{acknowledge:s},children:o.length===0?t("p",{children:"Rules make orders again at their next time."}):t("fieldset",{children:[
t("legend",{children:"Acknowledge each alarm that you have dealt with"}),o.map(({id:i,message:l})=>t("label",{class:"check",children:[t("input",{type:"checkbox",
checked:s.includes(i),onChange:u=>{let p=s.filter(d=>d!==i);a(u.currentTarget.checked?[...p,i]:p)}}),l]},i))]})};return t(U,{change:r,scope:"operate",scopes:n,main:!0})}
function ao({overview:e}){let n=e.problems.filter(({needsPerson:s})=>!s),o=[...e.tasks,...n];return o.length===0?null:t("section",{class:"problems","aria-label":"\
Problems",children:[t("h2",{children:e.tasks.length>0?"Needs you":"Worth knowing"}),t("ul",{children:o.map(({level:s,code:a,sentence:r,todo:i,command:l,order:u,
deadline:p,left:d,needsPerson:_})=>t("li",{class:s,children:[t("p",{children:[t(b,{tone:s==="trouble"?"bad":"warn",children:_?"for you":"by itself"})," ",t("b",
{children:r})]}),t("p",{children:i}),t("p",{class:"line",children:[p===null?null:t("span",{children:["Time left: ",t("b",{children:d})]}),u===null?null:t("a",{href:`\
#/orders/${u}`,children:"Open the order"}),l===null?null:t("span",{class:"hash",children:[t("code",{children:l}),t(ue,{text:l,what:"the command"})]})]})]},`${a}\
 ${r}`))})]})}function io({overview:e}){return t(g,{title:"Next",link:"#/rules",children:[e.next.length===0?t(X,{children:"No rule is due."}):null,t("dl",{class:"\
pairs",children:e.next.slice(0,5).map(({rule:n,at:o})=>t("div",{children:[t("dt",{children:t("a",{href:`#/decisions/${encodeURIComponent(n)}`,children:n})}),t("\
dd",{children:t(C,{at:o})})]},n))})]})}function lo({overview:e}){let n=e.limits.toSorted((o,s)=>s.percent-o.percent).slice(0,3);return t(g,{title:"Limits used",
link:"#/limits",children:n.map(({name:o,used:s,max:a,unit:r,percent:i})=>t("div",{class:"limit",children:[t("p",{children:[o," ",t("span",{class:"quiet",children:`${s}\
 of ${a} ${r}`})]}),t(Te,{percent:i,label:`${o}: ${i}%`})]},o))})}var tn={good:"good",slow:"warn",degraded:"warn",resting:"warn",silent:"bad",unknown:"calm"};function co({
overview:e}){let{nodes:n,services:o}=e;return t(g,{title:"Nodes and services",children:t("dl",{class:"pairs",children:[n.map(({chain:s,state:a,lastAnswer:r,endpoints:i,
needed:l})=>t("div",{children:[t("dt",{title:i.map(({host:u})=>u).join(", "),children:[j(s)," ",t("small",{children:[i.length," node",i.length===1?"":"s",", ",l,
" must agree"]})]}),t("dd",{children:[t(C,{at:r})," ",t(b,{tone:tn[a]??"calm",children:a})]})]},s)),o.map(({name:s,state:a,lastAnswer:r,inFlight:i})=>t("div",{children:[
t("dt",{children:["Service ",s," ",t("small",{children:[i," in flight"]})]}),t("dd",{children:[t(C,{at:r})," ",t(b,{tone:tn[a]??"calm",children:a})]})]},s))]})})}function on({known:e}){let n=O("plan",15e3);return t(h,{children:[t(A,{note:"What the rules would do if every rule decided now. Looking at it changes nothing.",
children:"Plan"}),t(E,{live:n,children:({at:o,proposals:s,declined:a,paused:r,plan:i,mode:l})=>t(h,{children:[(r??[]).map(u=>t("p",{class:"notice warn",children:u},
u)),l==="observe"?t("p",{class:"notice warn",children:"Observe mode: Ballast records decisions and makes no order."}):null,t(g,{title:s.length===0?"Nothing to s\
wap now":`${s.length} swap${s.length===1?"":"s"}`,note:t(h,{children:["computed ",t(C,{at:o}),i.cost===null?"":`, cost about ${I(i.cost)}`]}),wide:!0,children:[
s.length===0?t(X,{children:"Each rule says below why it asks for nothing."}):null,s.map(u=>t("article",{class:"proposal",children:[t("p",{class:"line",children:[
t(J,{amount:u.amount,asset:u.from})," →"," ",t(J,{amount:u.receive,asset:u.to}),u.refused.length===0?t(b,{tone:"good",children:"would be ordered"}):t(b,{tone:"\
bad",children:"refused"}),t("span",{class:"quiet",children:[u.rules.join(", "),u.cost===null?"":` · cost ${I(u.cost)}`]})]}),t(W,{reasons:[...u.why,...u.refused].
map(p=>e.humane(p,u))})]},`${u.rules.join()} ${u.from} ${u.to} ${u.amount}`))]}),t("div",{class:"grid even",children:a.map(({rule:u,reasons:p})=>t(g,{title:u,link:`\
#/decisions/${encodeURIComponent(u)}`,children:t(W,{reasons:p.map(d=>e.humane(d)),none:"It proposes a swap."})},u))})]})})]})}function sn({overview:e,scopes:n}){return t(h,{children:[t(A,{note:"Each rule with its last decision, and why it decided so.",children:"Rules"}),t(E,{live:e,children:({
rules:o,orders:s})=>t("div",{class:"grid even",children:[o.map(a=>t(uo,{rule:a,inFlight:s.filter(r=>r.rule===a.id).length,scopes:n},a.id)),o.length===0?t(X,{children:"\
The configuration has no rules."}):null]})})]})}function uo({rule:e,inFlight:n,scopes:o}){let{id:s,kind:a,enabled:r,paused:i,next:l,last:u,verdict:p,reasons:d}=e,
_={title:`Pause the rule ${s}?`,word:"pause",button:"Pause",path:"pause",body:{rule:s},children:t("p",{children:"The rule makes no new order until it is resumed\
. Its orders in flight go on."})},m={title:`Resume the rule ${s}?`,word:"resume",button:"Resume",path:"resume",body:{rule:s},children:t("p",{children:"The rule \
decides again at its next time."})};return t(g,{title:s,note:V(a),link:`#/decisions/${encodeURIComponent(s)}`,children:[t("p",{class:"line",children:[r?i?t(b,{tone:"\
warn",children:"paused"}):t(b,{tone:"good",children:"on"}):t(b,{tone:"calm",children:"not enabled"}),t("span",{children:["Next: ",t(C,{at:l})]}),t("span",{children:[
"Last: ",t(C,{at:u})]}),n===0?null:t("span",{children:[n," in flight"]})]}),t("p",{children:p===null?t("span",{class:"quiet",children:"It has not decided yet."}):
p==="proposed"?t("b",{children:"It proposed a swap."}):t("b",{children:"It did nothing, because:"})}),t(W,{reasons:d}),t("div",{class:"actions",children:[t(U,{change:i?
m:_,scope:"operate",scopes:o}),t("a",{class:"button",href:`#/decisions/${encodeURIComponent(s)}`,children:"All decisions"})]})]})}function rn({overview:e}){let n=O("settings",6e4);return t(h,{children:[t(A,{note:"The configuration that the daemon has in force now. To change it, edit the fi\
le and reload; no secret is shown here.",children:"Settings"}),t(E,{live:n,children:o=>t("div",{class:"grid even",children:[t(g,{title:"Daemon",children:t(Ee,{pairs:[
["treasury",o.treasury],["version",e.value?.daemon.version??"unknown"],["configuration",t(G,{hash:o.configHash,what:"the hash of the configuration"},"hash")],...o.
settings.map(({name:s,means:a})=>[s,a])]})}),t(g,{title:"Guards",link:"#/limits",children:t(Ee,{pairs:o.guards.map(({guard:s,means:a})=>[s,a])})}),t(g,{title:"C\
hains",children:t(Ee,{pairs:o.chains.map(({chain:s,family:a,nativeCoin:r,endpoints:i,agree:l})=>[j(s),`${a}, coin ${r.symbol}, ${i} node${i===1?"":"s"} of which\
 ${l} must agree`])})}),t(g,{title:"Services and access",children:t(Ee,{pairs:[...o.services.map(({name:s,host:a})=>[`service ${s}`,a]),...o.tokens.map(({name:s,
scopes:a})=>[`token ${s}`,a.join(", ")])]})})]})})]})}function Ee({pairs:e}){return t("dl",{class:"pairs",children:e.map(([n,o])=>t("div",{children:[t("dt",{children:n}),
t("dd",{children:o})]},n))})}function ln(e){let n=(e.overview.value?.treasury??[]).map(({asset:y})=>y),[o,s]=v(""),[a,r]=v(""),[i,l]=v(""),[u,p]=v(null),[d,_]=v(null),[m,c]=v(!1);async function f(y){
y.preventDefault(),c(!0),p(null),_(null);try{let k=new URLSearchParams({from:o,to:a,amount:i});p(await z("GET",`quote?${k}`))}catch(k){_(k instanceof B?k.message:
"The page failed")}c(!1)}let T=(y,k,w)=>t("select",{id:y,value:k,onChange:x=>{w(x.currentTarget.value),p(null)},children:[t("option",{value:"",children:"Choose \
an asset"}),n.map(x=>t("option",{value:x,children:[R(x).symbol," on ",R(x).chain]},x))]});return t(h,{children:[t(A,{note:"Nothing is ordered before you have se\
en the quote and typed the amount.",children:"New swap"}),t("div",{class:"grid even",children:[t(g,{title:"Request",children:[t("form",{class:"fields",onSubmit:f,
children:[t("label",{for:"swap-from",children:"Send"}),T("swap-from",o,s),t("label",{for:"swap-amount",children:["Amount",o===""?"":`, in ${R(o).symbol}`]}),t("\
input",{id:"swap-amount",inputMode:"decimal",autocomplete:"off",value:i,onInput:y=>{l(y.currentTarget.value.trim()),p(null)}}),t("label",{for:"swap-to",children:"\
Receive"}),T("swap-to",a,r),t("button",{type:"submit",class:"main",disabled:o===""||a===""||i===""||m,children:m?"Asking…":"Get a quote"})]}),d===null?null:t(
"p",{class:"notice bad",role:"alert",children:d})]}),u===null?null:t(po,{quote:u,desk:e})]})]})}function po({quote:e,desk:n}){let o={title:"Order this swap?",word:e.
amount,button:"Order the swap",path:"swap",body:{from:e.from,to:e.to,amount:e.amount},onDone:s=>{location.hash=`#/orders/${s.id}`},children:t(h,{children:[t("p",
{children:["Send ",t(J,{amount:e.amount,asset:e.from})," and receive about"," ",t(J,{amount:e.receive,asset:e.to}),"."]}),t(an,{sentences:e.worstCase})]})};return t(
g,{title:"Quote",note:e.refused.length===0?t(b,{tone:"good",children:"the guards allow it"}):t(b,{tone:"bad",children:"refused"}),children:[t("p",{class:"big",children:t(
J,{amount:e.receive,asset:e.to})}),t("dl",{class:"pairs",children:[t("div",{children:[t("dt",{children:"Cost"}),t("dd",{children:[se(e.costBps),e.sendsFiat===null||
e.receivesFiat===null?"":`: ${I(e.sendsFiat)} for ${I(e.receivesFiat)}`]})]}),t("div",{children:[t("dt",{children:"Service and solver"}),t("dd",{children:[e.service,
e.solver].filter(s=>s!==null).join(", ")||"none"})]}),t("div",{children:[t("dt",{children:"Network fees at most"}),t("dd",{children:e.fees===null?"cannot be est\
imated now":`${e.fees.deposit}; for a refund ${e.fees.refund}`})]}),t("div",{children:[t("dt",{children:"Approval"}),t("dd",{children:e.needsApproval?"a person \
must approve the order":"not needed"})]})]}),t(an,{sentences:e.worstCase}),t(W,{reasons:e.refused.map(s=>n.known.humane(s,e))}),t("div",{class:"actions",children:e.
refused.length===0?t(U,{change:o,scope:"operate",scopes:n.scopes,main:!0}):null})]})}function an({sentences:e}){return t("div",{class:"notice warn",children:[t(
"b",{children:"The worst case"}),t("ul",{children:e.map(n=>t("li",{children:n},n))})]})}var Ze=[{id:"",name:"Overview",show:nn},{id:"orders",name:"Orders",show:Zt},{id:"treasury",name:"Treasury",show:en},{id:"rules",name:"Rules",show:sn},{id:"plan",
name:"Plan",show:on},{id:"decisions",name:"Decisions",show:Mt},{id:"limits",name:"Limits",show:qt},{id:"books",name:"Books",show:Xt},{id:"alarms",name:"Alarms",
show:Jt},{id:"settings",name:"Settings",show:rn}];function cn(){let[e,n]=v("asking"),[o,s]=v(0);return M(()=>{$t().then(n,()=>setTimeout(()=>s(r=>r+1),2e3))},[o]),
e==="asking"?t("main",{class:"login",children:t("p",{class:"quiet",children:o===0?"Reading…":"The daemon does not answer. The page tries again every two secon\
ds."})}):e===null?t(zt,{onLogin:n}):t(mo,{account:e,onLeave:()=>{Pt(),F.loggedOut=!1,n(null)}})}function mo({account:e,onLeave:n}){let o=O("overview",3e3),s=O("\
settings",6e4),[a="",r=null]=Dt();M(()=>{let d=new AbortController;return Rt(d.signal),()=>d.abort()},[]);let i=F.loggedOut;M(()=>{i&&n()},[i]);let l=Ze.find(({
id:d})=>d===a),u=a==="swap"?"New swap":l?.name??"Not found";M(()=>{document.title=`${u} · Ballast`,document.querySelector("h1")?.focus({preventScroll:!0}),scrollTo(
0,0)},[a,r]);let p={overview:o,known:Wt(s.value),scopes:e.scopes,detail:r};return t("div",{class:"frame",children:[t("button",{type:"button",class:"skip",onClick:ho,
children:"Skip to the content"}),t(_o,{view:a,overview:o.value,treasury:s.value?.treasury??null}),t("div",{class:"body",children:[t(go,{account:e,overview:o.value,
onLeave:n}),t(wo,{overview:o.value}),t("main",{id:"content",tabIndex:-1,children:t(fo,{view:a,detail:r,desk:p},`${a}/${r}`)})]})]})}function fo({view:e,detail:n,
desk:o}){if(e==="orders"&&n!==null)return t(Yt,{...o,detail:n});if(e==="swap")return t(ln,{...o});let s=Ze.find(({id:a})=>a===e)?.show;return s===void 0?t("h1",
{tabIndex:-1,children:"There is no such view"}):t(s,{...o})}function ho(){document.querySelector("#content")?.focus()}function _o(e){let[n,o]=v(!1);M(()=>o(!1),
[e.view]);let s={orders:e.overview?.orders.length,alarms:e.overview?.alarms.length};return t("nav",{class:n?"side open":"side","aria-label":"Views",children:[t(
"a",{class:"brand",href:"#/",children:[t("img",{src:"/icon.svg",alt:"",width:"26",height:"26"}),t("span",{children:["Ballast",t("small",{children:e.treasury??""})]})]}),
t("ul",{children:Ze.map(({id:a,name:r})=>t("li",{children:t("a",{href:`#/${a}`,"aria-current":a===e.view?"page":void 0,children:[r,s[a]?t("span",{class:`count ${a}`,
children:s[a]}):null]})},a))}),t("button",{type:"button",class:"more","aria-expanded":n,onClick:()=>o(!n),children:n?"Less":"More"})]})}function go(e){let{account:n,
overview:o}=e,s=()=>{Ot().then(e.onLeave)};return t("header",{class:"top",children:[t("p",{class:"state",children:o===null?null:t(h,{children:[t("span",{class:`\
dot ${o.level}`}),o.pause===null?`${o.mode??"unknown"} mode`:"paused"]})}),t("a",{class:"button main",href:"#/swap",children:"New swap"}),t(yo,{}),n.csrf===null?
null:t("button",{type:"button",onClick:s,title:`Logged in with the token ${n.name}: ${n.scopes.join(", ")}`,children:"Log out"})]})}function yo(){let[e,n]=v(localStorage.
getItem("ballast.theme")??"system");M(()=>{e==="system"?delete document.documentElement.dataset.theme:document.documentElement.dataset.theme=e,localStorage.setItem(
"ballast.theme",e)},[e]);let o={system:"light",light:"dark",dark:"system"}[e]??"system";return t("button",{type:"button",onClick:()=>n(o),"aria-label":`Colours:\
 ${e}. Change to ${o}`,children:{light:"Light",dark:"Dark"}[e]??"Auto"})}var vo=1e4;function wo({overview:e}){let n=xe(),o=n-F.lastMs,s=e!==null&&(F.failing||o>
vo);return t("div",{role:"status",children:s?t("p",{class:"notice bad stale",children:[t("b",{children:"This is not live."})," The daemon last answered ",Se(new Date(
F.lastMs).toISOString(),n),". You see the state of ",N(e.at,n),"."]}):null})}var un=document.querySelector("#app");un!==null&&ft(t(cn,{}),un);
