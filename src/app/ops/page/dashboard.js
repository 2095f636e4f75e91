/*! Ballast's dashboard, made from web/ by `npm run generate`. It contains Preact (MIT), (c) 2015-present Jason Miller. */
var T,nn,fs,ce,ht,Qe,on,je,sn,vt,gt,rn,De=Symbol.for("pv"),Ze={},et=[],hs=/^m(i|n|o|s|text|space)$/,wt=Array.isArray,an=et.slice,ve=Object.assign;function ye(e){
e&&e.parentNode&&e.remove()}function Ge(e,n,o,s,a){var r={type:e,props:n,key:o,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,constructor:De,__v:a||++nn,__i:-1,__u:0};return!a&&T.vnode&&T.
vnode(r),r}function g(e){return e.children}function ze(e,n){this.props=e,this.context=n,this.__g=0}function ue(e,n){if(n==null)return e.__&&ue(e.__,e.__i+1);for(var o;n<e.
__k.length;n++)if((o=e.__k[n])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:ue(e)}function gs(e){var n,o=e.__v,s=o.__e,a=[],r=[],i=e.__P;
i&&((n=ve({constructor:De},o)).__v=o.__v+1,T.vnode&&T.vnode(n),bt(i,n,o,e.__n,i.namespaceURI,32&o.__u?[s]:null,a,s||ue(o),32&o.__u,r),n.__v=o.__v,n.__.__k[n.__i]=
n,pn(a,n,r),o.__=o.__e=null,n.__e!=s&&ln(n))}function ln(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(n){return n&&(e.__e=n.__e)}),
ln(e)}function yt(e){(8&e.__g||(e.__g|=8,ce.push(e),Qe++))&&ht==T.debounceRendering||((ht=T.debounceRendering)||queueMicrotask)(cn)}function cn(){try{for(var e,
n=1;ce.length;)ce.length>n&&ce.sort(on),e=ce.shift(),n=ce.length,8&e.__g&&gs(e)}finally{(Qe=ce.length)&&(ht||queueMicrotask)(cn)}}function un(e,n,o,s,a,r,i,l,c,u,d){
var p,f,m,h,b,v,_=s.__k||et,S=n.length;for(c=ys(o,n,_,c,S),p=0;p<S;p++)(m=o.__k[p])!=null&&(f=~m.__i&&_[m.__i]||Ze,m.__i=p,v=bt(e,m,f,a,r,i,l,c,u,d),h=m.__e,(f.
ref!=m.ref||8&f.__u)&&(f.ref&&_t(f.ref,null,m,f),m.ref&&d.push(m.ref,m.__c||h,m)),b=b||h,4&m.__u?(c=dn(m,c,e,!f.__v),f.__e&&(f.__e=null)):typeof m.type=="functi\
on"&&v!==void 0?c=v:h&&(c=h.nextSibling),m.__u&=-21);return o.__e=b,c}function ys(e,n,o,s,a){var r,i,l,c,u,d,p,f,m,h=o.length,b=h,v=0,_=0,S=e.__k=Array(a);for(r=
0;r<a;r++)(i=n[r])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=S[r]=Ge(null,i):wt(i)?i=S[r]=Ge(g,{children:i}):
i.constructor===De&&i.__b?i=S[r]=Ge(i.type,i.props,i.key,i.ref,i.__v):S[r]=i,c=r+v,i.__=e,i.__b=e.__b+1,l=null,~(u=i.__i=vs(i,o,c,b))&&(b--,(l=o[u])&&(l.__u|=2)),
l&&l.__v?(i.__u|=16,u==c-1?v--:u==c+1?v++:u!=c&&(u>c?v--:v++,_=1)):(~u||(a>h?v--:a<h&&v++),typeof i.type!="function"&&(i.__u|=4))):S[r]=null;if(_){for(d=[],p=[],
r=0;r<a;r++)if((i=S[r])&&16&i.__u){for(v=0,f=d.length;v<f;)d[m=v+f>>1]<i.__i?v=m+1:f=m;d[v]=i.__i,p[r]=v+1}for(v=d.length;r--;)p[r]&&(p[r]==v?v--:S[r].__u|=4)}if(b)
for(r=0;r<h;r++)!(l=o[r])||2&l.__u||(l.__e==s&&(s=ue(l)),kt(l,l));return s}function dn(e,n,o,s){var a,r,i,l;if(typeof e.type=="function"){if(e.props.__P)return n;
if(a=e.__k)for(r=0;r<a.length;r++)a[r]&&(a[r].__=e,n=dn(a[r],n,o,!1));return n}for(n&&!n.parentNode&&(n=ue(e))&&!n.parentNode&&(n=null),i=e.__e,l=n;l&&l.nodeType==
8;)l=l.nextSibling;for(i!=l&&(!s&&o.moveBefore&&i.parentNode?o.moveBefore(i,n):o.insertBefore(i,n||null)),n=i;(n=n&&n.nextSibling)&&n.nodeType==8&&!n.data.startsWith(
"$s"););return n}function vs(e,n,o,s){var a,r=e.key,i=e.type,l=n[o],c=l&&!(2&l.__u);if(l===null&&r==null||c&&r==l.key&&i==l.type)return o;if(s>(c?1:0)){for(a=o-1;a>=0;a--)if((l=
n[a])&&!(2&l.__u)&&r==l.key&&i==l.type)return a;for(a=o+1;a<n.length;a++)if((l=n[a])&&!(2&l.__u)&&r==l.key&&i==l.type)return a}return-1}function tn(e,n,o){o==null&&
(o=""),n[0]=="-"?e.setProperty(n,o):e[n]=o}function Ke(e,n,o,s,a){var r,i;if(n=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof s=="string"&&(e.style.
cssText=s=""),s)for(n in s)o&&n in o||tn(e.style,n);if(o)for(n in o)s&&o[n]==s[n]||tn(e.style,n,o[n])}else if(n[0]=="o"&&n[1]=="n")typeof o!="function"&&(o=null),
typeof s!="function"&&(s=null),(e.__e||(e.__e={}))[n]=o,o&&s||(i=gt[n]||(gt[n]=ws(n)),(e.__a||(e.__a={}))[n]=vt,r=n!=(n=n.replace(sn,"$1")),(n=n.slice(2))[0]<"a"&&
(n=n.toLowerCase()),o?e.addEventListener(n,i,r):e.removeEventListener(n,i,r));else{if(a=="http://www.w3.org/2000/svg")n=n.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(n!="width"&&n!="height"&&n!="href"&&n!="list"&&n!="form"&&n!="tabIndex"&&n!="download"&&n!="rowSpan"&&n!="colSpan"&&n!="role"&&n!="popover"&&n in e)
try{return void(e[n]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&n[4]!="-"?e.removeAttribute(n):e.setAttribute(n,n=="popover"&&o==1?"":o)}}function ws(e){
return function(n){var o=this.__e;if(o){if(o=o[e],n[je]==null)n[je]=vt++;else if(n[je]<this.__a[e])return;return o(T.event?T.event(n):n)}}}function bt(e,n,o,s,a,r,i,l,c,u){
var d,p,f,m,h,b,v,_,S,M,E,fe,Re,J,he,en,le,ge,re=n.type;if(n.constructor!==De)return null;128&o.__u&&(c=32&o.__u,d=o.__c.__z)&&(n.__u|=c,p=r=[],d.nodeType==8?l=
Ye(d,r):r.push(d),l=r[0]||l),(d=T.__b)&&d(n);e:if(typeof re=="function"){f=i.length;try{if(_=n.props,S=(d=re.prototype)&&d.render,M=(d=re.contextType)&&s[d.__c],
E=d?M?M.props.value:d.__:s,(m=o.__c)?(n.__c=m,2&m.__g&&(m.__g|=1)):(S?n.__c=m=new re(_,E):(n.__c=m=new ze(_,E),m.constructor=re,m.render=_s),M&&M.sub(m),m.state||
(m.state={}),m.__n=s,m.__g|=8,m.__h=[],m.__k=[]),S&&(m.__s||(m.__s=m.state),re.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=ve({},m.__s)),ve(m.__s,re.getDerivedStateFromProps(
_,m.__s)))),h=m.props,b=m.state,m.__v=n,o.__c){if(_!==h&&S&&!re.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(_,E),n.__v==o.
__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(_,m.__s,E)===!1){n.__v!=o.__v&&(m.props=_,m.state=m.__s,m.__g&=-9),n.__e=o.__e,n.__k=
o.__k,n.__k.some(function(G){G&&(G.__=n)}),et.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&i.push(m),l=ue(o);break e}m.componentWillUpdate&&m.componentWillUpdate(
_,m.__s,E),S&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(h,b,v)})}else S&&!re.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),
S&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=E,m.props=_,m.__P=e,m.__g&=-5,fe=T.__r,Re=S?25:0;do m.__g&=-9,fe&&fe(n),d=m.render(m.props,m.state=
m.__s,m.context);while(8&m.__g&&++Re<25);S&&(et.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(s=ve({},s,m.getChildContext())),S&&o.__c&&m.
getSnapshotBeforeUpdate&&(v=m.getSnapshotBeforeUpdate(h,b)),J=d&&d.type===g&&d.key==null?d.props.children:d,_.__P&&(d=l,a=(e=_.__P).namespaceURI,c=r=null,o.props&&
o.props.__P!=e&&(o.__k.some(function(G){G&&kt(G,G)}),o.__k=null),l=o.__k?ue(o,0):null),l=un(e,wt(J)?J:[J],n,o,s,a,r,i,l,c,u),_.__P&&(n.__e=null,l=d),n.__u&=-161,
p&&p.some(ye),m.__h.length&&i.push(m),1&m.__g&&(m.__g&=-4)}catch(G){if(i.length=f,n.__v=null,c||r)if(G&&G.then){if(n.__u|=128|c,r){for(~(le=r.indexOf(l||void 0))||
(le=r.length);(ge=r[le-1])&&ge.nodeType==8;)le--;for(;le<r.length;le++)if(ge=r[le])if(r[le]=null,he){if(ge==en)break}else{if(ge.nodeType!=8)break;ge.data.startsWith(
"$s")&&(en=Ye(he=ge))}}if(!he){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;he=l}(d=Ye(he=n.__c.__z||(n.__c.__z=he)))?(n.__e=he,l=d):n.__e=l,l=l&&l.nextSibling}else
r&&r.some(ye);else n.__e=o.__e;n.__k||(n.__k=o.__k||[]),G&&G.then||mn(n),T.__e(G,n,o)}}else l=n.__e=bs(o.__e,n,o,s,a,r,i,c,u,e);return(d=T.diffed)&&d(n),l}function Ye(e,n){
if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.data.startsWith("/$s")&&!--o)
return e}n&&n.push(e)}}function mn(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(mn))}function pn(e,n,o){for(var s=0;s<o.length;)_t(o[s++],o[s++],o[s++]);T.__c&&
T.__c(n,e),e.some(function(a){try{e=a.__h,a.__h=[],e.some(function(r){r.call(a)})}catch(r){T.__e(r,a.__v)}})}function bs(e,n,o,s,a,r,i,l,c,u){var d,p,f,m,h,b,v,
_,S=o.props||Ze,M=n.props,E=n.type;if(E=="svg"?a="http://www.w3.org/2000/svg":E=="math"?a="http://www.w3.org/1998/Math/MathML":a||(a="http://www.w3.org/1999/xht\
ml"),r){for(d=0;d<r.length;d++)if((h=r[d])&&(E?h.localName==E:h.nodeType==3)){e=h,r[d]=null;break}}if(!e){if(_=u.ownerDocument||document,!E)return _.createTextNode(
M);e=_.createElementNS(a,E,M.is?M:u),l&&(T.__m&&T.__m(n,r),l=!1),r=null}if(E){if(u=E=="template"&&e.content||e,r=E=="textarea"&&M.defaultValue!=null?null:r&&an.
call(u.childNodes),!l&&r)for(S={},d=0;d<e.attributes.length;d++)S[(h=e.attributes[d]).name]=h.value;for(d in S)h=S[d],d=="dangerouslySetInnerHTML"?f=h:d=="child\
ren"||d in M||d=="value"&&"defaultValue"in M||d=="checked"&&"defaultChecked"in M||Ke(e,d,null,h,a);for(d in M)h=M[d],d=="children"?m=h:d=="dangerouslySetInnerHT\
ML"?p=h:d=="value"?b=h:d=="checked"?v=h:l&&typeof h!="function"||S[d]===h||Ke(e,d,h,S[d],a);p?(l||f&&(p.__html==f.__html||p.__html==e.innerHTML)||(e.innerHTML=p.
__html),n.__k=[]):(f&&(e.textContent=""),(E=="foreignObject"||a=="http://www.w3.org/1998/Math/MathML"&&hs.test(E))&&(a="http://www.w3.org/1999/xhtml"),un(u,wt(m)?
m:[m],n,o,s,a,r,i,r?r[0]:o.__k&&ue(o,0),l,c),r&&r.some(ye)),l&&E!="textarea"||(d="value",E=="progress"&&b==null?e.removeAttribute(d):b==null||b===e[d]&&(E!="pro\
gress"||b)||Ke(e,d,b,S[d],a),d="checked",v!=null&&v!=e[d]&&Ke(e,d,v,S[d],a))}else S===M||l&&e.data==M||(e.data=M);return e}function _t(e,n,o,s){try{typeof e=="f\
unction"?n?n.__x=e(n)||1:s&&(s=s.__c||s.__e)&&(n=s.__x)&&(s.__x=null,typeof n=="function"?n():e(null)):e.current=n}catch(a){T.__e(a,o)}}function kt(e,n,o){var s,
a,r,i;if(T.unmount&&T.unmount(e),!(s=e.ref)||s.current&&s.current!=e.__e||_t(s,null,n,e),s=e.__c){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(l){
T.__e(l,n)}s.__P=s.__n=null}if(s=e.__k)for(i=0;i<s.length;i++)s[i]&&kt(s[i],n,typeof e.type!="function"||o&&!e.props.__P);!o&&(s=e.__c)&&(s=s.__z)&&(a=Ye(s,r=[]))&&
(s==e.__e&&r.some(ye),ye(a),ye(s)),o||ye(e.__e),e.__e=e.__c=e.__=null}function _s(e,n,o){return this.constructor(e,o)}function fn(e,n){var o,s,a,r;T.__&&T.__(e,
n),n.nodeType==9&&(n=n.documentElement),s=(o=e&&32&e.__u)?null:n.__k,n.__k=Ge(g,{children:[e]}),a=[],r=[],bt(n,n.__k,s||Ze,Ze,n.namespaceURI,s?null:n.firstChild?
an.call(n.childNodes):null,a,s?s.__e:n.firstChild,o,r),pn(a,n.__k,r),n.__k.props.children=null}function Ne(e){function n(o){var s,a;return this.getChildContext||(s=new Set,(a={})[n.__c]=this,this.getChildContext=function(){return a},this.shouldComponentUpdate=
function(r){this.props.value!=r.value&&s.forEach(function(i){i.__g|=4,yt(i)})},this.sub=function(r){s.add(r);var i=r.componentWillUnmount;r.componentWillUnmount=
function(){s.delete(r),i&&i.call(r)}}),o.children}return n.__c="__cC"+rn++,n.__=e,n.Provider=(n.Consumer=function(o,s){return o.children(s)}).contextType=n,n}T={__e:function(e,n,o,s){for(var a,r,i;n=n.__;)if((a=n.__c)&&!(1&a.__g)){a.__g|=4;try{if((i=(r=a.constructor)&&r.getDerivedStateFromError)&&a.setState(r.getDerivedStateFromError(
e)),a.componentDidCatch&&(a.componentDidCatch(e,s||{}),i=1),i&&8&a.__g)return void(a.__g|=2)}catch(l){e=l}}throw Qe=0,e}},nn=0,fs=function(e){return e!=null&&e.
constructor===De},ze.prototype.setState=function(e,n){var o=this.__s;o&&o!=this.state||(o=this.__s=ve({},this.state)),typeof e=="function"&&(e=e(ve({},o),this.props)),
e&&(ve(o,e),this.__v&&(n&&this.__k.push(n),yt(this)))},ze.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),yt(this))},ze.prototype.render=
g,ce=[],Qe=0,on=function(e,n){return e.__v.__b-n.__v.__b},je=Symbol(),sn=/(PointerCapture)$|Capture$/i,vt=0,gt={},rn=0;var we,L,St,hn,$t=Object.is,tt=0,$n=[],xt=[],H=T,gn=H.__b,yn=H.__r,vn=H.diffed,wn=H.__c,bn=H.unmount,_n=H.__;function Xe(e,n){H.__h&&H.__h(L,e,tt||n),tt=0;var o=L.
__H||(L.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function y(e){return tt=1,ks(Cn,e)}function ks(e,n,o){var s=Xe(we++,2);if(s.t=e,!s.__c&&
(s.__=[o?o(n):Cn(void 0,n),function(r){var i=(s.__N||s.__)[0],l=s.t(i,r);$t(i,l)||(s.__N=[l,s.__[1]],s.__c.setState({}))}],s.__c=L,!L.__f)){L.__f=!0;var a=L.shouldComponentUpdate;
L.shouldComponentUpdate=function(r,i,l){var c=this.__H;if(!c)return!0;var u=!1,d=this.props!=r;if(c.__.some(function(f){f.__N&&(u=!0,$t(f.__[0],f.__N[0])||(d=!0))}),
a){var p=a.call(this,r,i,l);return u?p||d:p}return!u||d}}return s.__}function A(e,n){var o=Xe(we++,3);!H.__s&&xn(o.__H,n)&&(o.__P=!0,o.__=e,o.u=n,L.__H.__h.push(
o))}function q(e){return tt=5,Ss(function(){return{current:e}},[])}function Ss(e,n){var o=Xe(we++,7);return xn(o.__H,n)&&(o.__=e(),o.__H=n),o.__}function be(e){var n=L.context[e.__c],o=Xe(we++,9);return o.c=e,n?(o.__==null&&(o.__=!0,n.sub(L)),n.props.value):e.__}function de(){var e=Xe(we++,11);if(!e.__){for(var n=L.__v;!n.__m&&n.__;)n=n.__;var o=n.__m||(n.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function $s(){var e;
do{for(;e=xt.shift();)try{Le(e)}catch(o){H.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=$n.shift();){var n=e.__H;if(e.__P&&n)try{n.__h.some(Le),n.__h.some(Ct),n.__h=[]}catch(o){
n.__h=[],H.__e(o,e.__v)}}}while(xt.length)}H.__b=function(e){L=null,gn&&gn(e)},H.__=function(e,n){e&&n.__k&&n.__k.__m&&(e.__m=n.__k.__m),_n&&_n(e,n)},H.__r=function(e){
yn&&yn(e),we=0;var n=(L=e.__c).__H;n&&(St==L?L.__h=[]:(n.__h.some(Le),n.__h.some(Ct),we=0),n.__h=[],n.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),
St=L},H.diffed=function(e){vn&&vn(e);var n=e.__c;n&&n.__H&&(n.__H.__h.length&&Sn($n.push(n)),n.__H.__.some(function(o){o.u&&(o.__H=o.u)})),St=L=null},H.__c=function(e,n){
n.some(function(o){try{o.__h.some(Le),o.__h=o.__h.filter(function(s){return!s.__||Ct(s)})}catch(s){o.__h=[function(){throw s}]}}),wn&&wn(e,n)},H.unmount=function(e){
bn&&bn(e);var n,o,s=e.__c;s&&s.__H&&(s.__H.__.some(function(a){try{if(a.__P&&a.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}a.__P=o,
Sn(xt.push(a))}else Le(a)}catch(r){n=r}}),s.__H=void 0,n&&H.__e(n,s.__v))};var kn=typeof requestAnimationFrame=="function";function xs(e){var n,o=function(){clearTimeout(
s),kn&&cancelAnimationFrame(n),setTimeout(e)},s=setTimeout(o,35);kn&&(n=requestAnimationFrame(o))}function Sn(e){e!=1&&hn==H.requestAnimationFrame||((hn=H.requestAnimationFrame)||
xs)($s)}function Le(e){var n=L,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),L=n}function Ct(e){var n=L;e.__c=e.__(),L=n}function xn(e,n){return!e||e.length!=
n.length||n.some(function(o,s){return!$t(o,e[s])})}function Cn(e,n){return typeof n=="function"?n(e):n}function U(e){if(e<6e4)return`${Math.max(0,Math.floor(e/1e3))} s`;if(e<36e5)return`${Math.floor(e/6e4)} min`;if(e>=2*864e5)return`${Math.floor(e/864e5)} d`;let n=Math.
floor(e%36e5/6e4);return`${Math.floor(e/36e5)} h${n===0?"":` ${n} min`}`}function On(e){return Number.isFinite(e)?`${new Date(e).toISOString().slice(0,16).replace(
"T"," ")} UTC`:"an unknown time"}function x(e){let[n="",o=""]=e.split(":");return{symbol:o.toUpperCase(),chain:N(n)}}function N(e){return e.replace(/(^|_)([a-z])/g,(n,o,s)=>(o?" ":"")+s.toUpperCase())}
function C(e){let n=e.startsWith("-")?"−":"",[o="0",s=""]=e.replace("-","").split(".");if(o.length>En)return`${n}${C(`${o.slice(0,-6)}.${o.slice(-6)}`)} M`;let a=o===
"0"?/^0*/.exec(s)?.[0].length??0:-o.length,r=s.slice(0,En+a).replace(/0+$/,""),i=o.replace(/\B(?=(\d{3})+$)/g," ");return`${n}${i}${r===""?"":`.${r}`}`}var En=6;
function w(e){if(e===null)return"unknown";let n=Math.abs(Number(e));if(n>=1e7)return`${Tn(e)}$${C(String(Math.trunc(n)))}`;let o=n>=1e3?0:n!==0&&n<.01?4:2,s=n.toLocaleString(
"en-US",{minimumFractionDigits:o,maximumFractionDigits:o});return`${Tn(e)}$${s}`}function Je(e){return Number(e)>0?`+${w(e)}`:w(e)}function Fe(e,n){let o=Number(
n)===0?0:100*Number(e)/Number(n);return`${o<0?"−":""}${Math.abs(o).toFixed(Math.abs(o)<10?2:1)}%`}function Tn(e){return e.startsWith("-")&&Number(e)!==0?"−":
""}function ae(e){return e===null?"unknown":`${(e/100).toFixed(2)}%`}function nt(e,n){let o=Date.parse(e)-n;return Number.isNaN(o)?e:Math.abs(o)<1500?"now":o>0?
`in ${U(o)}`:`${U(-o)} ago`}function P(e,n=Date.now()){let o=new Date(e),s=o.toLocaleTimeString("en-GB");return o.toDateString()===new Date(n).toDateString()?s:
`${o.toLocaleDateString("en-GB",{day:"numeric",month:"short"})}, ${s}`}function Z(e){return e.replace(/[-_]/g," ")}function Ot(e){return e.length<=18?e:`${e.slice(
0,8)}…${e.slice(-6)}`}function _e(e){return e==="completed"?"good":e==="held"?"bad":e==="awaiting-approval"||e.startsWith("refund")?"warn":e==="rejected"||e===
"abandoned"?"calm":"busy"}var F=class extends Error{status;reasons;constructor(n,o){super(o.map(({message:s})=>s).join(" ")),this.status=n,this.reasons=o}},ot="ballast.csrf";async function An(){
try{return{...await V("GET","session"),csrf:localStorage.getItem(ot)}}catch(e){if(e instanceof F&&e.status===401)return null;throw e}}async function Mn(e){let n=await V(
"POST","session",{token:e});return localStorage.setItem(ot,n.csrf),n}async function Pn(){await V("DELETE","session").catch(()=>{}),localStorage.removeItem(ot)}async function V(e,n,o){
let s=await Et(e,n,o).catch(()=>{throw new F(0,[{code:"page.silent",message:"The daemon does not answer."}])}),a=await s.json().catch(()=>null);if(s.ok)return a;
let{reasons:r}=a??{};throw new F(s.status,r??[{code:"page.answer",message:`The daemon answered ${s.status}.`}])}function Et(e,n,o,s){return fetch(`/api/v1/${n}`,
{method:e,headers:{"x-ballast-csrf":localStorage.getItem(ot)??"",...o===void 0?{}:{"content-type":"application/json"}},...o===void 0?{}:{body:JSON.stringify(o)},
...s===void 0?{}:{signal:s}})}var z={lastMs:Date.now(),failing:!1,loggedOut:!1,streaming:!1},Tt=new Map,At=new Set;function $(e,n=5e3){let[,o]=y(0),[s,a]=y(null),[r,i]=y(0);return A(()=>{if(e===
null)return;let c=!1;async function u(){if(!(e===null||document.hidden))try{if(Tt.set(e,await V("GET",e)),c)return;z.lastMs=Date.now(),z.failing=!1,a(null),o(f=>f+
1)}catch(f){if(c||!(f instanceof F))return;f.status===401&&(z.loggedOut=!0),f.status===0&&(z.failing=!0),a(f)}}let d=()=>{u()};u();let p=setInterval(d,n);return At.
add(d),document.addEventListener("visibilitychange",d),()=>{c=!0,clearInterval(p),At.delete(d),document.removeEventListener("visibilitychange",d)}},[e,n,r]),{value:e===
null?null:Tt.get(e)??null,error:s,refresh:()=>i(c=>c+1)}}function ke(){for(let e of At)e()}function Dn(){Tt.clear()}var Cs=700,Rn=4e4;async function Nn(e){let n=0,
o=()=>{n===0&&(n=window.setTimeout(()=>{n=0,ke()},Cs))};for(;!e.aborted;)await Os(e,o).catch(()=>{}),z.streaming=!1,await new Promise(s=>setTimeout(s,2e3))}async function Os(e,n){
let o=new AbortController,s=setTimeout(()=>o.abort(),Rn),a=await Et("GET","events",void 0,AbortSignal.any([e,o.signal]));if(!a.ok||a.body===null)return;z.streaming=
!0;let r=a.body.pipeThrough(new TextDecoderStream).getReader();for(let i=await r.read();!i.done;i=await r.read())clearTimeout(s),s=setTimeout(()=>o.abort(),Rn),
i.value.includes("data:")&&n();clearTimeout(s)}function K(){let[e,n]=y(Date.now());return A(()=>{let o=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(
o)},[]),e}function Ln(){let[e,n]=y(location.hash);return A(()=>{let o=()=>n(location.hash);return addEventListener("hashchange",o),()=>removeEventListener("hash\
change",o)},[]),e.replace(/^#\/?/,"").split("/").map(o=>decodeURIComponent(o))}var Es=Symbol.for("pv"),Ts=0;function t(e,n,o,s,a,r){n||(n={});var i,l,c=n;if("ref"in c&&typeof e!="function")for(l in c={},n)l=="ref"?i=n[l]:c[l]=n[l];var u={type:e,props:c,key:o,ref:i,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:Es,__v:--Ts,__i:-1,__u:0};return(a||r)&&(u.__source=a,u.__self=r),T.vnode&&T.vnode(u),u}var Mt=Ne(e=>e);function W({text:e}){return t(g,{children:be(Mt)(e)})}var Ie=Ne([]),As=10;function xe(){let e=be(Ie);return n=>{let o=e.indexOf(n.split(":")[0]??
"");return o===-1?"chain-none":`chain-${o%As}`}}function j({id:e}){let n=xe();return t("span",{class:"chain-name",children:[t("i",{class:n(e)}),N(e.split(":")[0]??
"")]})}var Pt=Ne(!1);function Ce(e,n){return be(Pt)?"The daemon does not answer, so nothing can be changed":n.includes(e)?null:`Your token lacks the scope ${e}`}
function R({tone:e,children:n}){return t("span",{class:`pill ${e}`,children:n})}function k(e){return t("section",{class:e.wide?"card wide":"card",children:[t("h\
eader",{children:[t("h2",{children:e.link===void 0?e.title:t("a",{href:e.link,children:e.title})}),e.note===void 0?null:t("span",{class:"note",children:e.note})]}),
e.children]})}function X({children:e,note:n}){return t("header",{class:"title",children:[t("h1",{tabIndex:-1,children:e}),n===void 0?null:t("p",{class:"note",children:n})]})}
function I({amount:e,asset:n,chain:o=!0,symbol:s=!0}){let a=x(n);return t("span",{class:"amount",title:`${e??"no reading"} ${n}`,"data-exact":e??void 0,children:[
t("b",{children:e===null?"no reading":C(e)}),s?` ${a.symbol}`:null,o?t("small",{children:[" ",a.chain]}):null]})}var Rt=Ne(!1);function oe({fiat:e}){return t("s\
pan",{title:`${e} usd`,"data-exact":e,children:w(e)})}function O({at:e,clock:n=!1}){let o=K(),s=be(Rt)||n;return e===null?t("span",{class:"quiet",children:"neve\
r"}):t("time",{dateTime:e,title:e,children:s?P(e,o):nt(e,o)})}function Y({reasons:e,none:n=null}){let o=[...new Map(e.map(s=>[s.message,s])).values()];return o.
length===0?n===null?null:t("p",{class:"quiet",children:n}):t("ul",{class:"reasons",children:o.map(({code:s,message:a})=>t("li",{title:s,children:t(W,{text:a})},
a))})}function Q({hash:e,link:n=null,what:o}){return t("span",{class:"hash",children:[n===null?t("code",{title:e,children:Ot(e)}):t("a",{href:n,target:"_blank",
rel:"noopener noreferrer",title:e,children:[t("code",{children:Ot(e)}),t("span",{class:"hidden",children:" (opens the explorer)"})]}),t(Se,{text:e,what:o})]})}function Se({
text:e,what:n}){let[o,s]=y(!1);return t("button",{type:"button",class:"copy",onClick:()=>{navigator.clipboard?.writeText(e).then(()=>{s(!0),setTimeout(()=>s(!1),
1500)})},"aria-label":`Copy ${n}`,children:o?"copied":"copy"})}function D({live:e,children:n}){return e.value!==null?t(g,{children:n(e.value)}):e.error===null?t(
Ms,{}):t("p",{class:"notice bad",children:e.error.message})}function Ms(){return t("div",{class:"card skeleton",role:"status",children:[t("span",{class:"hidden",
children:"Reading…"}),t("i",{}),t("i",{}),t("i",{})]})}function B({children:e}){return t("p",{class:"empty",children:e})}function ee(e){return t("table",{class:e.
figures?"figures":void 0,children:[t("caption",{class:"hidden",children:e.caption}),t("thead",{children:t("tr",{children:e.columns.map(n=>t("th",{scope:"col",children:n},
n))})}),t("tbody",{children:e.rows.map(({key:n,cells:o})=>t("tr",{children:o.map((s,a)=>t("td",{"data-label":e.columns[a],children:t("div",{children:s})},e.columns[a]))},
n))})]})}function st({percent:e,label:n}){let o=e>=100?"bad":e>=80?"warn":"good";return t("svg",{class:`meter ${o}`,viewBox:"0 0 100 6",preserveAspectRatio:"non\
e",role:"img","aria-label":n,children:[t("rect",{class:"track",width:"100",height:"6"}),t("rect",{class:"fill",width:Math.max(0,Math.min(100,e)),height:"6"})]})}
function Oe({pairs:e}){return t("dl",{class:"pairs",children:e.map(([n,o])=>t("div",{children:[t("dt",{children:n}),t("dd",{children:o})]},n))})}var Ps="An alarm is open as long as its cause lasts. A pause by an alarm ends when a person acknowledges it (Resume, on the overview).";function Jn({overview:e}){
let n=$("alerts?limit=100",1e4);return t(g,{children:[t(X,{note:Ps,children:"Alarms"}),t(D,{live:n,children:o=>{let s=o.alerts.filter(({closed:i})=>i===null),a=e.
value?.problems??[],r=o.alerts.filter(({closed:i})=>i!==null);return t(g,{children:[t(k,{title:s.length===0?"No alarm is open":`${s.length} open`,wide:!0,children:s.
length===0?t(B,{children:"Nothing needs you here."}):t(Xn,{alerts:s,problems:a})}),r.length===0?null:t(k,{title:"Over",note:`${r.length} of the last 100`,wide:!0,
children:t(Xn,{alerts:r})})]})}})]})}function Xn({alerts:e,problems:n=[]}){return t("ul",{class:"plain alarms",children:e.map(({at:o,order:s,reason:a,closed:r})=>t(
"li",{children:[t("p",{children:[t(R,{tone:r===null?"bad":"calm",children:r===null?"open":`over after ${U(Date.parse(r)-Date.parse(o))}`})," ",t("b",{title:a.code,
children:t(W,{text:a.message})})]}),t("p",{class:"line quiet",children:[t("span",{title:o,children:P(o)}),t(O,{at:o}),s===null?null:t("a",{href:`#/orders/${s}`,
children:["Order ",s.slice(0,8)]})]}),t(Rs,{problem:n.find(i=>i.code===a.code&&i.order===s)})]},`${o} ${a.code} ${s}`))})}function Rs({problem:e}){if(e===void 0)
return null;let{meaning:n,todo:o,command:s}=e;return t(g,{children:[t("p",{children:[n," ",t(W,{text:o})]}),s===null?null:t("p",{class:"hash",children:[t("code",
{children:s}),t(Se,{text:s,what:"the command"})]})]})}function Ee(e,n,o=3){let s=(n-e)/o;if(!(s>0))return[e];let a=10**Math.floor(Math.log10(s)),r=a*([1,2,2.5,5,10].find(c=>c*a>=s)??10),i=Math.ceil(e/r-1e-9),l=Math.
floor(n/r+1e-9);return Array.from({length:l-i+1},(c,u)=>Number(((i+u)*r).toPrecision(12)))}function Te(e,n,o=5){let s=Ds.find(l=>(n-e)/l<=o)??31536e6,a=new Date(
e).getTimezoneOffset()*6e4,r=Math.ceil((e-a)/s)*s+a;return Array.from({length:Math.max(0,Math.floor((n-r)/s)+1)},(l,c)=>r+c*s).map(l=>({ms:l,label:Ns(l,s,n-e)}))}
var Ds=[...[1/60,1/12,1/4,1,3,6,12].map(e=>e*36e5),...[1,2,7,14,30,91].map(e=>e*864e5)];function Ns(e,n,o){let s=new Date(e);return n<864e5?s.toLocaleTimeString(
"en-GB",{hour:"2-digit",minute:"2-digit"}):o<=8*864e5?s.toLocaleDateString("en-GB",{weekday:"short"}):s.toLocaleDateString("en-GB",{day:"2-digit",month:"short"})}
var Ls=[[1e9,"G"],[1e6,"M"],[1e3,"k"]];function te(e,n=e){let[o,s]=Ls.find(([r])=>Math.abs(e)>=r)??[1,""],a=n===0?4:Math.ceil(Math.log10(Math.abs(e/n)||1))+3;return`${Number(
(e/o).toPrecision(Math.max(4,Math.min(12,a))))}${s}`}function me(){let[e,n]=y(null),[o,s]=y(0);return A(()=>{if(e===null)return;let a=new ResizeObserver(([r])=>s(Math.floor(r?.contentRect.width??0)));return a.observe(
e),()=>a.disconnect()},[e]),[n,o]}var rt=132,Be=48,at=8,Xs=20;function Ae(e){let{title:n,steps:o,series:s,as:a,show:r,limit:i=null}=e,[l,c]=me(),u=_=>s.map(({of:S})=>S(_)??0),d=_=>a==="bars"?u(_).
reduce((S,M)=>S+M,0):Math.max(...u(_)),p=Math.max(...o.map(d),i?.value??0),f=p===0?1:p*1.08,m=Date.parse(o[0]?.from??""),h=Date.parse(o.at(-1)?.to??""),b=_=>Be+
(c-Be-at)*(_-m)/Math.max(1,h-m),v=_=>8+rt-rt*_/f;return t("figure",{class:"chart",ref:l,children:[t("svg",{width:c,height:8+rt+Xs,role:"img","aria-label":Js(e,p),
children:[Ee(0,f).map(_=>t("g",{children:[t("line",{class:"grid-line",x1:Be,x2:c-at,y1:v(_),y2:v(_)}),t("text",{x:Be-6,y:v(_)+4,"text-anchor":"end",children:r(_)})]},
_)),Te(m,h,Math.max(2,Math.floor(c/60))).map(({ms:_,label:S})=>t("text",{x:b(_),y:8+rt+15,"text-anchor":"middle",children:S},_)),a==="bars"?t(Fs,{steps:o,series:s,
x:b,y:v,show:r}):t(Is,{steps:o,series:s,x:b,y:v}),i===null?null:t(g,{children:[t("line",{class:"limit-line",x1:Be,x2:c-at,y1:v(i.value),y2:v(i.value)}),t("text",
{x:c-at,y:v(i.value)-4,"text-anchor":"end",children:i.name})]})]}),t(Bs,{title:n,steps:o,series:s,show:r})]})}function Js({title:e,steps:n,show:o},s){return`${e}\
: ${n.length} steps from ${n[0]?.from??""}, at most ${o(s)}`}function Fs(e){let{steps:n,series:o,x:s,y:a,show:r}=e,i=Date.now();return t(g,{children:n.map(l=>{let c=s(
Date.parse(l.from)),u=s(Date.parse(l.to)),d=Date.parse(l.to)<=i,p=0;return o.map(({name:f,of:m,tone:h})=>{let b=m(l)??0;return p+=b,t("rect",{class:`bar-${h} ${d?
"":"part"}`,x:c+(u-c)*.14,width:Math.max(1,(u-c)*.72),y:a(p),height:Math.max(0,a(0)-a(b)),children:t("title",{children:`${Fn(l)}, ${f}: ${r(b)}${d?"":" so far"}`})},
`${l.from} ${f}`)})})})}function Is({steps:e,series:n,x:o,y:s}){let a=r=>o((Date.parse(r.from)+Date.parse(r.to))/2);return t(g,{children:n.map(({name:r,of:i,tone:l})=>{
let c=e.map(d=>({step:d,value:i(d)})),u=c.map(({step:d,value:p},f)=>p===null?"":`${f===0||c[f-1]?.value===null?"M":"L"}${a(d)} ${s(p)}`).join("");return t("g",{
children:[t("path",{class:`line-${l}`,d:u}),c.map(({step:d,value:p})=>p===null?null:t("circle",{class:`dot-${l}`,cx:a(d),cy:s(p),r:"2.2"},d.from))]},r)})})}function Fn({
from:e,to:n}){return Date.parse(n)-Date.parse(e)<24*36e5?`${e.slice(0,10)} ${e.slice(11,16)} UTC`:e.slice(0,10)}function Bs(e){let{title:n,steps:o,series:s,show:a}=e;
return t("div",{class:"hidden",children:t("table",{children:[t("caption",{children:n}),t("thead",{children:t("tr",{children:[t("th",{scope:"col",children:"Time"}),
s.map(({name:r})=>t("th",{scope:"col",children:r},r))]})}),t("tbody",{children:o.map(r=>t("tr",{children:[t("th",{scope:"row",children:Fn(r)}),s.map(({name:i,of:l})=>{
let c=l(r);return t("td",{children:c===null?"none":a(c)},i)})]},r.from))})]})})}function In(e){let n=$("books",2e4);return t(g,{children:[t(X,{note:"Swaps of the last 52 weeks, by the ledger. A week begins on Monday, 00:00 UTC.",children:"B\
ooks"}),t(D,{live:n,children:({weeks:o,rules:s,total:a,at:r})=>t(g,{children:[t("div",{class:"grid thirds",children:[t(Dt,{name:"Volume",value:w(a.volume),note:`${a.
orders} orders`}),t(Dt,{name:"Cost of swaps",value:w(a.swapCost),note:`${ae(a.costBps)} of the volume, network fees included`}),t(Dt,{name:"Network fees",value:w(
a.networkFees),note:a.unpriced===0?"all priced":`${a.unpriced} without a price are not in it`})]}),t("div",{class:"grid thirds",children:[t(Nt,{title:"Volume by\
 week",weeks:o,of:({volume:i})=>i}),t(Nt,{title:"Cost by week",weeks:o,of:({swapCost:i})=>i}),t(Nt,{title:"Network fees by week",weeks:o,of:i=>i.networkFees})]}),
t(k,{title:"By rule",note:t(O,{at:r}),wide:!0,children:s.length===0?t(B,{children:"No order in these weeks."}):t(Us,{lines:[...s,a]})})]})})]})}function Dt({name:e,
value:n,note:o}){return t("section",{class:"card figure",children:[t("h2",{children:e}),t("p",{class:"big",children:n}),t("p",{class:"note",children:o})]})}var Hs=7*
864e5;function Nt(e){let n=e.weeks.map(o=>{let s=Date.parse(`${o.group}T00:00:00Z`),[a,r]=[s,s+Hs].map(i=>new Date(i).toISOString());return{from:a??"",to:r??"",
value:Number(e.of(o))}});return t(k,{title:e.title,note:"usd",children:t(Ae,{title:e.title,steps:n,as:"bars",show:o=>`$${te(o)}`,series:[{name:"usd",of:({value:o})=>o,
tone:"a"}]})})}function Us({lines:e}){let n=e.map(o=>({key:o.group,cells:[t("b",{children:o.group},"group"),Object.entries(o.counts).map(([s,a])=>`${a} ${Z(s)}`).
join(", "),w(o.volume),w(o.swapCost),w(o.networkFees),ae(o.costBps)]}));return t(ee,{caption:"Swaps by rule",columns:["Rule","Orders","Volume","Cost","Network f\
ees","Cost of volume"],rows:n})}function Bn(e){return[...Map.groupBy(e,({rule:o,verdict:s,reasons:a,proposals:r})=>JSON.stringify([o,s,a.map(({code:i})=>i),r.map(({from:i,to:l})=>[i,l])])).values()]}var Ws="Why did a rule do something, or nothing? The same outcome is one line; a rule's own list has each decision.",Vs=100;function Wn({detail:e,overview:n,known:o}){
let s=e===null?"":`rule=${encodeURIComponent(e)}&`,a=$(`decisions?${s}limit=${Vs}`,1e4);return t(g,{children:[t(X,{note:Ws,children:e===null?"Decisions":`Decisi\
ons of ${e}`}),t("nav",{class:"filters","aria-label":"Rules",children:[t("a",{class:"chip",href:"#/decisions","aria-current":e===null?"page":void 0,children:"al\
l rules"}),(n.value?.rules??[]).map(({id:r})=>t("a",{class:"chip",href:`#/decisions/${encodeURIComponent(r)}`,"aria-current":r===e?"page":void 0,children:r},r))]}),
t(D,{live:a,children:r=>t("section",{class:"card",children:[r.decisions.length===0?t(B,{children:"No decision yet."}):null,(e===null?Bn(r.decisions):r.decisions.
map(i=>[i])).map(i=>t(qs,{group:i,known:o},i[0]?.id))]})})]})}function qs(e){let[n,...o]=e.group;if(n===void 0)return null;let s=o.reduce((a,r)=>a+r.times,0);return t(
g,{children:[t(Hn,{decision:n,known:e.known}),o.length===0?null:t("details",{class:"others",children:[t("summary",{children:[s," more like this, since ",P(o.at(
-1)?.at??n.at)]}),o.map(a=>t(Hn,{decision:a,known:e.known},a.id))]})]})}function Hn({decision:e,known:n}){let{id:o,at:s,lastAt:a,times:r,rule:i,verdict:l,reasons:c,
proposals:u,orders:d}=e,p=`ballast replay ${o}`;return t("article",{class:"proposal",children:[t("p",{class:"line",children:[t("b",{title:s,children:P(s)}),t("a",
{href:`#/decisions/${encodeURIComponent(i)}`,children:i}),t(R,{tone:l==="proposed"?"good":"calm",children:l==="proposed"?"proposed":"did nothing"}),r>1?t("span",
{class:"quiet",children:[r," times, last ",t(O,{at:a})]}):null]}),u.map(f=>t("p",{class:"line",children:[t(I,{amount:f.amount,asset:f.from})," →"," ",t(I,{amount:f.
receive,asset:f.to}),f.cost===null?null:t("span",{class:"quiet",children:["cost ",w(f.cost)]})]},`${f.from} ${f.to} ${f.amount}`)),t(Y,{reasons:c.map(f=>n.humane(
f,u[0]??null))}),t("p",{class:"line quiet",children:[d.map(f=>t("a",{href:`#/orders/${f}`,children:["Order ",f.slice(0,8)]},f)),t("span",{class:"hash",children:[
t("code",{children:p}),t(Se,{text:p,what:"the command that computes this decision again"})]})]}),t(Ks,{decision:o,known:n})]})}function Ks({decision:e,known:n}){
let[o,s]=y(null);return t(g,{children:[t("button",{type:"button",onClick:()=>{V("GET",`decisions/${encodeURIComponent(e)}/replay`).catch(i=>i).then(s)},"aria-la\
bel":`Replay ${e}`,children:"Replay"}),t("div",{"aria-live":"polite",children:o===null?null:t(js,{replay:o,known:n})})]})}function js({replay:e,known:n}){if(e instanceof
F)return t("p",{class:"notice bad",children:e.message});let{same:o,again:s,stored:a}=e;return o?t("p",{class:"notice",children:[t(R,{tone:"good",children:"same \
decision"})," The stored inputs give the stored result again."]}):t("div",{class:"notice bad",children:[t("p",{children:[t("b",{children:"Another decision."}),"\
 The stored inputs give another result now."]}),t("div",{class:"grid even",children:[t(Un,{name:"Stored",of:a,known:n}),t(Un,{name:"Now",of:s,known:n})]})]})}function Un({
name:e,of:n,known:o}){let s=n.proposals,a=s[0]??null;return t("section",{"aria-label":e,children:[t("h3",{children:e}),s.map(({from:r,to:i,units:l})=>t("p",{children:[
"Sell ",t(I,{amount:o.amountOf(l,r),asset:r})," for ",t(W,{text:i})]},`${r} ${i} ${l}`)),t(Y,{reasons:[...s.flatMap(({why:r})=>r),...n.reasons].map(r=>o.humane(
r,a)),none:"No reason."})]})}var He=class extends Error{name="AppError";code;disposition;details;constructor(n){super(n.message,n.cause===void 0?void 0:{cause:n.cause}),this.code=n.code,this.
disposition=n.disposition,this.details=n.details??{}}};function Vn(e,n){let o=e.length;for(;o>0&&e[o-1]===n;)o--;return e.slice(0,o)}function it(e,n){let o=e<0n?"-":"",s=(e<0n?-e:e).toString().padStart(n+1,"0"),a=s.slice(0,s.length-n),r=Vn(s.slice(s.length-n),"0");return`${o}${a}${r===""?"":`\
.${r}`}`}function qn(e){return e===null?n=>n:(n,o=null)=>{let[,s=null]=zs.exec(n)??[],[,a=null]=Ys.exec(n)??[],r=(s===null?null:Lt(e,`${s}:native`))??Lt(e,a)??Lt(e,o);if(r===
null)return n;let i=l=>`${it(BigInt(l),r.decimals)} ${r.name}`;return n.replace(or,(l,c)=>`within ${U(Number(c)*1e3)}`).replace(Zs,(l,c,u)=>`(${i(c)}, at most ${i(
u)})`).replace(nr,(l,c,u)=>`within the range of ${i(c)} to ${i(u)}`).replace(tr,(l,c,u)=>`(${c} usd, at most ${u} usd)`).replace(Qs,(l,c)=>i(c)).replace(sr,l=>r.
decimals<rr?l:i(l))}}function Kn(e,n,o){let s=n.asset??(Gs.includes(n.code)?o?.to:o?.from)??null;return{...n,message:e(n.message,s)}}var Gs=["alarm.payout_short",
"quote.too_good","quote.unproven"],jn="[a-z0-9_]+:[a-z0-9._-]+",zs=/units of (?:the coin|the native coin) of ([a-z0-9_]+)/i,Ys=new RegExp(`\\d (?:smallest )?(?:u\
nits of )?(${jn})`,"i"),Qs=new RegExp(`(?<![\\w.])(\\d+) (?:smallest )?units(?: of the coin of [a-z0-9_]+| of ${jn})?`,"gi"),Zs=/(?<=larger than one order may be |would sell more than allowed )\((\d+), at most (\d+)\)/g,
er=["worth more than one order may be","would be worth more than allowed","would cost more than allowed"],tr=new RegExp(`(?<=(?:${er.join("|")}) )\\(([\\d.]+), at\
 most ([\\d.]+)\\)`,"g"),nr=/within the range of (\d{1,40}) to (\d{1,40})(?![\d.])/gi,or=/(?<=Orders |orders )within (\d+) s\b/g,sr=/(?<![\w.:-])\d{10,}(?![\w.:])(?!\s(?:units|smallest))/g,
rr=6;function Lt({assets:e,chains:n},o){let s=e.find(r=>r.id===o);if(s!==void 0)return{decimals:s.decimals,name:s.id};let a=n.find(({chain:r})=>`${r}:native`===
o)?.nativeCoin;return a===void 0?null:{decimals:a.decimals,name:a.symbol}}function Xt(e){if(!/^[a-z0-9_-]+:[a-z0-9_.-]+$/.test(e)){let n="<chain>:<asset>, for example base_sepolia:wbtc";throw new He({code:"domain.asset_id",disposition:"\
refused",message:`"${e}" is not an asset id; expected ${n}`,details:{text:e}})}return e}function ar(e){return e.slice(0,e.indexOf(":"))}function Gn(e){return ar(
Xt(`${e}:x`))}function zn(e){let n=qn(e===null?null:{assets:e.assets.map(({id:a,decimals:r})=>({id:Xt(a),decimals:r})),chains:e.chains.map(({chain:a,nativeCoin:r})=>({chain:Gn(
a),nativeCoin:{...r,token:null}}))}),o=new Set(e?.assets.map(({id:a})=>a)),s=new Set(e?.chains.map(({chain:a})=>a));return{chains:[...s],linkOf:(a,r)=>{let l=(e?.
chains.find(c=>c.chain===a)?.explorer??null)?.tx.replace("{tx}",encodeURIComponent(r))??null;return l?.startsWith("https://")===!0?l:null},amountOf:(a,r)=>{let i=e?.
assets.find(({id:l})=>l===r)?.decimals;return i===void 0?null:it(BigInt(a),i)},humane:(a,r=null)=>Kn(n,a,r),speak:a=>a.replace(ir,r=>o.has(r)?dr(r):r).replace(lr,
r=>s.has(r)?N(r):r).replace(cr,"").replace(ur,r=>P(r))}}var ir=/\b[a-z0-9_]+:[a-z0-9._-]*[a-z0-9]/g,lr=/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g,cr=/ \[[a-z_]+(?:\.[a-z_]+)+\]/g,
ur=/\b\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g;function dr(e){let{symbol:n,chain:o}=x(e);return`${n} on ${o}`}function Yn({overview:e}){let n=$("settings",6e4);return t(g,{children:[t(X,{note:"What Ballast may still sell, and what it has used.",children:"Limits"}),t(D,{
live:e,children:({limits:o})=>{let s=({used:a,unit:r})=>Number(a)===0&&r.includes(":");return t("div",{class:"grid even",children:[o.filter(a=>!s(a)).toSorted((a,r)=>r.
percent-a.percent).map(a=>t(mr,{limit:a},a.name)),t(pr,{limits:o.filter(s)})]})}}),t(D,{live:n,children:({guards:o})=>t(Jt,{guards:o})})]})}function mr({limit:e}){
let{name:n,used:o,max:s,left:a,unit:r,percent:i}=e,l=`${i}% used`;return t(k,{title:Qn(n),note:i>=80?t(R,{tone:i>=100?"bad":"warn",children:l}):l,children:[t("p",
{class:"big",children:[It(a,r)," ",t("small",{children:"left"})]}),t(st,{percent:i,label:l}),t("p",{class:"note",children:[Ft(o,s,r)," used"]})]})}function pr({
limits:e}){return e.length===0?null:t(k,{title:"Not used yet",children:t("dl",{class:"pairs",children:e.map(({name:n,left:o,unit:s})=>t("div",{children:[t("dt",
{children:Qn(n)}),t("dd",{children:[It(o,s)," left"]})]},n))})})}function Jt({guards:e}){return t(k,{title:"Every guard",note:"as the configuration in force say\
s",wide:!0,children:t("dl",{class:"pairs",children:e.map(({guard:n,means:o})=>t("div",{children:[t("dt",{children:t("code",{children:n})}),t("dd",{children:t(W,
{text:fr(o)})})]},n))})})}function Ft(e,n,o){return o==="usd"?`${w(e)} of ${w(n)}`:`${C(e)} of ${It(n,o)}`}function It(e,n){return n==="usd"?w(e):`${C(e)} ${n.includes(
":")?x(n).symbol:n}`}function fr(e){let n=e.split(", ").map(a=>a.split(" ")),[[o=""]=[]]=n;return n.length>1&&n.every(([a,r="",...i])=>a===o&&r.includes(":")&&i.
length===0)?`${o} of each asset`:e}function Qn(e){let[n=""]=e.split(" ");if(!n.includes(":"))return e.slice(0,1).toUpperCase()+e.slice(1);let{symbol:o,chain:s}=x(
n);return`${o} on ${s}${e.slice(n.length)}`}function Zn({onLogin:e}){let[n,o]=y(""),[s,a]=y(!1),[r,i]=y(null);async function l(c){c.preventDefault(),a(!0);try{e(await Mn(n.trim()))}catch(u){i(u instanceof
F?u.message:"The page failed"),a(!1)}}return t("main",{class:"login",children:t("form",{class:"card",onSubmit:l,children:[t("img",{src:"/icon.svg",alt:"",width:"\
44",height:"44"}),t("h1",{children:"Ballast"}),t("p",{class:"note",children:["Log in with one of the tokens of ",t("code",{children:"ops.token"})," or ",t("code",
{children:"ops.tokens"}),". What you can do here is what the token's scopes allow."]}),t("label",{for:"token",children:"Token"}),t("input",{id:"token",type:"pas\
sword",autocomplete:"current-password",value:n,onInput:c=>o(c.currentTarget.value)}),r===null?null:t("p",{class:"notice bad",role:"alert",children:r}),t("button",
{type:"submit",class:"main",disabled:n===""||s,children:"Log in"})]})})}function eo({payoutDeadline:e},n){if(e===void 0)return null;let{at:o,height:s}=e,a=hr(e);if(o===null)return`before its lock ends, at an unknown time; ${a}`;let r=Date.
parse(o)-(n??0),i=r>0?`${U(r)} left`:`over since ${U(-r)}`,l=[`height ${s??"unknown"}`,...n===null?[]:[i],"estimated"];return`before ${On(Date.parse(o))} (${l.join(
", ")}); ${a}`}function hr({offerUnits:e,capUnits:n}){let o=n===null?"":`, and one may offer up to ${n}`;return e===null?`no redemption of ours is signed yet${o}${o===
""?"":" of the coin's smallest units"}`:`our newest redemption offers at most ${e}${o} of the coin's smallest units`}function to({secret:e,ownSecret:n}){if(n===void 0)return e==="service"?"chosen by the service":"not chosen yet";let{status:o,revealedAt:s}=n,a=s===null?"":` at ${s}`;
return{unknown:"our own, told to no other party",revealed:`our own, revealed${a}`,withheld:"our own, withheld for ever",lost:`our own, revealed${a}, and the pay\
out went back to the solver`}[o]}var gr=1e3,Bt=4;function no({order:e,scopes:n}){let[o,s]=y(!1),a=Ce("approve",n);return t(g,{children:[t("button",{type:"button",class:"main","data-key":"approv\
e",disabled:a!==null,title:a??void 0,onClick:()=>s(!0),children:"Approve"}),o?t(yr,{order:e,onClose:()=>s(!1)}):null]})}function yr({order:e,onClose:n}){let o=q(
null),s=de(),[a,r]=y(""),[i,l]=y(null),c=Sr(e);A(()=>o.current?.showModal(),[]);let u=c||a.trim()===e.destinationOwner.slice(-Bt);async function d(){try{await V(
"POST",`orders/${e.id}/approve`,{intent:e.intent}),ke(),n()}catch(p){p instanceof F&&l(p)}}return t("dialog",{ref:o,class:"approve","aria-labelledby":s,onClose:n,
children:[t("h2",{id:s,tabIndex:-1,children:["Approve ",e.fiat===null?"this order":w(e.fiat),"?"," ",t("small",{children:["ends ",t(O,{at:e.approveBefore})]})]}),
t(wr,{address:e.destinationOwner,isOurs:c}),t(br,{order:e}),c?null:t(vr,{typed:a,onType:r}),i===null?null:t("p",{class:"notice bad",role:"alert",children:i.message}),
t("footer",{children:[t("button",{type:"button",onClick:n,children:"Later"}),t(kr,{disabled:!u,onHeld:()=>{d()}})]}),t("details",{children:[t("summary",{children:"\
All fields that are signed"}),t("dl",{class:"pairs small",children:Object.entries(e.intentFields??{}).map(([p,f])=>t("div",{children:[t("dt",{children:p}),t("dd",
{children:t("code",{children:f})})]},p))})]})]})}function vr(e){let n=de();return t(g,{children:[t("label",{for:n,children:["Type the last ",Bt," characters of \
the address"]}),t("input",{id:n,value:e.typed,maxLength:Bt,autocomplete:"off",spellcheck:!1,onInput:o=>e.onType(o.currentTarget.value)})]})}function wr({address:e,
isOurs:n}){return t("p",{class:n?"payee":"payee foreign",children:[n?"Pays our own wallet":"▲ Pays an address that is not this daemon's wallet",t("code",{children:e.
match(/.{1,4}/g)?.join(" ")})]})}function br({order:e}){let n=x(e.from),o=x(e.to),s=e.costParts.refundAtMostFiat;return t("dl",{class:"pairs",children:[t("div",
{children:[t("dt",{children:"Sends"}),t("dd",{children:[t("b",{children:e.amount})," ",n.symbol,", ",n.chain]})]}),t("div",{children:[t("dt",{children:"Receives"}),
t("dd",{children:[t("b",{children:e.destinationAmount})," ",o.symbol,", ",o.chain]})]}),t("div",{children:[t("dt",{children:"Costs"}),t("dd",{children:[e.costFiat===
null?"unknown":w(e.costFiat)," (",ae(e.costBps),")"]})]}),t("div",{children:[t("dt",{children:"Why it asks"}),t("dd",{children:[e.askedBy??e.rule," wants more t\
han one order may send without a person"]})]}),t(_r,{order:e}),t("div",{children:[t("dt",{children:"At worst"}),t("dd",{children:["the deposit comes back after \
its timelock",s===null?"":`, for a fee of up to ${w(s)}`]})]})]})}function _r({order:{people:e,askedBy:n}}){let o=e?.needed??1,s=e?.approved??[];return t("div",
{children:[t("dt",{children:"People"}),t("dd",{children:[s.length," of ",o," approved",s.map(({by:a,at:r})=>t("span",{class:"block",title:r,children:["✓ ",a,"\
 ",t(O,{at:r})]},a)),n===void 0?null:t("small",{class:"block",children:[n," asked, and may not approve"]})]})]})}function kr(e){let n=q(0),[o,s]=y(!1),a=()=>{e.
disabled||n.current!==0||(s(!0),n.current=window.setTimeout(()=>{r(),e.onHeld()},gr))},r=()=>{clearTimeout(n.current),n.current=0,s(!1)};A(()=>r,[]);let i=({key:l})=>l===
"Enter"||l===" ";return t("button",{type:"button",class:o?"main hold holding":"main hold",disabled:e.disabled,onPointerDown:a,onPointerUp:r,onPointerLeave:r,onKeyDown:l=>i(
l)?a():void 0,onKeyUp:r,onBlur:r,onContextMenu:l=>l.preventDefault(),children:"Hold to approve"})}function Sr({to:e,destinationOwner:n}){let{value:o}=$("status",
6e4),s=e.split(":")[0];return o?.chains.some(a=>a.chain===s&&a.account===n)??!1}function $r({change:e,onClose:n}){let o=q(null),[s,a]=y(""),[r,i]=y(!1),[l,c]=y(null),u=de(),d=de();A(()=>o.current?.showModal(),[]);let p=s.trim()===e.word;async function f(m){
if(m.preventDefault(),!(!p||r)){i(!0);try{let h=await V("POST",e.path,e.body);ke(),n(),e.onDone?.(h)}catch(h){h instanceof F&&c(h),i(!1)}}}return t("dialog",{ref:o,
"aria-labelledby":u,onClose:n,children:t("form",{onSubmit:f,children:[t("h2",{id:u,children:e.title}),e.children,t("label",{for:d,children:["Type ",t("code",{class:"\
word",children:e.word})," to confirm"]}),t("input",{id:d,value:s,autocomplete:"off",spellcheck:!1,onInput:m=>a(m.currentTarget.value)}),l===null?null:t("p",{class:"\
notice bad",role:"alert",children:l.message}),t("footer",{children:[t("button",{type:"button",onClick:n,children:"Cancel"}),t("button",{type:"submit",class:e.danger?
"main danger":"main",disabled:!p||r,children:r?"Sending…":e.button})]})]})})}function ne(e){let[n,o]=y(!1),s=Ce(e.scope,e.scopes);return t(g,{children:[t("but\
ton",{type:"button",class:e.change.danger?"danger":e.main?"main":"",disabled:s!==null,title:s??void 0,onClick:()=>o(!0),children:e.change.button}),n?t($r,{change:e.
change,onClose:()=>o(!1)}):null]})}function oo({order:e,scopes:n}){if(e.state==="awaiting-approval")return t(Cr,{order:e,scopes:n});if(!e.held&&e.state!=="disarmed")return null;let o=(a,r)=>{let i=a.
slice(0,1).toUpperCase()+a.slice(1);return{title:`${i} this order?`,word:a,button:i,path:`orders/${e.id}/${a}`,body:{},danger:a==="abandon",children:t("p",{children:r})}},
s=o("abandon","You answer for the end of this order: Ballast ends it once no deposit can land.");return t("div",{class:"actions",children:[e.held?t(g,{children:[
t(ne,{change:o("retry","Ballast goes on from where the order was held."),scope:"operate",scopes:n,main:!0}),t(ne,{change:o("refund","Ballast takes the deposit b\
ack as soon as the HTLC allows it."),scope:"operate",scopes:n})]}):null,t(ne,{change:s,scope:"operate",scopes:n})]})}function xr({people:e}){if(e===void 0)return"";
let n=e.approved.map(({by:s})=>s).join(", "),o=e.needed-e.approved.length;return` · approved by ${n===""?"none":n}; ${o} more must approve`}function Cr({order:e,
scopes:n}){let o=`${e.amount} ${x(e.from).symbol}`,s={title:"Reject this order?",word:"reject",button:"Reject",path:`orders/${e.id}/reject`,body:{},danger:!0,children:t(
"p",{children:["Nothing was deposited. The order ends, and ",o," stay in the wallet."]})};return t("div",{class:"actions",children:[t(no,{order:e,scopes:n}),t(ne,
{change:s,scope:"approve",scopes:n}),t("span",{class:"note",children:["Approve before ",t(O,{at:e.approveBefore,clock:!0})," (",t(O,{at:e.approveBefore}),")",xr(
e)]})]})}function so({events:e,seen:n,outcome:o,state:s,approval:a,updatedAt:r,createdAt:i}){let l=(...m)=>e.find(({type:h})=>m.includes(h))?.at??null,c=s==="awaiting-ap\
proval"||a!==null,u=n.sourceRefunded!=null||s.startsWith("refund")||o==="refunded",d=[{name:"Requested",at:i},{name:"Quoted",at:l("quote.accepted")},{name:"Orde\
red",at:l("order.created")},{name:"Verified",at:l("deposit.verified")},...c?[{name:"Approved",at:a?.at??null}]:[],{name:"Deposited",at:n.sourceInitiated?.at??null},
...u?[{name:"Refunded",at:n.sourceRefunded?.at??null}]:[{name:"Solver deposited",at:n.destinationInitiated?.at??null},{name:"Paid out",at:n.destinationRedeemed?.
at??null}],{name:o===null?"Final":Or(o),at:o===null?null:r}],p=d.findLastIndex(({at:m})=>m!==null),f=o==="rejected"||o==="abandoned";return d.map((m,h)=>{if(f&&
h===d.length-1)return{...m,state:"failed"};if(h<=p&&!(f&&m.at===null))return{...m,state:"done"};let b=h===p+1;return{...m,state:b&&o===null?s==="held"?"failed":
"now":"open"}}).filter(({at:m,state:h})=>!(o!==null&&m===null&&h==="open"))}function ro(e){let n=e.from.split(":")[0]??"",o=e.to.split(":")[0]??"",s=(a,r,i)=>({
what:r,chain:i,service:e.reportedTxs[a],seen:e.seen[a]??null});return[s("sourceInitiated","Our deposit",n),s("destinationInitiated","The solver's deposit",o),s(
"destinationRedeemed","The payout to us",o),s("sourceRedeemed","The solver takes our deposit",n),s("sourceRefunded","The refund to us",n)]}function ao({service:e,
seen:n},o){return n!==null&&e.includes(n.tx)?{tone:"good",says:"agree"}:n!==null&&e.length>0?{tone:"warn",says:"another transaction"}:n!==null?{tone:"good",says:"\
proven"}:e.length>0?{tone:o?"calm":"warn",says:"only reported"}:{tone:"calm",says:"not yet"}}function Or(e){return e.slice(0,1).toUpperCase()+Z(e).slice(1)}function io(e){
let[n]=Object.entries(Er).filter(([s])=>s===e);return n!==void 0?{who:n[1][0],says:n[1][1]}:{who:e.startsWith("operator.")?"operator":"Ballast",says:e.replaceAll(
/[._]/g," ")}}var Er={"order.opened":["Ballast","opens the order"],"work.deferred":["Ballast","waits and looks again later"],"quote.accepted":["service","quotes\
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
e HTLC never had the deposit"]};function co(e){let n=$(`orders/${encodeURIComponent(e.detail)}`,3e3);return t(D,{live:n,children:o=>t(Tr,{order:o,desk:e})})}function Tr({order:e,desk:n}){let o=`\
#/decisions/${encodeURIComponent(e.rule)}`,s=n.overview.value?.orders.find(({id:a})=>a===e.id)??null;return t(g,{children:[t(X,{note:t(g,{children:["Order ",t("\
code",{children:e.id.slice(0,8)})," of rule ",t("a",{href:o,children:e.rule}),", requested ",t(O,{at:e.createdAt})]}),children:[t(I,{amount:e.amount,asset:e.from}),
" →"," ",t(I,{amount:e.destinationAmount,asset:e.to})]}),t("section",{class:`card wide place ${_e(e.state)}`,children:[t("p",{children:t(R,{tone:_e(e.state),children:Z(
e.state)})}),t("p",{class:"money",children:[t("span",{class:"quiet",children:"Where is the money?"})," ",t("b",{children:e.money})]}),s?.left==null?null:t("p",{
children:[t("b",{children:s.left})," left",s.ends===null?"":`: ${s.ends}`]}),t(Y,{reasons:e.reasons.map(a=>n.known.humane(a,e))}),t(oo,{order:e,scopes:n.scopes})]}),
t(k,{title:"The way of the order",wide:!0,children:t(Ar,{stages:so(e)})}),t(k,{title:"The service's word and the chain's word",note:"Ballast believes only the c\
hain.",wide:!0,children:t(Mr,{order:e,desk:n})}),t("div",{class:"grid even",children:[t(k,{title:"Transactions",children:t(Rr,{order:e,desk:n})}),t(k,{title:"Te\
rms",children:t(Dr,{order:e})})]}),t(k,{title:"Everything that happened",note:`${e.events.length} events`,wide:!0,children:t(Nr,{order:e})})]})}function Ar({stages:e}){
return t("ol",{class:"stages",children:e.map(({name:n,at:o,state:s},a)=>{let r=e.slice(0,a).findLast(l=>l.at!==null)?.at??null,i=o===null||r===null?null:Date.parse(
o)-Date.parse(r);return t("li",{class:s,"aria-current":s==="now"?"step":void 0,children:[t("span",{class:"mark","aria-hidden":"true"}),t("b",{children:n}),o===null?
t("small",{children:s==="now"?"next":s==="done"?"passed":"not yet"}):t("small",{title:o,children:[P(o),i===null||i<0?"":` · +${i<1e4?`${(i/1e3).toFixed(1)} s`:
U(i)}`]})]},n)})})}function Mr({order:e,desk:n}){let o=ro(e).filter(({what:s,service:a,seen:r})=>a.length>0||r!==null||s!=="The refund to us").map(({what:s,chain:a,
service:r,seen:i})=>{let{tone:l,says:c}=ao({service:r,seen:i},e.outcome!==null),u=[t("span",{children:[t("b",{children:s}),t("small",{class:"block",children:["o\
n ",N(a)]})]},"what"),t(Pr,{chain:a,txs:r,desk:n},"service"),i===null?t("span",{class:"quiet",children:"shows nothing"},"seen"):t("span",{children:[t(Q,{hash:i.
tx,link:n.known.linkOf(a,i.tx),what:"the transaction"}),t("small",{class:"block",children:[P(i.at),", ",i.final?"final":"not final yet"]})]},"seen"),t(R,{tone:l,
children:c},"judgement")];return{key:s,cells:u}});return t(ee,{caption:"The service's word and the chain's word",columns:["About","The service says","Our own no\
de shows","Together"],rows:o})}var lo=3;function Pr({chain:e,txs:n,desk:o}){if(n.length===0)return t("span",{class:"quiet",children:"says nothing"});let s=n.length-
lo;return t("span",{children:[n.slice(0,lo).map(a=>t("span",{class:"block",children:t(Q,{hash:a,link:o.known.linkOf(e,a),what:"the transaction"})},a)),s>0?t("sm\
all",{class:"block",children:["and ",s," more"]}):null]})}function Rr({order:e,desk:n}){let o=e.from.split(":")[0]??"";return e.transactions.length===0?t("p",{class:"\
empty",children:e.deposit==="gasless"&&e.depositTx!==null?"Ballast signed no transaction of its own: the relay made the deposit and paid its fee.":"Ballast has \
signed no transaction for this order."}):t("ul",{class:"plain",children:e.transactions.map(({purpose:s,attempt:a,tx:r})=>t("li",{children:[t("b",{children:s}),"\
 ",t("small",{children:a>0?`attempt ${a+1}`:`on ${N(o)}`}),t(Q,{hash:r,link:n.known.linkOf(o,r),what:"the transaction"})]},r))})}function Dr({order:e}){let n=x(
e.to).symbol,o=eo(e,null),s=[["Order",t(Q,{hash:e.id,what:"the order's id"},"id")],["Order at the service",e.serviceOrderId===null?"none":t(Q,{hash:e.serviceOrderId,
what:"the service's id"},"s")],["Service",e.service??"none yet"],["Solver",e.solver===null?"none yet":t(Q,{hash:e.solver,what:"the solver's id"},"solver")],["Se\
cret",to(e)],...o===null?[]:[["Payout must be redeemed",o]],["Value",e.fiat===null?"unknown":w(e.fiat)],["Cost, network fees so far included",`${w(e.costFiat)} \
(quote: ${ae(e.costBps)})`],["Deposit",e.deposit==="gasless"?"by a relay, without a fee of ours":"by our own transaction"],["Pays to",t(Q,{hash:e.destinationOwner,
what:"the address"},"d")],["Fee that the payout may lose",e.payoutFee===null?"unknown":`${C(e.payoutFee)} ${n}`],["Refund possible at height",e.refundableAtHeight??
"not known yet"],["Approved",e.approval===null?"no approval was needed or given":`by ${e.approval.by}, ${P(e.approval.at)}`],["Acts next",e.who]];return t(g,{children:[
t(Oe,{pairs:s}),e.calls.length===0?null:t(g,{children:[t("h3",{children:"Asked by people"}),t("ul",{class:"plain",children:e.calls.map(({at:a,caller:r,source:i,
action:l})=>t("li",{children:[t("b",{children:l})," by ",r," from ",i,", ",t(O,{at:a})]},`${a} ${l}`))})]})]})}function Nr({order:e}){let[n,o]=y(!1),s=n?e.events:
e.events.slice(-40);return t(g,{children:[e.events.length>s.length?t("button",{type:"button",onClick:()=>o(!0),children:["Show the ",e.events.length-s.length," \
earlier events"]}):null,t("ol",{class:"events",children:s.map(({at:a,type:r,state:i},l)=>{let{who:c,says:u}=io(r);return t("li",{class:c,children:[t("time",{dateTime:a,
title:a,children:P(a)}),t("span",{class:"who",children:c}),t("span",{children:[u," ",t("small",{children:["→ ",Z(i)]})]})]},`${a} ${l}`)})})]})}var uo={id:({id:e})=>e,requested:({createdAt:e})=>e,changed:({updatedAt:e})=>e,state:({state:e})=>e,rule:({rule:e})=>e,service:({service:e})=>e,sent:({amount:e})=>e,
sent_asset:({from:e})=>e,received:({destinationAmount:e})=>e,received_asset:({to:e})=>e,value_usd:({fiat:e})=>e,cost_usd:({costFiat:e})=>e,cost_bps:({costBps:e})=>e,
deposit_tx:({depositTx:e})=>e,payout_tx:({destinationTx:e})=>e};function mo(e){return[Object.keys(uo),...e.map(o=>Object.values(uo).map(s=>String(s(o)??"")))].map(
o=>`${o.map(Lr).join(",")}\r
`).join("")}function Lr(e){let n=/^[=+@\t\r]|^-(?![\d.])/.test(e)?`'${e}`:e;return/[",\r\n]/.test(n)?`"${n.replaceAll('"','""')}"`:n}var Xr=1e3;async function po(e,n){let o=[],s=null;do{let i=s===null?"":`&cursor=${s}`,l=await V("GET",`orders?${e}&limit=${Xr}${i}`);o.push(...l.orders),n(o.length),
s=l.next}while(s!==null);let a=URL.createObjectURL(new Blob([mo(o)],{type:"text/csv"})),r=document.createElement("a");r.href=a,r.download=`orders-${new Date().toISOString().
slice(0,10)}.csv`,r.click(),URL.revokeObjectURL(a)}var lt=["quoted","ordered","verified","signed","deposited","solver deposited","paid out"],Jr={quoting:0,creating:1,verifying:2,"awaiting-approval":3,allowing:3,
"gasless-signing":3,"deposit-planning":3,"deposit-signing":3,"deposit-sending":4,"gasless-submitting":4,"deposit-confirming":4,"gasless-confirming":4,funded:5,revealing:6,
revealed:6,"redeem-reported":6,completed:7};function fo({state:e,deposited:n}){let o=Jr[e]??(n?5:3),s=["completed","refunded","rejected","abandoned"].includes(e),
a=_e(e),r=lt[o];return t("svg",{class:`steps ${a}`,viewBox:"0 0 69 6",role:"img","aria-label":s||r===void 0?`${o} of ${lt.length} stages`:`${o} of ${lt.length} \
stages, next: ${r}`,children:lt.map((i,l)=>t("rect",{class:l<o?"passed":l===o&&!s?"next":"track",x:l*10,width:"9",height:"6",rx:"1"},i))})}var Fr=[{name:"all",query:""},{name:"needs you",query:"state=awaiting-approval"},{name:"open",query:"open=true"},{name:"held",query:"state=held"},{name:"complet\
ed",query:"state=completed"},{name:"refunded",query:"state=refunded"},{name:"rejected",query:"state=rejected"}],yo={"24 h":1,"7 days":7,"30 days":30,"1 year":365},
Ir=864e5,ho=50,Me="",Br=60,go={state:"",rule:Me,pair:Me,service:Me,since:Me,text:""};function vo({overview:e}){let[n,o]=y(go),[s,a]=y([]),r=wo(n),i=s.at(-1),l=$(
`orders?${r}&limit=${ho}${i===void 0?"":`&cursor=${i}`}`),c=q(null);c.current=l.value??c.current;let u={...l,value:c.current};return t(g,{children:[t(X,{children:"\
Orders"}),t(Hr,{filter:n,onChange:p=>{o(f=>({...f,...p})),a([])},overview:e.value,rows:c.current?.orders??[]}),t(D,{live:u,children:({orders:p,next:f})=>t("sect\
ion",{class:"card",children:[t(Ht,{orders:p.map(m=>({...m,since:m.updatedAt,left:null})),none:n===go?"No order yet. A rule or a new swap makes the first one.":"\
No order matches."}),t(Vr,{first:s.length*ho,count:p.length,onNewer:s.length===0?null:()=>a(s.slice(0,-1)),onOlder:f===null?null:()=>a([...s,f])})]})})]})}function wo({
state:e,rule:n,pair:o,service:s,since:a,text:r}){let[i="",l=""]=o.split(" "),c=yo[a],u={rule:n,from:i,to:l,service:s,since:c===void 0?"":`${new Date(Date.now()-
c*Ir).toISOString().slice(0,16)}:00Z`,text:r.trim().toLowerCase()};return[...e===""?[]:[e],...Object.entries(u).filter(([,d])=>d!=="").map(([d,p])=>`${d}=${encodeURIComponent(
p)}`)].join("&")}function Hr(e){let{filter:n,onChange:o,overview:s,rows:a}=e,r=$("flows",6e4).value,i=[...(s?.rules??[]).map(({id:u})=>u),...(r?.rules??[]).map(
({name:u})=>u),...a.map(({rule:u})=>u)],l=[...r?.pairs??[],...a].map(({from:u,to:d})=>`${u} ${d}`),c=[...(s?.services??[]).map(({name:u})=>u),...a.flatMap(({service:u})=>u??
[])];return t("div",{class:"filters",children:[t("fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"Show"}),Fr.map(({name:u,query:d},p)=>t(
"button",{type:"button","data-key":p===0?"filter":void 0,"aria-pressed":d===n.state,onClick:()=>o({state:d}),children:u},u))]}),t(ct,{name:"Any time",value:n.since,
values:Object.keys(yo),isSorted:!0,onChange:u=>o({since:u})}),t(ct,{name:"Every rule",value:n.rule,values:i,onChange:u=>o({rule:u})}),t(ct,{name:"Every pair",value:n.
pair,values:l,say:qr,onChange:u=>o({pair:u})}),t(ct,{name:"Every service",value:n.service,values:c,onChange:u=>o({service:u})}),t(Ur,{onChange:u=>o({text:u})}),
t(Wr,{query:wo(n)})]})}function Ur({onChange:e}){let n=q(0);return t("label",{children:[t("span",{class:"hidden",children:"Search by order, rule or asset"}),t("\
input",{type:"search",placeholder:"Order, rule or asset",onInput:({currentTarget:{value:o}})=>{clearTimeout(n.current),n.current=window.setTimeout(()=>e(o),Br)}})]})}
function Wr({query:e}){let[n,o]=y("Export CSV");return t("button",{type:"button","data-key":"export",onClick:()=>{po(e,a=>o(`${a} orders…`)).then(()=>o("Expor\
t CSV"),a=>o(a instanceof F?a.message:"The export failed"))},children:n})}function Vr(e){let{first:n,count:o,onNewer:s,onOlder:a}=e;return t("p",{class:"pages",
children:[t("span",{class:"quiet keys",children:[t("kbd",{children:"j"})," ",t("kbd",{children:"k"})," move ",t("kbd",{children:"o"})," open ",t("kbd",{children:"\
f"})," filter ",t("kbd",{children:"e"})," export"]}),t("span",{class:"quiet",children:o===0?"":`${n+1}–${n+o}`}),t("button",{type:"button",disabled:s===null,onClick:()=>s?.(),
children:"Newer"}),t("button",{type:"button",disabled:a===null,onClick:()=>a?.(),children:"Older"})]})}function qr(e){let[n,o]=e.split(" ").map(x);return`${n?.symbol}\
 ${n?.chain} → ${o?.symbol} ${o?.chain}`}function ct(e){let{name:n,value:o,values:s,isSorted:a=!1,say:r=c=>c,onChange:i}=e,l=[...new Set([...o===Me?[]:[o],...s])];
return t("label",{children:[t("span",{class:"hidden",children:n}),t("select",{value:o,onChange:c=>i(c.currentTarget.value),children:[t("option",{value:Me,children:n}),
(a?s:l.toSorted()).map(c=>t("option",{value:c,children:r(c)},c))]})]})}var Kr=["Opened","Order","Sends","From → to","Receives","Value","Cost","Stage","State",
"Took","Rule"];function Ht({orders:e,none:n}){return e.length===0?t(B,{children:n}):t("table",{class:"orders",children:[t("caption",{class:"hidden",children:"Or\
ders"}),t("thead",{children:t("tr",{children:Kr.map(o=>t("th",{scope:"col",children:o},o))})}),t("tbody",{children:e.map(o=>t(jr,{order:o},o.id))})]})}function jr({
order:e}){let{id:n,from:o,to:s,state:a,fiat:r,costFiat:i=null,costBps:l=null}=e;return t("tr",{children:[t("td",{children:t(O,{at:e.createdAt})}),t("td",{children:t(
"a",{href:`#/orders/${n}`,class:"id","data-row":!0,children:n.slice(0,8)})}),t("td",{class:"number",children:t(I,{amount:e.amount,asset:o,chain:!1})}),t("td",{children:[
t(j,{id:o})," ",t("span",{class:"quiet",children:"→"})," ",t(j,{id:s})]}),t("td",{class:"number",children:e.destinationAmount===null?"–":t(I,{amount:e.destinationAmount,
asset:s,chain:!1})}),t("td",{class:"number",title:r??void 0,"data-exact":r??void 0,children:r===null?"–":w(r)}),t("td",{class:"number",title:i===null?void 0:`${i}\
 usd`,children:l===null?"–":`${l} bps`}),t("td",{children:t(fo,{state:a,deposited:e.deposited})}),t("td",{title:e.money,children:[t(zr,{state:a}),e.left===null?
null:t("small",{class:"block",children:[e.left," left"]})]}),t("td",{children:t(Gr,{order:e})}),t("td",{class:"rule",children:e.rule})]})}function Gr({order:{createdAt:e,
since:n,outcome:o}}){let s=K(),a=o!=null,r=a?Date.parse(n):s;return t("time",{dateTime:e,title:a?`${e} to ${n}`:`since ${e}`,children:U(Math.max(0,r-Date.parse(
e)))})}function zr({state:e}){return e==="completed"?t(g,{children:"✓ completed"}):t(R,{tone:_e(e),children:Z(e)})}var Yr="others";function _o(e,n,o=220,s=8){let a=Qr(e.filter(({value:b})=>b>0),s),r=a.reduce((b,{value:v})=>b+v,0),i=r===0?0:o/r,l=bo(a,"from",n,i),c=bo(a,"to",n,i),u={from:new Map,
to:new Map},d=(b,v,_)=>{let S=v.find(({chain:E})=>E===_[b])?.y??0,M=u[b].get(_[b])??0;return u[b].set(_[b],M+_.value*i),S+M},p=ko(n),m=a.toSorted((b,v)=>p(b.from)-
p(v.from)||p(b.to)-p(v.to)).map(b=>({...b,top:d("from",l,b),bottom:d("to",c,b),height:Math.max(2,b.value*i)})),h=b=>{let v=b.at(-1);return v===void 0?0:Math.max(
v.y+v.height,v.y+34)};return{left:l,right:c,ribbons:m,height:Math.max(h(l),h(c))}}function Qr(e,n){let o=new Map;for(let{from:i,to:l,value:c}of e)for(let u of new Set(
[i,l]))o.set(u,(o.get(u)??0)+c);let s=new Set([...o].toSorted(([,i],[,l])=>l-i).slice(0,o.size>n?n-1:n).map(([i])=>i)),a=i=>s.has(i)?i:Yr,r=new Map;for(let{from:i,
to:l,value:c}of e){let u={from:a(i),to:a(l)},d=`${u.from} ${u.to}`;r.set(d,{...u,value:(r.get(d)?.value??0)+c})}return[...r.values()]}function ko(e){return n=>e.
includes(n)?e.indexOf(n):e.length}function bo(e,n,o,s){let a=new Map;for(let l of e)a.set(l[n],(a.get(l[n])??0)+l.value);let r=ko(o),i=[];for(let[l,c]of[...a].toSorted(
([u],[d])=>r(u)-r(d))){let u=i.at(-1),d=u===void 0?0:Math.max(u.y+u.height+10,u.y+34);i.push({chain:l,value:c,y:d,height:Math.max(2,c*s)})}return i}var ut=7;function dt({chains:e}){let n=be(Ie),[o,s]=me(),a=e.map(({from:p,to:f,volumeFiat:m})=>({from:p,to:f,value:Number(m)})),{left:r,right:i,ribbons:l,height:c}=_o(
a,n);if(l.length===0)return t(B,{children:"No swap was paid out in this time."});let u=Math.min(150,s*.3),d=l.map(({from:p,to:f,value:m})=>`${N(p)} to ${N(f)} ${w(
String(m))}`).join(", ");return t("figure",{class:"chart",ref:o,children:t("svg",{width:s,height:c+8,role:"img","aria-label":`Moved: ${d}`,children:[l.map(p=>t(
Zr,{ribbon:p,x1:u,x2:s-u},`${p.from} ${p.to}`)),r.map(p=>t(So,{of:p,x:u-ut,labelX:u-ut-8,isLeft:!0},p.chain)),i.map(p=>t(So,{of:p,x:s-u,labelX:s-u+ut+8},p.chain))]})})}
function Zr({ribbon:e,x1:n,x2:o}){let s=xe(),{from:a,to:r,value:i,top:l,bottom:c,height:u}=e,d=(n+o)/2,p=`M${n} ${l}C${d} ${l} ${d} ${c} ${o} ${c}V${c+u}C${d} ${c+
u} ${d} ${l+u} ${n} ${l+u}Z`;return t("path",{class:`flow ${s(a)}`,d:p,children:t("title",{children:`${N(a)} → ${N(r)}: ${w(String(i))}`})})}function So(e){let n=xe(),
{of:o,x:s,labelX:a,isLeft:r=!1}=e,i=r?"end":"start",l=o.y+Math.max(11,o.height/2-3);return t(g,{children:[t("rect",{class:`node ${n(o.chain)}`,x:s,y:o.y,width:ut,
height:o.height}),t("text",{class:"strong",x:a,y:l,"text-anchor":i,children:N(o.chain)}),t("text",{x:a,y:l+14,"text-anchor":i,children:["$",te(o.value)]})]})}function $o({
chains:e}){return t(ee,{figures:!0,caption:"Own moves between chains",columns:["From → to","Orders","Moved","Cost","bps"],rows:e.map(({from:n,to:o,orders:s,volumeFiat:a,
costFiat:r,costBps:i})=>({key:`${n} ${o}`,cells:[t("span",{children:[t(j,{id:n})," → ",t(j,{id:o})]},"pair"),s,t(oe,{fiat:a},"moved"),t(oe,{fiat:r},"cost"),i??
"–"]}))})}var ea={below:{tone:"bad",word:"below its band"},above:{tone:"warn",word:"above its band"},within:{tone:"good",word:"in its band"},unknown:{tone:"calm",word:"no\
t read yet"}};function xo({amount:e,bound:n,asset:o}){let s=Number(n.min),a=Number(n.target),r=n.max===null?null:Number(n.max),i=e===null?null:Number(e),l=1.15*
Math.max(r??0,a*1.5,s,i??0,Number.MIN_VALUE),c=f=>100*f/l,{tone:u,word:d}=ea[n.place],p=`${d}: from ${C(n.min)} to ${n.max===null?"any":C(n.max)}, target ${C(n.
target)} ${x(o).symbol}`;return t("svg",{class:`band ${u}`,viewBox:"0 0 100 10",preserveAspectRatio:"none",role:"img","aria-label":p,children:[t("title",{children:p}),
t("rect",{class:"track",y:"3",width:"100",height:"4"}),t("rect",{class:"range",x:c(s),y:"1",width:Math.max(.5,(r===null?100:c(r))-c(s)),height:"8"}),i===null?null:
t("rect",{class:"fill",y:"3",width:c(i),height:"4"}),t("rect",{class:"target",x:c(a)-.2,width:"0.5",height:"10"})]})}function mt(e,n,o,s){return e.map(({at:r,amount:i},l)=>{if(i===null)return"";let c=e[l-1]?.amount??null,u=o(e[l+1]?.at??n);return`${c===null?`M${o(r)} ${s(Number(
i))}`:`V${s(Number(i))}`}H${u}`}).join("")}function Co(e,n){return e.flatMap(({at:o,amount:s},a)=>s===null?[{start:o,end:e[a+1]?.at??n}]:[])}function Oo(e,n){return e.
findLast(({at:o})=>Date.parse(o)<=n)?.amount??null}var Ut=62;function Eo(){let{value:e}=$("series/total",6e4),[n,o]=me(),s=(e?.points??[]).flatMap(({amount:h})=>h===null?[]:[Number(h)]),[a]=e?.points??[];if(e===
null||a===void 0||s.length===0)return null;let r=Math.min(...s),i=Math.max(...s),l=(i-r)*.1||i*.01||1,c=Date.parse(a.at),u=Date.parse(e.to),d=h=>(o-56)*(h-c)/Math.
max(1,u-c),p=h=>4+Ut*(i+l-h)/(i-r+2*l),f=Ee(r-l,i+l,2),m=`${w(String(r))} to ${w(String(i))}`;return t("figure",{class:"chart total-plot",ref:n,children:[t("h2",
{children:["Total, ",P(a.at)," to now"]}),t("svg",{width:o,height:Ut+24,role:"img","aria-label":`Total in usd: ${m}`,children:[t("title",{children:m}),f.map(h=>t(
"g",{children:[t("line",{class:"grid-line",x2:o-56,y1:p(h),y2:p(h)}),t("text",{x:o-50,y:p(h)+4,children:["$",te(h,(f[1]??0)-(f[0]??0))]})]},h)),Te(c,u,4).map(({
ms:h,label:b})=>t("text",{x:d(h),y:Ut+20,"text-anchor":"middle",children:b},h)),t("path",{class:"line-a",d:mt(e.points,e.to,h=>d(Date.parse(h)),p)})]})]})}function Mo({overview:e,summary:n}){let{totalFiat:o,change:s,swaps:a,inFlight:r,unpriced:i,unread:l}=n,c=[...i,...l],u=new Set(c.map(d=>x(d).symbol));return t("\
section",{class:"card money-first","aria-label":"Money",children:[t("div",{children:[t("h2",{children:"Treasury"}),t("p",{class:"total",title:`${o} usd`,"data-e\
xact":o,children:w(o)}),t(ta,{change:s,total:o}),c.length===0?null:t("p",{class:"note",title:c.join(", "),children:["without ",[...u].join(", "),":"," ",l.length>
0?"no reading or no price":"no price"]})]}),t(Eo,{}),t("dl",{class:"facts",children:[t($e,{name:"Moved in 24 h",value:w(a.volumeFiat),exact:a.volumeFiat,children:To(
a.orders)}),t($e,{name:"Cost in 24 h",value:w(a.costFiat),exact:a.costFiat,children:a.costBps===null?"no swap yet":`${a.costBps} bps`}),t($e,{name:"In flight",value:w(
r.fiat),exact:r.fiat,children:To(r.orders)}),t($e,{name:"Half done within",value:Ao(a.medianMs),children:a.p90Ms===null?"":`nine of ten ${Ao(a.p90Ms)}`}),t(na,{
gas:e.gas}),t(oa,{overview:e})]})]})}function $e(e){return t("div",{children:[t("dt",{children:e.name}),t("dd",{class:e.tone,children:[t("span",{title:e.exact,"\
data-exact":e.exact,children:e.value})," ",t("small",{children:e.children})]})]})}function ta({change:e,total:n}){let o=K();if(e===null)return t("p",{class:"not\
e",children:"No older reading to compare with yet."});let{from:s,totalFiat:a,pricesFiat:r,outsideFiat:i,swapsFiat:l}=e;return t(g,{children:[t("p",{children:[t(
"b",{title:a,children:[Je(a)," (",Fe(a,n),")"]})," ",t("span",{class:"quiet",children:["since ",t("span",{title:s,children:P(s,o)})]})]}),t("p",{class:"note par\
ts",children:[t("span",{title:r,children:["prices ",Je(r)]}),t("span",{title:i,children:["paid in and out ",Je(i)]}),t("span",{title:l,children:["swaps and fees\
 ",Je(l)]})]})]})}function To(e){return`${e} order${e===1?"":"s"}`}function Ao(e){return e===null?"–":U(e)}function na({gas:e}){let n=({amount:a,needed:r})=>a!==
null&&Number(a)<Number(r),[o]=e.toSorted((a,r)=>Number(n(r))-Number(n(a))||(a.daysLeft??Number.MAX_VALUE)-(r.daysLeft??Number.MAX_VALUE));if(o===void 0)return t(
$e,{name:"Runs dry first",value:"–"});let s=n(o);return t($e,{name:"Runs dry first",value:s?"▲ too little":Po(o.daysLeft),tone:s||(o.daysLeft??99)<7?"warn":
"",children:`${o.coin}, ${N(o.chain)}`})}function Po(e){return e===null?"no use yet":e>365?"over a year":`${e} days`}function oa({overview:{services:e,nodes:n}}){
let o=[...e.filter(({state:s})=>s!=="good").map(({name:s,state:a})=>`${s} ${a}`),...n.filter(({state:s})=>s!=="good").map(({chain:s,state:a})=>`${N(s)} ${a}`)];
return t($e,{name:"Service and nodes",value:o.length===0?"✓ well":`▲ ${o[0]??""}`,tone:o.length===0?"":"warn",children:o.length===0?`${e.length+n.length} an\
swer`:o.length===1?"":`and ${o.length-1} more`})}function ft({overview:e,summary:n}){let{treasury:o,gas:s}=e,a=[...new Set(o.map(({asset:r})=>r.split(":")[0]??""))];
return t(k,{title:"Where the money is",link:"#/treasury",note:"bar from 0: band, target, balance",children:t("table",{class:"places",children:[t("caption",{class:"\
hidden",children:"Balances by chain and asset"}),t("thead",{children:t("tr",{children:["Asset","Balance","Band","Value","In 24 h","On its way","State"].map(r=>t(
"th",{scope:"col",children:r},r))})}),a.map(r=>t("tbody",{children:[t(ra,{chain:r,holdings:o.filter(({asset:i})=>i.startsWith(`${r}:`)),summary:n,isWell:e.nodes.
some(i=>i.chain===r&&i.state==="good")}),o.filter(({asset:i})=>i.startsWith(`${r}:`)).map(i=>t(ia,{holding:i,valued:n.assets.find(({asset:l})=>l===i.asset)??null,
gas:s.find(l=>l.chain===r)??null},i.asset))]},r))]})})}var sa=15*6e4;function ra(e){let{chain:n,summary:o}=e,s=o.assets.filter(({asset:l})=>l.startsWith(`${n}:`)).
reduce((l,c)=>l+Number(c.fiat??0),0),[a]=e.holdings.map(({readAt:l})=>l??"").sort(),i=K()-Date.parse(a||"1970-01-01")>sa&&!e.isWell;return t("tr",{class:i?"chai\
n late":"chain",children:[t("th",{scope:"rowgroup",colSpan:3,children:[t(j,{id:n})," ",t("small",{children:[Fe(String(s),o.totalFiat)," of the total"]})]}),t("t\
d",{children:w(String(s))}),t("td",{colSpan:3,children:t("small",{children:[i?"▲ last read":"read"," ",t(O,{at:a||null})]})})]})}var aa={below:"▼ below its ba\
nd",above:"▲ above its band",within:"✓ in band",unknown:"no reading"};function ia(e){let{holding:n,valued:o,gas:s}=e,{asset:a,amount:r,bounds:i}=n,{symbol:l}=x(
a),c=s!==null&&s.coin.toUpperCase()===l,[u]=i;return t("tr",{children:[t("th",{scope:"row",children:l}),t("td",{children:t(I,{amount:r,asset:a,chain:!1,symbol:!1})}),
t("td",{class:"band-cell",children:u===void 0?t("small",{children:c?"coin for fees":"no band"}):t(xo,{amount:r,bound:u,asset:a})}),t("td",{title:o?.fiat??void 0,
"data-exact":o?.fiat??void 0,children:o?.fiat==null?t("small",{children:"no price"}):w(o.fiat)}),t("td",{title:o?.change??void 0,children:o?.change==null||Number(
o.change)===0?"=":`${Number(o.change)>0?"+":""}${C(o.change)}`}),t("td",{class:Ro(o)?"some":"",children:t(la,{valued:o})}),t("td",{children:u===void 0?c?Po(s.daysLeft):
"":t("span",{class:u.place,children:aa[u.place]})})]})}function pt(e){return Number(e)!==0}function Ro(e){return e!==null&&(pt(e.incoming)||pt(e.outgoing))}function la({
valued:e}){return e===null||!Ro(e)?t(g,{children:"–"}):t(g,{children:[pt(e.incoming)?t("span",{class:"block",title:e.incoming,children:["↓ in ",C(e.incoming)]}):
null,pt(e.outgoing)?t("span",{class:"block",title:e.outgoing,children:["↑ out ",C(e.outgoing)]}):null]})}function Do({overview:e,summary:n}){let o=({order:r})=>n?.open.find(i=>i.order===r)?.fiat??null,s=e.tasks.toSorted((r,i)=>+(i.level==="trouble")-+(r.level==="tr\
ouble")||Number(o(i)??0)-Number(o(r)??0)),a=e.problems.filter(({needsPerson:r})=>!r);return s.length+a.length===0?t(k,{title:"Needs you",children:t("p",{class:"\
quiet",children:["✓ Nothing. ",e.verdict]})}):t(k,{title:s.length>0?"Needs you":"Worth knowing",note:s.length>1?"most at stake first":void 0,children:t("ul",{
class:"plain tasks",children:[...s,...a].map(r=>t(ua,{problem:r,stake:o(r)},`${r.code} ${r.sentence}`))})})}var ca={trouble:"✕",attention:"▲"};function ua({
problem:e,stake:n}){let{level:o,sentence:s,meaning:a,todo:r,command:i,deadline:l,left:c,needsPerson:u}=e,d=u?da(e):null;return t("li",{class:o,children:[t("span",
{class:"shape","aria-hidden":"true",children:ca[o]}),t("div",{children:[t("p",{children:[t("b",{children:t(W,{text:s})}),n===null?null:t("span",{class:"stake",children:w(
n)})]}),t("p",{class:"note",children:[a," ",t(W,{text:r}),u?null:" (ends by itself)"]}),i===null||d!==null?null:t("p",{class:"hash",children:[t("code",{children:i}),
t(Se,{text:i,what:"the command"})]})]}),l===null&&d===null?null:t("p",{class:"do",children:[l===null?null:t("span",{children:["Time left: ",t("b",{children:c})]}),
d===null?null:t("a",{class:"button main",href:d.href,children:d.name})]})]})}function da({order:e,kind:n}){return e!==null?{name:n==="approval"?"Review":"Open t\
he order",href:`#/orders/${e}`}:n==="rule"?{name:"Open the rules",href:"#/rules"}:n==="limit"?{name:"Open the limits",href:"#/limits"}:null}var Vt="ballast.looked",ma=864e5;function No(){let e=K(),[n,o]=y(fa);A(()=>{let p=()=>localStorage.setItem(Vt,new Date().toISOString());return addEventListener(
"pagehide",p),()=>removeEventListener("pagehide",p)},[]);let{value:s}=$(`summary?since=${n}`,1e4);if(s===null)return t(k,{title:"Since you last looked",children:t(
"p",{class:"quiet",children:"Reading…"})});let{swaps:a,alarms:r,missed:i}=s,l=p=>a.counts[p]??0,c=l("rejected")+l("abandoned"),u=i.reduce((p,f)=>p+f.runs,0),d=()=>{
let p=new Date(e).toISOString();localStorage.setItem(Vt,p),o(p)};return t(k,{title:"Since you last looked",note:t(O,{at:n}),children:[t("dl",{class:"facts",children:[
t("div",{children:[t("dt",{children:"Orders"}),t("dd",{children:a.orders})]}),t("div",{children:[t("dt",{children:"Moved"}),t("dd",{children:w(a.volumeFiat)})]}),
t("div",{children:[t("dt",{children:"Cost"}),t("dd",{children:w(a.costFiat)})]})]}),t("ul",{class:"plain small",children:[t(Wt,{count:l("refunded"),one:"order r\
efunded",many:"orders refunded"}),t(Wt,{count:c,one:"order ended without a swap",many:"orders ended without a swap"}),t(Wt,{count:u,one:"planned run came to no \
swap",many:"planned runs came to no swap"}),t(pa,{alarms:r}),r.length+c+u+l("refunded")===0?t("li",{class:"quiet",children:"✓ No refund, no refusal, no missed r\
un, no alarm"}):null]}),t("button",{type:"button",onClick:d,children:"Mark as seen"})]})}function pa({alarms:e}){let n=K();return t(g,{children:[e.slice(0,3).map(
({at:o,sentence:s,order:a})=>t("li",{children:[t("span",{"aria-hidden":"true",children:"▲"})," ",a===null?t(W,{text:s}):t("a",{href:`#/orders/${a}`,children:t(
W,{text:s})})," ",t("small",{title:o,children:P(o,n)})]},`${o} ${s}`)),e.length>3?t("li",{children:t("a",{href:"#/alarms",children:[e.length," alarms in all"]})}):
null]})}function Wt(e){return e.count===0?null:t("li",{children:[t("span",{"aria-hidden":"true",children:"▲"})," ",e.count," ",e.count===1?e.one:e.many]})}function fa(){
return localStorage.getItem(Vt)??new Date(Date.now()-ma).toISOString()}var ie=92,pe=44,qt=44,Kt=16,ha=18;function Xo(e){let{asset:n,since:o,bound:s}=e,{value:a}=$(`series/${encodeURIComponent(n)}?since=${o}`,3e4);if(a===null)return null;
let r=a.points.flatMap(({amount:i})=>i===null?[]:[Number(i)]);return r.length===0?t("p",{class:"note",children:"No reading in this time."}):t(ga,{...e,series:a,
known:r,bound:s})}function ga(e){let{series:n,known:o,bound:s,marks:a,price:r}=e,[i,l]=me(),{from:c,to:u,points:d}=n,p=d[0]?.at??c,f=Date.parse(p),m=Date.parse(
u),{low:h,high:b,bottom:v,top:_,y:S}=ya(o,s),M=J=>pe+(l-pe-qt)*(J-f)/Math.max(1,m-f),E=J=>M(Date.parse(J)),{symbol:fe}=x(n.asset),Re=Lo(String(h),String(b));return t(
"figure",{class:"chart history",ref:i,children:[t("svg",{width:l,height:ie+Kt+ha,role:"img","aria-label":`Readings from ${P(p)}: ${Re} ${fe}`,children:[s===null?
null:t(wa,{bound:s,y:S,right:l-qt}),t(va,{x:M,y:S,low:v,high:_,startMs:f,endMs:m,width:l}),Co(d,u).map(J=>t("rect",{class:"gap",x:E(J.start),width:E(J.end)-E(J.
start),height:ie},J.start)),t("path",{class:"line-a",d:mt(d,u,E,S)}),t(ba,{points:d,x:M(m),y:S}),a.filter(({at:J})=>J>=p).map(J=>t(ka,{mark:J,x:E(J.at),symbol:fe},
`${J.at} ${J.kind} ${J.order}`))]}),t(Sa,{series:n,startMs:f,x:M,price:r}),t("figcaption",{class:"note",children:["Since ",t("span",{title:p,children:P(p)}),": ",
Re," ",fe,s===null?"":` · band ${Lo(s.min,s.max)}, target ${C(s.target)}`]})]})}function ya(e,n){let o=Math.min(...e),s=Math.max(...e),a=Math.min(o,n===null?o:
Number(n.min)),r=Math.max(s,n===null?s:Number(n.target)),i=(r-a)*.12||r*.05||1,l=a-i,c=r+i;return{low:o,high:s,bottom:l,top:c,y:d=>Math.max(0,Math.min(ie,ie-ie*
(d-l)/(c-l)))}}function Lo(e,n){return n===null?`${C(e)} to any`:e===n?C(e):`${C(e)} to ${C(n)}`}function va(e){let{x:n,y:o,low:s,high:a,startMs:r,endMs:i,width:l}=e,
c=Ee(s,a,2);return t(g,{children:[c.map(u=>t("g",{children:[t("line",{class:"grid-line",x1:pe,x2:l-qt,y1:o(u),y2:o(u)}),t("text",{x:pe-6,y:o(u)+4,"text-anchor":"\
end",children:te(u,(c[1]??0)-(c[0]??0))})]},u)),Te(r,i,Math.max(2,Math.floor(l/70))).map(({ms:u,label:d})=>t("text",{x:n(u),y:ie+Kt+14,"text-anchor":"middle",children:d},
u))]})}function wa(e){let{bound:n,y:o,right:s}=e,a=n.max===null?0:o(Number(n.max)),r=o(Number(n.min)),i=o(Number(n.target));return t(g,{children:[t("rect",{class:"\
band-area",x:pe,y:a,width:Math.max(0,s-pe),height:Math.max(0,r-a)}),t("line",{class:"edge",x1:pe,x2:s,y1:r,y2:r}),t("line",{class:"goal",x1:pe,x2:s,y1:i,y2:i}),
t("text",{x:s+6,y:r+4,children:"min"}),r-i<12?null:t("text",{x:s+6,y:i+4,children:"target"})]})}function ba(e){let n=e.points.at(-1)?.amount??null;return n===null?
null:t("circle",{class:"dot-now",cx:e.x,cy:e.y(Number(n)),r:"3"})}var _a={in:{path:"m0 -5 4 8h-8z",word:"arrived"},out:{path:"m0 3 4 -8h-8z",word:"left"},outside:{
path:"m0 -5 4.5 4.5-4.5 4.5-4.5 -4.5z",word:"from outside"},alarm:{path:"m-3.5 -4.5 7 7m0 -7-7 7",word:"alarm"}};function ka({mark:e,x:n,symbol:o}){let{kind:s,at:a,
amount:r,order:i}=e,{path:l,word:c}=_a[s],u=r===null?c:`${C(r)} ${o} ${c}`,d=i===null?"":`, order ${i.slice(0,8)}`;return t("path",{class:`mark ${s}`,d:l,transform:`\
translate(${n} ${ie+Kt/2+1})`,children:t("title",{children:`${P(a)}: ${u}${d}`})})}var Ue=240;function Sa(e){let{series:n,startMs:o,x:s,price:a}=e,[r,i]=y(null),
l=Date.parse(n.to)-o,c=o+l*(r??Ue)/Ue,u=Oo(n.points,c),{symbol:d}=x(n.asset),p=[P(new Date(c).toISOString()),u===null?"no reading":`${C(u)} ${d}`,...u===null||a===
null?[]:[w(String(Number(u)*Number(a)))]].join(" · "),f=m=>{let h=m.currentTarget instanceof Element?m.currentTarget.getBoundingClientRect():null;if(h===null||
h.width===0)return;let b=(m.clientX-h.left)/h.width;i(Math.round(Ue*Math.max(0,Math.min(1,b))))};return t(g,{children:[t("input",{type:"range",class:"scrub",min:"\
0",max:Ue,value:r??Ue,"aria-label":`Reading of ${d} at a time`,"aria-valuetext":p,onInput:m=>i(Number(m.currentTarget.value)),onPointerMove:f,onPointerLeave:()=>i(
null),onBlur:()=>i(null)}),r===null?null:t(g,{children:[t("svg",{class:"cross",width:s(c)+1,height:ie,"aria-hidden":"true",children:t("line",{x1:s(c),x2:s(c),y2:ie})}),
t("output",{class:"tip",children:p})]})]})}function Fo({flows:e,span:n}){let{steps:o,total:s}=e,a=r=>`$${te(r)}`;return t("div",{class:"grid thirds",children:[t(k,{title:`Cost, ${n}`,note:"■ swaps ■ netw\
ork, usd",children:[t("p",{children:[t("b",{title:s.costFiat,children:w(s.costFiat)})," ",t("span",{class:"quiet",children:["for ",t("b",{title:s.volumeFiat,children:w(
s.volumeFiat)})," in ",s.completed," swaps"]})]}),t(Ae,{title:"Cost in usd",steps:o,as:"bars",show:a,series:[{name:"swaps",of:r=>Number(r.costFiat)-Number(r.feesFiat),
tone:"a"},{name:"network",of:r=>Number(r.feesFiat),tone:"b"}]})]}),t(k,{title:"Cost of what moved",note:"bps",children:[t("p",{children:[t("b",{children:s.costBps===
null?"–":`${s.costBps} bps`})," ",t("span",{class:"quiet",children:"network fees included"})]}),t(Ae,{title:"Cost in bps of what moved",steps:o,as:"lines",show:r=>te(
r),series:[{name:"bps",of:({costBps:r})=>r,tone:"a"}]})]}),t(k,{title:"Time to completion",note:"— half · — 95 of 100",children:[t("p",{children:[t("span",
{class:"quiet",children:"half within"})," ",t("b",{children:We(s.medianMs)}),t("span",{class:"quiet",children:", 95 of 100 within"})," ",t("b",{children:We(s.p95Ms)})]}),
t(Ae,{title:"Time to completion",steps:o,as:"lines",show:We,series:[{name:"half",of:({medianMs:r})=>r,tone:"a"},{name:"95 of 100",of:({p95Ms:r})=>r,tone:"b"}]})]})]})}
var $a=["Rule","Pair","Service","Time"];function Io({flows:e,span:n}){let[o,s]=y("Rule"),a=xa(e,o);return t("section",{class:"card",children:[t("header",{children:[
t("h2",{children:["Volume, cost and time, ",n]}),t("fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"By"}),$a.map(r=>t("button",{type:"\
button","aria-pressed":r===o,onClick:()=>s(r),children:r},r))]})]}),a.length===0?t(B,{children:"No order in this time."}):null,t(ee,{figures:!0,caption:`Volume,\
 cost and time by ${o.toLowerCase()}`,columns:[o,"Orders","Moved","Cost","Of it network","bps","Half within","95 of 100"],rows:[...a,{name:"Total",line:e.total}].
map(({name:r,line:i})=>({key:r,cells:Ca(r,i)}))}),e.total.unpriced===0?null:t("p",{class:"note",children:[e.total.unpriced," amounts without a price are in no s\
um."]})]})}function xa({rules:e,services:n,pairs:o,steps:s},a){return a==="Rule"?e.map(r=>({name:r.name,line:r})):a==="Service"?n.map(r=>({name:r.name,line:r})):
a==="Pair"?o.map(r=>({name:`${Jo(r.from)} → ${Jo(r.to)}`,line:r})):s.filter(({orders:r})=>r>0).toReversed().map(r=>({name:r.from.replace("T00:00:00.000Z","").
replace(":00.000Z","Z"),line:r}))}function Jo(e){let{symbol:n,chain:o}=x(e);return`${n} ${o}`}function Ca(e,n){return[t("b",{children:e},"name"),n.orders,t(oe,{
fiat:n.volumeFiat},"moved"),t(oe,{fiat:n.costFiat},"cost"),t(oe,{fiat:n.feesFiat},"fees"),n.costBps??"–",We(n.medianMs),We(n.p95Ms)]}function We(e){return e===
null?"–":U(e)}var Bo={"24 h":1,"7 d":7,"30 d":30,"1 y":365},Oa=864e5;function Ho({overview:e}){let[n,o]=y("7 d"),s=jt(n),{value:a}=$("summary",1e4),r=$(`flows?since=${s}`,2e4);
return t(D,{live:e,children:i=>t(g,{children:[t(X,{children:"Treasury"}),a===null?null:t(g,{children:[t(Ea,{overview:i,summary:a}),t("div",{class:"stack",children:t(
ft,{overview:i,summary:a})})]}),t(Gt,{range:n,onChange:o,ranges:Object.keys(Bo)}),t(Ta,{treasury:i.treasury,summary:a,since:s,marks:r.value?.marks??[]}),t(D,{live:r,
children:l=>t(Aa,{flows:l,range:n})}),t(Pa,{gas:i.gas})]})})}function jt(e){let[n]=y(Date.now);return new Date(n-Bo[e]*Oa).toISOString()}function Gt(e){return t(
"fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"Range of the plots"}),e.ranges.map(n=>t("button",{type:"button","aria-pressed":n===e.
range,onClick:()=>e.onChange(n),children:n},n))]})}function Ea({overview:e,summary:n}){let o=xe(),a=[...new Set(e.treasury.map(({asset:l})=>l.split(":")[0]??""))].
map(l=>({chain:l,fiat:n.assets.filter(({asset:c})=>c.startsWith(`${l}:`)).reduce((c,{fiat:u})=>c+Number(u??0),0)})),r=Math.max(a.reduce((l,{fiat:c})=>l+c,0),Number.
MIN_VALUE),i=0;return t("section",{class:"card shares","aria-label":"Shares of the chains",children:[t("p",{class:"total",title:`${n.totalFiat} usd`,"data-exact":n.
totalFiat,children:w(n.totalFiat)}),t("svg",{viewBox:"0 0 1000 10",preserveAspectRatio:"none","aria-hidden":"true",children:a.map(({chain:l,fiat:c})=>{let u=i;return i+=
1e3*c/r,t("rect",{class:`node ${o(l)}`,x:u,width:Math.max(0,i-u-2),height:"10"},l)})}),t("ul",{children:[a.map(({chain:l,fiat:c})=>t("li",{children:[t(j,{id:l}),
" ",t("b",{children:w(String(c))})," ",t("small",{children:Fe(String(c),n.totalFiat)})]},l)),t("li",{children:["In flight ",t("b",{title:n.inFlight.fiat,children:w(
n.inFlight.fiat)})]})]})]})}function Ta(e){let{treasury:n,summary:o,since:s,marks:a}=e;return n.length===0?t(B,{children:"The configuration lists no asset."}):t(
k,{title:"Balance against its band",note:"▲ arrived ▼ left ◆ outside ✕ alarm · hatched: no reading of our nodes",children:t("div",{class:"multiples",children:n.
map(({asset:r,amount:i,bounds:l,shares:c})=>{let u=o?.assets.find(d=>d.asset===r)??null;return t("section",{"aria-label":`${x(r).symbol} on ${x(r).chain}`,children:[
t("p",{class:"head",children:[t("span",{children:[t("b",{children:x(r).symbol})," ",t(j,{id:r})]}),t("span",{children:[t(I,{amount:i,asset:r,chain:!1,symbol:!1}),
" ",u?.fiat==null?null:t("small",{title:u.fiat,children:w(u.fiat)})]})]}),t(Xo,{asset:r,since:s,bound:l[0]??null,marks:a.filter(d=>d.asset===r||d.asset===null),
price:u?.price??null}),c.map(({rule:d,percent:p})=>t("p",{class:"note",children:["Target of ",d,": ",p," of the treasury"]},d))]},r)})})})}function Aa({flows:e,
range:n}){let{chains:o,total:s,outside:a}=e,r=n==="1 y"?"31 d":n;return t(g,{children:[t("div",{class:"grid",children:[t(k,{title:`Flows, ${r}`,note:t("b",{title:s.
volumeFiat,children:w(s.volumeFiat)}),children:t(dt,{chains:o})}),t("div",{class:"column",children:[t(k,{title:"The same as a table",children:t($o,{chains:o})}),
t(k,{title:`Money from outside, ${r}`,note:"not part of the flows",children:a.length===0?t(B,{children:"Nothing was paid in or taken out."}):t(Ma,{outside:a})})]})]}),
t(Fo,{flows:e,span:r}),t(Io,{flows:e,span:r})]})}function Ma({outside:e}){let n=(o,s)=>Number(o)===0?"–":t("span",{title:`${o}, ${s??"no price"}`,children:[C(
o)," ",t("small",{children:s===null?"no price":w(s)})]});return t(ee,{caption:"Money from outside",columns:["Asset","Paid in","Taken out"],rows:e.map(o=>({key:o.
asset,cells:[t("span",{children:[x(o.asset).symbol," ",t(j,{id:o.asset})]},"asset"),n(o.in,o.inFiat),n(o.out,o.outFiat)]}))})}function Pa({gas:e}){return t(k,{title:"\
Coin for fees",wide:!0,children:t(ee,{caption:"Coin for fees",columns:["Chain","Balance","Must stay","Lasts"],rows:e.map(({chain:n,coin:o,amount:s,needed:a,daysLeft:r})=>{
let i=s!==null&&Number(s)<Number(a);return{key:n,cells:[t(j,{id:n},"chain"),s===null?"not read yet":`${C(s)} ${o}`,C(a),i?t("b",{class:"below",children:"▼ too l\
ittle"},"low"):r===null?"no use yet":r>365?"over a year":`about ${r} days`]}})})})}function Vo({overview:e}){let{value:n}=$("summary",5e3);return t(D,{live:e,children:o=>t(g,{children:[t(La,{overview:o}),n===null?null:t(Mo,{overview:o,summary:n}),
t("div",{class:"grid",children:[t("div",{class:"column",children:[t(Do,{overview:o,summary:n}),n===null?null:t(ft,{overview:o,summary:n})]}),t("div",{class:"col\
umn",children:[t(No,{}),t(Ra,{}),t(Xa,{overview:o}),t(Ja,{overview:o}),t(Fa,{overview:o})]}),t(Da,{overview:o,summary:n})]})]})})}function Ra(){let[e,n]=y("24 h"),
{value:o}=$(`flows?since=${jt(e)}`,2e4);return t("section",{class:"card",children:[t("header",{children:[t("h2",{children:t("a",{href:"#/treasury",children:"Flo\
ws"})}),t(Gt,{range:e,ranges:["24 h","7 d","30 d"],onChange:n})]}),o===null?t("p",{class:"quiet",children:"Reading…"}):t(dt,{chains:o.chains})]})}var Uo=6;function Da({
overview:{orders:e},summary:n}){let o=e.slice(0,Uo).map(s=>{let a=n?.open.find(r=>r.order===s.id);return{...s,deposited:a?.deposited??!1,createdAt:a?.requestedAt??
s.since,fiat:a?.fiat??null}});return t(k,{title:"Orders in flight",link:"#/orders",wide:!0,children:[t(Ht,{orders:o,none:"No order is in flight."}),e.length<=Uo?
null:t("p",{class:"rest",children:t("a",{href:"#/orders",children:["All ",e.length," orders in flight"]})})]})}var Na={ok:"All is well",attention:"Needs attenti\
on",trouble:"Trouble"};function La({overview:e}){let{level:n,mode:o,pause:s}=e;return t("section",{class:`verdict ${n}`,"aria-label":"Verdict",children:t("div",
{children:[t("h1",{tabIndex:-1,children:[Na[n]," · ",o??"unknown"," mode",s===null?"":" · paused"]}),s===null?null:t("p",{children:["Paused by ",s.by," ",t(O,
{at:s.at}),s.reason===null||s.by==="alarm"?".":`: ${s.reason}.`]})]})})}function Xa({overview:e}){return t(k,{title:"Next",link:"#/rules",children:[e.next.length===
0?t(B,{children:"No rule is due."}):null,t("dl",{class:"pairs",children:e.next.slice(0,5).map(({rule:n,at:o})=>t("div",{children:[t("dt",{children:t("a",{href:`\
#/decisions/${encodeURIComponent(n)}`,children:n})}),t("dd",{children:t(O,{at:o})})]},n))})]})}function Ja({overview:e}){let n=e.limits.toSorted((o,s)=>s.percent-
o.percent).slice(0,3);return t(k,{title:"Limits used",link:"#/limits",children:n.map(({name:o,used:s,max:a,unit:r,percent:i})=>t("div",{class:"limit",children:[
t("p",{children:[t(W,{text:o})," ",t("span",{class:"quiet",children:Ft(s,a,r)})]}),t(st,{percent:i,label:`${o}: ${i}%`})]},o))})}var Wo={good:"good",slow:"warn",
degraded:"warn",resting:"warn",silent:"bad",failing:"bad",unknown:"calm"};function Fa({overview:e}){let{nodes:n,services:o}=e;return t(k,{title:"Nodes and servi\
ces",children:t("dl",{class:"pairs",children:[n.map(({chain:s,state:a,lastAnswer:r,endpoints:i,needed:l})=>t("div",{children:[t("dt",{title:i.map(({host:c})=>c).
join(", "),children:[N(s)," ",t("small",{class:"block",children:[i.length," node",i.length===1?"":"s",", ",l," must agree"]})]}),t("dd",{children:[t(O,{at:r}),"\
 ",t(R,{tone:Wo[a]??"calm",children:a})]})]},s)),o.map(({name:s,state:a,lastAnswer:r,inFlight:i})=>t("div",{children:[t("dt",{children:["Service ",s," ",t("smal\
l",{children:[i," in flight"]})]}),t("dd",{children:[t(O,{at:r})," ",t(R,{tone:Wo[a]??"calm",children:a})]})]},s))]})})}var Ia="What the rules would do if every rule decided now. Looking at it changes nothing.";function qo({known:e}){let n=$("plan",15e3);return t(g,{children:[t(X,
{note:Ia,children:"Plan"}),t(D,{live:n,children:({at:o,proposals:s,declined:a,paused:r,plan:i,mode:l})=>t(g,{children:[(r??[]).map(c=>t("p",{class:"notice warn",
children:t(W,{text:c})},c)),l==="observe"?t("p",{class:"notice warn",children:"Observe mode: Ballast records decisions and makes no order."}):null,t(k,{title:s.
length===0?"Nothing to swap now":`${s.length} swap${s.length===1?"":"s"}`,note:t(g,{children:["computed ",t(O,{at:o}),i.cost===null||s.length===0?"":`, cost abo\
ut ${w(i.cost)}`]}),wide:!0,children:[s.length===0?t(B,{children:"Each rule says below why it asks for nothing."}):null,s.map(c=>t(Ha,{proposal:c,known:e},Ba(c)))]}),
t("div",{class:"grid even",children:a.map(({rule:c,reasons:u})=>t(k,{title:c,link:`#/decisions/${encodeURIComponent(c)}`,children:t(Y,{reasons:u.map(d=>e.humane(
d)),none:"It proposes a swap."})},c))})]})})]})}function Ba({rules:e,from:n,to:o,amount:s}){return`${e.join()} ${n} ${o} ${s}`}function Ha({proposal:e,known:n}){
let{amount:o,from:s,receive:a,to:r,rules:i,cost:l,why:c,refused:u,explained:d=[]}=e;return t("article",{class:"proposal",children:[t("p",{class:"line",children:[
t(I,{amount:o,asset:s})," → ",t(I,{amount:a,asset:r}),u.length===0?t(R,{tone:"good",children:"would be ordered"}):t(R,{tone:"bad",children:"refused"}),t("span",
{class:"quiet",children:[i.join(", "),l===null?"":` · cost ${w(l)}`]})]}),d.map(p=>t("p",{class:"quiet",children:p},p)),t(Y,{reasons:[...c,...u].map(p=>n.humane(
p,e))})]})}var Ua=2e4;function zt({scope:e,paused:n,scopes:o,children:s}){let a=K(),[r,i]=y(null),[l,c]=y(null),u=Ce("operate",o),d=r===null?0:r+Ua-a;async function p(f){try{
await V("POST",f,e),c(null),i(f==="pause"?Date.now():null),ke()}catch(m){m instanceof F&&c(m)}}return t("span",{class:"actions",children:[l===null?null:t("span",
{class:"notice bad",role:"alert",children:l.message}),n&&d>0?t("button",{type:"button",onClick:()=>{p("resume")},children:["Undo (",Math.ceil(d/1e3)," s)"]}):n?
s:t("button",{type:"button",class:"stop","data-key":e.rule===void 0?"pause":void 0,disabled:u!==null,title:u??"No new order and no new deposit. Orders that have\
 deposited go on.",onClick:()=>{p("pause")},children:"Pause"})]})}function Ko({overview:e,scopes:n}){return t(zt,{scope:{},paused:e.pause!==null,scopes:n,children:t(
Wa,{overview:e,scopes:n})})}function Wa({overview:e,scopes:n}){let o=e.pause?.alarms??[],[s,a]=y([]),r={title:"Resume?",word:"resume",button:"Resume",path:"resu\
me",body:{acknowledge:s},children:o.length===0?t("p",{children:"Rules make orders again at their next time."}):t("fieldset",{children:[t("legend",{children:"Ack\
nowledge each alarm that you have dealt with"}),o.map(({id:i,message:l})=>t("label",{class:"check",children:[t("input",{type:"checkbox",checked:s.includes(i),onChange:c=>{
let u=s.filter(d=>d!==i);a(c.currentTarget.checked?[...u,i]:u)}}),l]},i))]})};return t(ne,{change:r,scope:"operate",scopes:n})}function Go(e,n){let{kind:o}=e,s=l=>String(e[l]??""),a=l=>n.speak(s(l)),r=(l,c)=>{let u=l==null?null:n.amountOf(String(l),c);return u===null?"any":C(u)},i=typeof e.
everyMs=="number"?`looks each ${U(e.everyMs)}`:`runs at ${s("schedule")} (${s("timezone")})`;if(o==="recurring")return`Swaps ${Va(e.amount,c=>r(c,s("from")))} o\
f ${a("from")} to ${a("to")}; ${i}.`;if(o==="band"){let[l,c,u]=["minUnits","targetUnits","maxUnits"].map(f=>r(e[f],s("asset"))),d=jo(", bought with",e.sources,n)+
jo(", sold for",e.sinks,n),p=`between ${l} and ${u}, with ${c} as the target`;return`Keeps ${a("asset")} ${p}${d}; ${i}.`}if(o==="sweep"){let l=r(e.keepUnits,s(
"from"));return`Swaps all of ${a("from")} above ${l} to ${a("to")}; ${i}.`}if(o==="weights"){let l=Yt(e.toleranceBps);return`Keeps ${qa(e.weights,n)} within ${l}\
; ${i}.`}return`A rule of the kind ${o}; ${i}.`}function Va(e,n){let o=e;return o?.kind==="share"?Yt(o.bps):o?.kind==="fiat"?`${w(String(Number(o.fiat)/1e6))} w\
orth`:n(o?.units)}function Yt(e){return`${Number(e)/100}%`}function jo(e,n,{speak:o}){let a=(Array.isArray(n)?n:[]).map(r=>typeof r=="string"?r:String(zo(r)));return a.
length===0?"":`${e} ${a.map(o).join(" or ")}`}function zo(e){return e?.asset}function qa(e,{speak:n}){return(Array.isArray(e)?e:[]).map(s=>{let{bps:a}=s;return`${Yt(
a)} in ${n(String(zo(s)))}`}).join(", ")}function Yo({overview:e,scopes:n,known:o}){let s=$("rules",3e4),a=$("flows",3e4);return t(g,{children:[t(X,{note:"Each rule with its last decision, and why it d\
ecided so.",children:"Rules"}),t(D,{live:e,children:({rules:r,orders:i})=>t("div",{class:"grid even",children:[r.map(l=>t(ja,{rule:l,inFlight:i.filter(c=>c.rule===
l.id).length,scopes:n,sentence:Ka(l.id,s.value,o),week:a.value?.rules.find(({name:c})=>c===l.id)??null},l.id)),r.length===0?t(B,{children:"The configuration has\
 no rules."}):null]})})]})}function Ka(e,n,o){let s=n?.rules.find(a=>a.id===e);return s===void 0?null:Go(s,o)}function ja({rule:e,inFlight:n,scopes:o,sentence:s,
week:a}){let{id:r,kind:i,enabled:l,paused:c,next:u,last:d,verdict:p,reasons:f}=e,m={title:`Resume the rule ${r}?`,word:"resume",button:"Resume",path:"resume",body:{
rule:r},children:t("p",{children:"The rule decides again at its next time."})};return t(k,{title:r,note:Z(i),link:`#/decisions/${encodeURIComponent(r)}`,children:[
s===null?null:t("p",{class:"sentence",children:s}),t("p",{class:"line",children:[l?c?t(R,{tone:"warn",children:"paused"}):t(R,{tone:"good",children:"on"}):t(R,{
tone:"calm",children:"not enabled"}),t("span",{children:["Next: ",t(O,{at:u})]}),t("span",{children:["Last: ",t(O,{at:d})]}),n===0?null:t("span",{children:[n," \
in flight"]})]}),a===null?null:t("p",{class:"quiet",children:["In 7 days: ",a.completed," of ",a.orders," orders completed ·"," ",t(oe,{fiat:a.volumeFiat})," m\
oved · ",t(oe,{fiat:a.costFiat})," cost",a.costBps===null?"":`, ${a.costBps} bps`]}),t("p",{children:p===null?t("span",{class:"quiet",children:"It has not deci\
ded yet."}):p==="proposed"?t("b",{children:"It proposed a swap."}):t("b",{children:"It did nothing, because:"})}),t(Y,{reasons:f}),t("div",{class:"actions",children:[
t(zt,{scope:{rule:r},paused:c,scopes:o,children:t(ne,{change:m,scope:"operate",scopes:o})}),t("a",{class:"button",href:`#/decisions/${encodeURIComponent(r)}`,children:"\
All decisions"})]})]})}var Ga="The configuration that the daemon has in force now. To change it, edit the file and reload; no secret is shown here.";function Qo({overview:e}){let n=$(
"settings",6e4);return t(g,{children:[t(X,{note:Ga,children:"Settings"}),t(D,{live:n,children:o=>t("div",{class:"grid even",children:[t(k,{title:"Daemon",children:t(
Oe,{pairs:[["treasury",o.treasury],["version",e.value?.daemon.version??"unknown"],["configuration",t(Q,{hash:o.configHash,what:"the hash of the configuration"},
"hash")],...o.settings.map(({name:s,means:a})=>[s,a])]})}),t(k,{title:"Chains",children:t(Oe,{pairs:o.chains.map(({chain:s,family:a,nativeCoin:r,endpoints:i,agree:l})=>[
N(s),`${a}, coin ${r.symbol}, ${i} node${i===1?"":"s"} of which ${l} must agree`])})}),t(k,{title:"Services and access",children:t(Oe,{pairs:[...o.services.map(
({name:s,host:a})=>[`service ${s}`,a]),...o.tokens.map(({name:s,scopes:a})=>[`token ${s}`,a.join(", ")])]})}),t(Jt,{guards:o.guards})]})})]})}var za=1500,Zo="ballast.keys";function Qt(){return localStorage.getItem(Zo)!=="off"}function es(e){localStorage.setItem(Zo,e?"on":"off")}function ts(e){let n=q(
e);n.current=e,A(()=>{let o="",s=0,a=r=>{if((r.ctrlKey||r.metaKey)&&r.key.toLowerCase()==="k"){r.preventDefault(),n.current["/"]?.();return}if(r.ctrlKey||r.metaKey||
r.altKey||!Qt()||Ya(r))return;let i=`${o} ${r.key}`,l=Date.now()-s<za&&i in n.current,c=n.current[l?i:r.key];o=l?"":r.key,s=Date.now(),c!==void 0&&c()!==!1&&r.preventDefault()};
return document.addEventListener("keydown",a),()=>document.removeEventListener("keydown",a)},[])}function Ya({target:e}){return document.querySelector("dialog[o\
pen]")!==null?!0:e instanceof Element&&e.closest("input, select, textarea")!==null}function Ve(e){let n=[...document.querySelectorAll("main [data-row]")],o=n.findIndex(
a=>a.matches(":focus")),s=n[o===-1?e===1?0:n.length-1:o+e];return s?.focus(),s?.scrollIntoView({block:"nearest"}),n.length>0}function Pe(e){let n=document.querySelector(
`[data-key="${e}"]`);n?.focus(),n instanceof HTMLButtonElement&&n.click()}function ns(){let{activeElement:e}=document;e instanceof HTMLElement&&e.dataset.row!==
void 0&&e.click()}var Qa=[["g h","Overview"],["g t","Treasury"],["g o","Orders"],["g r","Rules"],["g s","Settings"],["/ or Ctrl K","Find or do"],["j k, ↓ ↑","Next and previou\
s line of a list"],["o, Enter","Open it"],["a","Approve, in an order"],["f","Filter"],["e","Export"],["p p","Pause everything"],[".","Times as clock times, or a\
s ages"],["?","This list"]];function os({onClose:e}){let n=q(null),[o,s]=y(Qt);return A(()=>n.current?.showModal(),[]),t("dialog",{ref:n,"aria-labelledby":"key-\
help",onClose:e,children:[t("h2",{id:"key-help",children:"Keys"}),t("dl",{class:"pairs",children:Qa.map(([a,r])=>t("div",{children:[t("dt",{children:t("kbd",{children:a})}),
t("dd",{children:r})]},a))}),t("label",{class:"check",children:[t("input",{type:"checkbox",checked:o,onChange:({currentTarget:{checked:a}})=>{es(a),s(a)}}),"Sin\
gle keys act outside of fields"]}),t("footer",{children:t("button",{type:"button",onClick:e,children:"Close"})})]})}function ss(e,n,o){let s=n.toLowerCase().split(/\s+/),a=e.filter(({name:l})=>s.every(c=>l.toLowerCase().includes(c))),[r=""]=/^[0-9a-f]{32}$/.exec(n.trim())??[],
i={name:`Order ${r}`,act:()=>o(r)};return(r===""?a:[i,...a]).slice(0,9)}function rs(e){let{commands:n,onClose:o}=e,s=q(null),a=de(),[r,i]=y(""),[l,c]=y(0);A(()=>s.current?.showModal(),[]);let u=ss(n,r,e.onOrder),d=f=>{f!==void 0&&(o(),
f.act())},p=f=>{let m={ArrowDown:1,ArrowUp:-1}[f.key];m!==void 0&&(f.preventDefault(),c((l+m+u.length)%Math.max(u.length,1))),f.key==="Enter"&&(f.preventDefault(),
d(u[l]))};return t("dialog",{ref:s,class:"palette","aria-label":"Find or do",onClose:o,children:[t("input",{type:"text",role:"combobox","aria-label":"Find or do",
"aria-expanded":"true","aria-controls":a,"aria-activedescendant":u.length===0?void 0:`${a}-${l}`,placeholder:"A view, an order, a rule, an act",value:r,autocomplete:"\
off",spellcheck:!1,onInput:f=>{i(f.currentTarget.value),c(0)},onKeyDown:p}),t("div",{id:a,role:"listbox","aria-label":"Found",children:u.map((f,m)=>t("button",{
type:"button",id:`${a}-${m}`,role:"option",tabIndex:-1,"aria-selected":m===l,onClick:()=>d(f),children:[f.name,f.keys===void 0?null:t("kbd",{children:f.keys})]},
f.name))}),u.length===0?t("p",{class:"empty",children:"Nothing has these words."}):null]})}var Za={overview:"M2.5 7.5 8 3l5.5 4.5M4 7v6h3v-3.5h2V13h3V7",orders:"M2 5.5h10m-2.5-3 3 3-3 3M14 10.5H4m2.5-3-3 3 3 3",treasury:"M2.5 3h11v9h-11zM4 12v1.5M12 1\
2v1.5M8 5.5a2 2 0 1 0 .01 0",rules:"M2 4.5h3m3 0h6M6.5 3v3M2 11.5h6m3 0h3M9.5 10v3",alarms:"M8 2.5a4 4 0 0 0-4 4V10l-1.5 2h11L12 10V6.5a4 4 0 0 0-4-4M7 14h2",settings:"\
M8 5.5a2.5 2.5 0 1 0 .01 0M8 1.5v2m0 9v2m6.5-6.5h-2m-9 0h-2M12.6 3.4l-1.4 1.4m-6.4 6.4-1.4 1.4m0-9.2 1.4 1.4m6.4 6.4 1.4 1.4",find:"M7 2.5a4.5 4.5 0 1 0 .01 0M1\
0.3 10.3 14 14",pause:"M5.5 3v10M10.5 3v10"};function Zt({name:e}){return t("svg",{class:"icon",viewBox:"0 0 16 16","aria-hidden":"true",children:t("path",{d:Za[e]})})}function as(e){let{overview:n}=e,[o,s]=y(!1);A(()=>s(!1),[e.shown]);let a={orders:n?.orders.length,alarms:n?.alarms.length};return t("nav",{class:o?"side open":
"side","aria-label":"Views",children:t("div",{class:"rail",children:[t("a",{class:"brand",href:"#/",children:[t("img",{src:"/icon.svg",alt:"",width:"26",height:"\
26"}),t("span",{children:["Ballast",t("small",{children:e.treasury??""})]})]}),t("ul",{children:e.entries.map(({id:r,name:i,icon:l})=>t("li",{children:t("a",{href:`\
#/${r}`,"aria-current":r===e.shown?"page":void 0,children:[t(Zt,{name:l}),i,a[r]?t("span",{class:`count ${r}`,children:a[r]}):null]})},r))}),t("button",{type:"b\
utton",class:"more","aria-expanded":o,onClick:()=>s(!o),children:o?"Less":"More"}),n===null?null:t(ei,{overview:n})]})})}function ei({overview:{services:e,nodes:n}}){
let o=n.filter(({state:s})=>s!=="good");return t("dl",{class:"pulse",children:[e.map(({name:s,state:a})=>t("div",{children:[t("dt",{children:["Service ",s]}),t(
"dd",{children:a==="good"?"✓ good":`▲ ${a}`})]},s)),t("div",{title:o.map(({chain:s,state:a})=>`${N(s)} ${a}`).join(", "),children:[t("dt",{children:"Chains"}),
t("dd",{children:[o.length===0?"✓":"▲"," ",n.length-o.length," of ",n.length," good"]})]})]})}function is(e){let{account:n,overview:o}=e,s=()=>{Pn().then(e.
onLeave)};return t("header",{class:"top",children:[t("p",{class:"state",children:o===null?null:t(g,{children:[t("span",{class:`dot ${o.level}`}),o.pause===null?
`${o.mode??"unknown"} mode`:"paused"]})}),t("button",{type:"button",class:"find",onClick:e.onFind,"aria-label":"Find or do","aria-keyshortcuts":"/ Control+K",children:[
t(Zt,{name:"find"}),t("span",{children:"Find or do…"}),t("kbd",{children:"/"})]}),t("a",{class:"button",href:"#/swap",children:"New swap"}),o===null?null:t(Ko,
{overview:o,scopes:n.scopes}),t(ti,{}),n.csrf===null?null:t("button",{type:"button",onClick:s,title:`Logged in with the token ${n.name}: ${n.scopes.join(", ")}`,
children:"Log out"})]})}function ti(){let[e,n]=y(localStorage.getItem("ballast.theme")??"system");A(()=>{e==="system"?delete document.documentElement.dataset.theme:
document.documentElement.dataset.theme=e,localStorage.setItem("ballast.theme",e)},[e]);let o={light:"Light",dark:"Dark"}[e]??"Auto",s={system:"light",light:"dar\
k",dark:"system"}[e]??"system";return t("button",{type:"button",class:"theme",onClick:()=>n(s),"aria-label":`${o} colours. Change to ${s}`,children:o})}var ni="Nothing is ordered before you have seen the quote and typed the amount.";function us(e){let n=(e.overview.value?.treasury??[]).map(({asset:v})=>v),[o,s]=y(
""),[a,r]=y(""),[i,l]=y(""),[c,u]=y(null),[d,p]=y(null),[f,m]=y(!1);function h(v){v(),u(null)}async function b(v){v.preventDefault(),m(!0),u(null),p(null);try{u(
await oi({from:o,to:a,amount:i}))}catch(_){p(_ instanceof F?_.message:"The page failed")}m(!1)}return t(g,{children:[t(X,{note:ni,children:"New swap"}),t("div",
{class:"grid even",children:[t(k,{title:"Request",children:[t("form",{class:"fields",onSubmit:b,children:[t(ls,{label:"Send",id:"swap-from",value:o,assets:n,onChoose:v=>h(
()=>s(v))}),t(si,{asset:o,value:i,onType:v=>h(()=>l(v))}),t(ls,{label:"Receive",id:"swap-to",value:a,assets:n,onChoose:v=>h(()=>r(v))}),t("button",{type:"submit",
class:"main",disabled:o===""||a===""||i===""||f,children:f?"Asking…":"Get a quote"})]}),d===null?null:t("p",{class:"notice bad",role:"alert",children:d})]}),c===
null?null:t(ri,{quote:c,desk:e})]})]})}async function oi(e){return await V("GET",`quote?${new URLSearchParams(e)}`)}function si(e){let n=e.asset===""?"":`, in ${x(
e.asset).symbol}`;return t(g,{children:[t("label",{for:"swap-amount",children:["Amount",n]}),t("input",{id:"swap-amount",inputMode:"decimal",autocomplete:"off",
value:e.value,onInput:({currentTarget:o})=>e.onType(o.value.trim())})]})}function ls(e){return t(g,{children:[t("label",{for:e.id,children:e.label}),t("select",
{id:e.id,value:e.value,onChange:n=>e.onChoose(n.currentTarget.value),children:[t("option",{value:"",children:"Choose an asset"}),e.assets.map(n=>t("option",{value:n,
children:[x(n).symbol," on ",x(n).chain]},n))]})]})}function ri({quote:e,desk:n}){let o={title:"Order this swap?",word:e.amount,button:"Order the swap",path:"sw\
ap",body:{from:e.from,to:e.to,amount:e.amount},onDone:s=>{location.hash=`#/orders/${s.id}`},children:t(g,{children:[t("p",{children:["Send ",t(I,{amount:e.amount,
asset:e.from})," and receive about"," ",t(I,{amount:e.receive,asset:e.to}),"."]}),t(cs,{sentences:e.worstCase})]})};return t(k,{title:"Quote",note:e.refused.length===
0?t(R,{tone:"good",children:"the guards allow it"}):t(R,{tone:"bad",children:"refused"}),children:[t("p",{class:"big",children:t(I,{amount:e.receive,asset:e.to})}),
t(ai,{quote:e}),t(cs,{sentences:e.worstCase}),t(Y,{reasons:e.refused.map(s=>n.known.humane(s,e))}),t("div",{class:"actions",children:e.refused.length===0?t(ne,{
change:o,scope:"operate",scopes:n.scopes,main:!0}):null})]})}function ai({quote:e}){return t("dl",{class:"pairs",children:[t("div",{children:[t("dt",{children:"\
Cost"}),t("dd",{children:[ae(e.costBps),e.sendsFiat===null||e.receivesFiat===null?"":`: ${w(e.sendsFiat)} for ${w(e.receivesFiat)}`]})]}),t("div",{children:[t("\
dt",{children:"Service and solver"}),t("dd",{children:[e.service??"none"," ",e.solver===null?null:t(Q,{hash:e.solver,what:"the solver's id"})]})]}),t("div",{children:[
t("dt",{children:"Network fees at most"}),t("dd",{children:e.fees===null?"cannot be estimated now":`${e.fees.deposit}; for a refund ${e.fees.refund}`})]}),t("di\
v",{children:[t("dt",{children:"Approval"}),t("dd",{children:e.needsApproval?"a person must approve the order":"not needed"})]})]})}function cs({sentences:e}){return t(
"div",{class:"notice warn",children:[t("b",{children:"The worst case"}),t("ul",{children:e.map(n=>t("li",{children:t(W,{text:n})},n))})]})}function ds({parts:e,shown:n,label:o}){return t("nav",{class:"filters tabs","aria-label":o,children:e.map(({id:s,name:a})=>t("a",{class:"chip",href:`#/${s}`,"ar\
ia-current":s===n?"page":void 0,children:a},s))})}var qe=[{id:"",name:"Overview",icon:"overview",show:Vo},{id:"orders",name:"Orders",icon:"orders",show:vo},{id:"treasury",name:"Treasury",icon:"treasury",show:Ho},
{id:"books",name:"Books",icon:"treasury",of:"treasury",show:In},{id:"rules",name:"Rules",icon:"rules",show:Yo},{id:"plan",name:"Plan",icon:"rules",of:"rules",show:qo},
{id:"decisions",name:"Decisions",icon:"rules",of:"rules",show:Wn},{id:"limits",name:"Limits",icon:"rules",of:"rules",show:Yn},{id:"alarms",name:"Alarms",icon:"a\
larms",show:Jn},{id:"settings",name:"Settings",icon:"settings",show:Qo}];function ms(){let[e,n]=y("asking"),[o,s]=y(0);return A(()=>{An().then(n,()=>setTimeout(
()=>s(r=>r+1),2e3))},[o]),e==="asking"?t("main",{class:"login",children:t("p",{class:"quiet",children:o===0?"Reading…":"The daemon does not answer. The page t\
ries again every two seconds."})}):e===null?t(Zn,{onLogin:n}):t(ii,{account:e,onLeave:()=>{Dn(),z.loggedOut=!1,n(null)}})}function ii({account:e,onLeave:n}){let o=$(
"overview",3e3),s=$("settings",6e4),[a="",r=null]=Ln(),i=q(!1);A(()=>{let _=new AbortController;return Nn(_.signal),document.addEventListener("copy",mi,{signal:_.
signal}),()=>_.abort()},[]);let l=z.loggedOut;A(()=>{l&&n()},[l]);let c=qe.find(({id:_})=>_===a),u=a==="swap"?"New swap":c?.name??"Not found";A(()=>{document.title=
`${u} · Ballast`,i.current&&document.querySelector("h1")?.focus({preventScroll:!0}),i.current=!0,scrollTo(0,0)},[a,r]);let d={overview:o,known:zn(s.value),scopes:e.
scopes,detail:r},p=hi()&&o.value!==null,[f,m]=y(!1),[h,b]=y(null);return ts(ci({find:()=>b("palette"),help:()=>b("help"),swapTimes:()=>m(_=>!_)})),t(li,{known:d.
known,isStale:p,asClock:f,children:[t("div",{class:"frame",children:[t("button",{type:"button",class:"skip",onClick:pi,children:"Skip to the content"}),t(as,{entries:qe.
filter(({of:_})=>_===void 0),shown:c?.of??a,overview:o.value,treasury:s.value?.treasury??null}),t("div",{class:"body",children:[t(is,{account:e,overview:o.value,
onFind:()=>b("palette"),onLeave:n}),t(gi,{overview:o.value,isStale:p}),t("main",{id:"content",tabIndex:-1,children:t(di,{view:a,detail:r,desk:d},`${a}/${r}`)})]})]}),
h==="palette"?t(rs,{commands:ui(o.value,()=>b("help")),onOrder:_=>se(`orders/${_}`),onClose:()=>b(null)}):null,h==="help"?t(os,{onClose:()=>b(null)}):null]})}function li(e){
return t(Mt.Provider,{value:e.known.speak,children:t(Ie.Provider,{value:e.known.chains,children:t(Pt.Provider,{value:e.isStale,children:t(Rt.Provider,{value:e.asClock,
children:e.children})})})})}function se(e){location.hash=`#/${e}`}function ci(e){return{"g h":()=>se(""),"g t":()=>se("treasury"),"g o":()=>se("orders"),"g r":()=>se(
"rules"),"g s":()=>se("settings"),"p p":()=>Pe("pause"),"/":e.find,"?":e.help,".":e.swapTimes,j:()=>Ve(1),k:()=>Ve(-1),ArrowDown:()=>Ve(1),ArrowUp:()=>Ve(-1),o:ns,
a:()=>Pe("approve"),f:()=>Pe("filter"),e:()=>Pe("export")}}function ui(e,n){let o={"":"g h",treasury:"g t",orders:"g o",rules:"g r",settings:"g s"};return[...qe.
map(({id:s,name:a})=>({name:a,keys:o[s],act:()=>se(s)})),{name:"New swap",act:()=>se("swap")},{name:"Pause everything",keys:"p p",act:()=>Pe("pause")},{name:"Ke\
ys",keys:"?",act:n},...(e?.orders??[]).map(({id:s,from:a,to:r})=>({name:`Order ${s.slice(0,8)} ${a} → ${r}`,act:()=>se(`orders/${s}`)})),...(e?.rules??[]).map(
({id:s})=>({name:`Rule ${s}`,act:()=>se(`decisions/${encodeURIComponent(s)}`)}))]}function di({view:e,detail:n,desk:o}){if(e==="orders"&&n!==null)return t(co,{...o,
detail:n});if(e==="swap")return t(us,{...o});let s=qe.find(({id:i})=>i===e);if(s===void 0)return t("h1",{tabIndex:-1,children:"There is no such view"});let a=s.
of??s.id,r=qe.filter(({id:i,of:l})=>i===a||l===a);return t(g,{children:[r.length<2?null:t(ds,{parts:r,shown:e,label:"Parts of this view"}),t(s.show,{...o})]})}function mi(e){
let n=getSelection(),[o,s]=[n?.anchorNode,n?.focusNode].map(a=>a?.parentElement?.closest("[data-exact]")??null);o==null||o!==s||(e.clipboardData?.setData("text/\
plain",o.dataset.exact??""),e.preventDefault())}function pi(){document.querySelector("#content")?.focus()}var fi=1e4;function hi(){let[e,n]=y(!1);return A(()=>{
let o=setInterval(()=>n(z.failing||Date.now()-z.lastMs>fi),500);return()=>clearInterval(o)},[]),e}function gi(e){let{overview:n,isStale:o}=e,s=K();return A(()=>{
document.body.classList.toggle("old",o)},[o]),t("div",{role:"status",children:o&&n!==null?t("p",{class:"notice bad stale",children:[t("b",{children:"This is not\
 live."})," The daemon last answered"," ",nt(new Date(z.lastMs).toISOString(),s),". You see the state of"," ",P(n.at,s),"."]}):null})}var ps=document.querySelector("#app");ps!==null&&fn(t(ms,{}),ps);
