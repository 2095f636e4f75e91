/*! Ballast's dashboard, made from web/ by `npm run generate`. It contains Preact (MIT), (c) 2015-present Jason Miller. */
var M,pn,Fs,de,kt,nt,fn,Qe,hn,$t,St,gn,Xe=Symbol.for("pv"),ot={},st=[],Is=/^m(i|n|o|s|text|space)$/,Ot=Array.isArray,yn=st.slice,Se=Object.assign;function ke(e){
e&&e.parentNode&&e.remove()}function Ze(e,n,o,s,r){var a={type:e,props:n,key:o,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Xe,__v:r||++pn,__i:-1,__u:0};return!r&&M.vnode&&M.
vnode(a),a}function y(e){return e.children}function et(e,n){this.props=e,this.context=n,this.__g=0}function me(e,n){if(n==null)return e.__&&me(e.__,e.__i+1);for(var o;n<e.
__k.length;n++)if((o=e.__k[n])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:me(e)}function Bs(e){var n,o=e.__v,s=o.__e,r=[],a=[],i=e.__P;
i&&((n=Se({constructor:Xe},o)).__v=o.__v+1,M.vnode&&M.vnode(n),Ct(i,n,o,e.__n,i.namespaceURI,32&o.__u?[s]:null,r,s||me(o),32&o.__u,a),n.__v=o.__v,n.__.__k[n.__i]=
n,Sn(r,n,a),o.__=o.__e=null,n.__e!=s&&bn(n))}function bn(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(n){return n&&(e.__e=n.__e)}),
bn(e)}function xt(e){(8&e.__g||(e.__g|=8,de.push(e),nt++))&&kt==M.debounceRendering||((kt=M.debounceRendering)||queueMicrotask)(vn)}function vn(){try{for(var e,
n=1;de.length;)de.length>n&&de.sort(fn),e=de.shift(),n=de.length,8&e.__g&&Bs(e)}finally{(nt=de.length)&&(kt||queueMicrotask)(vn)}}function wn(e,n,o,s,r,a,i,l,c,u,d){
var p,f,m,h,w,v,g=s.__k||st,S=n.length;for(c=Us(o,n,g,c,S),p=0;p<S;p++)(m=o.__k[p])!=null&&(f=~m.__i&&g[m.__i]||ot,m.__i=p,v=Ct(e,m,f,r,a,i,l,c,u,d),h=m.__e,(f.
ref!=m.ref||8&f.__u)&&(f.ref&&Et(f.ref,null,m,f),m.ref&&d.push(m.ref,m.__c||h,m)),w=w||h,4&m.__u?(c=_n(m,c,e,!f.__v),f.__e&&(f.__e=null)):typeof m.type=="functi\
on"&&v!==void 0?c=v:h&&(c=h.nextSibling),m.__u&=-21);return o.__e=w,c}function Us(e,n,o,s,r){var a,i,l,c,u,d,p,f,m,h=o.length,w=h,v=0,g=0,S=e.__k=Array(r);for(a=
0;a<r;a++)(i=n[a])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=S[a]=Ze(null,i):Ot(i)?i=S[a]=Ze(y,{children:i}):
i.constructor===Xe&&i.__b?i=S[a]=Ze(i.type,i.props,i.key,i.ref,i.__v):S[a]=i,c=a+v,i.__=e,i.__b=e.__b+1,l=null,~(u=i.__i=Hs(i,o,c,w))&&(w--,(l=o[u])&&(l.__u|=2)),
l&&l.__v?(i.__u|=16,u==c-1?v--:u==c+1?v++:u!=c&&(u>c?v--:v++,g=1)):(~u||(r>h?v--:r<h&&v++),typeof i.type!="function"&&(i.__u|=4))):S[a]=null;if(g){for(d=[],p=[],
a=0;a<r;a++)if((i=S[a])&&16&i.__u){for(v=0,f=d.length;v<f;)d[m=v+f>>1]<i.__i?v=m+1:f=m;d[v]=i.__i,p[a]=v+1}for(v=d.length;a--;)p[a]&&(p[a]==v?v--:S[a].__u|=4)}if(w)
for(a=0;a<h;a++)!(l=o[a])||2&l.__u||(l.__e==s&&(s=me(l)),Tt(l,l));return s}function _n(e,n,o,s){var r,a,i,l;if(typeof e.type=="function"){if(e.props.__P)return n;
if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&(r[a].__=e,n=_n(r[a],n,o,!1));return n}for(n&&!n.parentNode&&(n=me(e))&&!n.parentNode&&(n=null),i=e.__e,l=n;l&&l.nodeType==
8;)l=l.nextSibling;for(i!=l&&(!s&&o.moveBefore&&i.parentNode?o.moveBefore(i,n):o.insertBefore(i,n||null)),n=i;(n=n&&n.nextSibling)&&n.nodeType==8&&!n.data.startsWith(
"$s"););return n}function Hs(e,n,o,s){var r,a=e.key,i=e.type,l=n[o],c=l&&!(2&l.__u);if(l===null&&a==null||c&&a==l.key&&i==l.type)return o;if(s>(c?1:0)){for(r=o-1;r>=0;r--)if((l=
n[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r;for(r=o+1;r<n.length;r++)if((l=n[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r}return-1}function mn(e,n,o){o==null&&
(o=""),n[0]=="-"?e.setProperty(n,o):e[n]=o}function Ye(e,n,o,s,r){var a,i;if(n=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof s=="string"&&(e.style.
cssText=s=""),s)for(n in s)o&&n in o||mn(e.style,n);if(o)for(n in o)s&&o[n]==s[n]||mn(e.style,n,o[n])}else if(n[0]=="o"&&n[1]=="n")typeof o!="function"&&(o=null),
typeof s!="function"&&(s=null),(e.__e||(e.__e={}))[n]=o,o&&s||(i=St[n]||(St[n]=Ws(n)),(e.__a||(e.__a={}))[n]=$t,a=n!=(n=n.replace(hn,"$1")),(n=n.slice(2))[0]<"a"&&
(n=n.toLowerCase()),o?e.addEventListener(n,i,a):e.removeEventListener(n,i,a));else{if(r=="http://www.w3.org/2000/svg")n=n.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(n!="width"&&n!="height"&&n!="href"&&n!="list"&&n!="form"&&n!="tabIndex"&&n!="download"&&n!="rowSpan"&&n!="colSpan"&&n!="role"&&n!="popover"&&n in e)
try{return void(e[n]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&n[4]!="-"?e.removeAttribute(n):e.setAttribute(n,n=="popover"&&o==1?"":o)}}function Ws(e){
return function(n){var o=this.__e;if(o){if(o=o[e],n[Qe]==null)n[Qe]=$t++;else if(n[Qe]<this.__a[e])return;return o(M.event?M.event(n):n)}}}function Ct(e,n,o,s,r,a,i,l,c,u){
var d,p,f,m,h,w,v,g,S,C,T,ve,Le,B,we,dn,ue,_e,ie=n.type;if(n.constructor!==Xe)return null;128&o.__u&&(c=32&o.__u,d=o.__c.__z)&&(n.__u|=c,p=a=[],d.nodeType==8?l=
tt(d,a):a.push(d),l=a[0]||l),(d=M.__b)&&d(n);e:if(typeof ie=="function"){f=i.length;try{if(g=n.props,S=(d=ie.prototype)&&d.render,C=(d=ie.contextType)&&s[d.__c],
T=d?C?C.props.value:d.__:s,(m=o.__c)?(n.__c=m,2&m.__g&&(m.__g|=1)):(S?n.__c=m=new ie(g,T):(n.__c=m=new et(g,T),m.constructor=ie,m.render=Ks),C&&C.sub(m),m.state||
(m.state={}),m.__n=s,m.__g|=8,m.__h=[],m.__k=[]),S&&(m.__s||(m.__s=m.state),ie.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=Se({},m.__s)),Se(m.__s,ie.getDerivedStateFromProps(
g,m.__s)))),h=m.props,w=m.state,m.__v=n,o.__c){if(g!==h&&S&&!ie.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(g,T),n.__v==o.
__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(g,m.__s,T)===!1){n.__v!=o.__v&&(m.props=g,m.state=m.__s,m.__g&=-9),n.__e=o.__e,n.__k=
o.__k,n.__k.some(function(z){z&&(z.__=n)}),st.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&i.push(m),l=me(o);break e}m.componentWillUpdate&&m.componentWillUpdate(
g,m.__s,T),S&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(h,w,v)})}else S&&!ie.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),
S&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=T,m.props=g,m.__P=e,m.__g&=-5,ve=M.__r,Le=S?25:0;do m.__g&=-9,ve&&ve(n),d=m.render(m.props,m.state=
m.__s,m.context);while(8&m.__g&&++Le<25);S&&(st.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(s=Se({},s,m.getChildContext())),S&&o.__c&&m.
getSnapshotBeforeUpdate&&(v=m.getSnapshotBeforeUpdate(h,w)),B=d&&d.type===y&&d.key==null?d.props.children:d,g.__P&&(d=l,r=(e=g.__P).namespaceURI,c=a=null,o.props&&
o.props.__P!=e&&(o.__k.some(function(z){z&&Tt(z,z)}),o.__k=null),l=o.__k?me(o,0):null),l=wn(e,Ot(B)?B:[B],n,o,s,r,a,i,l,c,u),g.__P&&(n.__e=null,l=d),n.__u&=-161,
p&&p.some(ke),m.__h.length&&i.push(m),1&m.__g&&(m.__g&=-4)}catch(z){if(i.length=f,n.__v=null,c||a)if(z&&z.then){if(n.__u|=128|c,a){for(~(ue=a.indexOf(l||void 0))||
(ue=a.length);(_e=a[ue-1])&&_e.nodeType==8;)ue--;for(;ue<a.length;ue++)if(_e=a[ue])if(a[ue]=null,we){if(_e==dn)break}else{if(_e.nodeType!=8)break;_e.data.startsWith(
"$s")&&(dn=tt(we=_e))}}if(!we){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;we=l}(d=tt(we=n.__c.__z||(n.__c.__z=we)))?(n.__e=we,l=d):n.__e=l,l=l&&l.nextSibling}else
a&&a.some(ke);else n.__e=o.__e;n.__k||(n.__k=o.__k||[]),z&&z.then||kn(n),M.__e(z,n,o)}}else l=n.__e=Vs(o.__e,n,o,s,r,a,i,c,u,e);return(d=M.diffed)&&d(n),l}function tt(e,n){
if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.data.startsWith("/$s")&&!--o)
return e}n&&n.push(e)}}function kn(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(kn))}function Sn(e,n,o){for(var s=0;s<o.length;)Et(o[s++],o[s++],o[s++]);M.__c&&
M.__c(n,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(a){a.call(r)})}catch(a){M.__e(a,r.__v)}})}function Vs(e,n,o,s,r,a,i,l,c,u){var d,p,f,m,h,w,v,
g,S=o.props||ot,C=n.props,T=n.type;if(T=="svg"?r="http://www.w3.org/2000/svg":T=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xht\
ml"),a){for(d=0;d<a.length;d++)if((h=a[d])&&(T?h.localName==T:h.nodeType==3)){e=h,a[d]=null;break}}if(!e){if(g=u.ownerDocument||document,!T)return g.createTextNode(
C);e=g.createElementNS(r,T,C.is?C:u),l&&(M.__m&&M.__m(n,a),l=!1),a=null}if(T){if(u=T=="template"&&e.content||e,a=T=="textarea"&&C.defaultValue!=null?null:a&&yn.
call(u.childNodes),!l&&a)for(S={},d=0;d<e.attributes.length;d++)S[(h=e.attributes[d]).name]=h.value;for(d in S)h=S[d],d=="dangerouslySetInnerHTML"?f=h:d=="child\
ren"||d in C||d=="value"&&"defaultValue"in C||d=="checked"&&"defaultChecked"in C||Ye(e,d,null,h,r);for(d in C)h=C[d],d=="children"?m=h:d=="dangerouslySetInnerHT\
ML"?p=h:d=="value"?w=h:d=="checked"?v=h:l&&typeof h!="function"||S[d]===h||Ye(e,d,h,S[d],r);p?(l||f&&(p.__html==f.__html||p.__html==e.innerHTML)||(e.innerHTML=p.
__html),n.__k=[]):(f&&(e.textContent=""),(T=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&Is.test(T))&&(r="http://www.w3.org/1999/xhtml"),wn(u,Ot(m)?
m:[m],n,o,s,r,a,i,a?a[0]:o.__k&&me(o,0),l,c),a&&a.some(ke)),l&&T!="textarea"||(d="value",T=="progress"&&w==null?e.removeAttribute(d):w==null||w===e[d]&&(T!="pro\
gress"||w)||Ye(e,d,w,S[d],r),d="checked",v!=null&&v!=e[d]&&Ye(e,d,v,S[d],r))}else S===C||l&&e.data==C||(e.data=C);return e}function Et(e,n,o,s){try{typeof e=="f\
unction"?n?n.__x=e(n)||1:s&&(s=s.__c||s.__e)&&(n=s.__x)&&(s.__x=null,typeof n=="function"?n():e(null)):e.current=n}catch(r){M.__e(r,o)}}function Tt(e,n,o){var s,
r,a,i;if(M.unmount&&M.unmount(e),!(s=e.ref)||s.current&&s.current!=e.__e||Et(s,null,n,e),s=e.__c){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(l){
M.__e(l,n)}s.__P=s.__n=null}if(s=e.__k)for(i=0;i<s.length;i++)s[i]&&Tt(s[i],n,typeof e.type!="function"||o&&!e.props.__P);!o&&(s=e.__c)&&(s=s.__z)&&(r=tt(s,a=[]))&&
(s==e.__e&&a.some(ke),ke(r),ke(s)),o||ke(e.__e),e.__e=e.__c=e.__=null}function Ks(e,n,o){return this.constructor(e,o)}function xn(e,n){var o,s,r,a;M.__&&M.__(e,
n),n.nodeType==9&&(n=n.documentElement),s=(o=e&&32&e.__u)?null:n.__k,n.__k=Ze(y,{children:[e]}),r=[],a=[],Ct(n,n.__k,s||ot,ot,n.namespaceURI,s?null:n.firstChild?
yn.call(n.childNodes):null,r,s?s.__e:n.firstChild,o,a),Sn(r,n.__k,a),n.__k.props.children=null}function Je(e){function n(o){var s,r;return this.getChildContext||(s=new Set,(r={})[n.__c]=this,this.getChildContext=function(){return r},this.shouldComponentUpdate=
function(a){this.props.value!=a.value&&s.forEach(function(i){i.__g|=4,xt(i)})},this.sub=function(a){s.add(a);var i=a.componentWillUnmount;a.componentWillUnmount=
function(){s.delete(a),i&&i.call(a)}}),o.children}return n.__c="__cC"+gn++,n.__=e,n.Provider=(n.Consumer=function(o,s){return o.children(s)}).contextType=n,n}M={__e:function(e,n,o,s){for(var r,a,i;n=n.__;)if((r=n.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(a=r.constructor)&&a.getDerivedStateFromError)&&r.setState(a.getDerivedStateFromError(
e)),r.componentDidCatch&&(r.componentDidCatch(e,s||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw nt=0,e}},pn=0,Fs=function(e){return e!=null&&e.
constructor===Xe},et.prototype.setState=function(e,n){var o=this.__s;o&&o!=this.state||(o=this.__s=Se({},this.state)),typeof e=="function"&&(e=e(Se({},o),this.props)),
e&&(Se(o,e),this.__v&&(n&&this.__k.push(n),xt(this)))},et.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),xt(this))},et.prototype.render=
y,de=[],nt=0,fn=function(e,n){return e.__v.__b-n.__v.__b},Qe=Symbol(),hn=/(PointerCapture)$|Capture$/i,$t=0,St={},gn=0;var pe,L,At,$n,Mt=Object.is,rt=0,Dn=[],Rt=[],U=M,On=U.__b,Cn=U.__r,En=U.diffed,Tn=U.__c,An=U.unmount,Mn=U.__;function Te(e,n){U.__h&&U.__h(L,e,rt||n),rt=0;var o=L.
__H||(L.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function b(e){return rt=1,qs(Ln,e)}function qs(e,n,o){var s=Te(pe++,2);if(s.t=e,!s.__c&&
(s.__=[o?o(n):Ln(void 0,n),function(a){var i=(s.__N||s.__)[0],l=s.t(i,a);Mt(i,l)||(s.__N=[l,s.__[1]],s.__c.setState({}))}],s.__c=L,!L.__f)){L.__f=!0;var r=L.shouldComponentUpdate;
L.shouldComponentUpdate=function(a,i,l){var c=this.__H;if(!c)return!0;var u=!1,d=this.props!=a;if(c.__.some(function(f){f.__N&&(u=!0,Mt(f.__[0],f.__N[0])||(d=!0))}),
r){var p=r.call(this,a,i,l);return u?p||d:p}return!u||d}}return s.__}function F(e,n){var o=Te(pe++,3);!U.__s&&Dt(o.__H,n)&&(o.__P=!0,o.__=e,o.u=n,L.__H.__h.push(
o))}function Nn(e,n){var o=Te(pe++,4);!U.__s&&Dt(o.__H,n)&&(o.__P=!1,o.__=e,o.u=n,L.__h.push(o))}function Y(e){return rt=5,js(function(){return{current:e}},[])}function js(e,n){var o=Te(pe++,7);return Dt(o.__H,n)&&(o.__=e(),o.__H=n),o.__}function xe(e){var n=L.context[e.__c],o=Te(pe++,9);return o.c=e,n?(o.__==null&&(o.__=!0,n.sub(L)),n.props.value):e.__}function fe(){var e=Te(pe++,11);if(!e.__){for(var n=L.__v;!n.__m&&n.__;)n=n.__;var o=n.__m||(n.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function Gs(){var e;
do{for(;e=Rt.shift();)try{Fe(e)}catch(o){U.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=Dn.shift();){var n=e.__H;if(e.__P&&n)try{n.__h.some(Fe),n.__h.some(Pt),n.__h=[]}catch(o){
n.__h=[],U.__e(o,e.__v)}}}while(Rt.length)}U.__b=function(e){L=null,On&&On(e)},U.__=function(e,n){e&&n.__k&&n.__k.__m&&(e.__m=n.__k.__m),Mn&&Mn(e,n)},U.__r=function(e){
Cn&&Cn(e),pe=0;var n=(L=e.__c).__H;n&&(At==L?L.__h=[]:(n.__h.some(Fe),n.__h.some(Pt),pe=0),n.__h=[],n.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),
At=L},U.diffed=function(e){En&&En(e);var n=e.__c;n&&n.__H&&(n.__H.__h.length&&Pn(Dn.push(n)),n.__H.__.some(function(o){o.u&&(o.__H=o.u)})),At=L=null},U.__c=function(e,n){
n.some(function(o){try{o.__h.some(Fe),o.__h=o.__h.filter(function(s){return!s.__||Pt(s)})}catch(s){o.__h=[function(){throw s}]}}),Tn&&Tn(e,n)},U.unmount=function(e){
An&&An(e);var n,o,s=e.__c;s&&s.__H&&(s.__H.__.some(function(r){try{if(r.__P&&r.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}r.__P=o,
Pn(Rt.push(r))}else Fe(r)}catch(a){n=a}}),s.__H=void 0,n&&U.__e(n,s.__v))};var Rn=typeof requestAnimationFrame=="function";function zs(e){var n,o=function(){clearTimeout(
s),Rn&&cancelAnimationFrame(n),setTimeout(e)},s=setTimeout(o,35);Rn&&(n=requestAnimationFrame(o))}function Pn(e){e!=1&&$n==U.requestAnimationFrame||(($n=U.requestAnimationFrame)||
zs)(Gs)}function Fe(e){var n=L,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),L=n}function Pt(e){var n=L;e.__c=e.__(),L=n}function Dt(e,n){return!e||e.length!=
n.length||n.some(function(o,s){return!Mt(o,e[s])})}function Ln(e,n){return typeof n=="function"?n(e):n}function W(e){if(e<6e4)return`${Math.max(0,Math.floor(e/1e3))} s`;if(e<36e5)return`${Math.floor(e/6e4)} min`;if(e>=2*864e5)return`${Math.floor(e/864e5)} d`;let n=Math.
floor(e%36e5/6e4);return`${Math.floor(e/36e5)} h${n===0?"":` ${n} min`}`}function Xn(e){return Number.isFinite(e)?`${new Date(e).toISOString().slice(0,16).replace(
"T"," ")} UTC`:"an unknown time"}function $(e){let[n="",o=""]=e.split(":");return{symbol:o.toUpperCase(),chain:X(n)}}function X(e){return e.replace(/(^|_)([a-z])/g,(n,o,s)=>(o?" ":"")+s.toUpperCase())}
function O(e){let n=e.startsWith("-")?"−":"",[o="0",s=""]=e.replace("-","").split(".");if(o.length>Jn)return`${n}${O(`${o.slice(0,-6)}.${o.slice(-6)}`)} M`;let r=o===
"0"?/^0*/.exec(s)?.[0].length??0:-o.length,a=s.slice(0,Jn+r).replace(/0+$/,""),i=o.replace(/\B(?=(\d{3})+$)/g," ");return`${n}${i}${a===""?"":`.${a}`}`}var Jn=6,
Ys=/(?<![\w.:-])\d+\.\d+(?!\w|[:-]|\.\d)/g;function In(e){return e.replace(Ys,O)}function _(e){if(e===null)return"unknown";let n=Math.abs(Number(e));if(n>=1e6)return`${Fn(
e)}$${O(String(Math.trunc(n)))}`;let o=n>=1e3?0:n!==0&&n<.01?4:2,s=n.toLocaleString("en-US",{minimumFractionDigits:o,maximumFractionDigits:o});return`${Fn(e)}$${s}`}
function Ie(e){return Number(e)>0?`+${_(e)}`:_(e)}function Be(e,n){let o=Number(n)===0?0:100*Number(e)/Number(n);return`${o<0?"−":""}${Math.abs(o).toFixed(Math.
abs(o)<10?2:1)}%`}function Fn(e){return e.startsWith("-")&&Number(e)!==0?"−":""}function ne(e){return e===null?"unknown":`${(e/100).toFixed(2)}%`}function at(e,n){
let o=Date.parse(e)-n;return Number.isNaN(o)?e:Math.abs(o)<1500?"now":o>0?`in ${W(o)}`:`${W(-o)} ago`}function A(e,n=Date.now()){let o=new Date(e),s=o.toLocaleTimeString(
"en-GB");return o.toDateString()===new Date(n).toDateString()?s:`${o.toLocaleDateString("en-GB",{day:"numeric",month:"short"})}, ${s}`}function oe(e){return e.replace(
/[-_]/g," ")}function Nt(e){return e.length<=18?e:`${e.slice(0,8)}…${e.slice(-6)}`}function $e(e){return e==="completed"?"good":e==="held"?"bad":e==="awaiting\
-approval"||e.startsWith("refund")?"warn":e==="rejected"||e==="abandoned"?"calm":"busy"}var Ue=class extends Error{name="AppError";code;disposition;details;constructor(n){super(n.message,n.cause===void 0?void 0:{cause:n.cause}),this.code=n.code,this.
disposition=n.disposition,this.details=n.details??{}}};function Bn(e,n){let o=e.length;for(;o>0&&e[o-1]===n;)o--;return e.slice(0,o)}function Oe(e,n){let o=e<0n?"-":"",s=(e<0n?-e:e).toString().padStart(n+1,"0"),r=s.slice(0,s.length-n),a=Bn(s.slice(s.length-n),"0");return`${o}${r}${a===""?"":`\
.${a}`}`}function Un(e){return e===null?n=>n:(n,o=null)=>{let[,s=null]=Zs.exec(n)??[],[,r=null]=er.exec(n)??[],a=(s===null?null:Lt(e,`${s}:native`))??Lt(e,r)??Lt(e,o);if(a===
null)return n;let i=l=>`${Oe(BigInt(l),a.decimals)} ${a.name}`;return n.replace(ar,(l,c)=>`within ${W(Number(c)*1e3)}`).replace(nr,(l,c,u)=>`(${i(c)}, at most ${i(
u)})`).replace(rr,(l,c,u)=>`within the range of ${i(c)} to ${i(u)}`).replace(sr,(l,c,u)=>`(${c} usd, at most ${u} usd)`).replace(tr,(l,c)=>i(c)).replace(ir,l=>a.
decimals<lr?l:i(l))}}function Hn(e,n,o){let s=n.asset??(Qs.includes(n.code)?o?.to:o?.from)??null;return{...n,message:e(n.message,s)}}var Qs=["alarm.payout_short",
"quote.too_good","quote.unproven"],Wn="[a-z0-9_]+:[a-z0-9._-]+",Zs=/units of (?:the coin|the native coin) of ([a-z0-9_]+)/i,er=new RegExp(`\\d (?:smallest )?(?:u\
nits of )?(${Wn})`,"i"),tr=new RegExp(`(?<![\\w.])(\\d+) (?:smallest )?units(?: of the coin of [a-z0-9_]+| of ${Wn})?`,"gi"),nr=/(?<=larger than one order may be |would sell more than allowed )\((\d+), at most (\d+)\)/g,
or=["worth more than one order may be","would be worth more than allowed","would cost more than allowed"],sr=new RegExp(`(?<=(?:${or.join("|")}) )\\(([\\d.]+), at\
 most ([\\d.]+)\\)`,"g"),rr=/within the range of (\d{1,40}) to (\d{1,40})(?![\d.])/gi,ar=/(?<=Orders |orders )within (\d+) s\b/g,ir=/(?<![\w.:-])\d{10,}(?![\w.:])(?!\s(?:units|smallest))/g,
lr=6;function Lt({assets:e,chains:n},o){let s=e.find(a=>a.id===o);if(s!==void 0)return{decimals:s.decimals,name:s.id};let r=n.find(({chain:a})=>`${a}:native`===
o)?.nativeCoin;return r===void 0?null:{decimals:r.decimals,name:r.symbol}}function Xt(e){if(!/^[a-z0-9_-]+:[a-z0-9_.-]+$/.test(e)){let n="<chain>:<asset>, for example base_sepolia:wbtc";throw new Ue({code:"domain.asset_id",disposition:"\
refused",message:`"${e}" is not an asset id; expected ${n}`,details:{text:e}})}return e}function cr(e){return e.slice(0,e.indexOf(":"))}function Vn(e){return cr(
Xt(`${e}:x`))}function Kn(e){let n=Un(e===null?null:{assets:e.assets.map(({id:r,decimals:a})=>({id:Xt(r),decimals:a})),chains:e.chains.map(({chain:r,nativeCoin:a})=>({chain:Vn(
r),nativeCoin:{...a,token:null}}))}),o=new Set(e?.assets.map(({id:r})=>r)),s=new Set(e?.chains.map(({chain:r})=>r));return{chains:[...s],linkOf:(r,a)=>{let l=(e?.
chains.find(c=>c.chain===r)?.explorer??null)?.tx.replace("{tx}",encodeURIComponent(a))??null;return l?.startsWith("https://")===!0?l:null},amountOf:(r,a)=>{let i=e?.
assets.find(({id:l})=>l===a)?.decimals;return i===void 0?null:Oe(BigInt(r),i)},humane:(r,a=null)=>Hn(n,r,a),speak:r=>r.replace(ur,a=>o.has(a)?fr(a):a).replace(dr,
a=>s.has(a)?X(a):a).replace(mr,"").replace(pr,a=>A(a))}}var ur=/\b[a-z0-9_]+:[a-z0-9._-]*[a-z0-9]/g,dr=/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g,mr=/ \[[a-z_]+(?:\.[a-z_]+)+\]/g,
pr=/\b\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g;function fr(e){let{symbol:n,chain:o}=$(e);return`${n} on ${o}`}var P=class extends Error{status;reasons;constructor(n,o){super(o.map(({message:s})=>s).join(" ")),this.status=n,this.reasons=o}},it="ballast.csrf";async function qn(){
try{return{...await V("GET","session"),csrf:localStorage.getItem(it)}}catch(e){if(e instanceof P&&e.status===401)return null;throw e}}async function jn(e){let n=await V(
"POST","session",{token:e});return localStorage.setItem(it,n.csrf),n}async function Gn(){await V("DELETE","session").catch(()=>{}),localStorage.removeItem(it)}async function V(e,n,o){
let s=await Jt(e,n,o).catch(()=>{throw new P(0,[{code:"page.silent",message:"The daemon does not answer."}])}),r=await s.json().catch(()=>null);if(s.ok)return r;
let{reasons:a}=r??{};throw new P(s.status,a??[{code:"page.answer",message:`The daemon answered ${s.status}.`}])}function Jt(e,n,o,s){return fetch(`/api/v1/${n}`,
{method:e,headers:{"x-ballast-csrf":localStorage.getItem(it)??"",...o===void 0?{}:{"content-type":"application/json"}},...o===void 0?{}:{body:JSON.stringify(o)},
...s===void 0?{}:{signal:s}})}var Q={lastMs:Date.now(),failing:!1,loggedOut:!1,streaming:!1},Ft=new Map,It=new Set;function x(e,n=5e3){let[,o]=b(0),[s,r]=b(null),[a,i]=b(0);return F(()=>{if(e===
null)return;let c=!1;async function u(){if(!(e===null||document.hidden))try{if(Ft.set(e,await V("GET",e)),c)return;Q.lastMs=Date.now(),Q.failing=!1,r(null),o(f=>f+
1)}catch(f){if(c||!(f instanceof P))return;f.status===401&&(Q.loggedOut=!0),f.status===0&&(Q.failing=!0),r(f)}}let d=()=>{u()};u();let p=setInterval(d,n);return It.
add(d),document.addEventListener("visibilitychange",d),()=>{c=!0,clearInterval(p),It.delete(d),document.removeEventListener("visibilitychange",d)}},[e,n,a]),{value:e===
null?null:Ft.get(e)??null,error:s,refresh:()=>i(c=>c+1)}}function Ce(){for(let e of It)e()}function Yn(){Ft.clear()}var hr=700,zn=4e4;async function Qn(e){let n=0,
o=()=>{n===0&&(n=window.setTimeout(()=>{n=0,Ce()},hr))};for(;!e.aborted;)await gr(e,o).catch(()=>{}),Q.streaming=!1,await new Promise(s=>setTimeout(s,2e3))}async function gr(e,n){
let o=new AbortController,s=setTimeout(()=>o.abort(),zn),r=await Jt("GET","events",void 0,AbortSignal.any([e,o.signal]));if(!r.ok||r.body===null)return;Q.streaming=
!0;let a=r.body.pipeThrough(new TextDecoderStream).getReader();for(let i=await a.read();!i.done;i=await a.read())clearTimeout(s),s=setTimeout(()=>o.abort(),zn),
i.value.includes("data:")&&n();clearTimeout(s)}function K(){let[e,n]=b(Date.now());return F(()=>{let o=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(
o)},[]),e}function Zn(){let[e,n]=b(location.hash);return F(()=>{let o=()=>n(location.hash);return addEventListener("hashchange",o),()=>removeEventListener("hash\
change",o)},[]),e.replace(/^#\/?/,"").split("/").map(o=>decodeURIComponent(o))}var yr=Symbol.for("pv"),br=0;function t(e,n,o,s,r,a){n||(n={});var i,l,c=n;if("ref"in c&&typeof e!="function")for(l in c={},n)l=="ref"?i=n[l]:c[l]=n[l];var u={type:e,props:c,key:o,ref:i,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:yr,__v:--br,__i:-1,__u:0};return(r||a)&&(u.__source=r,u.__self=a),M.vnode&&M.vnode(u),u}function eo({onLogin:e}){let[n,o]=b(""),[s,r]=b(!1),[a,i]=b(null);async function l(c){c.preventDefault(),r(!0);try{e(await jn(n.trim()))}catch(u){i(u instanceof
P?u.message:"The page failed"),r(!1)}}return t("main",{class:"login",children:t("form",{class:"card",onSubmit:l,children:[t("img",{src:"/icon.svg",alt:"",width:"\
44",height:"44"}),t("h1",{children:"Ballast"}),t("p",{class:"note",children:["Log in with one of the tokens of ",t("code",{children:"ops.token"})," or ",t("code",
{children:"ops.tokens"}),". What you can do here is what the token's scopes allow."]}),t("label",{for:"token",children:"Token"}),t("input",{id:"token",type:"pas\
sword",autocomplete:"current-password",value:n,onInput:c=>o(c.currentTarget.value)}),a===null?null:t("p",{class:"notice bad",role:"alert",children:a}),t("button",
{type:"submit",class:"main",disabled:n===""||s,children:"Log in"})]})})}function he(e,n,o=3){let s=Math.max(Math.abs(e),Math.abs(n)),r=10**(Math.floor(Math.log10(s))-5),a=Math.max((n-e)/o,r);if(!(n>e))return[e];let i=10**Math.floor(
Math.log10(a*(1+1e-9))),l=i>5*r?[1,2,2.5,5,10]:[1,2,5,10],c=i*(l.find(p=>p*i>=a*(1-1e-9))??10),u=Math.ceil(e/c-1e-9),d=Math.floor(n/c+1e-9);return Array.from({length:d-
u+1},(p,f)=>Number(((u+f)*c).toPrecision(12)))}function ge(e,n,o=5){let s=vr.find(l=>(n-e)/l<=o)??31536e6,r=new Date(e).getTimezoneOffset()*6e4,a=Math.ceil((e-r)/
s)*s+r;return Array.from({length:Math.max(0,Math.floor((n-a)/s)+1)},(l,c)=>a+c*s).map(l=>({ms:l,label:wr(l,s,n-e)}))}var vr=[...[1/60,1/12,1/4,1,3,6,12].map(e=>e*
36e5),...[1,2,7,14,30,91].map(e=>e*864e5)];function wr(e,n,o){let s=new Date(e);return n<864e5?s.toLocaleTimeString("en-GB",{hour:"2-digit",minute:"2-digit"}):o<=
8*864e5?s.toLocaleDateString("en-GB",{weekday:"short"}):s.toLocaleDateString("en-GB",{day:"2-digit",month:"short"})}var _r=[[1e9,"G"],[1e6,"M"],[1e3,"k"]];function q(e,n=e){
let[o,s]=_r.find(([a])=>Math.abs(e)>=a)??[1,""],r=n===0?4:Math.ceil(Math.log10(Math.abs(e/n)||1))+3;return`${Number((e/o).toPrecision(Math.max(4,Math.min(12,r))))}${s}`}function Z(){let[e,n]=b(null),[o,s]=b(0);return F(()=>{if(e===null)return;let r=new ResizeObserver(([a])=>s(Math.floor(a?.contentRect.width??0)));return r.observe(
e),()=>r.disconnect()},[e]),[n,o]}var lt=132,He=48,ct=8,kr=20;function Ae(e){let{title:n,steps:o,series:s,as:r,show:a,limit:i=null}=e,[l,c]=Z(),u=g=>s.map(({of:S})=>S(g)??0),d=g=>r==="bars"?u(g).
reduce((S,C)=>S+C,0):Math.max(...u(g)),p=Math.max(...o.map(d),i?.value??0),f=p===0?1:p*1.08,m=Date.parse(o[0]?.from??""),h=Date.parse(o.at(-1)?.to??""),w=g=>He+
(c-He-ct)*(g-m)/Math.max(1,h-m),v=g=>8+lt-lt*g/f;return t("figure",{class:"chart",ref:l,children:[t("svg",{width:c,height:8+lt+kr,role:"img","aria-label":Sr(e,p),
children:[he(0,f).map(g=>t("g",{children:[t("line",{class:"grid-line",x1:He,x2:c-ct,y1:v(g),y2:v(g)}),t("text",{x:He-6,y:v(g)+4,"text-anchor":"end",children:a(g)})]},
g)),ge(m,h,Math.max(2,Math.floor(c/60))).map(({ms:g,label:S})=>t("text",{x:w(g),y:8+lt+15,"text-anchor":"middle",children:S},g)),r==="bars"?t(xr,{steps:o,series:s,
x:w,y:v,show:a}):t($r,{steps:o,series:s,x:w,y:v}),i===null?null:t(y,{children:[t("line",{class:"limit-line",x1:He,x2:c-ct,y1:v(i.value),y2:v(i.value)}),t("text",
{x:c-ct,y:v(i.value)-4,"text-anchor":"end",children:i.name})]})]}),t(Or,{title:n,steps:o,series:s,show:a})]})}function Sr({title:e,steps:n,show:o},s){return`${e}\
: ${n.length} steps from ${n[0]?.from??""}, at most ${o(s)}`}function xr(e){let{steps:n,series:o,x:s,y:r,show:a}=e,i=Date.now();return t(y,{children:n.map(l=>{let c=s(
Date.parse(l.from)),u=s(Date.parse(l.to)),d=Date.parse(l.to)<=i,p=0;return o.map(({name:f,of:m,tone:h})=>{let w=m(l)??0;return p+=w,t("rect",{class:`bar-${h} ${d?
"":"part"}`,x:c+(u-c)*.14,width:Math.max(1,(u-c)*.72),y:r(p),height:Math.max(0,r(0)-r(w)),children:t("title",{children:`${to(l)}, ${f}: ${a(w)}${d?"":" so far"}`})},
`${l.from} ${f}`)})})})}function $r({steps:e,series:n,x:o,y:s}){let r=a=>o((Date.parse(a.from)+Date.parse(a.to))/2);return t(y,{children:n.map(({name:a,of:i,tone:l})=>{
let c=e.map(d=>({step:d,value:i(d)})),u=c.map(({step:d,value:p},f)=>p===null?"":`${f===0||c[f-1]?.value===null?"M":"L"}${r(d)} ${s(p)}`).join("");return t("g",{
children:[t("path",{class:`line-${l}`,d:u}),c.map(({step:d,value:p})=>p===null?null:t("circle",{class:`dot-${l}`,cx:r(d),cy:s(p),r:"2.2"},d.from))]},a)})})}function to({
from:e,to:n}){return Date.parse(n)-Date.parse(e)<24*36e5?`${e.slice(0,10)} ${e.slice(11,16)} UTC`:e.slice(0,10)}function Or(e){let{title:n,steps:o,series:s,show:r}=e;
return t("div",{class:"hidden",children:t("table",{children:[t("caption",{children:n}),t("thead",{children:t("tr",{children:[t("th",{scope:"col",children:"Time"}),
s.map(({name:a})=>t("th",{scope:"col",children:a},a))]})}),t("tbody",{children:o.map(a=>t("tr",{children:[t("th",{scope:"row",children:to(a)}),s.map(({name:i,of:l})=>{
let c=l(a);return t("td",{children:c===null?"none":r(c)},i)})]},a.from))})]})})}var Bt=Je(e=>e);function I({text:e}){let n=xe(Bt)(e),o=In(n);return o!==n?t("span",{title:n,children:o}):t(y,{children:n})}var We=Je([]),Cr=10;function Me(){let e=xe(
We);return n=>{let o=e.indexOf(n.split(":")[0]??"");return o===-1?"chain-none":`chain-${o%Cr}`}}function j({id:e}){let n=Me();return t("span",{class:"chain-name",
children:[t("i",{class:n(e)}),X(e.split(":")[0]??"")]})}var Ut=Je(!1);function Re(e,n){return xe(Ut)?"The daemon does not answer, so nothing can be changed":n.includes(
e)?null:`Your token lacks the scope ${e}`}function D({tone:e,children:n}){return t("span",{class:`pill ${e}`,children:n})}function k(e){return t("section",{class:e.
wide?"card wide":"card",children:[t("header",{children:[t("h2",{children:e.link===void 0?e.title:t("a",{href:e.link,children:e.title})}),e.note===void 0?null:t(
"span",{class:"note",children:e.note})]}),e.children]})}function N({children:e,note:n}){return t("header",{class:"title",children:[t("h1",{tabIndex:-1,children:e}),
n===void 0?null:t("p",{class:"note",children:n})]})}function H({amount:e,asset:n,chain:o=!0,symbol:s=!0}){let r=$(n);return t("span",{class:"amount",title:`${e??
"no reading"} ${n}`,"data-exact":e??void 0,children:[t("b",{children:e===null?"no reading":O(e)}),s?` ${r.symbol}`:null,o?t("small",{children:[" ",r.chain]}):null]})}
var Ht=Je(!1);function re({fiat:e}){return t("span",{title:`${e} usd`,"data-exact":e,children:_(e)})}function E({at:e,clock:n=!1}){let o=K(),s=xe(Ht)||n;return e===
null?t("span",{class:"quiet",children:"never"}):t("time",{dateTime:e,title:e,children:s?A(e,o):at(e,o)})}function ee({reasons:e,none:n=null}){let o=[...new Map(
e.map(s=>[s.message,s])).values()];return o.length===0?n===null?null:t("p",{class:"quiet",children:n}):t("ul",{class:"reasons",children:o.map(({code:s,message:r})=>t(
"li",{title:s,children:t(I,{text:r})},r))})}function te({hash:e,link:n=null,what:o}){return t("span",{class:"hash",children:[n===null?t("code",{title:e,children:Nt(
e)}):t("a",{href:n,target:"_blank",rel:"noopener noreferrer",title:e,children:[t("code",{children:Nt(e)}),t("span",{class:"hidden",children:" (opens the explore\
r)"})]}),t(le,{text:e,what:o})]})}function le({text:e,what:n}){let[o,s]=b(!1);return t("button",{type:"button",class:"copy",onClick:()=>{navigator.clipboard?.writeText(
e).then(()=>{s(!0),setTimeout(()=>s(!1),1500)})},"aria-label":`Copy ${n}`,children:o?"copied":"copy"})}function R({live:e,children:n}){return e.value!==null?t(y,
{children:n(e.value)}):e.error===null?t(Er,{}):t("p",{class:"notice bad",children:e.error.message})}function Er(){return t("div",{class:"card skeleton",role:"st\
atus",children:[t("span",{class:"hidden",children:"Reading…"}),t("i",{}),t("i",{}),t("i",{})]})}function J({children:e}){return t("p",{class:"empty",children:e})}
function G(e){return t("table",{class:e.figures?"figures":void 0,children:[t("caption",{class:"hidden",children:e.caption}),t("thead",{children:t("tr",{children:e.
columns.map(n=>t("th",{scope:"col",children:n},n))})}),t("tbody",{children:e.rows.map(({key:n,cells:o})=>t("tr",{children:o.map((s,r)=>t("td",{"data-label":e.columns[r],
children:t("div",{children:s})},e.columns[r]))},n))})]})}function ut({percent:e,label:n}){let o=e>=100?"bad":e>=80?"warn":"good";return t("svg",{class:`meter ${o}`,
viewBox:"0 0 100 6",preserveAspectRatio:"none",role:"img","aria-label":n,children:[t("rect",{class:"track",width:"100",height:"6"}),t("rect",{class:"fill",width:Math.
max(0,Math.min(100,e)),height:"6"})]})}function Pe({pairs:e}){return t("dl",{class:"pairs",children:e.map(([n,o])=>t("div",{children:[t("dt",{children:n}),t("dd",
{children:o})]},n))})}function no(e){let n=x("books",2e4);return t(y,{children:[t(N,{note:"Swaps of the last 52 weeks, by the ledger. A week begins on Monday, 00:00 UTC.",children:"B\
ooks"}),t(R,{live:n,children:({weeks:o,rules:s,total:r,at:a})=>t(y,{children:[t("div",{class:"grid thirds",children:[t(Wt,{name:"Volume",value:_(r.volume),note:`${r.
orders} orders`}),t(Wt,{name:"Cost of swaps",value:_(r.swapCost),note:`${ne(r.costBps)} of the volume, network fees included`}),t(Wt,{name:"Network fees",value:_(
r.networkFees),note:r.unpriced===0?"all priced":`${r.unpriced} without a price are not in it`})]}),t("div",{class:"grid thirds",children:[t(Vt,{title:"Volume by\
 week",weeks:o,of:({volume:i})=>i}),t(Vt,{title:"Cost by week",weeks:o,of:({swapCost:i})=>i}),t(Vt,{title:"Network fees by week",weeks:o,of:i=>i.networkFees})]}),
t(k,{title:"By rule",note:t(E,{at:a}),wide:!0,children:s.length===0?t(J,{children:"No order in these weeks."}):t(Ar,{lines:[...s,r]})})]})})]})}function Wt({name:e,
value:n,note:o}){return t("section",{class:"card figure",children:[t("h2",{children:e}),t("p",{class:"big",children:n}),t("p",{class:"note",children:o})]})}var Tr=7*
864e5;function Vt(e){let n=e.weeks.map(o=>{let s=Date.parse(`${o.group}T00:00:00Z`),[r,a]=[s,s+Tr].map(i=>new Date(i).toISOString());return{from:r??"",to:a??"",
value:Number(e.of(o))}});return t(k,{title:e.title,note:"usd",children:t(Ae,{title:e.title,steps:n,as:"bars",show:o=>`$${q(o)}`,series:[{name:"usd",of:({value:o})=>o,
tone:"a"}]})})}function Ar({lines:e}){let n=e.map(o=>({key:o.group,cells:[t("b",{children:o.group},"group"),Object.entries(o.counts).map(([s,r])=>`${r} ${oe(s)}`).
join(", "),_(o.volume),_(o.swapCost),_(o.networkFees),ne(o.costBps)]}));return t(G,{caption:"Swaps by rule",columns:["Rule","Orders","Volume","Cost","Network fe\
es","Cost of volume"],rows:n})}function dt(e,n,o,s){return e.map(({at:a,amount:i},l)=>{if(i===null)return"";let c=e[l-1]?.amount??null,u=o(e[l+1]?.at??n);return`${c===null?`M${o(a)} ${s(Number(
i))}`:`V${s(Number(i))}`}H${u}`}).join("")}function oo(e,n){return e.flatMap(({at:o,amount:s},r)=>s===null?[{start:o,end:e[r+1]?.at??n}]:[])}function so(e,n){return e.
findLast(({at:o})=>Date.parse(o)<=n)?.amount??null}function ro(e,n,o){return e.flatMap(({from:s,bound:r},a)=>{let i=e[a+1],l={startMs:Math.max(n,Date.parse(s)),
endMs:Math.min(o,i===void 0?o:Date.parse(i.from))};return r===null||l.startMs>=l.endMs?[]:[{bound:r,...l}]})}var ce=92,mt=44,io=44,Kt=16,Mr=18;function lo(e){let{asset:n,since:o,bound:s}=e,{value:r}=x(`series/${encodeURIComponent(n)}?since=${o}`,3e4);if(r===null)return null;
let a=r.points.flatMap(({amount:i})=>i===null?[]:[Number(i)]);return a.length===0?t("p",{class:"note",children:"No reading in this time."}):t(Rr,{...e,series:r,
known:a,bound:s})}function Rr(e){let{series:n,known:o,bound:s,marks:r,price:a}=e,[i,l]=Z(),{from:c,to:u,points:d}=n,p=d[0]?.at??c,f=Date.parse(p),m=Date.parse(u),
{low:h,high:w,bottom:v,top:g,y:S}=Pr(o,s),C=B=>mt+(l-mt-io)*(B-f)/Math.max(1,m-f),T=B=>C(Date.parse(B)),{symbol:ve}=$(n.asset),Le=ao(String(h),String(w));return t(
"figure",{class:"chart history",ref:i,children:[t("svg",{width:l,height:ce+Kt+Mr,role:"img","aria-label":`Readings from ${A(p)}: ${Le} ${ve}`,children:[t(Nr,{bands:n.
bands,startMs:f,endMs:m,x:C,y:S}),t(Dr,{x:C,y:S,low:v,high:g,startMs:f,endMs:m,width:l}),oo(d,u).map(B=>t("rect",{class:"gap",x:T(B.start),width:T(B.end)-T(B.start),
height:ce},B.start)),t("path",{class:"line-a",d:dt(d,u,T,S)}),t(Lr,{points:d,x:C(m),y:S}),r.filter(({at:B})=>B>=p).map(B=>t(Jr,{mark:B,x:T(B.at),symbol:ve},`${B.
at} ${B.kind} ${B.order}`))]}),t(Fr,{series:n,startMs:f,x:C,price:a}),t("figcaption",{class:"note",children:["Since ",t("span",{title:p,children:A(p)}),": ",Le,
" ",ve,s===null?"":` · band ${ao(s.min,s.max)}, target ${O(s.target)}`]})]})}function Pr(e,n){let o=Math.min(...e),s=Math.max(...e),r=Math.min(o,n===null?o:Number(
n.min)),a=Math.max(s,n===null?s:Number(n.target)),i=(a-r)*.12||a*.05||1,l=r-i,c=a+i;return{low:o,high:s,bottom:l,top:c,y:d=>Math.max(0,Math.min(ce,ce-ce*(d-l)/(c-
l)))}}function ao(e,n){return n===null?`${O(e)} to any`:e===n?O(e):`${O(e)} to ${O(n)}`}function Dr(e){let{x:n,y:o,low:s,high:r,startMs:a,endMs:i,width:l}=e,c=he(
s,r,2);return t(y,{children:[c.map(u=>t("g",{children:[t("line",{class:"grid-line",x1:mt,x2:l-io,y1:o(u),y2:o(u)}),t("text",{x:mt-6,y:o(u)+4,"text-anchor":"end",
children:q(u,(c[1]??0)-(c[0]??0))})]},u)),ge(a,i,Math.max(2,Math.floor(l/70))).map(({ms:u,label:d})=>t("text",{x:n(u),y:ce+Kt+14,"text-anchor":"middle",children:d},
u))]})}function Nr(e){let{x:n,y:o}=e,s=ro(e.bands,e.startMs,e.endMs),r=s.at(-1)?.endMs===e.endMs?s.at(-1):void 0,a=n(e.endMs)+6;return t(y,{children:[s.map(({bound:i,
startMs:l,endMs:c})=>{let u=i.max===null?0:o(Number(i.max)),d=o(Number(i.min)),p=o(Number(i.target)),f=n(l),m=n(c);return t("g",{children:[t("rect",{class:"band\
-area",x:f,y:u,width:Math.max(0,m-f),height:Math.max(0,d-u)}),t("line",{class:"edge",x1:f,x2:m,y1:d,y2:d}),t("line",{class:"goal",x1:f,x2:m,y1:p,y2:p})]},l)}),r===
void 0?null:t("text",{x:a,y:o(Number(r.bound.min))+4,children:"min"}),r===void 0||o(Number(r.bound.min))-o(Number(r.bound.target))<12?null:t("text",{x:a,y:o(Number(
r.bound.target))+4,children:"target"})]})}function Lr(e){let n=e.points.at(-1)?.amount??null;return n===null?null:t("circle",{class:"dot-now",cx:e.x,cy:e.y(Number(
n)),r:"3"})}var Xr={in:{path:"m0 -5 4 8h-8z",word:"arrived"},out:{path:"m0 3 4 -8h-8z",word:"left"},outside:{path:"m0 -5 4.5 4.5-4.5 4.5-4.5 -4.5z",word:"from o\
utside"},alarm:{path:"m-3.5 -4.5 7 7m0 -7-7 7",word:"alarm"}};function Jr({mark:e,x:n,symbol:o}){let{kind:s,at:r,amount:a,order:i}=e,{path:l,word:c}=Xr[s],u=a===
null?c:`${O(a)} ${o} ${c}`,d=i===null?"":`, order ${i.slice(0,8)}`;return t("path",{class:`mark ${s}`,d:l,transform:`translate(${n} ${ce+Kt/2+1})`,children:t("t\
itle",{children:`${A(r)}: ${u}${d}`})})}var Ve=240;function Fr(e){let{series:n,startMs:o,x:s,price:r}=e,[a,i]=b(null),l=Date.parse(n.to)-o,c=o+l*(a??Ve)/Ve,u=so(
n.points,c),{symbol:d}=$(n.asset),p=[A(new Date(c).toISOString()),u===null?"no reading":`${O(u)} ${d}`,...u===null||r===null?[]:[_(String(Number(u)*Number(r)))]].
join(" · "),f=m=>{let h=m.currentTarget instanceof Element?m.currentTarget.getBoundingClientRect():null;if(h===null||h.width===0)return;let w=(m.clientX-h.left)/
h.width;i(Math.round(Ve*Math.max(0,Math.min(1,w))))};return t(y,{children:[t("input",{type:"range",class:"scrub",min:"0",max:Ve,value:a??Ve,"aria-label":`Readin\
g of ${d} at a time`,"aria-valuetext":p,onInput:m=>i(Number(m.currentTarget.value)),onPointerMove:f,onPointerLeave:()=>i(null),onBlur:()=>i(null)}),a===null?null:
t(y,{children:[t("svg",{class:"cross",width:s(c)+1,height:ce,"aria-hidden":"true",children:t("line",{x1:s(c),x2:s(c),y2:ce})}),t("output",{class:"tip",children:p})]})]})}var Ir="others";function uo(e,n,o=220,s=8){let r=Br(e.filter(({value:w})=>w>0),s),a=r.reduce((w,{value:v})=>w+v,0),i=a===0?0:o/a,l=co(r,"from",n,i),c=co(r,"to",n,i),u={from:new Map,
to:new Map},d=(w,v,g)=>{let S=v.find(({chain:T})=>T===g[w])?.y??0,C=u[w].get(g[w])??0;return u[w].set(g[w],C+g.value*i),S+C},p=mo(n),m=r.toSorted((w,v)=>p(w.from)-
p(v.from)||p(w.to)-p(v.to)).map(w=>({...w,top:d("from",l,w),bottom:d("to",c,w),height:Math.max(2,w.value*i)})),h=w=>{let v=w.at(-1);return v===void 0?0:Math.max(
v.y+v.height,v.y+34)};return{left:l,right:c,ribbons:m,height:Math.max(h(l),h(c))}}function Br(e,n){let o=new Map;for(let{from:i,to:l,value:c}of e)for(let u of new Set(
[i,l]))o.set(u,(o.get(u)??0)+c);let s=new Set([...o].toSorted(([,i],[,l])=>l-i).slice(0,o.size>n?n-1:n).map(([i])=>i)),r=i=>s.has(i)?i:Ir,a=new Map;for(let{from:i,
to:l,value:c}of e){let u={from:r(i),to:r(l)},d=`${u.from} ${u.to}`;a.set(d,{...u,value:(a.get(d)?.value??0)+c})}return[...a.values()]}function mo(e){return n=>e.
includes(n)?e.indexOf(n):e.length}function co(e,n,o,s){let r=new Map;for(let l of e)r.set(l[n],(r.get(l[n])??0)+l.value);let a=mo(o),i=[];for(let[l,c]of[...r].toSorted(
([u],[d])=>a(u)-a(d))){let u=i.at(-1),d=u===void 0?0:Math.max(u.y+u.height+10,u.y+34);i.push({chain:l,value:c,y:d,height:Math.max(2,c*s)})}return i}var pt=7;function ft({chains:e}){let n=xe(We),[o,s]=Z(),r=e.map(({from:p,to:f,volumeFiat:m})=>({from:p,to:f,value:Number(m)})),{left:a,right:i,ribbons:l,height:c}=uo(
r,n);if(l.length===0)return t(J,{children:"No swap was paid out in this time."});let u=Math.min(150,s*.3),d=l.map(({from:p,to:f,value:m})=>`${X(p)} to ${X(f)} ${_(
String(m))}`).join(", ");return t("figure",{class:"chart",ref:o,children:t("svg",{width:s,height:c+8,role:"img","aria-label":`Moved: ${d}`,children:[l.map(p=>t(
Ur,{ribbon:p,x1:u,x2:s-u},`${p.from} ${p.to}`)),a.map(p=>t(po,{of:p,x:u-pt,labelX:u-pt-8,isLeft:!0},p.chain)),i.map(p=>t(po,{of:p,x:s-u,labelX:s-u+pt+8},p.chain))]})})}
function Ur({ribbon:e,x1:n,x2:o}){let s=Me(),{from:r,to:a,value:i,top:l,bottom:c,height:u}=e,d=(n+o)/2,p=`M${n} ${l}C${d} ${l} ${d} ${c} ${o} ${c}V${c+u}C${d} ${c+
u} ${d} ${l+u} ${n} ${l+u}Z`;return t("path",{class:`flow ${s(r)}`,d:p,children:t("title",{children:`${X(r)} → ${X(a)}: ${_(String(i))}`})})}function po(e){let n=Me(),
{of:o,x:s,labelX:r,isLeft:a=!1}=e,i=a?"end":"start",l=o.y+Math.max(11,o.height/2-3);return t(y,{children:[t("rect",{class:`node ${n(o.chain)}`,x:s,y:o.y,width:pt,
height:o.height}),t("text",{class:"strong",x:r,y:l,"text-anchor":i,children:X(o.chain)}),t("text",{x:r,y:l+14,"text-anchor":i,children:["$",q(o.value)]})]})}function fo({
chains:e}){return t(G,{figures:!0,caption:"Own moves between chains",columns:["From → to","Orders","Moved","Cost","bps"],rows:e.map(({from:n,to:o,orders:s,volumeFiat:r,
costFiat:a,costBps:i})=>({key:`${n} ${o}`,cells:[t("span",{children:[t(j,{id:n})," → ",t(j,{id:o})]},"pair"),s,t(re,{fiat:r},"moved"),t(re,{fiat:a},"cost"),i??
"–"]}))})}var Hr={below:{tone:"bad",word:"below its band"},above:{tone:"warn",word:"above its band"},within:{tone:"good",word:"in its band"},unknown:{tone:"calm",word:"no\
t read yet"}};function ho({amount:e,bound:n,asset:o}){let s=Number(n.min),r=Number(n.target),a=n.max===null?null:Number(n.max),i=e===null?null:Number(e),l=1.15*
Math.max(a??0,r*1.5,s,i??0,Number.MIN_VALUE),c=f=>100*f/l,{tone:u,word:d}=Hr[n.place],p=`${d}: from ${O(n.min)} to ${n.max===null?"any":O(n.max)}, target ${O(n.
target)} ${$(o).symbol}`;return t("svg",{class:`band ${u}`,viewBox:"0 0 100 10",preserveAspectRatio:"none",role:"img","aria-label":p,children:[t("title",{children:p}),
t("rect",{class:"track",y:"3",width:"100",height:"4"}),t("rect",{class:"range",x:c(s),y:"1",width:Math.max(.5,(a===null?100:c(a))-c(s)),height:"8"}),i===null?null:
t("rect",{class:"fill",y:"3",width:c(i),height:"4"}),t("rect",{class:"target",x:c(r)-.2,width:"0.5",height:"10"})]})}var qt=62;function go(){let{value:e}=x("series/total",6e4),[n,o]=Z(),s=(e?.points??[]).flatMap(({amount:h})=>h===null?[]:[Number(h)]),[r]=e?.points??[];if(e===null||
r===void 0||s.length===0)return null;let a=Math.min(...s),i=Math.max(...s),l=(i-a)*.1||i*.01||1,c=Date.parse(r.at),u=Date.parse(e.to),d=h=>(o-56)*(h-c)/Math.max(
1,u-c),p=h=>4+qt*(i+l-h)/(i-a+2*l),f=he(a-l,i+l,2),m=`${_(String(a))} to ${_(String(i))}`;return t("figure",{class:"chart total-plot",ref:n,children:[t("h2",{children:[
"Total, ",A(r.at)," to now"]}),t("svg",{width:o,height:qt+24,role:"img","aria-label":`Total in usd: ${m}`,children:[t("title",{children:m}),f.map(h=>t("g",{children:[
t("line",{class:"grid-line",x2:o-56,y1:p(h),y2:p(h)}),t("text",{x:o-50,y:p(h)+4,children:["$",q(h,(f[1]??0)-(f[0]??0))]})]},h)),ge(c,u,4).map(({ms:h,label:w})=>t(
"text",{x:d(h),y:qt+20,"text-anchor":"middle",children:w},h)),t("path",{class:"line-a",d:dt(e.points,e.to,h=>d(Date.parse(h)),p)})]})]})}function vo({overview:e,summary:n}){let{totalFiat:o,change:s,swaps:r,inFlight:a,unpriced:i,unread:l}=n,c=[...i,...l],u=new Set(c.map(d=>$(d).symbol));return t("\
section",{class:"card money-first","aria-label":"Money",children:[t("div",{children:[t("h2",{children:"Treasury"}),t("p",{class:"total",title:`${o} usd`,"data-e\
xact":o,children:_(o)}),t(Wr,{change:s,total:o}),c.length===0?null:t("p",{class:"note",title:c.join(", "),children:["without ",[...u].join(", "),":"," ",l.length>
0?"no reading or no price":"no price"]})]}),t(go,{}),t("dl",{class:"facts",children:[t(Ee,{name:"Moved in 24 h",value:_(r.volumeFiat),exact:r.volumeFiat,children:yo(
r.orders)}),t(Ee,{name:"Cost in 24 h",value:_(r.costFiat),exact:r.costFiat,children:r.costBps===null?"no swap yet":`${r.costBps} bps`}),t(Ee,{name:"In flight",value:_(
a.fiat),exact:a.fiat,children:yo(a.orders)}),t(Ee,{name:"Half done within",value:bo(r.medianMs),children:r.p90Ms===null?"":`nine of ten ${bo(r.p90Ms)}`}),t(Vr,{
gas:e.gas}),t(Kr,{overview:e})]})]})}function Ee(e){return t("div",{children:[t("dt",{children:e.name}),t("dd",{class:e.tone,children:[t("span",{title:e.exact,"\
data-exact":e.exact,children:e.value})," ",t("small",{children:e.children})]})]})}function Wr({change:e,total:n}){let o=K();if(e===null)return t("p",{class:"not\
e",children:"No older reading to compare with yet."});let{from:s,totalFiat:r,pricesFiat:a,outsideFiat:i,swapsFiat:l}=e;return t(y,{children:[t("p",{children:[t(
"b",{title:r,children:[Ie(r)," (",Be(r,n),")"]})," ",t("span",{class:"quiet",children:["since ",t("span",{title:s,children:A(s,o)})]})]}),t("p",{class:"note par\
ts",children:[t("span",{title:a,children:["prices ",Ie(a)]}),t("span",{title:i,children:["paid in and out ",Ie(i)]}),t("span",{title:l,children:["swaps and fees\
 ",Ie(l)]})]})]})}function yo(e){return`${e} order${e===1?"":"s"}`}function bo(e){return e===null?"–":W(e)}function Vr({gas:e}){let n=({amount:r,needed:a})=>r!==
null&&Number(r)<Number(a),[o]=e.toSorted((r,a)=>Number(n(a))-Number(n(r))||(r.daysLeft??Number.MAX_VALUE)-(a.daysLeft??Number.MAX_VALUE));if(o===void 0)return t(
Ee,{name:"Runs dry first",value:"–"});let s=n(o);return t(Ee,{name:"Runs dry first",value:s?"▲ too little":wo(o.daysLeft),tone:s||(o.daysLeft??99)<7?"warn":
"",children:`${o.coin}, ${X(o.chain)}`})}function wo(e){return e===null?"no use yet":e>365?"over a year":`${e} days`}function Kr({overview:{services:e,nodes:n}}){
let o=[...e.filter(({state:s})=>s!=="good").map(({name:s,state:r})=>`${s} ${r}`),...n.filter(({state:s})=>s!=="good").map(({chain:s,state:r})=>`${X(s)} ${r}`)];
return t(Ee,{name:"Service and nodes",value:o.length===0?"✓ well":`▲ ${o[0]??""}`,tone:o.length===0?"":"warn",children:o.length===0?`${e.length+n.length} an\
swer`:o.length===1?"":`and ${o.length-1} more`})}function gt({overview:e,summary:n}){let{treasury:o,gas:s}=e,r=[...new Set(o.map(({asset:a})=>a.split(":")[0]??""))];
return t(k,{title:"Where the money is",link:"#/treasury",note:"bar from 0: band, target, balance",children:t("table",{class:"places",children:[t("caption",{class:"\
hidden",children:"Balances by chain and asset"}),t("thead",{children:t("tr",{children:["Asset","Balance","Band","Value","In 24 h","On its way","State"].map(a=>t(
"th",{scope:"col",children:a},a))})}),r.map(a=>t("tbody",{children:[t(jr,{chain:a,holdings:o.filter(({asset:i})=>i.startsWith(`${a}:`)),summary:n,isWell:e.nodes.
some(i=>i.chain===a&&i.state==="good")}),o.filter(({asset:i})=>i.startsWith(`${a}:`)).map(i=>t(zr,{holding:i,valued:n.assets.find(({asset:l})=>l===i.asset)??null,
gas:s.find(l=>l.chain===a)??null},i.asset))]},a))]})})}var qr=15*6e4;function jr(e){let{chain:n,summary:o}=e,s=o.assets.filter(({asset:l})=>l.startsWith(`${n}:`)).
reduce((l,c)=>l+Number(c.fiat??0),0),[r]=e.holdings.map(({readAt:l})=>l??"").sort(),i=K()-Date.parse(r||"1970-01-01")>qr&&!e.isWell;return t("tr",{class:i?"chai\
n late":"chain",children:[t("th",{scope:"rowgroup",colSpan:3,children:[t(j,{id:n})," ",t("small",{children:[Be(String(s),o.totalFiat)," of the total"]})]}),t("t\
d",{children:_(String(s))}),t("td",{colSpan:3,children:t("small",{children:[i?"▲ last read":"read"," ",t(E,{at:r||null})]})})]})}var Gr={below:"▼ below its ba\
nd",above:"▲ above its band",within:"✓ in band",unknown:"no reading"};function zr(e){let{holding:n,valued:o,gas:s}=e,{asset:r,amount:a,bounds:i}=n,{symbol:l}=$(
r),c=s!==null&&s.coin.toUpperCase()===l,[u]=i;return t("tr",{children:[t("th",{scope:"row",children:l}),t("td",{children:t(H,{amount:a,asset:r,chain:!1,symbol:!1})}),
t("td",{class:"band-cell",children:u===void 0?t("small",{children:c?"coin for fees":"no band"}):t(ho,{amount:a,bound:u,asset:r})}),t("td",{title:o?.fiat??void 0,
"data-exact":o?.fiat??void 0,children:o?.fiat==null?t("small",{children:"no price"}):_(o.fiat)}),t("td",{title:o?.change??void 0,children:o?.change==null||Number(
o.change)===0?"=":`${Number(o.change)>0?"+":""}${O(o.change)}`}),t("td",{class:_o(o)?"some":"",children:t(Yr,{valued:o})}),t("td",{children:u===void 0?c?wo(s.daysLeft):
"":t("span",{class:u.place,children:Gr[u.place]})})]})}function ht(e){return Number(e)!==0}function _o(e){return e!==null&&(ht(e.incoming)||ht(e.outgoing))}function Yr({
valued:e}){return e===null||!_o(e)?t(y,{children:"–"}):t(y,{children:[ht(e.incoming)?t("span",{class:"block",title:e.incoming,children:["↓ in ",O(e.incoming)]}):
null,ht(e.outgoing)?t("span",{class:"block",title:e.outgoing,children:["↑ out ",O(e.outgoing)]}):null]})}function So({flows:e,span:n}){let{steps:o,total:s}=e,r=a=>`$${q(a)}`;return t("div",{class:"grid thirds",children:[t(k,{title:`Cost, ${n}`,note:"■ swaps ■ netwo\
rk, usd",children:[t("p",{children:[t("b",{title:s.costFiat,children:_(s.costFiat)})," ",t("span",{class:"quiet",children:["for ",t("b",{title:s.volumeFiat,children:_(
s.volumeFiat)})," in ",s.completed," swaps"]})]}),t(Ae,{title:"Cost in usd",steps:o,as:"bars",show:r,series:[{name:"swaps",of:a=>Number(a.costFiat)-Number(a.feesFiat),
tone:"a"},{name:"network",of:a=>Number(a.feesFiat),tone:"b"}]})]}),t(k,{title:"Cost of what moved",note:"bps",children:[t("p",{children:[t("b",{children:s.costBps===
null?"–":`${s.costBps} bps`})," ",t("span",{class:"quiet",children:"network fees included"})]}),t(Ae,{title:"Cost in bps of what moved",steps:o,as:"lines",show:a=>q(
a),series:[{name:"bps",of:({costBps:a})=>a,tone:"a"}]})]}),t(k,{title:"Time to completion",note:"— half · — 95 of 100",children:[t("p",{children:[t("span",
{class:"quiet",children:"half within"})," ",t("b",{children:Ke(s.medianMs)}),t("span",{class:"quiet",children:", 95 of 100 within"})," ",t("b",{children:Ke(s.p95Ms)})]}),
t(Ae,{title:"Time to completion",steps:o,as:"lines",show:Ke,series:[{name:"half",of:({medianMs:a})=>a,tone:"a"},{name:"95 of 100",of:({p95Ms:a})=>a,tone:"b"}]})]})]})}
var Qr=["Rule","Pair","Service","Time"];function xo({flows:e,span:n}){let[o,s]=b("Rule"),r=Zr(e,o);return t("section",{class:"card",children:[t("header",{children:[
t("h2",{children:["Volume, cost and time, ",n]}),t("fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"By"}),Qr.map(a=>t("button",{type:"\
button","aria-pressed":a===o,onClick:()=>s(a),children:a},a))]})]}),r.length===0?t(J,{children:"No order in this time."}):null,t(G,{figures:!0,caption:`Volume, \
cost and time by ${o.toLowerCase()}`,columns:[o,"Orders","Moved","Cost","Of it network","bps","Half within","95 of 100"],rows:[...r,{name:"Total",line:e.total}].
map(({name:a,line:i})=>({key:a,cells:ea(a,i)}))}),e.total.unpriced===0?null:t("p",{class:"note",children:[e.total.unpriced," amounts without a price are in no s\
um."]})]})}function Zr({rules:e,services:n,pairs:o,steps:s},r){return r==="Rule"?e.map(a=>({name:a.name,line:a})):r==="Service"?n.map(a=>({name:a.name,line:a})):
r==="Pair"?o.map(a=>({name:`${ko(a.from)} → ${ko(a.to)}`,line:a})):s.filter(({orders:a})=>a>0).toReversed().map(a=>({name:a.from.replace("T00:00:00.000Z","").
replace(":00.000Z","Z"),line:a}))}function ko(e){let{symbol:n,chain:o}=$(e);return`${n} ${o}`}function ea(e,n){return[t("b",{children:e},"name"),n.orders,t(re,{
fiat:n.volumeFiat},"moved"),t(re,{fiat:n.costFiat},"cost"),t(re,{fiat:n.feesFiat},"fees"),n.costBps??"–",Ke(n.medianMs),Ke(n.p95Ms)]}function Ke(e){return e===
null?"–":W(e)}var $o={"24 h":1,"7 d":7,"30 d":30,"1 y":365},ta=864e5;function Oo({overview:e}){let[n,o]=b("7 d"),s=jt(n),{value:r}=x("summary",1e4),a=x(`flows?since=${s}`,2e4);
return t(R,{live:e,children:i=>t(y,{children:[t(N,{children:"Treasury"}),r===null?null:t(y,{children:[t(na,{overview:i,summary:r}),t("div",{class:"stack",children:t(
gt,{overview:i,summary:r})})]}),t(Gt,{range:n,onChange:o,ranges:Object.keys($o)}),t(oa,{treasury:i.treasury,summary:r,since:s,marks:a.value?.marks??[]}),t(R,{live:a,
children:l=>t(sa,{flows:l,range:n})}),t(aa,{gas:i.gas})]})})}function jt(e){let[n]=b(Date.now);return new Date(n-$o[e]*ta).toISOString()}function Gt(e){return t(
"fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"Range of the plots"}),e.ranges.map(n=>t("button",{type:"button","aria-pressed":n===e.
range,onClick:()=>e.onChange(n),children:n},n))]})}function na({overview:e,summary:n}){let o=Me(),r=[...new Set(e.treasury.map(({asset:l})=>l.split(":")[0]??""))].
map(l=>({chain:l,fiat:n.assets.filter(({asset:c})=>c.startsWith(`${l}:`)).reduce((c,{fiat:u})=>c+Number(u??0),0)})),a=Math.max(r.reduce((l,{fiat:c})=>l+c,0),Number.
MIN_VALUE),i=0;return t("section",{class:"card shares","aria-label":"Shares of the chains",children:[t("p",{class:"total",title:`${n.totalFiat} usd`,"data-exact":n.
totalFiat,children:_(n.totalFiat)}),t("svg",{viewBox:"0 0 1000 10",preserveAspectRatio:"none","aria-hidden":"true",children:r.map(({chain:l,fiat:c})=>{let u=i;return i+=
1e3*c/a,t("rect",{class:`node ${o(l)}`,x:u,width:Math.max(0,i-u-2),height:"10"},l)})}),t("ul",{children:[r.map(({chain:l,fiat:c})=>t("li",{children:[t(j,{id:l}),
" ",t("b",{children:_(String(c))})," ",t("small",{children:Be(String(c),n.totalFiat)})]},l)),t("li",{children:["In flight ",t("b",{title:n.inFlight.fiat,children:_(
n.inFlight.fiat)})]})]})]})}function oa(e){let{treasury:n,summary:o,since:s,marks:r}=e;return n.length===0?t(J,{children:"The configuration lists no asset."}):t(
k,{title:"Balance against its band",note:"▲ arrived ▼ left ◆ outside ✕ alarm · hatched: no reading of our nodes",children:t("div",{class:"multiples",children:n.
map(({asset:a,amount:i,bounds:l,shares:c})=>{let u=o?.assets.find(d=>d.asset===a)??null;return t("section",{"aria-label":`${$(a).symbol} on ${$(a).chain}`,children:[
t("p",{class:"head",children:[t("span",{children:[t("b",{children:$(a).symbol})," ",t(j,{id:a})]}),t("span",{children:[t(H,{amount:i,asset:a,chain:!1,symbol:!1}),
" ",u?.fiat==null?null:t("small",{title:u.fiat,children:_(u.fiat)})]})]}),t(lo,{asset:a,since:s,bound:l[0]??null,marks:r.filter(d=>d.asset===a||d.asset===null),
price:u?.price??null}),c.map(({rule:d,percent:p})=>t("p",{class:"note",children:["Target of ",d,": ",p," of the treasury"]},d))]},a)})})})}function sa({flows:e,
range:n}){let{chains:o,total:s,outside:r}=e,a=n==="1 y"?"31 d":n;return t(y,{children:[t("div",{class:"grid",children:[t(k,{title:`Flows, ${a}`,note:t("b",{title:s.
volumeFiat,children:_(s.volumeFiat)}),children:t(ft,{chains:o})}),t("div",{class:"column",children:[t(k,{title:"The same as a table",children:t(fo,{chains:o})}),
t(k,{title:`Money from outside, ${a}`,note:"not part of the flows",children:r.length===0?t(J,{children:"Nothing was paid in or taken out."}):t(ra,{outside:r})})]})]}),
t(So,{flows:e,span:a}),t(xo,{flows:e,span:a})]})}function ra({outside:e}){let n=(o,s)=>Number(o)===0?"–":t("span",{title:`${o}, ${s??"no price"}`,children:[O(
o)," ",t("small",{children:s===null?"no price":_(s)})]});return t(G,{caption:"Money from outside",columns:["Asset","Paid in","Taken out"],rows:e.map(o=>({key:o.
asset,cells:[t("span",{children:[$(o.asset).symbol," ",t(j,{id:o.asset})]},"asset"),n(o.in,o.inFiat),n(o.out,o.outFiat)]}))})}function aa({gas:e}){return t(k,{title:"\
Coin for fees",wide:!0,children:t(G,{caption:"Coin for fees",columns:["Chain","Balance","Must stay","Lasts"],rows:e.map(({chain:n,coin:o,amount:s,needed:r,daysLeft:a})=>{
let i=s!==null&&Number(s)<Number(r);return{key:n,cells:[t(j,{id:n},"chain"),s===null?"not read yet":`${O(s)} ${o}`,O(r),i?t("b",{class:"below",children:"▼ too l\
ittle"},"low"):a===null?"no use yet":a>365?"over a year":`about ${a} days`]}})})})}function Co({payoutDeadline:e},n){if(e===void 0)return null;let{at:o,height:s}=e,r=ia(e);if(o===null)return`before its lock ends, at an unknown time; ${r}`;let a=Date.
parse(o)-(n??0),i=a>0?`${W(a)} left`:`over since ${W(-a)}`,l=[`height ${s??"unknown"}`,...n===null?[]:[i],"estimated"];return`before ${Xn(Date.parse(o))} (${l.join(
", ")}); ${r}`}function ia({offerUnits:e,capUnits:n}){let o=n===null?"":`, and one may offer up to ${n}`;return e===null?`no redemption of ours is signed yet${o}${o===
""?"":" of the coin's smallest units"}`:`our newest redemption offers at most ${e}${o} of the coin's smallest units`}function Eo({secret:e,ownSecret:n}){if(n===void 0)return e==="service"?"chosen by the service":"not chosen yet";let{status:o,revealedAt:s}=n,r=s===null?"":` at ${s}`;
return{unknown:"our own, told to no other party",revealed:`our own, revealed${r}`,withheld:"our own, withheld for ever",lost:`our own, revealed${r}, and the pay\
out went back to the solver`}[o]}function ye(e){let n=Y(null),o=Y(e.onClose);o.current=e.onClose,Nn(()=>{let r=n.current,a=new AbortController;return r?.addEventListener("close",()=>o.current(),
{signal:a.signal}),r?.showModal(),()=>{a.abort(),r?.close()}},[]);let s=r=>{r.key==="Escape"&&(r.preventDefault(),e.onClose())};return t("dialog",{ref:n,class:e.
class,"aria-label":e.label,"aria-labelledby":e.labelledBy,onKeyDown:s,children:e.children})}function la({change:e,onClose:n}){let[o,s]=b(""),[r,a]=b(!1),[i,l]=b(null),c=fe(),u=fe(),d=o.trim()===e.word;async function p(f){if(f.preventDefault(),!(!d||r)){
a(!0);try{let m=await V("POST",e.path,e.body);Ce(),n(),e.onDone?.(m)}catch(m){m instanceof P&&l(m),a(!1)}}}return t(ye,{labelledBy:c,onClose:n,children:t("form",
{onSubmit:p,children:[t("h2",{id:c,children:e.title}),e.children,t("label",{for:u,children:["Type ",t("code",{class:"word",children:e.word})," to confirm"]}),t(
"input",{id:u,value:o,autocomplete:"off",spellcheck:!1,onInput:f=>s(f.currentTarget.value)}),i===null?null:t("p",{class:"notice bad",role:"alert",children:i.message}),
t("footer",{children:[t("button",{type:"button",onClick:n,children:"Cancel"}),t("button",{type:"submit",class:e.danger?"main danger":"main",disabled:!d||r,children:r?
"Sending…":e.button})]})]})})}function se(e){let[n,o]=b(!1),s=Re(e.scope,e.scopes);return t(y,{children:[t("button",{type:"button",class:e.change.danger?"dang\
er":e.main?"main":"",disabled:s!==null,title:s??void 0,onClick:()=>o(!0),children:e.change.button}),n?t(la,{change:e.change,onClose:()=>o(!1)}):null]})}function To({asset:e,source:n,price:o,agreed:s,deviationBps:r}){let a=r<0?"below":"above";return`The price source ${n} gives ${o} for ${e}, ${Math.abs(r)/100} %\
 ${a} the ${s} of the others, and does not count`}function Ao({reference:e}){if(e===void 0)return[];let{costBps:n,outliers:o}=e,s=(n??0)<0?"more":"less",a=`By our own prices the quote pays ${Math.abs(n??0)/100}\
 % ${s} than it takes`;return[...n===null?[]:[a],...o.map(To)]}var ca=1e3,zt=4;function Mo({order:e,scopes:n}){let[o,s]=b(!1),r=Re("approve",n);return t(y,{children:[t("button",{type:"button",class:"main","data-key":"approv\
e",disabled:r!==null,title:r??void 0,onClick:()=>s(!0),children:"Approve"}),o?t(ua,{order:e,onClose:()=>s(!1)}):null]})}function ua({order:e,onClose:n}){let o=fe(),
[s,r]=b(""),[a,i]=b(null),l=ya(e),c=l||s.trim()===e.destinationOwner.slice(-zt);async function u(){try{await V("POST",`orders/${e.id}/approve`,{intent:e.intent}),
Ce(),n()}catch(d){d instanceof P&&i(d)}}return t(ye,{class:"approve",labelledBy:o,onClose:n,children:[t("h2",{id:o,tabIndex:-1,children:["Approve ",e.fiat===null?
"this order":_(e.fiat),"?"," ",t("small",{children:["ends ",t(E,{at:e.approveBefore})]})]}),t(ma,{address:e.destinationOwner,isOurs:l}),t(pa,{order:e}),l?null:t(
da,{typed:s,onType:r}),a===null?null:t("p",{class:"notice bad",role:"alert",children:a.message}),t("footer",{children:[t("button",{type:"button",onClick:n,children:"\
Later"}),t(ga,{disabled:!c,onHeld:()=>{u()}})]}),t("details",{children:[t("summary",{children:"All fields that are signed"}),t("dl",{class:"pairs small",children:Object.
entries(e.intentFields??{}).map(([d,p])=>t("div",{children:[t("dt",{children:d}),t("dd",{children:t("code",{children:p})})]},d))})]})]})}function da(e){let n=fe();
return t(y,{children:[t("label",{for:n,children:["Type the last ",zt," characters of the address"]}),t("input",{id:n,value:e.typed,maxLength:zt,autocomplete:"of\
f",spellcheck:!1,onInput:o=>e.onType(o.currentTarget.value)})]})}function ma({address:e,isOurs:n}){return t("p",{class:n?"payee":"payee foreign",children:[n?"Pa\
ys our own wallet":"▲ Pays an address that is not this daemon's wallet",t("code",{children:e.match(/.{1,4}/g)?.join(" ")})]})}function pa({order:e}){let n=$(e.
from),o=$(e.to),s=e.costParts.refundAtMostFiat;return t("dl",{class:"pairs",children:[t("div",{children:[t("dt",{children:"Sends"}),t("dd",{children:[t("b",{children:e.
amount})," ",n.symbol,", ",n.chain]})]}),t("div",{children:[t("dt",{children:"Receives"}),t("dd",{children:[t("b",{children:e.destinationAmount})," ",o.symbol,"\
, ",o.chain]})]}),t("div",{children:[t("dt",{children:"Costs"}),t("dd",{children:[e.costFiat===null?"unknown":_(e.costFiat)," (",ne(e.costBps),")"]})]}),t(fa,{order:e}),
t("div",{children:[t("dt",{children:"Why it asks"}),t("dd",{children:[e.askedBy??e.rule," wants more than one order may send without a person"]})]}),t(ha,{order:e}),
t("div",{children:[t("dt",{children:"At worst"}),t("dd",{children:["the deposit comes back after its timelock",s===null?"":`, for a fee of up to ${_(s)}`]})]})]})}
function fa({order:e}){let n=Ao(e),o=(e.reference?.outliers.length??0)>0;return n.length===0?null:t("div",{children:[t("dt",{children:o?"▲ Reference":"Referen\
ce"}),t("dd",{children:n.map(s=>t("span",{class:"block",children:t(I,{text:s})},s))})]})}function ha({order:{people:e,askedBy:n}}){let o=e?.needed??1,s=e?.approved??
[];return t("div",{children:[t("dt",{children:"People"}),t("dd",{children:[s.length," of ",o," approved",s.map(({by:r,at:a})=>t("span",{class:"block",title:a,children:[
"✓ ",r," ",t(E,{at:a})]},r)),n===void 0?null:t("small",{class:"block",children:[n," asked, and may not approve"]})]})]})}function ga(e){let n=Y(0),[o,s]=b(!1),
r=()=>{e.disabled||n.current!==0||(s(!0),n.current=window.setTimeout(()=>{a(),e.onHeld()},ca))},a=()=>{clearTimeout(n.current),n.current=0,s(!1)};F(()=>a,[]);let i=({
key:l})=>l==="Enter"||l===" ";return t("button",{type:"button",class:o?"main hold holding":"main hold",disabled:e.disabled,onPointerDown:r,onPointerUp:a,onPointerLeave:a,
onKeyDown:l=>i(l)?r():void 0,onKeyUp:a,onBlur:a,onContextMenu:l=>l.preventDefault(),children:"Hold to approve"})}function ya({to:e,destinationOwner:n}){let{value:o}=x(
"status",6e4),s=e.split(":")[0];return o?.chains.some(r=>r.chain===s&&r.account===n)??!1}function Ro({order:e,scopes:n}){if(e.state==="awaiting-approval")return t(va,{order:e,scopes:n});if(!e.held&&e.state!=="disarmed")return null;let o=(r,a)=>{let i=r.
slice(0,1).toUpperCase()+r.slice(1);return{title:`${i} this order?`,word:r,button:i,path:`orders/${e.id}/${r}`,body:{},danger:r==="abandon",children:t("p",{children:a})}},
s=o("abandon","You answer for the end of this order: Ballast ends it once no deposit can land.");return t("div",{class:"actions",children:[e.held?t(y,{children:[
t(se,{change:o("retry","Ballast goes on from where the order was held."),scope:"operate",scopes:n,main:!0}),t(se,{change:o("refund","Ballast takes the deposit b\
ack as soon as the HTLC allows it."),scope:"operate",scopes:n})]}):null,t(se,{change:s,scope:"operate",scopes:n})]})}function ba({people:e}){if(e===void 0)return"";
let n=e.approved.map(({by:s})=>s).join(", "),o=e.needed-e.approved.length;return` · approved by ${n===""?"none":n}; ${o} more must approve`}function va({order:e,
scopes:n}){let o=`${e.amount} ${$(e.from).symbol}`,s={title:"Reject this order?",word:"reject",button:"Reject",path:`orders/${e.id}/reject`,body:{},danger:!0,children:t(
"p",{children:["Nothing was deposited. The order ends, and ",o," stay in the wallet."]})};return t("div",{class:"actions",children:[t(Mo,{order:e,scopes:n}),t(se,
{change:s,scope:"approve",scopes:n}),t("span",{class:"note",children:["Approve before ",t(E,{at:e.approveBefore,clock:!0})," (",t(E,{at:e.approveBefore}),")",ba(
e)]})]})}function Po({events:e,seen:n,outcome:o,state:s,approval:r,updatedAt:a,createdAt:i}){let l=(...m)=>e.find(({type:h})=>m.includes(h))?.at??null,c=s==="awaiting-ap\
proval"||r!==null,u=n.sourceRefunded!=null||s.startsWith("refund")||o==="refunded",d=[{name:"Requested",at:i},{name:"Quoted",at:l("quote.accepted")},{name:"Orde\
red",at:l("order.created")},{name:"Verified",at:l("deposit.verified")},...c?[{name:"Approved",at:r?.at??null}]:[],{name:"Deposited",at:n.sourceInitiated?.at??null},
...u?[{name:"Refunded",at:n.sourceRefunded?.at??null}]:[{name:"Solver deposited",at:n.destinationInitiated?.at??null},{name:"Paid out",at:n.destinationRedeemed?.
at??null}],{name:o===null?"Final":wa(o),at:o===null?null:a}],p=d.findLastIndex(({at:m})=>m!==null),f=o==="rejected"||o==="abandoned";return d.map((m,h)=>{if(f&&
h===d.length-1)return{...m,state:"failed"};if(h<=p&&!(f&&m.at===null))return{...m,state:"done"};let w=h===p+1;return{...m,state:w&&o===null?s==="held"?"failed":
"now":"open"}}).filter(({at:m,state:h})=>!(o!==null&&m===null&&h==="open"))}function Do(e){let n=e.from.split(":")[0]??"",o=e.to.split(":")[0]??"",s=(r,a,i)=>({
what:a,chain:i,service:e.reportedTxs[r],seen:e.seen[r]??null});return[s("sourceInitiated","Our deposit",n),s("destinationInitiated","The solver's deposit",o),s(
"destinationRedeemed","The payout to us",o),s("sourceRedeemed","The solver takes our deposit",n),s("sourceRefunded","The refund to us",n)]}function No({service:e,
seen:n},o){return n!==null&&e.includes(n.tx)?{tone:"good",says:"agree"}:n!==null&&e.length>0?{tone:"warn",says:"another transaction"}:n!==null?{tone:"good",says:"\
proven"}:e.length>0?{tone:o?"calm":"warn",says:"only reported"}:{tone:"calm",says:"not yet"}}function wa(e){return e.slice(0,1).toUpperCase()+oe(e).slice(1)}function Lo(e){
let[n]=Object.entries(_a).filter(([s])=>s===e);return n!==void 0?{who:n[1][0],says:n[1][1]}:{who:e.startsWith("operator.")?"operator":"Ballast",says:e.replaceAll(
/[._]/g," ")}}var _a={"order.opened":["Ballast","opens the order"],"work.deferred":["Ballast","waits and looks again later"],"quote.accepted":["service","quotes\
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
e HTLC never had the deposit"]};function Jo(e){let n=x(`orders/${encodeURIComponent(e.detail)}`,3e3);return t(R,{live:n,children:o=>t(ka,{order:o,desk:e})})}function ka({order:e,desk:n}){let o=`\
#/decisions/${encodeURIComponent(e.rule)}`,s=n.overview.value?.orders.find(({id:r})=>r===e.id)??null;return t(y,{children:[t(N,{note:t(y,{children:["Order ",t("\
code",{children:e.id.slice(0,8)})," of rule ",t("a",{href:o,children:e.rule}),", requested ",t(E,{at:e.createdAt})]}),children:[t(H,{amount:e.amount,asset:e.from}),
" →"," ",t(H,{amount:e.destinationAmount,asset:e.to})]}),t("section",{class:`card wide place ${$e(e.state)}`,children:[t("p",{children:t(D,{tone:$e(e.state),children:oe(
e.state)})}),t("p",{class:"money",children:[t("span",{class:"quiet",children:"Where is the money?"})," ",t("b",{children:e.money})]}),s?.left==null?null:t("p",{
children:[t("b",{children:s.left})," left",s.ends===null?"":`: ${s.ends}`]}),t(ee,{reasons:e.reasons.map(r=>n.known.humane(r,e))}),t(Ro,{order:e,scopes:n.scopes})]}),
t(k,{title:"The way of the order",wide:!0,children:t(Sa,{stages:Po(e)})}),t(k,{title:"The service's word and the chain's word",note:"Ballast believes only the c\
hain.",wide:!0,children:t(xa,{order:e,desk:n})}),t("div",{class:"grid even",children:[t(k,{title:"Transactions",children:t(Oa,{order:e,desk:n})}),t(k,{title:"Te\
rms",children:t(Ca,{order:e})})]}),t(k,{title:"Everything that happened",note:`${e.events.length} events`,wide:!0,children:t(Ea,{order:e})})]})}function Sa({stages:e}){
return t("ol",{class:"stages",children:e.map(({name:n,at:o,state:s},r)=>{let a=e.slice(0,r).findLast(l=>l.at!==null)?.at??null,i=o===null||a===null?null:Date.parse(
o)-Date.parse(a);return t("li",{class:s,"aria-current":s==="now"?"step":void 0,children:[t("span",{class:"mark","aria-hidden":"true"}),t("b",{children:n}),o===null?
t("small",{children:s==="now"?"next":s==="done"?"passed":"not yet"}):t("small",{title:o,children:[A(o),i===null||i<0?"":` · +${i<1e4?`${(i/1e3).toFixed(1)} s`:
W(i)}`]})]},n)})})}function xa({order:e,desk:n}){let o=Do(e).filter(({what:s,service:r,seen:a})=>r.length>0||a!==null||s!=="The refund to us").map(({what:s,chain:r,
service:a,seen:i})=>{let{tone:l,says:c}=No({service:a,seen:i},e.outcome!==null),u=[t("span",{children:[t("b",{children:s}),t("small",{class:"block",children:["o\
n ",X(r)]})]},"what"),t($a,{chain:r,txs:a,desk:n},"service"),i===null?t("span",{class:"quiet",children:"shows nothing"},"seen"):t("span",{children:[t(te,{hash:i.
tx,link:n.known.linkOf(r,i.tx),what:"the transaction"}),t("small",{class:"block",children:[A(i.at),", ",i.final?"final":"not final yet"]})]},"seen"),t(D,{tone:l,
children:c},"judgement")];return{key:s,cells:u}});return t(G,{caption:"The service's word and the chain's word",columns:["About","The service says","Our own nod\
e shows","Together"],rows:o})}var Xo=3;function $a({chain:e,txs:n,desk:o}){if(n.length===0)return t("span",{class:"quiet",children:"says nothing"});let s=n.length-
Xo;return t("span",{children:[n.slice(0,Xo).map(r=>t("span",{class:"block",children:t(te,{hash:r,link:o.known.linkOf(e,r),what:"the transaction"})},r)),s>0?t("s\
mall",{class:"block",children:["and ",s," more"]}):null]})}function Oa({order:e,desk:n}){let o=e.from.split(":")[0]??"";return e.transactions.length===0?t("p",{
class:"empty",children:e.deposit==="gasless"&&e.depositTx!==null?"Ballast signed no transaction of its own: the relay made the deposit and paid its fee.":"Balla\
st has signed no transaction for this order."}):t("ul",{class:"plain",children:e.transactions.map(({purpose:s,attempt:r,tx:a})=>t("li",{children:[t("b",{children:s}),
" ",t("small",{children:r>0?`attempt ${r+1}`:`on ${X(o)}`}),t(te,{hash:a,link:n.known.linkOf(o,a),what:"the transaction"})]},a))})}function Ca({order:e}){let n=$(
e.to).symbol,o=Co(e,null),s=[["Order",t(te,{hash:e.id,what:"the order's id"},"id")],["Order at the service",e.serviceOrderId===null?"none":t(te,{hash:e.serviceOrderId,
what:"the service's id"},"s")],["Service",e.service??"none yet"],["Solver",e.solver===null?"none yet":t(te,{hash:e.solver,what:"the solver's id"},"solver")],["S\
ecret",Eo(e)],...o===null?[]:[["Payout must be redeemed",o]],["Value",e.fiat===null?"unknown":_(e.fiat)],["Cost, network fees so far included",`${_(e.costFiat)}\
 (quote: ${ne(e.costBps)})`],["Deposit",e.deposit==="gasless"?"by a relay, without a fee of ours":"by our own transaction"],["Pays to",t(te,{hash:e.destinationOwner,
what:"the address"},"d")],["Fee that the payout may lose",e.payoutFee===null?"unknown":`${O(e.payoutFee)} ${n}`],["Refund possible at height",e.refundableAtHeight??
"not known yet"],["Approved",e.approval===null?"no approval was needed or given":`by ${e.approval.by}, ${A(e.approval.at)}`],["Acts next",e.who]];return t(y,{children:[
t(Pe,{pairs:s}),e.calls.length===0?null:t(y,{children:[t("h3",{children:"Asked by people"}),t("ul",{class:"plain",children:e.calls.map(({at:r,caller:a,source:i,
action:l})=>t("li",{children:[t("b",{children:l})," by ",a," from ",i,", ",t(E,{at:r})]},`${r} ${l}`))})]})]})}function Ea({order:e}){let[n,o]=b(!1),s=n?e.events:
e.events.slice(-40);return t(y,{children:[e.events.length>s.length?t("button",{type:"button",onClick:()=>o(!0),children:["Show the ",e.events.length-s.length," \
earlier events"]}):null,t("ol",{class:"events",children:s.map(({at:r,type:a,state:i},l)=>{let{who:c,says:u}=Lo(a);return t("li",{class:c,children:[t("time",{dateTime:r,
title:r,children:A(r)}),t("span",{class:"who",children:c}),t("span",{children:[u," ",t("small",{children:["→ ",oe(i)]})]})]},`${r} ${l}`)})})]})}var Fo={id:({id:e})=>e,requested:({createdAt:e})=>e,changed:({updatedAt:e})=>e,state:({state:e})=>e,rule:({rule:e})=>e,service:({service:e})=>e,sent:({amount:e})=>e,
sent_asset:({from:e})=>e,received:({destinationAmount:e})=>e,received_asset:({to:e})=>e,value_usd:({fiat:e})=>e,cost_usd:({costFiat:e})=>e,cost_bps:({costBps:e})=>e,
deposit_tx:({depositTx:e})=>e,payout_tx:({destinationTx:e})=>e};function Io(e){return[Object.keys(Fo),...e.map(o=>Object.values(Fo).map(s=>String(s(o)??"")))].map(
o=>`${o.map(Ta).join(",")}\r
`).join("")}function Ta(e){let n=/^[=+@\t\r]|^-(?![\d.])/.test(e)?`'${e}`:e;return/[",\r\n]/.test(n)?`"${n.replaceAll('"','""')}"`:n}var Aa=1e3;async function Bo(e,n){let o=[],s=null;do{let i=s===null?"":`&cursor=${s}`,l=await V("GET",`orders?${e}&limit=${Aa}${i}`);o.push(...l.orders),n(o.length),
s=l.next}while(s!==null);let r=URL.createObjectURL(new Blob([Io(o)],{type:"text/csv"})),a=document.createElement("a");a.href=r,a.download=`orders-${new Date().toISOString().
slice(0,10)}.csv`,a.click(),URL.revokeObjectURL(r)}var yt=["quoted","ordered","verified","signed","deposited","solver deposited","paid out"],Ma={quoting:0,creating:1,verifying:2,"awaiting-approval":3,allowing:3,
"gasless-signing":3,"deposit-planning":3,"deposit-signing":3,"deposit-sending":4,"gasless-submitting":4,"deposit-confirming":4,"gasless-confirming":4,funded:5,revealing:6,
revealed:6,"redeem-reported":6,completed:7};function Uo({state:e,deposited:n}){let o=Ma[e]??(n?5:3),s=["completed","refunded","rejected","abandoned"].includes(e),
r=$e(e),a=yt[o];return t("svg",{class:`steps ${r}`,viewBox:"0 0 69 6",role:"img","aria-label":s||a===void 0?`${o} of ${yt.length} stages`:`${o} of ${yt.length} \
stages, next: ${a}`,children:yt.map((i,l)=>t("rect",{class:l<o?"passed":l===o&&!s?"next":"track",x:l*10,width:"9",height:"6",rx:"1"},i))})}var Ra=[{name:"all",query:""},{name:"needs you",query:"state=awaiting-approval"},{name:"open",query:"open=true"},{name:"held",query:"state=held"},{name:"complet\
ed",query:"state=completed"},{name:"refunded",query:"state=refunded"},{name:"rejected",query:"state=rejected"}],Vo={"24 h":1,"7 days":7,"30 days":30,"1 year":365},
Pa=864e5,Ho=50,De="",Da=60,Wo={state:"",rule:De,pair:De,service:De,since:De,text:""};function Ko({overview:e}){let[n,o]=b(Wo),[s,r]=b([]),a=qo(n),i=s.at(-1),l=x(
`orders?${a}&limit=${Ho}${i===void 0?"":`&cursor=${i}`}`),c=Y(null);c.current=l.value??c.current;let u={...l,value:c.current};return t(y,{children:[t(N,{children:"\
Orders"}),t(Na,{filter:n,onChange:p=>{o(f=>({...f,...p})),r([])},overview:e.value,rows:c.current?.orders??[]}),t(R,{live:u,children:({orders:p,next:f})=>t("sect\
ion",{class:"card",children:[t(Yt,{orders:p.map(m=>({...m,since:m.updatedAt,left:null})),none:n===Wo?"No order yet. A rule or a new swap makes the first one.":"\
No order matches."}),t(Ja,{first:s.length*Ho,count:p.length,onNewer:s.length===0?null:()=>r(s.slice(0,-1)),onOlder:f===null?null:()=>r([...s,f])})]})})]})}function qo({
state:e,rule:n,pair:o,service:s,since:r,text:a}){let[i="",l=""]=o.split(" "),c=Vo[r],u={rule:n,from:i,to:l,service:s,since:c===void 0?"":`${new Date(Date.now()-
c*Pa).toISOString().slice(0,16)}:00Z`,text:a.trim().toLowerCase()};return[...e===""?[]:[e],...Object.entries(u).filter(([,d])=>d!=="").map(([d,p])=>`${d}=${encodeURIComponent(
p)}`)].join("&")}function Na(e){let{filter:n,onChange:o,overview:s,rows:r}=e,a=x("flows",6e4).value,i=[...(s?.rules??[]).map(({id:u})=>u),...(a?.rules??[]).map(
({name:u})=>u),...r.map(({rule:u})=>u)],l=[...a?.pairs??[],...r].map(({from:u,to:d})=>`${u} ${d}`),c=[...(s?.services??[]).map(({name:u})=>u),...r.flatMap(({service:u})=>u??
[])];return t("div",{class:"filters",children:[t("fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"Show"}),Ra.map(({name:u,query:d},p)=>t(
"button",{type:"button","data-key":p===0?"filter":void 0,"aria-pressed":d===n.state,onClick:()=>o({state:d}),children:u},u))]}),t(bt,{name:"Any time",value:n.since,
values:Object.keys(Vo),isSorted:!0,onChange:u=>o({since:u})}),t(bt,{name:"Every rule",value:n.rule,values:i,onChange:u=>o({rule:u})}),t(bt,{name:"Every pair",value:n.
pair,values:l,say:Fa,onChange:u=>o({pair:u})}),t(bt,{name:"Every service",value:n.service,values:c,onChange:u=>o({service:u})}),t(La,{onChange:u=>o({text:u})}),
t(Xa,{query:qo(n)})]})}function La({onChange:e}){let n=Y(0);return t("label",{children:[t("span",{class:"hidden",children:"Search by order, rule or asset"}),t("\
input",{type:"search",placeholder:"Order, rule or asset",onInput:({currentTarget:{value:o}})=>{clearTimeout(n.current),n.current=window.setTimeout(()=>e(o),Da)}})]})}
function Xa({query:e}){let[n,o]=b("Export CSV");return t("button",{type:"button","data-key":"export",onClick:()=>{Bo(e,r=>o(`${r} orders…`)).then(()=>o("Expor\
t CSV"),r=>o(r instanceof P?r.message:"The export failed"))},children:n})}function Ja(e){let{first:n,count:o,onNewer:s,onOlder:r}=e;return t("p",{class:"pages",
children:[t("span",{class:"quiet keys",children:[t("kbd",{children:"j"})," ",t("kbd",{children:"k"})," move ",t("kbd",{children:"o"})," open ",t("kbd",{children:"\
f"})," filter ",t("kbd",{children:"e"})," export"]}),t("span",{class:"quiet",children:o===0?"":`${n+1}–${n+o}`}),t("button",{type:"button",disabled:s===null,onClick:()=>s?.(),
children:"Newer"}),t("button",{type:"button",disabled:r===null,onClick:()=>r?.(),children:"Older"})]})}function Fa(e){let[n,o]=e.split(" ").map($);return`${n?.symbol}\
 ${n?.chain} → ${o?.symbol} ${o?.chain}`}function bt(e){let{name:n,value:o,values:s,isSorted:r=!1,say:a=c=>c,onChange:i}=e,l=[...new Set([...o===De?[]:[o],...s])];
return t("label",{children:[t("span",{class:"hidden",children:n}),t("select",{value:o,onChange:c=>i(c.currentTarget.value),children:[t("option",{value:De,children:n}),
(r?s:l.toSorted()).map(c=>t("option",{value:c,children:a(c)},c))]})]})}var Ia=["Opened","Order","Sends","From → to","Receives","Value","Cost","Stage","State",
"Took","Rule"];function Yt({orders:e,none:n}){return e.length===0?t(J,{children:n}):t("table",{class:"orders",children:[t("caption",{class:"hidden",children:"Or\
ders"}),t("thead",{children:t("tr",{children:Ia.map(o=>t("th",{scope:"col",children:o},o))})}),t("tbody",{children:e.map(o=>t(Ba,{order:o},o.id))})]})}function Ba({
order:e}){let{id:n,from:o,to:s,state:r,fiat:a,costFiat:i=null,costBps:l=null}=e;return t("tr",{children:[t("td",{children:t(E,{at:e.createdAt})}),t("td",{children:t(
"a",{href:`#/orders/${n}`,class:"id","data-row":!0,children:n.slice(0,8)})}),t("td",{class:"number",children:t(H,{amount:e.amount,asset:o,chain:!1})}),t("td",{children:[
t(j,{id:o})," ",t("span",{class:"quiet",children:"→"})," ",t(j,{id:s})]}),t("td",{class:"number",children:e.destinationAmount===null?"–":t(H,{amount:e.destinationAmount,
asset:s,chain:!1})}),t("td",{class:"number",title:a??void 0,"data-exact":a??void 0,children:a===null?"–":_(a)}),t("td",{class:"number",title:i===null?void 0:`${i}\
 usd`,children:l===null?"–":`${l} bps`}),t("td",{children:t(Uo,{state:r,deposited:e.deposited})}),t("td",{title:e.money,children:[t(Ha,{state:r}),e.left===null?
null:t("small",{class:"block",children:[e.left," left"]})]}),t("td",{children:t(Ua,{order:e})}),t("td",{class:"rule",children:e.rule})]})}function Ua({order:{createdAt:e,
since:n,outcome:o}}){let s=K(),r=o!=null,a=r?Date.parse(n):s;return t("time",{dateTime:e,title:r?`${e} to ${n}`:`since ${e}`,children:W(Math.max(0,a-Date.parse(
e)))})}function Ha({state:e}){return e==="completed"?t(y,{children:"✓ completed"}):t(D,{tone:$e(e),children:oe(e)})}var Wa="Nothing is ordered before you have seen the quote and typed the amount.";function zo(e){let n=(e.overview.value?.treasury??[]).map(({asset:v})=>v),[o,s]=b(
""),[r,a]=b(""),[i,l]=b(""),[c,u]=b(null),[d,p]=b(null),[f,m]=b(!1);function h(v){v(),u(null)}async function w(v){v.preventDefault(),m(!0),u(null),p(null);try{u(
await Va({from:o,to:r,amount:i}))}catch(g){p(g instanceof P?g.message:"The page failed")}m(!1)}return t(y,{children:[t(N,{note:Wa,children:"New swap"}),t("div",
{class:"grid even",children:[t(k,{title:"Request",children:[t("form",{class:"fields",onSubmit:w,children:[t(jo,{label:"Send",id:"swap-from",value:o,assets:n,onChoose:v=>h(
()=>s(v))}),t(Ka,{asset:o,value:i,onType:v=>h(()=>l(v))}),t(jo,{label:"Receive",id:"swap-to",value:r,assets:n,onChoose:v=>h(()=>a(v))}),t("button",{type:"submit",
class:"main",disabled:o===""||r===""||i===""||f,children:f?"Asking…":"Get a quote"})]}),d===null?null:t("p",{class:"notice bad",role:"alert",children:d})]}),c===
null?null:t(qa,{quote:c,desk:e})]})]})}async function Va(e){return await V("GET",`quote?${new URLSearchParams(e)}`)}function Ka(e){let n=e.asset===""?"":`, in ${$(
e.asset).symbol}`;return t(y,{children:[t("label",{for:"swap-amount",children:["Amount",n]}),t("input",{id:"swap-amount",inputMode:"decimal",autocomplete:"off",
value:e.value,onInput:({currentTarget:o})=>e.onType(o.value.trim())})]})}function jo(e){return t(y,{children:[t("label",{for:e.id,children:e.label}),t("select",
{id:e.id,value:e.value,onChange:n=>e.onChoose(n.currentTarget.value),children:[t("option",{value:"",children:"Choose an asset"}),e.assets.map(n=>t("option",{value:n,
children:[$(n).symbol," on ",$(n).chain]},n))]})]})}function qa({quote:e,desk:n}){let o={title:"Order this swap?",word:e.amount,button:"Order the swap",path:"sw\
ap",body:{from:e.from,to:e.to,amount:e.amount},onDone:s=>{location.hash=`#/orders/${s.id}`},children:t(y,{children:[t("p",{children:["Send ",t(H,{amount:e.amount,
asset:e.from})," and receive about"," ",t(H,{amount:e.receive,asset:e.to}),"."]}),t(Go,{sentences:e.worstCase})]})};return t(k,{title:"Quote",note:e.refused.length===
0?t(D,{tone:"good",children:"the guards allow it"}):t(D,{tone:"bad",children:"refused"}),children:[t("p",{class:"big",children:t(H,{amount:e.receive,asset:e.to})}),
t(ja,{quote:e}),t(Go,{sentences:e.worstCase}),t(ee,{reasons:e.refused.map(s=>n.known.humane(s,e))}),t("div",{class:"actions",children:e.refused.length===0?t(se,
{change:o,scope:"operate",scopes:n.scopes,main:!0}):null})]})}function ja({quote:e}){return t("dl",{class:"pairs",children:[t("div",{children:[t("dt",{children:"\
Cost"}),t("dd",{children:[ne(e.costBps),e.sendsFiat===null||e.receivesFiat===null?"":`: ${_(e.sendsFiat)} for ${_(e.receivesFiat)}`]})]}),t("div",{children:[t("\
dt",{children:"Service and solver"}),t("dd",{children:[e.service??"none"," ",e.solver===null?null:t(te,{hash:e.solver,what:"the solver's id"})]})]}),t("div",{children:[
t("dt",{children:"Network fees at most"}),t("dd",{children:e.fees===null?"cannot be estimated now":`${e.fees.deposit}; for a refund ${e.fees.refund}`})]}),t("di\
v",{children:[t("dt",{children:"Approval"}),t("dd",{children:e.needsApproval?"a person must approve the order":"not needed"})]})]})}function Go({sentences:e}){return t(
"div",{class:"notice warn",children:[t("b",{children:"The worst case"}),t("ul",{children:e.map(n=>t("li",{children:t(I,{text:n})},n))})]})}var Ga="An alarm is open as long as its cause lasts. A pause by an alarm ends when a person acknowledges it (Resume, on the overview).";function Qo({overview:e}){
let n=x("alerts?limit=100",1e4);return t(y,{children:[t(N,{note:Ga,children:"Alarms"}),t(R,{live:n,children:o=>{let s=o.alerts.filter(({closed:i})=>i===null),r=e.
value?.problems??[],a=o.alerts.filter(({closed:i})=>i!==null);return t(y,{children:[t(k,{title:s.length===0?"No alarm is open":`${s.length} open`,wide:!0,children:s.
length===0?t(J,{children:"Nothing needs you here."}):t(Yo,{alerts:s,problems:r})}),a.length===0?null:t(k,{title:"Over",note:`${a.length} of the last 100`,wide:!0,
children:t(Yo,{alerts:a})})]})}})]})}function Yo({alerts:e,problems:n=[]}){return t("ul",{class:"plain alarms",children:e.map(({at:o,order:s,reason:r,closed:a})=>t(
"li",{children:[t("p",{children:[t(D,{tone:a===null?"bad":"calm",children:a===null?"open":`over after ${W(Date.parse(a)-Date.parse(o))}`})," ",t("b",{title:r.code,
children:t(I,{text:r.message})})]}),t("p",{class:"line quiet",children:[t("span",{title:o,children:A(o)}),t(E,{at:o}),s===null?null:t("a",{href:`#/orders/${s}`,
children:["Order ",s.slice(0,8)]})]}),t(za,{problem:n.find(i=>i.code===r.code&&i.order===s)})]},`${o} ${r.code} ${s}`))})}function za({problem:e}){if(e===void 0)
return null;let{meaning:n,todo:o,command:s}=e;return t(y,{children:[t("p",{children:[n," ",t(I,{text:o})]}),s===null?null:t("p",{class:"hash",children:[t("code",
{children:s}),t(le,{text:s,what:"the command"})]})]})}function Zo({overview:e}){let n=x("settings",6e4);return t(y,{children:[t(N,{note:"What Ballast may still sell, and what it has used.",children:"Limits"}),t(R,{
live:e,children:({limits:o})=>{let s=({used:r,unit:a})=>Number(r)===0&&a.includes(":");return t("div",{class:"grid even",children:[o.filter(r=>!s(r)).toSorted((r,a)=>a.
percent-r.percent).map(r=>t(Ya,{limit:r},r.name)),t(Qa,{limits:o.filter(s)})]})}}),t(R,{live:n,children:({guards:o})=>t(Qt,{guards:o})})]})}function Ya({limit:e}){
let{name:n,used:o,max:s,left:r,unit:a,percent:i}=e,l=`${i}% used`;return t(k,{title:es(n),note:i>=80?t(D,{tone:i>=100?"bad":"warn",children:l}):l,children:[t("p",
{class:"big",children:[en(r,a)," ",t("small",{children:"left"})]}),t(ut,{percent:i,label:l}),t("p",{class:"note",children:[Zt(o,s,a)," used"]})]})}function Qa({
limits:e}){return e.length===0?null:t(k,{title:"Not used yet",children:t("dl",{class:"pairs",children:e.map(({name:n,left:o,unit:s})=>t("div",{children:[t("dt",
{children:es(n)}),t("dd",{children:[en(o,s)," left"]})]},n))})})}function Qt({guards:e}){return t(k,{title:"Every guard",note:"as the configuration in force say\
s",wide:!0,children:t("dl",{class:"pairs",children:e.map(({guard:n,means:o})=>t("div",{children:[t("dt",{children:t("code",{children:n})}),t("dd",{children:t(I,
{text:Za(o)})})]},n))})})}function Zt(e,n,o){return o==="usd"?`${_(e)} of ${_(n)}`:`${O(e)} of ${en(n,o)}`}function en(e,n){return n==="usd"?_(e):`${O(e)} ${n.includes(
":")?$(n).symbol:n}`}function Za(e){let n=e.split(", ").map(r=>r.split(" ")),[[o=""]=[]]=n;return n.length>1&&n.every(([r,a="",...i])=>r===o&&a.includes(":")&&i.
length===0)?`${o} of each asset`:e}function es(e){let[n=""]=e.split(" ");if(!n.includes(":"))return e.slice(0,1).toUpperCase()+e.slice(1);let{symbol:o,chain:s}=$(
n);return`${o} on ${s}${e.slice(n.length)}`}function ts({overview:e,summary:n}){let o=({order:a})=>n?.open.find(i=>i.order===a)?.fiat??null,s=e.tasks.toSorted((a,i)=>+(i.level==="trouble")-+(a.level==="tr\
ouble")||Number(o(i)??0)-Number(o(a)??0)),r=e.problems.filter(({needsPerson:a})=>!a);return s.length+r.length===0?t(k,{title:"Needs you",children:t("p",{class:"\
quiet",children:["✓ Nothing. ",e.verdict]})}):t(k,{title:s.length>0?"Needs you":"Worth knowing",note:s.length>1?"most at stake first":void 0,children:t("ul",{
class:"plain tasks",children:[...s,...r].map(a=>t(ti,{problem:a,stake:o(a)},`${a.code} ${a.sentence}`))})})}var ei={trouble:"✕",attention:"▲"};function ti({
problem:e,stake:n}){let{level:o,sentence:s,meaning:r,todo:a,command:i,deadline:l,left:c,needsPerson:u}=e,d=u?ni(e):null;return t("li",{class:o,children:[t("span",
{class:"shape","aria-hidden":"true",children:ei[o]}),t("div",{children:[t("p",{children:[t("b",{children:t(I,{text:s})}),n===null?null:t("span",{class:"stake",children:_(
n)})]}),t("p",{class:"note",children:[r," ",t(I,{text:a}),u?null:" (ends by itself)"]}),i===null||d!==null?null:t("p",{class:"hash",children:[t("code",{children:i}),
t(le,{text:i,what:"the command"})]})]}),l===null&&d===null?null:t("p",{class:"do",children:[l===null?null:t("span",{children:["Time left: ",t("b",{children:c})]}),
d===null?null:t("a",{class:"button main",href:d.href,children:d.name})]})]})}function ni({order:e,kind:n}){return e!==null?{name:n==="approval"?"Review":"Open t\
he order",href:`#/orders/${e}`}:n==="rule"?{name:"Open the rules",href:"#/rules"}:n==="limit"?{name:"Open the limits",href:"#/limits"}:null}var nn="ballast.looked",oi=864e5;function ns({problems:e}){let n=K(),[o,s]=b(ai);F(()=>{let f=()=>localStorage.setItem(nn,new Date().toISOString());return addEventListener(
"pagehide",f),()=>removeEventListener("pagehide",f)},[]);let{value:r}=x(`summary?since=${o}`,1e4);if(r===null)return t(k,{title:"Since you last looked",children:t(
"p",{class:"quiet",children:"Reading…"})});let{swaps:a,alarms:i,missed:l}=r,c=f=>a.counts[f]??0,u=c("rejected")+c("abandoned"),d=l.reduce((f,m)=>f+m.runs,0),p=()=>{
let f=new Date(n).toISOString();localStorage.setItem(nn,f),s(f)};return t(k,{title:"Since you last looked",note:t(E,{at:o}),children:[t("dl",{class:"facts",children:[
t("div",{children:[t("dt",{children:"Orders"}),t("dd",{children:a.orders})]}),t("div",{children:[t("dt",{children:"Moved"}),t("dd",{children:_(a.volumeFiat)})]}),
t("div",{children:[t("dt",{children:"Cost"}),t("dd",{children:_(a.costFiat)})]})]}),t("ul",{class:"plain small",children:[t(tn,{count:c("refunded"),one:"order r\
efunded",many:"orders refunded"}),t(tn,{count:u,one:"order ended without a swap",many:"orders ended without a swap"}),t(tn,{count:d,one:"planned run came to no \
swap",many:"planned runs came to no swap"}),t(ri,{alarms:i.filter(f=>!e.some(m=>si(m,f)))}),i.length+u+d+c("refunded")===0?t("li",{class:"quiet",children:"✓ No \
refund, no refusal, no missed run, no alarm"}):null]}),t("button",{type:"button",onClick:p,children:"Mark as seen"})]})}function si(e,{code:n,order:o}){return e.
code===n&&e.order===o}function ri({alarms:e}){let n=K();return t(y,{children:[e.slice(0,3).map(({at:o,sentence:s,order:r})=>t("li",{children:[t("span",{"aria-hi\
dden":"true",children:"▲"})," ",r===null?t(I,{text:s}):t("a",{href:`#/orders/${r}`,children:t(I,{text:s})})," ",t("small",{title:o,children:A(o,n)})]},`${o} ${s}`)),
e.length>3?t("li",{children:t("a",{href:"#/alarms",children:[e.length," alarms in all"]})}):null]})}function tn(e){return e.count===0?null:t("li",{children:[t("\
span",{"aria-hidden":"true",children:"▲"})," ",e.count," ",e.count===1?e.one:e.many]})}function ai(){return localStorage.getItem(nn)??new Date(Date.now()-oi).
toISOString()}function rs({overview:e}){let{value:n}=x("summary",5e3);return t(R,{live:e,children:o=>t(y,{children:[t(ui,{overview:o}),n===null?null:t(vo,{overview:o,summary:n}),
t("div",{class:"grid",children:[t("div",{class:"column",children:[t(ts,{overview:o,summary:n}),n===null?null:t(gt,{overview:o,summary:n})]}),t("div",{class:"col\
umn",children:[t(ns,{problems:o.problems}),t(ii,{}),t(di,{overview:o}),t(mi,{overview:o}),t(pi,{overview:o})]}),t(li,{overview:o,summary:n})]})]})})}function ii(){
let[e,n]=b("24 h"),{value:o}=x(`flows?since=${jt(e)}`,2e4);return t("section",{class:"card",children:[t("header",{children:[t("h2",{children:t("a",{href:"#/trea\
sury",children:"Flows"})}),t(Gt,{range:e,ranges:["24 h","7 d","30 d"],onChange:n})]}),o===null?t("p",{class:"quiet",children:"Reading…"}):t(ft,{chains:o.chains})]})}
var os=6;function li({overview:{orders:e},summary:n}){let o=e.slice(0,os).map(s=>{let r=n?.open.find(a=>a.order===s.id);return{...s,deposited:r?.deposited??!1,createdAt:r?.
requestedAt??s.since,fiat:r?.fiat??null}});return t(k,{title:"Orders in flight",link:"#/orders",wide:!0,children:[t(Yt,{orders:o,none:"No order is in flight."}),
e.length<=os?null:t("p",{class:"rest",children:t("a",{href:"#/orders",children:["All ",e.length," orders in flight"]})})]})}var ci={ok:"All is well",attention:"\
Needs attention",trouble:"Trouble"};function ui({overview:e}){let{level:n,mode:o,pause:s}=e;return t("section",{class:`verdict ${n}`,"aria-label":"Verdict",children:t(
"div",{children:[t("h1",{tabIndex:-1,children:[ci[n]," · ",o??"unknown"," mode",s===null?"":" · paused"]}),s===null?null:t("p",{children:["Paused by ",s.by," ",
t(E,{at:s.at}),s.reason===null||s.by==="alarm"?".":`: ${s.reason}.`]})]})})}function di({overview:e}){return t(k,{title:"Next",link:"#/rules",children:[e.next.length===
0?t(J,{children:"No rule is due."}):null,t("dl",{class:"pairs",children:e.next.slice(0,5).map(({rule:n,at:o})=>t("div",{children:[t("dt",{children:t("a",{href:`\
#/decisions/${encodeURIComponent(n)}`,children:n})}),t("dd",{children:t(E,{at:o})})]},n))})]})}function mi({overview:e}){let n=e.limits.toSorted((o,s)=>s.percent-
o.percent).slice(0,3);return t(k,{title:"Limits used",link:"#/limits",children:n.map(({name:o,used:s,max:r,unit:a,percent:i})=>t("div",{class:"limit",children:[
t("p",{children:[t(I,{text:o})," ",t("span",{class:"quiet",children:Zt(s,r,a)})]}),t(ut,{percent:i,label:`${o}: ${i}%`})]},o))})}var ss={good:"good",slow:"warn",
degraded:"warn",resting:"warn",silent:"bad",failing:"bad",unknown:"calm"};function pi({overview:e}){let{nodes:n,services:o}=e;return t(k,{title:"Nodes and servi\
ces",children:t("dl",{class:"pairs",children:[n.map(({chain:s,state:r,lastAnswer:a,endpoints:i,needed:l})=>t("div",{children:[t("dt",{title:i.map(({host:c})=>c).
join(", "),children:[X(s)," ",t("small",{class:"block",children:[i.length," node",i.length===1?"":"s",", ",l," must agree"]})]}),t("dd",{children:[t(E,{at:a}),"\
 ",t(D,{tone:ss[r]??"calm",children:r})]})]},s)),o.map(({name:s,state:r,lastAnswer:a,inFlight:i})=>t("div",{children:[t("dt",{children:["Service ",s," ",t("smal\
l",{children:[i," in flight"]})]}),t("dd",{children:[t(E,{at:a})," ",t(D,{tone:ss[r]??"calm",children:r})]})]},s))]})})}function as(e){return[...Map.groupBy(e,({rule:o,verdict:s,reasons:r,proposals:a})=>JSON.stringify([o,s,r.map(({code:i})=>i),a.map(({from:i,to:l})=>[i,l])])).values()]}function vt(){let{value:e}=x("rules",6e4);return n=>{let o=e?.rules.find(({id:a})=>a===n),s=o?.from,r=o?.to;return typeof s=="string"&&typeof r=="string"?{from:s,
to:r}:null}}var fi="Why did a rule do something, or nothing? The same outcome is one line; a rule's own list has each decision.",hi=100;function cs({detail:e,overview:n,known:o}){
let s=e===null?"":`rule=${encodeURIComponent(e)}&`,r=x(`decisions?${s}limit=${hi}`,1e4),a=vt();return t(y,{children:[t(N,{note:fi,children:e===null?"Decisions":
`Decisions of ${e}`}),t("nav",{class:"filters","aria-label":"Rules",children:[t("a",{class:"chip",href:"#/decisions","aria-current":e===null?"page":void 0,children:"\
all rules"}),(n.value?.rules??[]).map(({id:i})=>t("a",{class:"chip",href:`#/decisions/${encodeURIComponent(i)}`,"aria-current":i===e?"page":void 0,children:i},i))]}),
t(R,{live:r,children:i=>t("section",{class:"card",children:[i.decisions.length===0?t(J,{children:"No decision yet."}):null,(e===null?as(i.decisions):i.decisions.
map(l=>[l])).map(l=>t(gi,{group:l,known:o,pairOf:a},l[0]?.id))]})})]})}function gi(e){let[n,...o]=e.group;if(n===void 0)return null;let s=o.reduce((r,a)=>r+a.times,
0);return t(y,{children:[t(is,{decision:n,known:e.known,pairOf:e.pairOf}),o.length===0?null:t("details",{class:"others",children:[t("summary",{children:[s," mor\
e like this, since ",A(o.at(-1)?.at??n.at)]}),o.map(r=>t(is,{decision:r,known:e.known,pairOf:e.pairOf},r.id))]})]})}function is({decision:e,known:n,pairOf:o}){let{
id:s,at:r,lastAt:a,times:i,rule:l,verdict:c,reasons:u,proposals:d,orders:p}=e,f=o(l)??d[0]??null,m=`ballast replay ${s}`;return t("article",{class:"proposal",children:[
t("p",{class:"line",children:[t("b",{title:r,children:A(r)}),t("a",{href:`#/decisions/${encodeURIComponent(l)}`,children:l}),t(D,{tone:c==="proposed"?"good":"ca\
lm",children:c==="proposed"?"proposed":"did nothing"}),i>1?t("span",{class:"quiet",children:[i," times, last ",t(E,{at:a})]}):null]}),d.map(h=>t("p",{class:"lin\
e",children:[t(H,{amount:h.amount,asset:h.from})," →"," ",t(H,{amount:h.receive,asset:h.to}),h.cost===null?null:t("span",{class:"quiet",children:["cost ",_(h.
cost)]})]},`${h.from} ${h.to} ${h.amount}`)),t(ee,{reasons:u.map(h=>n.humane(h,f))}),t("p",{class:"line quiet",children:[p.map(h=>t("a",{href:`#/orders/${h}`,children:[
"Order ",h.slice(0,8)]},h)),t("span",{class:"hash",children:[t("code",{children:m}),t(le,{text:m,what:"the command that computes this decision again"})]})]}),t(
yi,{decision:s,known:n})]})}function yi({decision:e,known:n}){let[o,s]=b(null);return t(y,{children:[t("button",{type:"button",onClick:()=>{V("GET",`decisions/${encodeURIComponent(
e)}/replay`).catch(i=>i).then(s)},"aria-label":`Replay ${e}`,children:"Replay"}),t("div",{"aria-live":"polite",children:o===null?null:t(bi,{replay:o,known:n})})]})}
function bi({replay:e,known:n}){if(e instanceof P)return t("p",{class:"notice bad",children:e.message});let{same:o,again:s,stored:r}=e;return o?t("p",{class:"no\
tice",children:[t(D,{tone:"good",children:"same decision"})," The stored inputs give the stored result again."]}):t("div",{class:"notice bad",children:[t("p",{children:[
t("b",{children:"Another decision."})," The stored inputs give another result now."]}),t("div",{class:"grid even",children:[t(ls,{name:"Stored",of:r,known:n}),t(
ls,{name:"Now",of:s,known:n})]})]})}function ls({name:e,of:n,known:o}){let s=n.proposals,r=s[0]??null;return t("section",{"aria-label":e,children:[t("h3",{children:e}),
s.map(({from:a,to:i,units:l})=>t("p",{children:["Sell ",t(H,{amount:o.amountOf(l,a),asset:a})," for ",t(I,{text:i})]},`${a} ${i} ${l}`)),t(ee,{reasons:[...s.flatMap(
({why:a})=>a),...n.reasons].map(a=>o.humane(a,r)),none:"No reason."})]})}var vi="What the rules would do if every rule decided now. Looking at it changes nothing.";function us({known:e}){let n=x("plan",15e3),o=vt();return t(y,{children:[
t(N,{note:vi,children:"Plan"}),t(R,{live:n,children:({at:s,proposals:r,declined:a,paused:i,plan:l,mode:c})=>t(y,{children:[(i??[]).map(u=>t("p",{class:"notice w\
arn",children:t(I,{text:u})},u)),c==="observe"?t("p",{class:"notice warn",children:"Observe mode: Ballast records decisions and makes no order."}):null,t(k,{title:r.
length===0?"Nothing to swap now":`${r.length} swap${r.length===1?"":"s"}`,note:t(y,{children:["computed ",t(E,{at:s}),l.cost===null||r.length===0?"":`, cost abo\
ut ${_(l.cost)}`]}),wide:!0,children:[r.length===0?t(J,{children:"Each rule says below why it asks for nothing."}):null,r.map(u=>t(_i,{proposal:u,known:e},wi(u)))]}),
t("div",{class:"grid even",children:a.map(({rule:u,reasons:d})=>t(k,{title:u,link:`#/decisions/${encodeURIComponent(u)}`,children:t(ee,{reasons:d.map(p=>e.humane(
p,o(u))),none:"It proposes a swap."})},u))})]})})]})}function wi({rules:e,from:n,to:o,amount:s}){return`${e.join()} ${n} ${o} ${s}`}function _i({proposal:e,known:n}){
let{amount:o,from:s,receive:r,to:a,rules:i,cost:l,why:c,refused:u,explained:d=[]}=e;return t("article",{class:"proposal",children:[t("p",{class:"line",children:[
t(H,{amount:o,asset:s})," → ",t(H,{amount:r,asset:a}),u.length===0?t(D,{tone:"good",children:"would be ordered"}):t(D,{tone:"bad",children:"refused"}),t("span",
{class:"quiet",children:[i.join(", "),l===null?"":` · cost ${_(l)}`]})]}),d.map(p=>t("p",{class:"quiet",children:p},p)),t(ee,{reasons:[...c,...u].map(p=>n.humane(
p,e))})]})}function ds(e,n,o=Date.now()){let s=n.flatMap(({id:r,deadline:a,ends:i})=>a===null?[]:[{at:a,kind:"end",words:`${r.slice(0,8)}: ${i}`}]);return[...e.map(r=>({at:r,
kind:"run",words:"run"})),...s].filter(({at:r})=>Date.parse(r)>=o&&Date.parse(r)<=o+864e5).toSorted((r,a)=>Date.parse(r.at)-Date.parse(a.at))}var qe=16,ms=864e5,ki=3;function ps({coming:e}){let[n,o]=Z(),s=K(),r=c=>Math.max(0,o*(c-s)/ms),a=e.slice(0,ki).map(({at:c,words:u})=>`${A(c)} ${u}`),i=e.length-
a.length,l=`Next 24 hours: ${a.join(", ")}${i>0?`, ${i} more`:""}`;return t("figure",{class:"chart upcoming",ref:n,children:[t("svg",{width:o,height:qe+16,role:"\
img","aria-label":l,children:[t("line",{class:"grid-line",x2:o,y1:qe,y2:qe}),e.map(({at:c,kind:u,words:d})=>t("path",{class:u==="run"?"run-tick":"mark out",d:u===
"run"?"M0 -12V0":"m0 -1 4 -8h-8z",transform:`translate(${r(Date.parse(c))} ${qe})`,children:t("title",{children:`${A(c)} ${d}`})},`${c} ${d}`)),ge(s,s+ms,Math.max(
2,Math.floor(o/80))).map(({ms:c,label:u})=>t("text",{x:r(c),y:qe+13,"text-anchor":"middle",children:u},c))]}),t("figcaption",{class:"note",children:l})]})}var Si=2e4;function on({scope:e,paused:n,scopes:o,children:s}){let r=K(),[a,i]=b(null),[l,c]=b(null),u=Re("operate",o),d=a===null?0:a+Si-r;async function p(f){try{
await V("POST",f,e),c(null),i(f==="pause"?Date.now():null),Ce()}catch(m){m instanceof P&&c(m)}}return t("span",{class:"actions",children:[l===null?null:t("span",
{class:"notice bad",role:"alert",children:l.message}),n&&d>0?t("button",{type:"button",onClick:()=>{p("resume")},children:["Undo (",Math.ceil(d/1e3)," s)"]}):n?
s:t("button",{type:"button",class:"stop","data-key":e.rule===void 0?"pause":void 0,disabled:u!==null,title:u??"No new order and no new deposit. Orders that have\
 deposited go on.",onClick:()=>{p("pause")},children:"Pause"})]})}function fs({overview:e,scopes:n}){return t(on,{scope:{},paused:e.pause!==null,scopes:n,children:t(
xi,{overview:e,scopes:n})})}function xi({overview:e,scopes:n}){let o=e.pause?.alarms??[],[s,r]=b([]),a={title:"Resume?",word:"resume",button:"Resume",path:"resu\
me",body:{acknowledge:s},children:o.length===0?t("p",{children:"Rules make orders again at their next time."}):t("fieldset",{children:[t("legend",{children:"Ack\
nowledge each alarm that you have dealt with"}),o.map(({id:i,message:l})=>t("label",{class:"check",children:[t("input",{type:"checkbox",checked:s.includes(i),onChange:c=>{
let u=s.filter(d=>d!==i);r(c.currentTarget.checked?[...u,i]:u)}}),l]},i))]})};return t(se,{change:a,scope:"operate",scopes:n})}function wt(e,n){let{kind:o}=e,s=l=>String(e[l]??""),r=l=>n.speak(s(l)),a=(l,c)=>{let u=l==null?null:n.amountOf(String(l),c);return u===null?"any":O(u)},i=typeof e.
everyMs=="number"?`looks each ${W(e.everyMs)}`:`runs at ${s("schedule")} (${s("timezone")})`;if(o==="recurring")return`Swaps ${$i(e.amount,c=>a(c,s("from")))} o\
f ${r("from")} to ${r("to")}; ${i}.`;if(o==="band"){let[l,c,u]=["minUnits","targetUnits","maxUnits"].map(f=>a(e[f],s("asset"))),d=sn(", bought with",e.sources,n)+
sn(", sold for",e.sinks,n),p=`between ${l} and ${u}, with ${c} as the target`;return`Keeps ${r("asset")} ${p}${d}; ${i}.`}if(o==="sweep"){let l=a(e.keepUnits,s(
"from"));return`Swaps all of ${r("from")} above ${l} to ${r("to")}; ${i}.`}if(o==="gas"){let l=`the network fees of ${s("days")} days and of ${s("orders")} orde\
rs`,c=sn(", bought with",e.sources,n);return`Keeps ${l} in ${r("asset")}${c}; ${i}.`}if(o==="weights"){let l=rn(e.toleranceBps);return`Keeps ${Oi(e.weights,n)} \
within ${l}; ${i}.`}return`A rule of the kind ${o}; ${i}.`}function $i(e,n){let o=e;return o?.kind==="share"?rn(o.bps):o?.kind==="fiat"?`${_(String(Number(o.fiat)/
1e6))} worth`:n(o?.units)}function rn(e){return`${Number(e)/100}%`}function sn(e,n,{speak:o}){let r=(Array.isArray(n)?n:[]).map(a=>typeof a=="string"?a:String(hs(
a)));return r.length===0?"":`${e} ${r.map(o).join(" or ")}`}function hs(e){return e?.asset}function Oi(e,{speak:n}){return(Array.isArray(e)?e:[]).map(s=>{let{bps:r}=s;
return`${rn(r)} in ${n(String(hs(s)))}`}).join(", ")}function gs({overview:e,scopes:n,known:o}){let s=x("rules",3e4),r=x("flows",3e4);return t(y,{children:[t(N,{note:"Each rule with its last decision, and why it d\
ecided so.",children:"Rules"}),t(R,{live:e,children:({rules:a,orders:i})=>t("div",{class:"grid even",children:[a.map(l=>t(Ci,{rule:l,flights:i.filter(c=>c.rule===
l.id),scopes:n,fields:s.value?.rules.find(({id:c})=>c===l.id)??null,known:o,week:r.value?.rules.find(({name:c})=>c===l.id)??null},l.id)),a.length===0?t(J,{children:"\
The configuration has no rules."}):null]})})]})}function Ci({rule:e,flights:n,scopes:o,fields:s,known:r,week:a}){let{id:i,kind:l,paused:c,verdict:u,reasons:d}=e,
p=ds(s?.upcoming??[],n),f={title:`Resume the rule ${i}?`,word:"resume",button:"Resume",path:"resume",body:{rule:i},children:t("p",{children:"The rule decides ag\
ain at its next time."})};return t(k,{title:i,note:oe(l),link:`#/decisions/${encodeURIComponent(i)}`,children:[s===null?null:t("p",{class:"sentence",children:wt(
s,r)}),t(Ei,{rule:e,inFlight:n.length}),p.length===0||c?null:t(ps,{coming:p}),a===null?null:t("p",{class:"quiet",children:["In 7 days: ",a.completed," of ",a.orders,
" orders completed ·"," ",t(re,{fiat:a.volumeFiat})," moved · ",t(re,{fiat:a.costFiat})," cost",a.costBps===null?"":`, ${a.costBps} bps`]}),t("p",{children:u===
null?t("span",{class:"quiet",children:"It has not decided yet."}):u==="proposed"?t("b",{children:"It proposed a swap."}):t("b",{children:"It did nothing, becaus\
e:"})}),t(ee,{reasons:d}),t("div",{class:"actions",children:[t(on,{scope:{rule:i},paused:c,scopes:o,children:t(se,{change:f,scope:"operate",scopes:o})}),t("a",{
class:"button",href:`#/decisions/${encodeURIComponent(i)}`,children:"All decisions"}),t("a",{class:"button",href:`#/try/${encodeURIComponent(i)}`,children:"Try \
a change"})]})]})}function Ei({rule:e,inFlight:n}){let{enabled:o,paused:s,next:r,last:a}=e;return t("p",{class:"line",children:[o?s?t(D,{tone:"warn",children:"p\
aused"}):t(D,{tone:"good",children:"on"}):t(D,{tone:"calm",children:"not enabled"}),t("span",{children:["Next: ",t(E,{at:r})]}),t("span",{children:["Last: ",t(E,
{at:a})]}),n===0?null:t("span",{children:[n," in flight"]})]})}var je=120,be=44,an=44,Ti=20;function ys({plot:e,at:n,days:o}){let[s,r]=Z(),{symbol:a}=$(e.asset),i=e.subjects[n]??{points:[],bound:null},{bottom:l,top:c}=Ai(e.
subjects),u=Math.max(1,i.points.length-1),d=g=>be+(r-be-an)*g/u,p=g=>Math.max(0,Math.min(je,je-je*(g-l)/(c-l))),f=g=>i.points.map((S,C)=>`${d(C)} ${p(g(S))}`),m=Math.
min(...i.points.map(({p5:g})=>g)),h=Math.max(...i.points.map(({p95:g})=>g)),w=`${O(String(m))} to ${O(String(h))} ${a}`,v=he(l,c,3);return t("figure",{class:"ch\
art",ref:s,children:[t("svg",{width:r,height:je+Ti,role:"img","aria-label":`Simulated balance over ${o} days, nine of ten runs: ${w}`,children:[i.bound===null?null:
t(Mi,{bound:i.bound,y:p,right:r-an}),v.map(g=>t("g",{children:[t("line",{class:"grid-line",x1:be,x2:r-an,y1:p(g),y2:p(g)}),t("text",{x:be-6,y:p(g)+4,"text-ancho\
r":"end",children:q(g,(v[1]??0)-(v[0]??0))})]},g)),[0,.5,1].map(g=>t("text",{x:d(g*u),y:je+15,"text-anchor":"middle",children:[Math.round(g*o*10)/10," d"]},g)),
t("path",{class:"fan",d:`M${f(({p95:g})=>g).join("L")}L${f(({p5:g})=>g).toReversed().join("L")}Z`}),t("path",{class:"line-a",d:`M${f(({p50:g})=>g).join("L")}`})]}),
t("figcaption",{class:"note",children:["Nine of ten runs: ",w]})]})}function Ai(e){let n=e.flatMap(({points:a,bound:i})=>[...a.flatMap(({p5:l,p95:c})=>[l,c]),...i===
null?[]:[Number(i.min),Number(i.target)]]),o=Math.min(...n),s=Math.max(...n),r=(s-o)*.1||s*.05||1;return{bottom:Math.max(0,o-r),top:s+r}}function Mi(e){let{bound:n,
y:o,right:s}=e,r=n.max===null?0:o(Number(n.max)),a=o(Number(n.min)),i=o(Number(n.target));return t(y,{children:[t("rect",{class:"band-area",x:be,y:r,width:Math.
max(0,s-be),height:Math.max(0,a-r)}),t("line",{class:"edge",x1:be,x2:s,y1:a,y2:a}),t("line",{class:"goal",x1:be,x2:s,y1:i,y2:i}),t("text",{x:s+6,y:a+4,children:"\
min"}),a-i<12?null:t("text",{x:s+6,y:i+4,children:"target"})]})}var Ri={band:[["min","minUnits","Refill below","asset"],["target","targetUnits","Refill or drain to","asset"],["max","maxUnits","Drain above","asset"],["least",
"leastUnits","Smallest order","asset"]],sweep:[["keep","keepUnits","Keep","from"],["least","leastUnits","Smallest order","from"]]};function bs(e,n){let r=[...(Ri[e.
kind]??[]).map(([a,i,l,c])=>{let u=e[i]??null,d=u===null?null:n.amountOf(String(u),String(e[c]));return{key:a,label:l,text:d??""}}),...Pi(e,n)];return r.length===
0?[]:[...r,{key:"max_cost",label:"Highest cost",text:Di(e.maxCost)}]}function Pi(e,n){return e.kind==="weights"?[{key:"tolerance",label:"Tolerance",text:vs(e.toleranceBps)}]:
e.kind==="recurring"?[{key:"amount",label:"Amount",text:Ni(e.amount,String(e.from),n)}]:[]}function Di(e){let n=e;return n?.kind==="share"?`${n.bps}bps`:n?.kind===
"fiat"?ws(n.fiat):""}function Ni(e,n,o){let s=e;return s?.kind==="share"?vs(s.bps):s?.kind==="fiat"?ws(s.fiat):o.amountOf(String(s?.units??0),n)??""}function vs(e){
return`${Number(e)/100}%`}function ws(e){return`${Oe(BigInt(String(e)),6)} usd`}function _s(e,n){return Ss(e,n).map(({key:o,text:s})=>`${o}=${s}`).join(",")}function ks(e,n,o){
let s=Ss(n,o).map(({key:r,text:a})=>`    ${r}: "${a}"`);return[`  - id: ${e}`,...s].join(`
`)}function Ss(e,n){return e.flatMap(({key:o,text:s})=>{let r=n[o]?.trim()??"";return r===""||r===s?[]:[{key:o,text:r}]})}var _t=1e6;function ln(e,n){let[o,s]=e.subjects.map(({summary:c})=>c);if(o===void 0||s===void 0)return[];let r=(c,u,d)=>{let p=u(o),f=u(s);return{name:c,now:d(p),
changed:d(f),difference:Xi(f-p,d)}},a=c=>_(c.toFixed(2)),i=o.rules.some(c=>c.rule===n),l=r("Time off its goal",c=>Li(c,n),ne);return[r("Swaps",({moves:c})=>c.p50,
String),r("Moved",({volumeFiat:c})=>Number(c.p50)/_t,a),r("Cost",({feesFiat:c})=>Number(c.p50)/_t,a),r("Of it network fees",({networkFeesFiat:c})=>Number(c.p50)/
_t,a),r("Refunded",({refunded:c})=>c.p50,String),...i?[l]:[]]}function xs(e,n,o){let s=ln(e,n),[r,a]=e.subjects.map(({summary:v})=>v);if(r===void 0||a===void 0)
return"The change was not simulated.";let i=a.moves.p50-r.moves.p50,l=(Number(a.feesFiat.p50)-Number(r.feesFiat.p50))/_t,c=i===0?"As many swaps":`${Math.abs(i)}\
 ${i<0?"fewer":"more"} swap${Math.abs(i)===1?"":"s"}`,u=Math.abs(l)<.005?"the same cost":`${_(Math.abs(l).toFixed(2))} ${l<0?"less":"more"} cost`,d=s.find(({name:v})=>v===
"Time off its goal"),p=d===void 0?"":d.now===d.changed?`; the rule is off its goal ${d.changed} of the time, as now`:`; the rule is off its goal ${d.changed} of\
 the time instead of ${d.now}`,f=e.comparison?.cheaper===null&&Math.abs(l)>=.005?" The runs do not agree which is cheaper.":"",{days:m}=e.scenario,h=`${m} day${m===
1?"":"s"}`,w=m<o?` The rules look too often to simulate ${o} days within a minute, so this is of ${h}.`:"";return`${c} and ${u} in ${h}${p}.${f}${w}`}function Li({
rules:e},n){return e.find(o=>o.rule===n)?.outsideBps.p50??0}function Xi(e,n){let o=n(Math.abs(e));return o===n(0)?"same":`${e<0?"▾":"▴"} ${o}`}var Ji="Runs the rules with and without a change in the same random markets. Nothing is changed: the file is yours to edit.",Fi=[7,30,90],Ii=5;function $s({detail:e,
known:n}){let o=x("rules",6e4);return t(y,{children:[t(N,{note:Ji,children:["Try a change of ",e]}),t(R,{live:o,children:({rules:s})=>{let r=s.find(({id:i})=>i===
e),a=r===void 0?[]:bs(r,n);return r===void 0||a.length===0?t(J,{children:"This page cannot try a change of such a rule."}):t(Bi,{id:r.id,sentence:wt(r,n),keys:a})}})]})}
function Bi(e){let{id:n,sentence:o,keys:s}=e,[r,a]=b({}),[i,l]=b(30),[c,u]=b(null),d=_s(s,r);return t(y,{children:[t(k,{title:"The change",wide:!0,children:[t("\
p",{class:"sentence",children:o}),t("form",{class:"fields trial",onSubmit:async f=>{f.preventDefault(),u("asking"),u(await Ui(n,d,i,ks(n,s,r)))},children:[s.map(
({key:f,label:m,text:h})=>t("div",{children:[t("label",{for:`try-${f}`,children:[m," ",t("span",{class:"quiet",children:h===""?"not set":`now ${h}`})]}),t("inpu\
t",{id:`try-${f}`,autocomplete:"off",value:r[f]??h,onInput:({currentTarget:w})=>a({...r,[f]:w.value})})]},f)),t("div",{class:"line",children:[Fi.map(f=>t("butto\
n",{type:"button",class:"chip","aria-pressed":f===i,onClick:()=>l(f),children:[f," days"]},f)),t("button",{type:"submit",class:"main",disabled:d===""||c==="aski\
ng",children:c==="asking"?"Simulating…":"Simulate"})]})]}),c instanceof P?t("p",{class:"notice bad",role:"alert",children:c.message}):null]}),t("div",{"aria-l\
ive":"polite",children:c===null||c==="asking"||c instanceof P?null:t(Hi,{id:n,result:c,isOld:c.change!==d})})]})}async function Ui(e,n,o,s){let r=new URLSearchParams(
{rule:e,change:n,days:String(o),seeds:String(Ii)});try{let a=await V("GET",`simulate?${r}`);return{change:n,text:s,askedDays:o,found:a}}catch(a){if(a instanceof
P)return a;throw a}}function Hi(e){let{id:n,result:o,isOld:s}=e,{found:r,text:a,askedDays:i}=o,{days:l}=r.scenario;return t("div",{class:"grid halves",children:[
s?t("p",{class:"notice warn wide",children:"This is of the change before; simulate again."}):null,t("section",{class:"card wide","aria-label":"What the change w\
ould do",children:[t("p",{class:"sentence",children:t("b",{children:xs(r,n,i)})}),t("p",{class:"note",children:[r.seeds.count," runs in random markets, the same\
 for both. The real one is another."]})]}),r.plots.flatMap(c=>["As it is","With the change"].map((u,d)=>t(k,{title:u,note:$(c.asset).symbol,children:t(ys,{plot:c,
at:d,days:l})},`${c.asset} ${u}`))),t(k,{title:"Side by side",note:"the middle run",children:t(Wi,{compared:ln(r,n)})}),t(k,{title:"For the file",note:t(le,{text:a,
what:"the change"}),children:[t("pre",{class:"file",children:a}),t("p",{class:"note",children:["Then ",t("code",{children:"ballast check"})," and ",t("code",{children:"\
ballast reload"}),"."]})]})]})}function Wi({compared:e}){return t(G,{caption:"The rules as they are and with the change",figures:!0,columns:["","As it is","Chan\
ged","Difference"],rows:e.map(({name:n,now:o,changed:s,difference:r})=>({key:n,cells:[n,o,s,r]}))})}var Vi="The configuration that the daemon has in force now. To change it, edit the file and reload; no secret is shown here.";function Os({overview:e}){let n=x(
"settings",6e4);return t(y,{children:[t(N,{note:Vi,children:"Settings"}),t(R,{live:n,children:o=>t("div",{class:"grid even",children:[t(k,{title:"Daemon",children:t(
Pe,{pairs:[["treasury",o.treasury],["version",e.value?.daemon.version??"unknown"],["configuration",t(te,{hash:o.configHash,what:"the hash of the configuration"},
"hash")],...o.settings.map(({name:s,means:r})=>[s,r])]})}),t(k,{title:"Chains",children:t(Pe,{pairs:o.chains.map(({chain:s,family:r,nativeCoin:a,endpoints:i,agree:l})=>[
X(s),`${r}, coin ${a.symbol}, ${i} node${i===1?"":"s"} of which ${l} must agree`])})}),t(k,{title:"Services and access",children:t(Pe,{pairs:[...o.services.map(
({name:s,host:r})=>[`service ${s}`,r]),...o.tokens.map(({name:s,scopes:r})=>[`token ${s}`,r.join(", ")])]})}),t(Qt,{guards:o.guards})]})})]})}var Ki=1500,Cs="ballast.keys";function cn(){return localStorage.getItem(Cs)!=="off"}function Es(e){localStorage.setItem(Cs,e?"on":"off")}function Ts(e){let n=Y(
e);n.current=e,F(()=>{let o="",s=0,r=a=>{if((a.ctrlKey||a.metaKey)&&a.key.toLowerCase()==="k"){a.preventDefault(),n.current["/"]?.();return}if(a.ctrlKey||a.metaKey||
a.altKey||!cn()||qi(a))return;let i=`${o} ${a.key}`,l=Date.now()-s<Ki&&i in n.current,c=n.current[l?i:a.key];o=l?"":a.key,s=Date.now(),c!==void 0&&c()!==!1&&a.preventDefault()};
return document.addEventListener("keydown",r),()=>document.removeEventListener("keydown",r)},[])}function qi({target:e}){return document.querySelector("dialog[o\
pen]")!==null?!0:e instanceof Element&&e.closest("input, select, textarea")!==null}function Ge(e){let n=[...document.querySelectorAll("main [data-row]")],o=n.findIndex(
r=>r.matches(":focus")),s=n[o===-1?e===1?0:n.length-1:o+e];return s?.focus(),s?.scrollIntoView({block:"nearest"}),n.length>0}function Ne(e){let n=document.querySelector(
`[data-key="${e}"]`);n?.focus(),n instanceof HTMLButtonElement&&n.click()}function As(){let{activeElement:e}=document;e instanceof HTMLElement&&e.dataset.row!==
void 0&&e.click()}var ji=[["g h","Overview"],["g t","Treasury"],["g o","Orders"],["g r","Rules"],["g s","Settings"],["/ or Ctrl K","Find or do"],["j k, ↓ ↑","Next and previou\
s line of a list"],["o, Enter","Open it"],["a","Approve, in an order"],["f","Filter"],["e","Export"],["p p","Pause everything"],[".","Times as clock times, or a\
s ages"],["?","This list"]];function Ms({onClose:e}){let[n,o]=b(cn);return t(ye,{labelledBy:"key-help",onClose:e,children:[t("h2",{id:"key-help",children:"Keys"}),
t("dl",{class:"pairs",children:ji.map(([s,r])=>t("div",{children:[t("dt",{children:t("kbd",{children:s})}),t("dd",{children:r})]},s))}),t("label",{class:"check",
children:[t("input",{type:"checkbox",checked:n,onChange:({currentTarget:{checked:s}})=>{Es(s),o(s)}}),"Single keys act outside of fields"]}),t("footer",{children:t(
"button",{type:"button",onClick:e,children:"Close"})})]})}function Rs(e,n,o){let s=n.toLowerCase().split(/\s+/),r=e.filter(({name:l})=>s.every(c=>l.toLowerCase().includes(c))),[a=""]=/^[0-9a-f]{32}$/.exec(n.trim())??[],
i={name:`Order ${a}`,act:()=>o(a)};return(a===""?r:[i,...r]).slice(0,9)}function Ps(e){let{commands:n,onClose:o}=e,s=fe(),[r,a]=b(""),[i,l]=b(0),c=Rs(n,r,e.onOrder),u=p=>{p!==void 0&&(o(),p.act())},d=p=>{let f={ArrowDown:1,ArrowUp:-1}[p.
key];f!==void 0&&(p.preventDefault(),l((i+f+c.length)%Math.max(c.length,1))),p.key==="Enter"&&(p.preventDefault(),u(c[i]))};return t(ye,{class:"palette",label:"\
Find or do",onClose:o,children:[t("input",{type:"text",role:"combobox","aria-label":"Find or do","aria-expanded":"true","aria-controls":s,"aria-activedescendant":c.
length===0?void 0:`${s}-${i}`,placeholder:"A view, an order, a rule, an act",value:r,autocomplete:"off",spellcheck:!1,onInput:p=>{a(p.currentTarget.value),l(0)},
onKeyDown:d}),t("div",{id:s,role:"listbox","aria-label":"Found",children:c.map((p,f)=>t("button",{type:"button",id:`${s}-${f}`,role:"option",tabIndex:-1,"aria-s\
elected":f===i,onClick:()=>u(p),children:[p.name,p.keys===void 0?null:t("kbd",{children:p.keys})]},p.name))}),c.length===0?t("p",{class:"empty",children:"Nothin\
g has these words."}):null]})}var Gi={overview:"M2.5 7.5 8 3l5.5 4.5M4 7v6h3v-3.5h2V13h3V7",orders:"M2 5.5h10m-2.5-3 3 3-3 3M14 10.5H4m2.5-3-3 3 3 3",treasury:"M2.5 3h11v9h-11zM4 12v1.5M12 1\
2v1.5M8 5.5a2 2 0 1 0 .01 0",rules:"M2 4.5h3m3 0h6M6.5 3v3M2 11.5h6m3 0h3M9.5 10v3",alarms:"M8 2.5a4 4 0 0 0-4 4V10l-1.5 2h11L12 10V6.5a4 4 0 0 0-4-4M7 14h2",settings:"\
M8 5.5a2.5 2.5 0 1 0 .01 0M8 1.5v2m0 9v2m6.5-6.5h-2m-9 0h-2M12.6 3.4l-1.4 1.4m-6.4 6.4-1.4 1.4m0-9.2 1.4 1.4m6.4 6.4 1.4 1.4",find:"M7 2.5a4.5 4.5 0 1 0 .01 0M1\
0.3 10.3 14 14",pause:"M5.5 3v10M10.5 3v10"};function un({name:e}){return t("svg",{class:"icon",viewBox:"0 0 16 16","aria-hidden":"true",children:t("path",{d:Gi[e]})})}function Ds(e){let{overview:n}=e,[o,s]=b(!1);F(()=>s(!1),[e.shown]);let r={orders:n?.orders.length,alarms:n?.alarms.length};return t("nav",{class:o?"side open":
"side","aria-label":"Views",children:t("div",{class:"rail",children:[t("a",{class:"brand",href:"#/",children:[t("img",{src:"/icon.svg",alt:"",width:"26",height:"\
26"}),t("span",{children:["Ballast",t("small",{children:e.treasury??""})]})]}),t("ul",{children:e.entries.map(({id:a,name:i,icon:l})=>t("li",{children:t("a",{href:`\
#/${a}`,"aria-current":a===e.shown?"page":void 0,children:[t(un,{name:l}),i,r[a]?t("span",{class:`count ${a}`,children:r[a]}):null]})},a))}),t("button",{type:"b\
utton",class:"more","aria-expanded":o,onClick:()=>s(!o),children:o?"Less":"More"}),n===null?null:t(zi,{overview:n})]})})}function zi({overview:{services:e,nodes:n}}){
let o=n.filter(({state:s})=>s!=="good");return t("dl",{class:"pulse",children:[e.map(({name:s,state:r})=>t("div",{children:[t("dt",{children:["Service ",s]}),t(
"dd",{children:r==="good"?"✓ good":`▲ ${r}`})]},s)),t("div",{title:o.map(({chain:s,state:r})=>`${X(s)} ${r}`).join(", "),children:[t("dt",{children:"Chains"}),
t("dd",{children:[o.length===0?"✓":"▲"," ",n.length-o.length," of ",n.length," good"]})]})]})}function Ns(e){let{account:n,overview:o}=e,s=()=>{Gn().then(e.
onLeave)};return t("header",{class:"top",children:[t("p",{class:"state",children:o===null?null:t(y,{children:[t("span",{class:`dot ${o.level}`}),o.pause===null?
`${o.mode??"unknown"} mode`:"paused"]})}),t("button",{type:"button",class:"find",onClick:e.onFind,"aria-label":"Find or do","aria-keyshortcuts":"/ Control+K",children:[
t(un,{name:"find"}),t("span",{children:"Find or do…"}),t("kbd",{children:"/"})]}),t("a",{class:"button",href:"#/swap",children:"New swap"}),o===null?null:t(fs,
{overview:o,scopes:n.scopes}),t(Yi,{}),n.csrf===null?null:t("button",{type:"button",onClick:s,title:`Logged in with the token ${n.name}: ${n.scopes.join(", ")}`,
children:"Log out"})]})}function Yi(){let[e,n]=b(localStorage.getItem("ballast.theme")??"system");F(()=>{e==="system"?delete document.documentElement.dataset.theme:
document.documentElement.dataset.theme=e,localStorage.setItem("ballast.theme",e)},[e]);let o={light:"Light",dark:"Dark"}[e]??"Auto",s={system:"light",light:"dar\
k",dark:"system"}[e]??"system";return t("button",{type:"button",class:"theme",onClick:()=>n(s),"aria-label":`${o} colours. Change to ${s}`,children:o})}function Ls({parts:e,shown:n,label:o}){return t("nav",{class:"filters tabs","aria-label":o,children:e.map(({id:s,name:r})=>t("a",{class:"chip",href:`#/${s}`,"ar\
ia-current":s===n?"page":void 0,children:r},s))})}var ze=[{id:"",name:"Overview",icon:"overview",show:rs},{id:"orders",name:"Orders",icon:"orders",show:Ko},{id:"treasury",name:"Treasury",icon:"treasury",show:Oo},
{id:"books",name:"Books",icon:"treasury",of:"treasury",show:no},{id:"rules",name:"Rules",icon:"rules",show:gs},{id:"plan",name:"Plan",icon:"rules",of:"rules",show:us},
{id:"decisions",name:"Decisions",icon:"rules",of:"rules",show:cs},{id:"limits",name:"Limits",icon:"rules",of:"rules",show:Zo},{id:"alarms",name:"Alarms",icon:"a\
larms",show:Qo},{id:"settings",name:"Settings",icon:"settings",show:Os}],Qi={swap:"New swap",try:"Try a change"};function Xs(){let[e,n]=b("asking"),[o,s]=b(0);return F(
()=>{qn().then(n,()=>setTimeout(()=>s(a=>a+1),2e3))},[o]),e==="asking"?t("main",{class:"login",children:t("p",{class:"quiet",children:o===0?"Reading…":"The da\
emon does not answer. The page tries again every two seconds."})}):e===null?t(eo,{onLogin:n}):t(Zi,{account:e,onLeave:()=>{Yn(),Q.loggedOut=!1,n(null)}})}function Zi({
account:e,onLeave:n}){let o=x("overview",3e3),s=x("settings",6e4),[r="",a=null]=Zn(),i=Y(!1);F(()=>{let g=new AbortController;return Qn(g.signal),document.addEventListener(
"copy",sl,{signal:g.signal}),()=>g.abort()},[]);let l=Q.loggedOut;F(()=>{l&&n()},[l]);let c=ze.find(({id:g})=>g===r),u=Qi[r]??c?.name??"Not found";F(()=>{document.
title=`${u} · Ballast`,i.current&&document.querySelector("h1")?.focus({preventScroll:!0}),i.current=!0,scrollTo(0,0)},[r,a]);let d={overview:o,known:Kn(s.value),
scopes:e.scopes,detail:a},p=il()&&o.value!==null,[f,m]=b(!1),[h,w]=b(null);return Ts(tl({find:()=>w("palette"),help:()=>w("help"),swapTimes:()=>m(g=>!g)})),t(el,
{known:d.known,isStale:p,asClock:f,children:[t("div",{class:"frame",children:[t("button",{type:"button",class:"skip",onClick:rl,children:"Skip to the content"}),
t(Ds,{entries:ze.filter(({of:g})=>g===void 0),shown:r==="try"?"rules":c?.of??r,overview:o.value,treasury:s.value?.treasury??null}),t("div",{class:"body",children:[
t(Ns,{account:e,overview:o.value,onFind:()=>w("palette"),onLeave:n}),t(ll,{overview:o.value,isStale:p}),t("main",{id:"content",tabIndex:-1,children:t(ol,{view:r,
detail:a,desk:d},`${r}/${a}`)})]})]}),h==="palette"?t(Ps,{commands:nl(o.value,()=>w("help")),onOrder:g=>ae(`orders/${g}`),onClose:()=>w(null)}):null,h==="help"?
t(Ms,{onClose:()=>w(null)}):null]})}function el(e){return t(Bt.Provider,{value:e.known.speak,children:t(We.Provider,{value:e.known.chains,children:t(Ut.Provider,
{value:e.isStale,children:t(Ht.Provider,{value:e.asClock,children:e.children})})})})}function ae(e){location.hash=`#/${e}`}function tl(e){return{"g h":()=>ae(""),
"g t":()=>ae("treasury"),"g o":()=>ae("orders"),"g r":()=>ae("rules"),"g s":()=>ae("settings"),"p p":()=>Ne("pause"),"/":e.find,"?":e.help,".":e.swapTimes,j:()=>Ge(
1),k:()=>Ge(-1),ArrowDown:()=>Ge(1),ArrowUp:()=>Ge(-1),o:As,a:()=>Ne("approve"),f:()=>Ne("filter"),e:()=>Ne("export")}}function nl(e,n){let o={"":"g h",treasury:"\
g t",orders:"g o",rules:"g r",settings:"g s"};return[...ze.map(({id:s,name:r})=>({name:r,keys:o[s],act:()=>ae(s)})),{name:"New swap",act:()=>ae("swap")},{name:"\
Pause everything",keys:"p p",act:()=>Ne("pause")},{name:"Keys",keys:"?",act:n},...(e?.orders??[]).map(({id:s,from:r,to:a})=>({name:`Order ${s.slice(0,8)} ${r} →\
 ${a}`,act:()=>ae(`orders/${s}`)})),...(e?.rules??[]).map(({id:s})=>({name:`Rule ${s}`,act:()=>ae(`decisions/${encodeURIComponent(s)}`)}))]}function ol({view:e,
detail:n,desk:o}){if(e==="orders"&&n!==null)return t(Jo,{...o,detail:n});if(e==="swap")return t(zo,{...o});if(e==="try")return t($s,{...o});let s=ze.find(({id:i})=>i===
e);if(s===void 0)return t("h1",{tabIndex:-1,children:"There is no such view"});let r=s.of??s.id,a=ze.filter(({id:i,of:l})=>i===r||l===r);return t(y,{children:[a.
length<2?null:t(Ls,{parts:a,shown:e,label:"Parts of this view"}),t(s.show,{...o})]})}function sl(e){let n=getSelection(),[o,s]=[n?.anchorNode,n?.focusNode].map(
r=>r?.parentElement?.closest("[data-exact]")??null);o==null||o!==s||(e.clipboardData?.setData("text/plain",o.dataset.exact??""),e.preventDefault())}function rl(){
document.querySelector("#content")?.focus()}var al=1e4;function il(){let[e,n]=b(!1);return F(()=>{let o=setInterval(()=>n(Q.failing||Date.now()-Q.lastMs>al),500);
return()=>clearInterval(o)},[]),e}function ll(e){let{overview:n,isStale:o}=e,s=K();return F(()=>{document.body.classList.toggle("old",o)},[o]),t("div",{role:"st\
atus",children:o&&n!==null?t("p",{class:"notice bad stale",children:[t("b",{children:"This is not live."})," The daemon last answered"," ",at(new Date(Q.lastMs).
toISOString(),s),". You see the state of"," ",A(n.at,s),"."]}):null})}var Js=document.querySelector("#app");Js!==null&&xn(t(Xs,{}),Js);
