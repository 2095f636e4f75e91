/*! Ballast's dashboard, made from web/ by `npm run generate`. It contains Preact (MIT), (c) 2015-present Jason Miller. */
var R,$o,Pa,ye,_n,Ot,Oo,St,Co,xn,kn,Eo,et=Symbol.for("pv"),Ct={},Et=[],Na=/^m(i|n|o|s|text|space)$/,$n=Array.isArray,On=Et.slice,Me=Object.assign;function Te(e){
e&&e.parentNode&&e.remove()}function To(e,n,o){var r,s,a,i={},l=arguments.length;for(a in n)a=="key"?r=n[a]:a=="ref"&&typeof e!="function"?s=n[a]:i[a]=n[a];return l>
2&&(i.children=l>3?On.call(arguments,2):o),Ze(e,i,r,s,null)}function Ze(e,n,o,r,s){var a={type:e,props:n,key:o,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:et,__v:s||++$o,__i:-1,__u:0};return!s&&R.vnode&&R.
vnode(a),a}function b(e){return e.children}function xt(e,n){this.props=e,this.context=n,this.__g=0}function be(e,n){if(n==null)return e.__&&be(e.__,e.__i+1);for(var o;n<e.
__k.length;n++)if((o=e.__k[n])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:be(e)}function Da(e){var n,o=e.__v,r=o.__e,s=[],a=[],i=e.__P;
i&&((n=Me({constructor:et},o)).__v=o.__v+1,R.vnode&&R.vnode(n),Cn(i,n,o,e.__n,i.namespaceURI,32&o.__u?[r]:null,s,r||be(o),32&o.__u,a),n.__v=o.__v,n.__.__k[n.__i]=
n,Do(s,n,a),o.__=o.__e=null,n.__e!=r&&Mo(n))}function Mo(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(n){return n&&(e.__e=n.__e)}),
Mo(e)}function Sn(e){(8&e.__g||(e.__g|=8,ye.push(e),Ot++))&&_n==R.debounceRendering||((_n=R.debounceRendering)||queueMicrotask)(Ao)}function Ao(){try{for(var e,
n=1;ye.length;)ye.length>n&&ye.sort(Oo),e=ye.shift(),n=ye.length,8&e.__g&&Da(e)}finally{(Ot=ye.length)&&(_n||queueMicrotask)(Ao)}}function Ro(e,n,o,r,s,a,i,l,u,c,d){
var p,f,m,h,g,y,w=r.__k||Et,_=n.length;for(u=Fa(o,n,w,u,_),p=0;p<_;p++)(m=o.__k[p])!=null&&(f=~m.__i&&w[m.__i]||Ct,m.__i=p,y=Cn(e,m,f,s,a,i,l,u,c,d),h=m.__e,(f.
ref!=m.ref||8&f.__u)&&(f.ref&&En(f.ref,null,m,f),m.ref&&d.push(m.ref,m.__c||h,m)),g=g||h,4&m.__u?(u=Po(m,u,e,!f.__v),f.__e&&(f.__e=null)):typeof m.type=="functi\
on"&&y!==void 0?u=y:h&&(u=h.nextSibling),m.__u&=-21);return o.__e=g,u}function Fa(e,n,o,r,s){var a,i,l,u,c,d,p,f,m,h=o.length,g=h,y=0,w=0,_=e.__k=Array(s);for(a=
0;a<s;a++)(i=n[a])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=_[a]=Ze(null,i):$n(i)?i=_[a]=Ze(b,{children:i}):
i.constructor===et&&i.__b?i=_[a]=Ze(i.type,i.props,i.key,i.ref,i.__v):_[a]=i,u=a+y,i.__=e,i.__b=e.__b+1,l=null,~(c=i.__i=La(i,o,u,g))&&(g--,(l=o[c])&&(l.__u|=2)),
l&&l.__v?(i.__u|=16,c==u-1?y--:c==u+1?y++:c!=u&&(c>u?y--:y++,w=1)):(~c||(s>h?y--:s<h&&y++),typeof i.type!="function"&&(i.__u|=4))):_[a]=null;if(w){for(d=[],p=[],
a=0;a<s;a++)if((i=_[a])&&16&i.__u){for(y=0,f=d.length;y<f;)d[m=y+f>>1]<i.__i?y=m+1:f=m;d[y]=i.__i,p[a]=y+1}for(y=d.length;a--;)p[a]&&(p[a]==y?y--:_[a].__u|=4)}if(g)
for(a=0;a<h;a++)!(l=o[a])||2&l.__u||(l.__e==r&&(r=be(l)),Tn(l,l));return r}function Po(e,n,o,r){var s,a,i,l;if(typeof e.type=="function"){if(e.props.__P)return n;
if(s=e.__k)for(a=0;a<s.length;a++)s[a]&&(s[a].__=e,n=Po(s[a],n,o,!1));return n}for(n&&!n.parentNode&&(n=be(e))&&!n.parentNode&&(n=null),i=e.__e,l=n;l&&l.nodeType==
8;)l=l.nextSibling;for(i!=l&&(!r&&o.moveBefore&&i.parentNode?o.moveBefore(i,n):o.insertBefore(i,n||null)),n=i;(n=n&&n.nextSibling)&&n.nodeType==8&&!n.data.startsWith(
"$s"););return n}function La(e,n,o,r){var s,a=e.key,i=e.type,l=n[o],u=l&&!(2&l.__u);if(l===null&&a==null||u&&a==l.key&&i==l.type)return o;if(r>(u?1:0)){for(s=o-1;s>=0;s--)if((l=
n[s])&&!(2&l.__u)&&a==l.key&&i==l.type)return s;for(s=o+1;s<n.length;s++)if((l=n[s])&&!(2&l.__u)&&a==l.key&&i==l.type)return s}return-1}function xo(e,n,o){o==null&&
(o=""),n[0]=="-"?e.setProperty(n,o):e[n]=o}function kt(e,n,o,r,s){var a,i;if(n=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof r=="string"&&(e.style.
cssText=r=""),r)for(n in r)o&&n in o||xo(e.style,n);if(o)for(n in o)r&&o[n]==r[n]||xo(e.style,n,o[n])}else if(n[0]=="o"&&n[1]=="n")typeof o!="function"&&(o=null),
typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[n]=o,o&&r||(i=kn[n]||(kn[n]=Xa(n)),(e.__a||(e.__a={}))[n]=xn,a=n!=(n=n.replace(Co,"$1")),(n=n.slice(2))[0]<"a"&&
(n=n.toLowerCase()),o?e.addEventListener(n,i,a):e.removeEventListener(n,i,a));else{if(s=="http://www.w3.org/2000/svg")n=n.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(n!="width"&&n!="height"&&n!="href"&&n!="list"&&n!="form"&&n!="tabIndex"&&n!="download"&&n!="rowSpan"&&n!="colSpan"&&n!="role"&&n!="popover"&&n in e)
try{return void(e[n]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&n[4]!="-"?e.removeAttribute(n):e.setAttribute(n,n=="popover"&&o==1?"":o)}}function Xa(e){
return function(n){var o=this.__e;if(o){if(o=o[e],n[St]==null)n[St]=xn++;else if(n[St]<this.__a[e])return;return o(R.event?R.event(n):n)}}}function Cn(e,n,o,r,s,a,i,l,u,c){
var d,p,f,m,h,g,y,w,_,x,T,$,G,N,ue,_t,ge,Ee,me=n.type;if(n.constructor!==et)return null;128&o.__u&&(u=32&o.__u,d=o.__c.__z)&&(n.__u|=u,p=a=[],d.nodeType==8?l=$t(
d,a):a.push(d),l=a[0]||l),(d=R.__b)&&d(n);e:if(typeof me=="function"){f=i.length;try{if(w=n.props,_=(d=me.prototype)&&d.render,x=(d=me.contextType)&&r[d.__c],T=
d?x?x.props.value:d.__:r,(m=o.__c)?(n.__c=m,2&m.__g&&(m.__g|=1)):(_?n.__c=m=new me(w,T):(n.__c=m=new xt(w,T),m.constructor=me,m.render=Ia),x&&x.sub(m),m.state||
(m.state={}),m.__n=r,m.__g|=8,m.__h=[],m.__k=[]),_&&(m.__s||(m.__s=m.state),me.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=Me({},m.__s)),Me(m.__s,me.getDerivedStateFromProps(
w,m.__s)))),h=m.props,g=m.state,m.__v=n,o.__c){if(w!==h&&_&&!me.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(w,T),n.__v==o.
__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(w,m.__s,T)===!1){n.__v!=o.__v&&(m.props=w,m.state=m.__s,m.__g&=-9),n.__e=o.__e,n.__k=
o.__k,n.__k.some(function(oe){oe&&(oe.__=n)}),Et.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&i.push(m),l=be(o);break e}m.componentWillUpdate&&m.componentWillUpdate(
w,m.__s,T),_&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(h,g,y)})}else _&&!me.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),
_&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=T,m.props=w,m.__P=e,m.__g&=-5,$=R.__r,G=_?25:0;do m.__g&=-9,$&&$(n),d=m.render(m.props,m.state=
m.__s,m.context);while(8&m.__g&&++G<25);_&&(Et.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(r=Me({},r,m.getChildContext())),_&&o.__c&&m.getSnapshotBeforeUpdate&&
(y=m.getSnapshotBeforeUpdate(h,g)),N=d&&d.type===b&&d.key==null?d.props.children:d,w.__P&&(d=l,s=(e=w.__P).namespaceURI,u=a=null,o.props&&o.props.__P!=e&&(o.__k.
some(function(oe){oe&&Tn(oe,oe)}),o.__k=null),l=o.__k?be(o,0):null),l=Ro(e,$n(N)?N:[N],n,o,r,s,a,i,l,u,c),w.__P&&(n.__e=null,l=d),n.__u&=-161,p&&p.some(Te),m.__h.
length&&i.push(m),1&m.__g&&(m.__g&=-4)}catch(oe){if(i.length=f,n.__v=null,u||a)if(oe&&oe.then){if(n.__u|=128|u,a){for(~(ge=a.indexOf(l||void 0))||(ge=a.length);(Ee=
a[ge-1])&&Ee.nodeType==8;)ge--;for(;ge<a.length;ge++)if(Ee=a[ge])if(a[ge]=null,ue){if(Ee==_t)break}else{if(Ee.nodeType!=8)break;Ee.data.startsWith("$s")&&(_t=$t(
ue=Ee))}}if(!ue){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;ue=l}(d=$t(ue=n.__c.__z||(n.__c.__z=ue)))?(n.__e=ue,l=d):n.__e=l,l=l&&l.nextSibling}else a&&
a.some(Te);else n.__e=o.__e;n.__k||(n.__k=o.__k||[]),oe&&oe.then||No(n),R.__e(oe,n,o)}}else l=n.__e=Ja(o.__e,n,o,r,s,a,i,u,c,e);return(d=R.diffed)&&d(n),l}function $t(e,n){
if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.data.startsWith("/$s")&&!--o)
return e}n&&n.push(e)}}function No(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(No))}function Do(e,n,o){for(var r=0;r<o.length;)En(o[r++],o[r++],o[r++]);R.__c&&
R.__c(n,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(a){a.call(s)})}catch(a){R.__e(a,s.__v)}})}function Ja(e,n,o,r,s,a,i,l,u,c){var d,p,f,m,h,g,y,
w,_=o.props||Ct,x=n.props,T=n.type;if(T=="svg"?s="http://www.w3.org/2000/svg":T=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xht\
ml"),a){for(d=0;d<a.length;d++)if((h=a[d])&&(T?h.localName==T:h.nodeType==3)){e=h,a[d]=null;break}}if(!e){if(w=c.ownerDocument||document,!T)return w.createTextNode(
x);e=w.createElementNS(s,T,x.is?x:c),l&&(R.__m&&R.__m(n,a),l=!1),a=null}if(T){if(c=T=="template"&&e.content||e,a=T=="textarea"&&x.defaultValue!=null?null:a&&On.
call(c.childNodes),!l&&a)for(_={},d=0;d<e.attributes.length;d++)_[(h=e.attributes[d]).name]=h.value;for(d in _)h=_[d],d=="dangerouslySetInnerHTML"?f=h:d=="child\
ren"||d in x||d=="value"&&"defaultValue"in x||d=="checked"&&"defaultChecked"in x||kt(e,d,null,h,s);for(d in x)h=x[d],d=="children"?m=h:d=="dangerouslySetInnerHT\
ML"?p=h:d=="value"?g=h:d=="checked"?y=h:l&&typeof h!="function"||_[d]===h||kt(e,d,h,_[d],s);p?(l||f&&(p.__html==f.__html||p.__html==e.innerHTML)||(e.innerHTML=p.
__html),n.__k=[]):(f&&(e.textContent=""),(T=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&Na.test(T))&&(s="http://www.w3.org/1999/xhtml"),Ro(c,$n(m)?
m:[m],n,o,r,s,a,i,a?a[0]:o.__k&&be(o,0),l,u),a&&a.some(Te)),l&&T!="textarea"||(d="value",T=="progress"&&g==null?e.removeAttribute(d):g==null||g===e[d]&&(T!="pro\
gress"||g)||kt(e,d,g,_[d],s),d="checked",y!=null&&y!=e[d]&&kt(e,d,y,_[d],s))}else _===x||l&&e.data==x||(e.data=x);return e}function En(e,n,o,r){try{typeof e=="f\
unction"?n?n.__x=e(n)||1:r&&(r=r.__c||r.__e)&&(n=r.__x)&&(r.__x=null,typeof n=="function"?n():e(null)):e.current=n}catch(s){R.__e(s,o)}}function Tn(e,n,o){var r,
s,a,i;if(R.unmount&&R.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||En(r,null,n,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(l){
R.__e(l,n)}r.__P=r.__n=null}if(r=e.__k)for(i=0;i<r.length;i++)r[i]&&Tn(r[i],n,typeof e.type!="function"||o&&!e.props.__P);!o&&(r=e.__c)&&(r=r.__z)&&(s=$t(r,a=[]))&&
(r==e.__e&&a.some(Te),Te(s),Te(r)),o||Te(e.__e),e.__e=e.__c=e.__=null}function Ia(e,n,o){return this.constructor(e,o)}function Fo(e,n){var o,r,s,a;R.__&&R.__(e,
n),n.nodeType==9&&(n=n.documentElement),r=(o=e&&32&e.__u)?null:n.__k,n.__k=Ze(b,{children:[e]}),s=[],a=[],Cn(n,n.__k,r||Ct,Ct,n.namespaceURI,r?null:n.firstChild?
On.call(n.childNodes):null,s,r?r.__e:n.firstChild,o,a),Do(s,n.__k,a),n.__k.props.children=null}function Fe(e){function n(o){var r,s;return this.getChildContext||(r=new Set,(s={})[n.__c]=this,this.getChildContext=function(){return s},this.shouldComponentUpdate=
function(a){this.props.value!=a.value&&r.forEach(function(i){i.__g|=4,Sn(i)})},this.sub=function(a){r.add(a);var i=a.componentWillUnmount;a.componentWillUnmount=
function(){r.delete(a),i&&i.call(a)}}),o.children}return n.__c="__cC"+Eo++,n.__=e,n.Provider=(n.Consumer=function(o,r){return o.children(r)}).contextType=n,n}R={__e:function(e,n,o,r){for(var s,a,i;n=n.__;)if((s=n.__c)&&!(1&s.__g)){s.__g|=4;try{if((i=(a=s.constructor)&&a.getDerivedStateFromError)&&s.setState(a.getDerivedStateFromError(
e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),i=1),i&&8&s.__g)return void(s.__g|=2)}catch(l){e=l}}throw Ot=0,e}},$o=0,Pa=function(e){return e!=null&&e.
constructor===et},xt.prototype.setState=function(e,n){var o=this.__s;o&&o!=this.state||(o=this.__s=Me({},this.state)),typeof e=="function"&&(e=e(Me({},o),this.props)),
e&&(Me(o,e),this.__v&&(n&&this.__k.push(n),Sn(this)))},xt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Sn(this))},xt.prototype.render=
b,ye=[],Ot=0,Oo=function(e,n){return e.__v.__b-n.__v.__b},St=Symbol(),Co=/(PointerCapture)$|Capture$/i,xn=0,kn={},Eo=0;var we,B,Mn,Lo,An=Object.is,Tt=0,Vo=[],Rn=[],V=R,Xo=V.__b,Jo=V.__r,Io=V.diffed,Bo=V.__c,Uo=V.unmount,Ho=V.__;function Le(e,n){V.__h&&V.__h(B,e,Tt||n),Tt=0;var o=B.
__H||(B.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function v(e){return Tt=1,Ba(jo,e)}function Ba(e,n,o){var r=Le(we++,2);if(r.t=e,!r.__c&&
(r.__=[o?o(n):jo(void 0,n),function(a){var i=(r.__N||r.__)[0],l=r.t(i,a);An(i,l)||(r.__N=[l,r.__[1]],r.__c.setState({}))}],r.__c=B,!B.__f)){B.__f=!0;var s=B.shouldComponentUpdate;
B.shouldComponentUpdate=function(a,i,l){var u=this.__H;if(!u)return!0;var c=!1,d=this.props!=a;if(u.__.some(function(f){f.__N&&(c=!0,An(f.__[0],f.__N[0])||(d=!0))}),
s){var p=s.call(this,a,i,l);return c?p||d:p}return!c||d}}return r.__}function L(e,n){var o=Le(we++,3);!V.__s&&Nn(o.__H,n)&&(o.__P=!0,o.__=e,o.u=n,B.__H.__h.push(
o))}function Xe(e,n){var o=Le(we++,4);!V.__s&&Nn(o.__H,n)&&(o.__P=!1,o.__=e,o.u=n,B.__h.push(o))}function Y(e){return Tt=5,Ua(function(){return{current:e}},[])}function Ua(e,n){var o=Le(we++,7);return Nn(o.__H,n)&&(o.__=e(),o.__H=n),o.__}function ve(e){var n=B.context[e.__c],o=Le(we++,9);return o.c=e,n?(o.__==null&&(o.__=!0,n.sub(B)),n.props.value):e.__}function _e(){var e=Le(we++,11);if(!e.__){for(var n=B.__v;!n.__m&&n.__;)n=n.__;var o=n.__m||(n.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function Ha(){var e;
do{for(;e=Rn.shift();)try{tt(e)}catch(o){V.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=Vo.shift();){var n=e.__H;if(e.__P&&n)try{n.__h.some(tt),n.__h.some(Pn),n.__h=[]}catch(o){
n.__h=[],V.__e(o,e.__v)}}}while(Rn.length)}V.__b=function(e){B=null,Xo&&Xo(e)},V.__=function(e,n){e&&n.__k&&n.__k.__m&&(e.__m=n.__k.__m),Ho&&Ho(e,n)},V.__r=function(e){
Jo&&Jo(e),we=0;var n=(B=e.__c).__H;n&&(Mn==B?B.__h=[]:(n.__h.some(tt),n.__h.some(Pn),we=0),n.__h=[],n.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),
Mn=B},V.diffed=function(e){Io&&Io(e);var n=e.__c;n&&n.__H&&(n.__H.__h.length&&Ko(Vo.push(n)),n.__H.__.some(function(o){o.u&&(o.__H=o.u)})),Mn=B=null},V.__c=function(e,n){
n.some(function(o){try{o.__h.some(tt),o.__h=o.__h.filter(function(r){return!r.__||Pn(r)})}catch(r){o.__h=[function(){throw r}]}}),Bo&&Bo(e,n)},V.unmount=function(e){
Uo&&Uo(e);var n,o,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}s.__P=o,
Ko(Rn.push(s))}else tt(s)}catch(a){n=a}}),r.__H=void 0,n&&V.__e(n,r.__v))};var Wo=typeof requestAnimationFrame=="function";function Wa(e){var n,o=function(){clearTimeout(
r),Wo&&cancelAnimationFrame(n),setTimeout(e)},r=setTimeout(o,35);Wo&&(n=requestAnimationFrame(o))}function Ko(e){e!=1&&Lo==V.requestAnimationFrame||((Lo=V.requestAnimationFrame)||
Wa)(Ha)}function tt(e){var n=B,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),B=n}function Pn(e){var n=B;e.__c=e.__(),B=n}function Nn(e,n){return!e||e.length!=
n.length||n.some(function(o,r){return!An(o,e[r])})}function jo(e,n){return typeof n=="function"?n(e):n}var Ae=class extends Error{name="AppError";code;disposition;details;constructor(n){super(n.message,n.cause===void 0?void 0:{cause:n.cause}),this.code=n.code,this.
disposition=n.disposition,this.details=n.details??{}}};function qo(e,n){let o=e.length;for(;o>0&&e[o-1]===n;)o--;return e.slice(0,o)}function Re(e,n){let o=e<0n?"-":"",r=(e<0n?-e:e).toString().padStart(n+1,"0"),s=r.slice(0,r.length-n),a=qo(r.slice(r.length-n),"0");return`${o}${s}${a===""?"":`\
.${a}`}`}function O(e){let n=e.startsWith("-")?"−":"",[o="0",r=""]=e.replace("-","").split(".");if(o.length>Go)return`${n}${O(`${o.slice(0,-6)}.${o.slice(-6)}`)} M`;let s=o===
"0"?/^0*/.exec(r)?.[0].length??0:-o.length,a=r.slice(0,Go+s).replace(/0+$/,""),i=o.replace(/\B(?=(\d{3})+$)/g," ");return`${n}${i}${a===""?"":`.${a}`}`}var Go=6;
function k(e){if(e===null)return"unknown";let n=Math.abs(Number(e));if(n>=1e6)return`${zo(e)}$${O(String(Math.trunc(n)))}`;let o=n>=1e3?0:n!==0&&n<.01?4:2,r=n.toLocaleString(
"en-US",{minimumFractionDigits:o,maximumFractionDigits:o});return`${zo(e)}$${r}`}function zo(e){return e.startsWith("-")&&Number(e)!==0?"−":""}function X(e){if(e<6e4)return`${Math.max(0,Math.floor(e/1e3))} s`;if(e<36e5)return`${Math.floor(e/6e4)} min`;if(e>=2*864e5)return`${Math.floor(e/864e5)} d`;let n=Math.
floor(e%36e5/6e4);return`${Math.floor(e/36e5)} h${n===0?"":` ${n} min`}`}function Yo(e){return Number.isFinite(e)?`${new Date(e).toISOString().slice(0,16).replace(
"T"," ")} UTC`:"an unknown time"}function C(e){let[n="",o=""]=e.split(":");return{symbol:o.toUpperCase(),chain:U(n)}}function U(e){return e.replace(/(^|_)([a-z])/g,(n,o,r)=>(o?" ":"")+r.toUpperCase())}
var Ka=/(?<![\w.:-])\d+\.\d+(?!\w|[:-]|\.\d)/g;function Qo(e){return e.replace(Ka,O)}function nt(e){return Number(e)>0?`+${k(e)}`:k(e)}function ot(e,n){let o=Number(
n)===0?0:100*Number(e)/Number(n);return o!==0&&Math.abs(o)<.005?"less than 0.01%":`${o<0?"−":""}${Math.abs(o).toFixed(Math.abs(o)<10?2:1)}%`}function ee(e){return e===
null?"unknown":`${(e/100).toFixed(2)}%`}function Mt(e,n){let o=Date.parse(e)-n;return Number.isNaN(o)?e:Math.abs(o)<1500?"now":o>0?`in ${X(o)}`:`${X(-o)} ago`}function M(e,n=Date.
now()){let o=new Date(e),r=o.toLocaleTimeString("en-GB");return o.toDateString()===new Date(n).toDateString()?r:`${o.toLocaleDateString("en-GB",{day:"numeric",month:"\
short"})}, ${r}`}function ce(e){return e.replace(/[-_]/g," ")}function Dn(e){return e.length<=18?e:`${e.slice(0,8)}…${e.slice(-6)}`}function Je(e){return e===
"completed"?"good":e==="held"?"bad":e==="awaiting-approval"||e.startsWith("refund")?"warn":e==="rejected"||e==="abandoned"?"calm":"busy"}function Zo(e){return e===null?n=>n:(n,o=null)=>{let[,r=null]=ja.exec(n)??[],[,s=null]=qa.exec(n)??[],a=(r===null?null:Fn(e,`${r}:native`))??Fn(e,s)??Fn(e,o);if(a===
null)return n;let i=l=>`${Re(BigInt(l),a.decimals)} ${a.name}`;return n.replace(ei,(l,u)=>`within ${X(Number(u)*1e3)}`).replace(za,(l,u,c)=>`(${i(u)}, at most ${i(
c)})`).replace(Za,(l,u,c)=>`within the range of ${i(u)} to ${i(c)}`).replace(Qa,(l,u,c)=>`(${u} usd, at most ${c} usd)`).replace(Ga,(l,u)=>i(u)).replace(ti,l=>a.
decimals<ni?l:i(l))}}function er(e,n,o){let r=n.asset??(Va.includes(n.code)?o?.to:o?.from)??null;return{...n,message:e(n.message,r)}}var Va=["alarm.payout_short",
"quote.too_good","quote.unproven"],tr="[a-z0-9_]+:[a-z0-9._-]+",ja=/units of (?:the coin|the native coin) of ([a-z0-9_]+)/i,qa=new RegExp(`\\d (?:smallest )?(?:u\
nits of )?(${tr})`,"i"),Ga=new RegExp(`(?<![\\w.])(\\d+) (?:smallest )?units(?: of the coin of [a-z0-9_]+| of ${tr})?`,"gi"),za=/(?<=larger than one order may be |would sell more than allowed )\((\d+), at most (\d+)\)/g,
Ya=["worth more than one order may be","would be worth more than allowed","would cost more than allowed"],Qa=new RegExp(`(?<=(?:${Ya.join("|")}) )\\(([\\d.]+), at\
 most ([\\d.]+)\\)`,"g"),Za=/within the range of (\d{1,40}) to (\d{1,40})(?![\d.])/gi,ei=/(?<=Orders |orders )within (\d+) s\b/g,ti=/(?<![\w.:-])\d{10,}(?![\w.:])(?!\s(?:units|smallest))/g,
ni=6;function Fn({assets:e,chains:n},o){let r=e.find(a=>a.id===o);if(r!==void 0)return{decimals:r.decimals,name:r.id};let s=n.find(({chain:a})=>`${a}:native`===
o)?.nativeCoin;return s===void 0?null:{decimals:s.decimals,name:s.symbol}}function Ln(e){if(!/^[a-z0-9_-]+:[a-z0-9_.-]+$/.test(e)){let n="<chain>:<asset>, for example base_sepolia:wbtc";throw new Ae({code:"domain.asset_id",disposition:"\
refused",message:`"${e}" is not an asset id; expected ${n}`,details:{text:e}})}return e}function oi(e){return e.slice(0,e.indexOf(":"))}function nr(e){return oi(
Ln(`${e}:x`))}function rr(e,n){return or(e)===or(n)}function or(e){return e.startsWith("0x")?e.toLowerCase().replace(/^0x0*/,"0x"):e}function At(e){let n=Zo(e===null?null:{assets:e.assets.map(({id:s,decimals:a})=>({id:Ln(s),decimals:a})),chains:e.chains.map(({chain:s,nativeCoin:a})=>({chain:nr(
s),nativeCoin:{...a,token:null}}))}),o=new Set(e?.assets.map(({id:s})=>s)),r=new Set(e?.chains.map(({chain:s})=>s));return{chains:[...r],linkOf:(s,a)=>{let l=(e?.
chains.find(u=>u.chain===s)?.explorer??null)?.tx.replace("{tx}",encodeURIComponent(a))??null;return l?.startsWith("https://")===!0?l:null},amountOf:(s,a)=>{let i=e?.
assets.find(({id:l})=>l===a)?.decimals;return i===void 0?null:Re(BigInt(s),i)},payeeOf:s=>e?.payees.find(a=>rr(a.address,s))?.name??null,humane:(s,a=null)=>er(n,
s,a),speak:s=>s.replace(ri,a=>o.has(a)?ui(a):a).replace(si,a=>r.has(a)?U(a):a).replace(ai,"").replace(ii,"by alarm$1").replace(li,a=>M(a))}}var ri=/\b[a-z0-9_]+:[a-z0-9._-]*[a-z0-9]/g,
si=/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g,ai=/ \[[a-z_]+(?:\.[a-z_]+)+\]/g,ii=/\bby alarm \([a-z_]+(?:\.[a-z_]+)+( of order [0-9a-f]+)?\)/g,li=/\b\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g;
function ui(e){let{symbol:n,chain:o}=C(e);return`${n} on ${o}`}function sr(e,n){return n==="request.key_in_flight"?!0:e===0||e>=500&&n!=="cluster.standby"}var P=class extends Error{status;reasons;constructor(n,o){super(o.map(({message:r})=>r).join(" ")),this.status=n,this.reasons=o}},Rt="ballast.csrf";async function ar(){
try{return{...await q("GET","session"),csrf:localStorage.getItem(Rt)}}catch(e){if(e instanceof P&&e.status===401)return null;throw e}}async function ir(e){let n=await q(
"POST","session",{token:e});return localStorage.setItem(Rt,n.csrf),n}async function lr(){await q("DELETE","session").catch(()=>{}),localStorage.removeItem(Rt)}var ci=5e3,
di=200;function rt(){return crypto.getRandomValues(new BigUint64Array(2)).join("-")}async function Ie(e,n,o=rt()){let r=performance.now()+ci;for(let s=di;;s*=2){
try{return await q("POST",e,n,{"idempotency-key":o})}catch(a){if(!(a instanceof P)||!sr(a.status,a.reasons[0]?.code))throw a;if(performance.now()+s>r)throw new P(
a.status,[mi])}await new Promise(a=>setTimeout(a,s))}}var mi={code:"page.uncertain",message:"No answer came, so it may be done or not. Press again: it is done o\
nce."};async function q(e,n,o,r={}){let s=await Xn(e,n,{body:o,headers:r}).catch(()=>{throw new P(0,[{code:"page.silent",message:"The daemon does not answer."}])}),
a=await s.json().catch(()=>null);if(s.ok)return a;let{reasons:i}=a??{};throw new P(s.status,i??[{code:"page.answer",message:`The daemon answered ${s.status}.`}])}
function Xn(e,n,{body:o,headers:r={},signal:s}={}){return fetch(`/api/v1/${n}`,{method:e,headers:{...r,"x-ballast-csrf":localStorage.getItem(Rt)??"",...o===void 0?
{}:{"content-type":"application/json"}},...o===void 0?{}:{body:JSON.stringify(o)},...s===void 0?{}:{signal:s}})}var re={lastMs:Date.now(),failing:!1,loggedOut:!1,streaming:!1},Pt=new Map,In=new Set;function E(e,n=5e3){let[,o]=v(0),[r,s]=v(null),[a,i]=v(0);return L(()=>{if(e===
null)return;let u=!1;async function c(){if(!(e===null||document.hidden))try{if(Pt.set(e,await pi(e)),u)return;re.lastMs=Date.now(),re.failing=!1,s(null),o(f=>f+
1)}catch(f){if(u||!(f instanceof P))return;f.status===401&&(re.loggedOut=!0),f.status===0&&(re.failing=!0),s(f)}}let d=()=>{c()};c();let p=setInterval(d,n);return In.
add(d),document.addEventListener("visibilitychange",d),()=>{u=!0,e.includes("since=")&&Pt.delete(e),clearInterval(p),In.delete(d),document.removeEventListener("\
visibilitychange",d)}},[e,n,a]),{value:e===null?null:Pt.get(e)??null,error:r,refresh:()=>i(u=>u+1)}}function Nt(e,n){let o=Y({question:n,value:e.value});return(e.
value!==null||o.current.question!==n)&&(o.current={question:n,value:e.value}),{...e,value:o.current.value}}var Jn=new Map;function pi(e){let n=Jn.get(e);if(n!==
void 0)return n;let o=q("GET",e).finally(()=>Jn.delete(e));return Jn.set(e,o),o}function pe(){for(let e of In)e()}function cr(){Pt.clear()}var fi=700,ur=4e4;async function dr(e){
let n=0,o=()=>{n===0&&(n=window.setTimeout(()=>{n=0,pe()},fi))};for(;!e.aborted;)await hi(e,o).catch(()=>{}),re.streaming=!1,await new Promise(r=>setTimeout(r,2e3))}
async function hi(e,n){let o=new AbortController,r=setTimeout(()=>o.abort(),ur),s=await Xn("GET","events",{signal:AbortSignal.any([e,o.signal])});if(!s.ok||s.body===
null)return;re.streaming=!0;let a=s.body.pipeThrough(new TextDecoderStream).getReader();for(let i=await a.read();!i.done;i=await a.read())clearTimeout(r),r=setTimeout(
()=>o.abort(),ur),i.value.includes("data:")&&n();clearTimeout(r)}function H(){let[e,n]=v(Date.now());return L(()=>{let o=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(
o)},[]),e}function mr(){let[e,n]=v(location.hash);return L(()=>{let o=()=>n(location.hash);return addEventListener("hashchange",o),()=>removeEventListener("hash\
change",o)},[]),e.replace(/^#\/?/,"").split("/").map(o=>decodeURIComponent(o))}var gi=Symbol.for("pv"),yi=0;function t(e,n,o,r,s,a){n||(n={});var i,l,u=n;if("ref"in u&&typeof e!="function")for(l in u={},n)l=="ref"?i=n[l]:u[l]=n[l];var c={type:e,props:u,key:o,ref:i,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:gi,__v:--yi,__i:-1,__u:0};return(s||a)&&(c.__source=s,c.__self=a),R.vnode&&R.vnode(c),c}function pr({onLogin:e}){let[n,o]=v(""),[r,s]=v(!1),[a,i]=v(null);async function l(u){u.preventDefault(),s(!0);try{e(await ir(n.trim()))}catch(c){i(c instanceof
P?c.message:"The page failed"),s(!1)}}return t("main",{class:"login",children:t("form",{class:"card",onSubmit:l,children:[t("img",{src:"/icon.svg",alt:"",width:"\
44",height:"44"}),t("h1",{children:"Ballast"}),t("p",{class:"note",children:["Log in with one of the tokens of ",t("code",{children:"ops.token"})," or ",t("code",
{children:"ops.tokens"}),". What you can do here is what the token's scopes allow."]}),t("label",{for:"token",children:"Token"}),t("input",{id:"token",type:"pas\
sword",autocomplete:"current-password",value:n,onInput:u=>o(u.currentTarget.value)}),a===null?null:t("p",{class:"notice bad",role:"alert",children:a}),t("button",
{type:"submit",class:"main",disabled:n===""||r,children:"Log in"})]})})}function Pe(e,n,o=3){let r=Math.max(Math.abs(e),Math.abs(n)),s=10**(Math.floor(Math.log10(r))-5),a=Math.max((n-e)/o,s);if(!(n>e))return[e];let i=10**Math.floor(
Math.log10(a*(1+1e-9))),l=i>5*s?[1,2,2.5,5,10]:[1,2,5,10],u=i*(l.find(p=>p*i>=a*(1-1e-9))??10),c=Math.ceil(e/u-1e-9),d=Math.floor(n/u+1e-9);return Array.from({length:d-
c+1},(p,f)=>Number(((c+f)*u).toPrecision(12)))}var bi=[[1e9,"G"],[1e6,"M"],[1e3,"k"]];function Q(e,n=e){let[o,r]=bi.find(([a])=>Math.abs(e)>=a)??[1,""],s=n===0?
4:Math.ceil(Math.log10(Math.abs(e/n)||1))+3;return`${Number((e/o).toPrecision(Math.max(4,Math.min(12,s))))}${r}`}var fr=36e5,Dt=24*fr;function ke(e,n,o=5){let r=wi.find(l=>(n-e)/l<=o)??365*Dt,s=new Date(e).getTimezoneOffset()*6e4,a=Math.ceil((e-s)/r)*r+s;return Array.from(
{length:Math.max(0,Math.floor((n-a)/r)+1)},(l,u)=>a+u*r).map(l=>({ms:l,label:vi(l,r,n-e)}))}var wi=[...[1/60,1/12,1/4,1,3,6,12].map(e=>e*fr),...[1,2,7,14,30,91].
map(e=>e*Dt)];function vi(e,n,o){let r=new Date(e);return n<Dt?r.toLocaleTimeString("en-GB",{hour:"2-digit",minute:"2-digit"}):o<=8*Dt?r.toLocaleDateString("en-\
GB",{weekday:"short"}):r.toLocaleDateString("en-GB",{day:"2-digit",month:"short"})}function Ft(e,n){let o=[2,3,4,5].map(r=>Pe(e,n,r));return o.find(({length:r})=>r>=
2)??o[0]??[]}function Lt(e,n,o){let r=Math.max(Math.abs(e),Math.abs(n)),s=r===0?0:10**(Math.floor(Math.log10(r))-5),a=Math.max((n-e)*o,2*s),i=n===e?Math.max(r*.05,
a):a;return i===0?[-.1,1]:[e-i,n+i]}function Se(e){let{of:n,label:o,last:r,high:s,at:a}=e,[i,l]=v(null),{x:u,words:c}=a(Math.min(r,i??r)),d=p=>{let f=p.currentTarget instanceof Element?p.currentTarget.
getBoundingClientRect():null;if(f===null||f.width===0)return;let m=(p.clientX-f.left)/f.width;l(Math.round(r*Math.max(0,Math.min(1,m))))};return t(b,{children:[
t("input",{type:"range",class:`scrub of-${n}`,min:"0",max:r,value:i??r,"aria-label":o,"aria-valuetext":c,onInput:p=>l(Number(p.currentTarget.value)),onPointerMove:d,
onPointerLeave:()=>l(null),onBlur:()=>l(null)}),i===null?null:t(b,{children:[t("svg",{class:`cross of-${n}`,width:u+1,height:s,"aria-hidden":"true",children:t("\
line",{x1:u,x2:u,y2:s})}),t("output",{class:"tip",children:c})]})]})}var hr=180;function Z(){let[e,n]=v(null),[o,r]=v(hr);return Xe(()=>{if(e===null)return;let s=c=>r(Math.max(hr,Math.floor(c))),{paddingLeft:a,paddingRight:i}=getComputedStyle(
e),l=Number.parseFloat(a)+Number.parseFloat(i);s(e.getBoundingClientRect().width-l);let u=new ResizeObserver(([c])=>s(c?.contentRect.width??0));return u.observe(
e),()=>u.disconnect()},[e]),[n,o]}var at=132,st=48,_i=8,ki=64,Si=20;function Be(e){let{title:n,steps:o,series:r,as:s,show:a,limit:i=null}=e,[l,u]=Z(),c=_=>r.map(({of:x})=>x(_)??0),d=_=>s==="bars"?
c(_).reduce((x,T)=>x+T,0):Math.max(...c(_)),p=Math.max(...o.map(d),i?.value??0),f=p===0?1:p*1.08,m=Date.parse(o[0]?.from??""),h=Date.parse(o.at(-1)?.to??""),g=s===
"lines"&&r.length>1?ki:_i,y=_=>st+(u-st-g)*(_-m)/Math.max(1,h-m),w=_=>8+at-at*_/f;return t("figure",{class:"chart",ref:l,children:[t("svg",{width:u,height:8+at+
Si,role:"img","aria-label":xi(e,p),children:[Pe(0,f).map(_=>t("g",{children:[t("line",{class:"grid-line",x1:st,x2:u-g,y1:w(_),y2:w(_)}),t("text",{x:st-6,y:w(_)+
4,"text-anchor":"end",children:a(_)})]},_)),ke(m,h,Math.max(2,Math.floor(u/60))).map(({ms:_,label:x})=>t("text",{x:y(_),y:8+at+15,"text-anchor":"middle",children:x},
_)),s==="bars"?t($i,{steps:o,series:r,x:y,y:w,show:a}):t(Oi,{steps:o,series:r,x:y,y:w}),i===null?null:t(b,{children:[t("line",{class:"limit-line",x1:st,x2:u-g,y1:w(
i.value),y2:w(i.value)}),t("text",{x:u-g,y:w(i.value)-4,"text-anchor":"end",children:i.name})]})]}),o.length<2?null:t(Ti,{...e,x:y}),t(Ai,{title:n,steps:o,series:r,
show:a})]})}function xi({title:e,steps:n,show:o},r){return`${e}: ${n.length} steps from ${n[0]?.from??""}, at most ${o(r)}`}function $i(e){let{steps:n,series:o,
x:r,y:s,show:a}=e,i=Date.now();return t(b,{children:n.map(l=>{let u=r(Date.parse(l.from)),c=r(Date.parse(l.to)),d=Date.parse(l.to)<=i,p=0;return o.map(({name:f,
of:m,tone:h})=>{let g=m(l)??0;return p+=g,t("rect",{class:`bar-${h} ${d?"":"part"}`,x:u+(c-u)*.14,width:Math.max(1,(c-u)*.72),y:s(p),height:Math.max(0,s(0)-s(g)),
children:t("title",{children:`${Bn(l)}, ${f}: ${a(g)}${d?"":" so far"}`})},`${l.from} ${f}`)})})})}function Oi({steps:e,series:n,x:o,y:r}){let s=l=>o((Date.parse(
l.from)+Date.parse(l.to))/2),a=Date.now(),i=n.length>1?Ei(e,n,r):[];return t(b,{children:[i.map(({name:l,ms:u,labelY:c})=>t("text",{x:o(u)+7,y:c,children:l},l)),
n.map(({name:l,of:u,tone:c})=>{let d=e.map(f=>({step:f,value:u(f)})),p=d.map(({step:f,value:m},h)=>m===null?"":`${h===0||d[h-1]?.value===null?"M":"L"}${s(f)} ${r(
m)}`).join("");return t("g",{children:[t("path",{class:`line-${c}`,d:p}),d.map(({step:f,value:m})=>m===null?null:t("circle",{class:`dot-${c} ${Date.parse(f.to)<=
a?"":"part"}`,cx:s(f),cy:r(m),r:"2.2"},f.from))]},l)})]})}var Ci=12;function Ei(e,n,o){let r=n.flatMap(({name:a,of:i})=>{let l=e.findLast(c=>i(c)!==null);if(l===
void 0)return[];let u=(Date.parse(l.from)+Date.parse(l.to))/2;return[{name:a,ms:u,labelY:o(i(l)??0)+4}]}),s=Number.NEGATIVE_INFINITY;return r.toSorted((a,i)=>a.
labelY-i.labelY).map(a=>(s=Math.max(a.labelY,s+Ci),{...a,labelY:s}))}function Bn({from:e,to:n}){return Date.parse(n)-Date.parse(e)<24*36e5?`${e.slice(0,10)} ${e.
slice(11,16)} UTC`:e.slice(0,10)}function Ti(e){let{title:n,steps:o,series:r,show:s,x:a}=e,i=c=>{let d=o[c];if(d===void 0)return{x:0,words:"no step"};let p=(Date.
parse(d.from)+Date.parse(d.to))/2;return{x:a(p),words:Mi(d,r,s)}},l=`${n} at a time`,u=e.as==="lines"&&r.length>1?"named":"steps";return t(Se,{of:u,label:l,last:o.
length-1,high:8+at,at:i})}function Mi(e,n,o){let r=Date.parse(e.to)<=Date.now(),s=n.map(({name:a,of:i})=>{let l=i(e);return`${a} ${l===null?"none":o(l)}`});return`${Bn(
e)} · ${s.join(" · ")}${r?"":" · so far"}`}function Ai(e){let{title:n,steps:o,series:r,show:s}=e;return t("div",{class:"hidden",children:t("table",{children:[
t("caption",{children:n}),t("thead",{children:t("tr",{children:[t("th",{scope:"col",children:"Time"}),r.map(({name:a})=>t("th",{scope:"col",children:a},a))]})}),
t("tbody",{children:o.map(a=>t("tr",{children:[t("th",{scope:"row",children:Bn(a)}),r.map(({name:i,of:l})=>{let u=l(a);return t("td",{children:u===null?"none":s(
u)},i)})]},a.from))})]})})}var Un=Fe(e=>e);function D({text:e}){let n=ve(Un)(e),o=Qo(n);return o!==n?t("span",{title:n,children:o}):t(b,{children:n})}var it=Fe([]),Ri=10;function Ue(){let e=ve(
it);return n=>{let o=e.indexOf(n.split(":")[0]??"");return o===-1?"chain-none":`chain-${o%Ri}`}}function te({id:e}){let n=Ue();return t("span",{class:"chain-nam\
e",children:[t("i",{class:n(e)}),U(e.split(":")[0]??"")]})}var Hn=Fe(!1);function He(e,n){return ve(Hn)?"The daemon does not answer, so nothing can be changed":
n.includes(e)?null:`Your token lacks the scope ${e}`}function W({tone:e,children:n}){return t("span",{class:`pill ${e}`,children:n})}function Xt({state:e}){return e===
"completed"?t(b,{children:"✓ completed"}):t(W,{tone:Je(e),children:ce(e)})}function Wn({tone:e}){return t("svg",{class:"swatch",viewBox:"0 0 10 10","aria-hidd\
en":"true",children:t("rect",{class:e,width:"10",height:"10"})})}function S(e){return t("section",{class:e.wide?"card wide":"card",children:[t("header",{children:[
t("h2",{children:e.link===void 0?e.title:t("a",{href:e.link,children:e.title})}),e.note===void 0?null:t("span",{class:"note",children:e.note})]}),e.children]})}
function J({children:e,note:n}){return t("header",{class:"title",children:[t("h1",{tabIndex:-1,children:e}),n===void 0?null:t("p",{class:"note",children:n})]})}
function I({amount:e,asset:n,chain:o=!0,symbol:r=!0}){let s=C(n);return t("span",{class:"amount",title:`${e??"no reading"} ${n}`,"data-exact":e??void 0,children:[
t("b",{children:e===null?"no reading":O(e)}),r?` ${s.symbol}`:null,o?t("small",{children:[" ",s.chain]}):null]})}var Kn=Fe(new Map);function se({amount:e,asset:n}){
let o=ve(Kn).get(n);return o===void 0?null:t("small",{class:"worth",children:k(String(Number(e)*Number(o)))})}var Vn=Fe(!1);function j({fiat:e}){return t("span",
{title:`${e} usd`,"data-exact":e,children:k(e)})}function A({at:e,clock:n=!1}){let o=H(),r=ve(Vn)||n;return e===null?t("span",{class:"quiet",children:"never"}):
t("time",{dateTime:e,title:e,children:r?M(e,o):Mt(e,o)})}function ae({reasons:e,none:n=null}){let o=[...new Map(e.map(r=>[r.message,r])).values()];return o.length===
0?n===null?null:t("p",{class:"quiet",children:n}):t("ul",{class:"reasons",children:o.map(({code:r,message:s})=>t("li",{title:r,children:t(D,{text:s})},s))})}function ie({
hash:e,link:n=null,what:o}){return t("span",{class:"hash",children:[n===null?t("code",{title:e,children:Dn(e)}):t("a",{href:n,target:"_blank",rel:"noopener nore\
ferrer",title:e,children:[t("code",{children:Dn(e)}),t("span",{class:"hidden",children:" (opens the explorer)"})]}),t(lt,{text:e,what:o})]})}function lt({text:e,
what:n}){let[o,r]=v(!1);return t("button",{type:"button",class:"copy",onClick:()=>{navigator.clipboard?.writeText(e).then(()=>{r(!0),setTimeout(()=>r(!1),1500)})},
"aria-label":`Copy ${n}`,children:o?"copied":"copy"})}function F({live:e,children:n}){return e.value!==null?t(b,{children:n(e.value)}):e.error===null?t(We,{}):t(
"p",{class:"notice bad",children:e.error.message})}function We(){return t("div",{class:"card skeleton",role:"status",children:[t("span",{class:"hidden",children:"\
Reading…"}),t("i",{}),t("i",{}),t("i",{})]})}function K({children:e}){return t("p",{class:"empty",children:e})}function ne(e){return t("table",{class:e.figures?
"figures":void 0,children:[t("caption",{class:"hidden",children:e.caption}),t("thead",{children:t("tr",{children:e.columns.map(n=>t("th",{scope:"col",children:n},
n))})}),t("tbody",{children:e.rows.map(({key:n,cells:o})=>t("tr",{children:o.map((r,s)=>t("td",{"data-label":e.columns[s],children:t("div",{children:r})},e.columns[s]))},
n))})]})}function Jt({percent:e,label:n}){let o=e>=100?"bad":e>=80?"warn":"good";return t("svg",{class:`meter ${o}`,viewBox:"0 0 100 6",preserveAspectRatio:"non\
e",role:"img","aria-label":n,children:[t("rect",{class:"track",width:"100",height:"6"}),t("rect",{class:"fill",width:Math.max(0,Math.min(100,e)),height:"6"})]})}
function Ke({pairs:e}){return t("dl",{class:"pairs",children:e.map(([n,o])=>t("div",{children:[t("dt",{children:n}),t("dd",{children:o})]},n))})}function Ve(e){let{what:n,overview:o}=e,[r]=o?.next??[];return r===void 0?t(b,{children:[n,". A rule or a new swap makes the first one."]}):t(b,{children:[n,". \
The rule ",r.rule," decides ",t(A,{at:r.at}),";"," ",t("a",{href:`#/simulate/${encodeURIComponent(r.rule)}`,children:"simulate it"})," now."]})}function gr({overview:e}){let n=E("books",2e4);return t(b,{children:[t(J,{note:"Swaps of the last 52 weeks, by the ledger. A week begins on Monday, 00:00 UTC.",
children:"Books"}),t(F,{live:n,children:({weeks:o,rules:r,total:s,at:a})=>t(b,{children:[t("div",{class:"grid thirds",children:[t(jn,{name:"Volume",value:k(s.volume),
note:Ni(s.orders)}),t(jn,{name:"Cost of swaps",value:k(s.swapCost),note:`${ee(s.costBps)} of the volume, network fees included`}),t(jn,{name:"Network fees",value:k(
s.networkFees),note:Pi(s.unpriced)})]}),t("div",{class:"grid thirds",children:[t(qn,{title:"Volume by week",weeks:o,of:({volume:i})=>i}),t(qn,{title:"Cost by we\
ek",weeks:o,of:({swapCost:i})=>i}),t(qn,{title:"Network fees by week",weeks:o,of:i=>i.networkFees})]}),t(S,{title:"By rule",note:t(A,{at:a}),wide:!0,children:r.
length===0?t(K,{children:t(Ve,{what:"No order in these weeks",overview:e.value})}):t(Fi,{lines:[...r,s]})})]})})]})}function Pi(e){return e===0?"all priced":e===
1?"without one that has no price":`without ${e} that have no price`}function Ni(e){return`${e} order${e===1?"":"s"}`}function jn({name:e,value:n,note:o}){return t(
"section",{class:"card figure",children:[t("h2",{children:e}),t("p",{class:"big",children:n}),t("p",{class:"note",children:o})]})}var Di=7*864e5;function qn(e){
let n=e.weeks.map(o=>{let r=Date.parse(`${o.group}T00:00:00Z`),[s,a]=[r,r+Di].map(i=>new Date(i).toISOString());return{from:s??"",to:a??"",value:Number(e.of(o))}});
return t(S,{title:e.title,note:"usd",children:t(Be,{title:e.title,steps:n,as:"bars",show:o=>`$${Q(o)}`,series:[{name:"usd",of:({value:o})=>o,tone:"a"}]})})}function Fi({
lines:e}){let n=e.map(o=>({key:o.group,cells:[t("b",{children:o.group},"group"),Object.entries(o.counts).map(([r,s])=>`${s} ${ce(r)}`).join(", "),k(o.volume),k(
o.swapCost),k(o.networkFees),ee(o.costBps)]}));return t(ne,{caption:"Swaps by rule",columns:["Rule","Orders","Volume","Cost","Network fees","Cost of volume"],rows:n})}function It(e,n,o,r){return e.map(({at:a,amount:i},l)=>{if(i===null)return"";let u=e[l-1]?.amount??null,c=o(e[l+1]?.at??n);return`${u===null?`M${o(a)} ${r(Number(
i))}`:`V${r(Number(i))}`}H${c}`}).join("")}function Bt(e,n){return e.flatMap(({at:o,amount:r},s)=>r===null?[{start:o,end:e[s+1]?.at??n}]:[])}function Ut(e,n){return e.
findLast(({at:o})=>Date.parse(o)<=n)?.amount??null}function yr(e,n,o){return e.flatMap(({from:r,bound:s},a)=>{let i=e[a+1],l={startMs:Math.max(n,Date.parse(r)),
endMs:Math.min(o,i===void 0?o:Date.parse(i.from))};return s===null||l.startMs>=l.endMs?[]:[{bound:s,...l}]})}var xe=92,Ht=44,vr=44,Gn=16,Li=18;function _r(e){let{asset:n,since:o,range:r,bound:s}=e,a=`series/${encodeURIComponent(n)}?since=${o}`,{value:i}=Nt(E(a,3e4),`${n}\
 ${r}`);if(i===null)return null;let l=i.points.flatMap(({amount:u})=>u===null?[]:[Number(u)]);return l.length===0?t("p",{class:"note",children:"No reading in th\
is time."}):t(Xi,{...e,series:i,known:l,bound:s})}function Xi(e){let{series:n,known:o,bound:r,marks:s,price:a}=e,[i,l]=Z(),{from:u,to:c,points:d}=n,p=d[0]?.at??
u,f=Date.parse(p),m=Date.parse(c),{low:h,high:g,bottom:y,top:w,y:_}=Ji(o,r),x=N=>Ht+(l-Ht-vr)*(N-f)/Math.max(1,m-f),T=N=>x(Date.parse(N)),{symbol:$}=C(n.asset),
G=br(String(h),String(g));return t("figure",{class:"chart history",ref:i,children:[t("svg",{width:l,height:xe+Gn+Li,role:"img","aria-label":`Readings from ${M(p)}\
: ${G} ${$}`,children:[t(Bi,{bands:n.bands,startMs:f,endMs:m,x,y:_}),t(Ii,{x,y:_,low:y,high:w,startMs:f,endMs:m,width:l}),Bt(d,c).map(N=>t("rect",{class:"gap",x:T(
N.start),width:T(N.end)-T(N.start),height:xe},N.start)),t("path",{class:"line-a",d:It(d,c,T,_)}),t(Ui,{points:d,x:x(m),y:_}),s.filter(({at:N})=>N>=p).map(N=>t(Wi,
{mark:N,x:T(N.at),symbol:$},`${N.at} ${N.kind} ${N.order}`))]}),t(Ki,{series:n,startMs:f,x,price:a}),t("figcaption",{class:"note",children:["Since ",t("span",{title:p,
children:M(p)}),": ",G," ",$,r===null?"":` · band ${br(r.min,r.max)}, target ${O(r.target)}`]})]})}function Ji(e,n){let o=Math.min(...e),r=Math.max(...e),s=Math.
min(o,n===null?o:Number(n.min)),a=Math.max(r,n===null?r:Number(n.target)),[i,l]=Lt(s,a,.12);return{low:o,high:r,bottom:i,top:l,y:c=>Math.max(0,Math.min(xe,xe-xe*
(c-i)/(l-i)))}}function br(e,n){return n===null?`${O(e)} to any`:e===n?O(e):`${O(e)} to ${O(n)}`}function Ii(e){let{x:n,y:o,low:r,high:s,startMs:a,endMs:i,width:l}=e,
u=Ft(r,s);return t(b,{children:[u.map(c=>t("g",{children:[t("line",{class:"grid-line",x1:Ht,x2:l-vr,y1:o(c),y2:o(c)}),t("text",{x:Ht-6,y:o(c)+4,"text-anchor":"e\
nd",children:Q(c,(u[1]??0)-(u[0]??0))})]},c)),ke(a,i,Math.max(2,Math.floor(l/70))).map(({ms:c,label:d})=>t("text",{x:n(c),y:xe+Gn+14,"text-anchor":"middle",children:d},
c))]})}function Bi(e){let{x:n,y:o}=e,r=yr(e.bands,e.startMs,e.endMs),s=r.at(-1)?.endMs===e.endMs?r.at(-1):void 0,a=n(e.endMs)+6;return t(b,{children:[r.map(({bound:i,
startMs:l,endMs:u})=>{let c=i.max===null?0:o(Number(i.max)),d=o(Number(i.min)),p=o(Number(i.target)),f=n(l),m=n(u);return t("g",{children:[t("rect",{class:"band\
-area",x:f,y:c,width:Math.max(0,m-f),height:Math.max(0,d-c)}),t("line",{class:"edge",x1:f,x2:m,y1:d,y2:d}),c===0?null:t("line",{class:"edge",x1:f,x2:m,y1:c,y2:c}),
t("line",{class:"goal",x1:f,x2:m,y1:p,y2:p})]},l)}),s===void 0?null:t("text",{x:a,y:o(Number(s.bound.min))+4,children:"min"}),s===void 0||s.bound.max===null||o(
Number(s.bound.max))===0?null:t("text",{x:a,y:o(Number(s.bound.max))+4,children:"max"}),s===void 0||o(Number(s.bound.min))-o(Number(s.bound.target))<12?null:t("\
text",{x:a,y:o(Number(s.bound.target))+4,children:"target"})]})}function Ui(e){let n=e.points.at(-1)?.amount??null;return n===null?null:t("circle",{class:"dot-n\
ow",cx:e.x,cy:e.y(Number(n)),r:"3"})}var Hi={in:{path:"m0 -5 4 8h-8z",word:"arrived"},out:{path:"m0 3 4 -8h-8z",word:"left"},outside:{path:"m0 -5 4.5 4.5-4.5 4.\
5-4.5 -4.5z",word:"from outside"},alarm:{path:"m-3.5 -4.5 7 7m0 -7-7 7",word:"alarm"},configuration:{path:"m-3 4v-10h7l-2 2.5 2 2.5h-7",word:"another configurat\
ion in force"}};function Wi({mark:e,x:n,symbol:o}){let{kind:r,at:s,amount:a,order:i}=e,{path:l,word:u}=Hi[r],c=a===null?u:`${O(a)} ${o} ${u}`,d=i===null?"":`, o\
rder ${i.slice(0,8)}`;return t("path",{class:`mark ${r}`,d:l,transform:`translate(${n} ${xe+Gn/2+1})`,children:t("title",{children:`${M(s)}: ${c}${d}`})})}var wr=240;
function Ki(e){let{series:n,startMs:o,x:r,price:s}=e,{symbol:a}=C(n.asset),i=u=>{let c=o+(Date.parse(n.to)-o)*u/wr,d=Ut(n.points,c),p=[M(new Date(c).toISOString()),
d===null?"no reading":`${O(d)} ${a}`,...d===null||s===null?[]:[k(String(Number(d)*Number(s)))]].join(" · ");return{x:r(c),words:p}},l=`Reading of ${a} at a tim\
e`;return t(Se,{of:"balance",label:l,last:wr,high:xe,at:i})}var Vi="others";function Sr(e,n,o=220,r=8){let s=ji(e.filter(({value:g})=>g>0),r),a=s.reduce((g,{value:y})=>g+y,0),i=a===0?0:o/a,l=kr(s,"from",n,i),u=kr(s,"to",n,i),c={from:new Map,
to:new Map},d=(g,y,w)=>{let _=y.find(({chain:T})=>T===w[g])?.y??0,x=c[g].get(w[g])??0;return c[g].set(w[g],x+w.value*i),_+x},p=xr(n),m=s.toSorted((g,y)=>p(g.from)-
p(y.from)||p(g.to)-p(y.to)).map(g=>({...g,top:d("from",l,g),bottom:d("to",u,g),height:Math.max(2,g.value*i)})),h=g=>{let y=g.at(-1);return y===void 0?0:Math.max(
y.y+y.height,y.y+34)};return{left:l,right:u,ribbons:m,height:Math.max(h(l),h(u))}}function ji(e,n){let o=new Map;for(let{from:i,to:l,value:u}of e)for(let c of new Set(
[i,l]))o.set(c,(o.get(c)??0)+u);let r=new Set([...o].toSorted(([,i],[,l])=>l-i).slice(0,o.size>n?n-1:n).map(([i])=>i)),s=i=>r.has(i)?i:Vi,a=new Map;for(let{from:i,
to:l,value:u}of e){let c={from:s(i),to:s(l)},d=`${c.from} ${c.to}`;a.set(d,{...c,value:(a.get(d)?.value??0)+u})}return[...a.values()]}function xr(e){return n=>e.
includes(n)?e.indexOf(n):e.length}function kr(e,n,o,r){let s=new Map;for(let l of e)s.set(l[n],(s.get(l[n])??0)+l.value);let a=xr(o),i=[];for(let[l,u]of[...s].toSorted(
([c],[d])=>a(c)-a(d))){let c=i.at(-1),d=c===void 0?0:Math.max(c.y+c.height+10,c.y+34);i.push({chain:l,value:u,y:d,height:Math.max(2,u*r)})}return i}var Wt=7;function Kt({chains:e}){let n=ve(it),[o,r]=Z(),s=e.map(({from:p,to:f,volumeFiat:m})=>({from:p,to:f,value:Number(m)})),{left:a,right:i,ribbons:l,height:u}=Sr(
s,n);if(l.length===0)return t(K,{children:"No swap was paid out in this time."});let c=Math.min(150,r*.36),d=l.map(({from:p,to:f,value:m})=>`${U(p)} to ${U(f)} ${k(
String(m))}`).join(", ");return t("figure",{class:"chart",ref:o,children:t("svg",{width:r,height:u+8,role:"img","aria-label":`Moved: ${d}`,children:[l.map(p=>t(
qi,{ribbon:p,x1:c,x2:r-c},`${p.from} ${p.to}`)),a.map(p=>t($r,{of:p,x:c-Wt,labelX:c-Wt-8,isLeft:!0},p.chain)),i.map(p=>t($r,{of:p,x:r-c,labelX:r-c+Wt+8},p.chain))]})})}
function qi({ribbon:e,x1:n,x2:o}){let r=Ue(),{from:s,to:a,value:i,top:l,bottom:u,height:c}=e,d=(n+o)/2,p=`M${n} ${l}C${d} ${l} ${d} ${u} ${o} ${u}V${u+c}C${d} ${u+
c} ${d} ${l+c} ${n} ${l+c}Z`;return t("path",{class:`flow ${r(s)}`,d:p,children:t("title",{children:`${U(s)} → ${U(a)}: ${k(String(i))}`})})}function $r(e){let n=Ue(),
{of:o,x:r,labelX:s,isLeft:a=!1}=e,i=a?"end":"start",l=o.y+Math.max(11,o.height/2-3);return t(b,{children:[t("rect",{class:`node ${n(o.chain)}`,x:r,y:o.y,width:Wt,
height:o.height}),t("text",{class:"strong",x:s,y:l,"text-anchor":i,children:U(o.chain)}),t("text",{x:s,y:l+14,"text-anchor":i,children:["$",Q(o.value)]})]})}function Vt({
chains:e}){return t(ne,{figures:!0,caption:"Own moves between chains",columns:["From → to","Orders","Moved","Cost","bps"],rows:e.map(({from:n,to:o,orders:r,volumeFiat:s,
costFiat:a,costBps:i})=>({key:`${n} ${o}`,cells:[t("span",{children:[t(te,{id:n})," → ",t(te,{id:o})]},"pair"),r,t(j,{fiat:s},"moved"),t(j,{fiat:a},"cost"),i??
"–"]}))})}var Gi={below:{tone:"bad",word:"below its band"},above:{tone:"warn",word:"above its band"},within:{tone:"good",word:"in its band"},unknown:{tone:"calm",word:"no\
t read yet"}};function Or(e){let{amount:n,bound:o,asset:r}=e,s=Number(e.incoming),a=Number(o.min),i=Number(o.target),l=o.max===null?null:Number(o.max),u=n===null?
null:Number(n),c=1.15*Math.max(l??0,i*1.5,a,(u??0)+s,Number.MIN_VALUE),d=h=>100*h/c,{tone:p,word:f}=Gi[o.place],m=`${f}: from ${O(o.min)} to ${o.max===null?"any":
O(o.max)}, target ${O(o.target)} ${C(r).symbol}`+(s>0?`; ${O(e.incoming)} on its way in`:"");return t("svg",{class:`band ${p}`,viewBox:"0 0 100 10",preserveAspectRatio:"\
none",role:"img","aria-label":m,children:[t("title",{children:m}),t("rect",{class:"track",y:"3",width:"100",height:"4"}),t("rect",{class:"range",x:d(a),y:"1",width:Math.
max(.5,(l===null?100:d(l))-d(a)),height:"8"}),u===null?null:t("rect",{class:"fill",y:"3",width:d(u),height:"4"}),s>0?t("rect",{class:"coming",x:d(u??0),y:"3",width:Math.
max(1,d(s)),height:"4"}):null,t("rect",{class:"target",x:d(i)-.2,width:"0.5",height:"10"})]})}var je=66,zn=56;function Cr(){let{value:e}=E("series/total",6e4),n=(e?.points??[]).flatMap(({amount:r})=>r===null?[]:[Number(r)]),[o]=e?.points??[];return e===null||
o===void 0||n.length===0?null:t("figure",{class:"total-plot",children:[t("h2",{children:["Total, ",M(o.at)," to now"]}),t(zi,{series:e,known:n,startAt:o.at}),e.
joined.length===0?null:t("p",{class:"note",children:e.joined.slice(0,2).map(Er).join("; ")})]})}function zi(e){let{series:n,known:o,startAt:r}=e,{points:s,to:a}=n,
[i,l]=Z(),u=Math.min(...o),c=Math.max(...o),[d,p]=Lt(u,c,.1),f=Date.parse(r),m=Date.parse(a),h=$=>(l-zn)*($-f)/Math.max(1,m-f),g=$=>h(Date.parse($)),y=$=>4+(je-
4)*(p-$)/(p-d),w=Ft(d,p),_=s.at(-1)?.amount??null,x=`${k(String(u))} to ${k(String(c))}`;return t("div",{class:"chart",ref:i,children:[t("svg",{width:l,height:je+
20,role:"img","aria-label":`Total in usd: ${x}`,children:[w.map($=>t("g",{children:[t("line",{class:"grid-line",x2:l-zn,y1:y($),y2:y($)}),t("text",{x:l-zn+6,y:y(
$)+4,children:["$",Q($,(w[1]??0)-(w[0]??0))]})]},$)),ke(f,m,4).map(({ms:$,label:G})=>t("text",{x:h($),y:je+16,"text-anchor":"middle",children:G},$)),Bt(s,a).map(
({start:$,end:G})=>t("rect",{class:"gap",x:g($),width:g(G)-g($),height:je},$)),t("path",{class:"line-a",d:It(s,a,g,y)}),_===null?null:t("circle",{class:"dot-now",
cx:h(m),cy:y(Number(_)),r:"3"}),n.joined.map($=>t("path",{class:"mark configuration",d:"m-3 0v-10h7l-2 2.5 2 2.5h-7",transform:`translate(${g($.at)} ${je})`,children:t(
"title",{children:Er($)})},`${$.asset} ${$.by}`))]}),t(Se,{of:"total",label:"Total at a time",last:120,high:je,at:T})]});function T($){let G=f+(m-f)*$/120,N=Ut(
s,G),ue=N===null?"no reading":k(N);return{x:h(G),words:`${M(new Date(G).toISOString())} · ${ue}`}}}function Er({at:e,asset:n,by:o}){let{symbol:r,chain:s}=C(n),
a=M(e);return o==="price"?`⚑ ${r} on ${s}: before ${a} at its first price`:`⚑ ${r} on ${s}: from ${a} on`}function Ar({overview:e,summary:n}){let{totalFiat:o,change:r,swaps:s,inFlight:a}=n;return t("section",{class:"card money-first","aria-label":"Money",children:[t(
"div",{children:[t("h2",{children:"Treasury"}),t("p",{class:"total",title:`${o} usd`,"data-exact":o,children:k(o)}),t(Qi,{change:r,total:o}),t(Yi,{summary:n})]}),
t(Cr,{}),t("dl",{class:"facts",children:[t(Ne,{name:"Moved in 24 h",value:k(s.volumeFiat),exact:s.volumeFiat,children:Tr(s.orders)}),t(Ne,{name:"Cost in 24 h",value:k(
s.costFiat),exact:s.costFiat,children:s.costBps===null?"no swap yet":`${s.costBps} bps`}),t(Ne,{name:"In flight",value:k(a.fiat),exact:a.fiat,children:Tr(a.orders)}),
t(Ne,{name:"Half done within",value:Mr(s.medianMs),children:s.p90Ms===null?"":`nine of ten ${Mr(s.p90Ms)}`}),t(Zi,{gas:e.gas}),t(el,{overview:e})]})]})}function Yi({
summary:e}){let{unpriced:n,unread:o,assets:r}=e,s=l=>o.includes(l)?"no reading":Rr(r.find(({asset:u})=>u===l)?.priceAt??null),a=[...new Set([...o,...n])].map(l=>[
C(l).symbol,s(l)]);if(a.length===0)return null;let i=[...Map.groupBy(a,([,l])=>l)].map(([l,u])=>`${[...new Set(u.map(([c])=>c))].join(", ")}: ${l}`);return t("p",
{class:"note",title:[...o,...n].join(", "),children:["without ",i.join("; ")]})}function Rr(e){return e===null?"no price yet":`no price since ${M(e)}`}function Ne(e){
return t("div",{children:[t("dt",{children:e.name}),t("dd",{class:e.tone,children:[t("span",{title:e.exact,"data-exact":e.exact,children:e.value})," ",t("small",
{children:e.children})]})]})}function Qi({change:e,total:n}){let o=H();if(e===null)return t("p",{class:"note",children:"No older reading to compare with yet."});
let{from:r,totalFiat:s,pricesFiat:a,outsideFiat:i,swapsFiat:l}=e;return t(b,{children:[t("p",{children:[t("b",{title:s,children:[nt(s)," (",ot(s,n),")"]})," ",t(
"span",{class:"quiet",children:["since ",t("span",{title:r,children:M(r,o)})]})]}),t("p",{class:"note parts",children:[t("span",{title:a,children:["prices ",nt(
a)]}),t("span",{title:i,children:["paid in and out ",nt(i)]}),t("span",{title:l,children:["swaps and fees ",nt(l)]})]})]})}function Tr(e){return`${e} order${e===
1?"":"s"}`}function Mr(e){return e===null?"–":X(e)}function Zi({gas:e}){let n=({amount:s,needed:a})=>s!==null&&Number(s)<Number(a),[o]=e.toSorted((s,a)=>Number(
n(a))-Number(n(s))||(s.daysLeft??Number.MAX_VALUE)-(a.daysLeft??Number.MAX_VALUE));if(o===void 0)return t(Ne,{name:"Runs dry first",value:"–"});let r=n(o);return t(
Ne,{name:"Runs dry first",value:r?"▲ too little":Pr(o.daysLeft),tone:r||(o.daysLeft??99)<7?"warn":"",children:`${o.coin}, ${U(o.chain)}`})}function Pr(e){return e===
null?"no use yet":e>365?"over a year":`${e} days`}function el({overview:{services:e,nodes:n}}){let o=[...e.filter(({state:r})=>r!=="good").map(({name:r,state:s})=>`${r}\
 ${s}`),...n.filter(({state:r})=>r!=="good").map(({chain:r,state:s})=>`${U(r)} ${s}`)];return t(Ne,{name:"Service and nodes",value:o.length===0?"✓ well":`▲ ${o[0]??
""}`,tone:o.length===0?"":"warn",children:o.length===0?`${e.length+n.length} answer`:o.length===1?"":`and ${o.length-1} more`})}function qt({overview:e,summary:n}){
let{treasury:o,gas:r}=e,s=[...new Set(o.map(({asset:a})=>a.split(":")[0]??""))];return t(S,{title:"Where the money is",link:"#/treasury",note:"bar from 0: band,\
 target, balance",children:t("table",{class:"places",children:[t("caption",{class:"hidden",children:"Balances by chain and asset"}),t("thead",{children:t("tr",{
children:["Asset","Balance","Band","Value","In 24 h","On its way","State"].map(a=>t("th",{scope:"col",children:a},a))})}),s.map(a=>t("tbody",{children:[t(nl,{chain:a,
holdings:o.filter(({asset:i})=>i.startsWith(`${a}:`)),summary:n,source:e.nodes.find(i=>i.chain===a)??null}),o.filter(({asset:i})=>i.startsWith(`${a}:`)).map(i=>t(
rl,{holding:i,valued:n.assets.find(({asset:l})=>l===i.asset)??null,gas:r.find(l=>l.chain===a)??null},i.asset))]},a))]})})}var tl=15*6e4;function nl(e){let{chain:n,
summary:o,source:r}=e,s=o.assets.filter(({asset:d})=>d.startsWith(`${n}:`)).reduce((d,p)=>d+Number(p.fiat??0),0),[a]=e.holdings.map(({readAt:d})=>d??"").sort(),
l=H()-Date.parse(a||"1970-01-01")>tl&&r?.state!=="good",u=r?.endpoints.find(({error:d})=>d!==null)?.error??null,c=e.holdings.flatMap(({bounds:d})=>d.map(({rule:p})=>p));
return t("tr",{class:l?"chain late":"chain",children:[t("th",{scope:"rowgroup",colSpan:3,children:[t(te,{id:n})," ",t("small",{children:[ot(String(s),o.totalFiat),
" of the total"]})]}),t("td",{children:k(String(s))}),t("td",{colSpan:3,children:t("small",{children:[l?"▲ last read":"read"," ",t(A,{at:a||null}),l&&u!==null?
`, ${u}`:"",l&&c.length>0?`; waiting: ${[...new Set(c)].join(", ")}`:""]})})]})}var ol={below:"▼ below its band",above:"▲ above its band",within:"✓ in band",
unknown:"no reading"};function rl(e){let{holding:n,valued:o,gas:r}=e,{asset:s,amount:a,bounds:i}=n,{symbol:l}=C(s),u=r!==null&&r.coin.toUpperCase()===l,[c]=i;return t(
"tr",{children:[t("th",{scope:"row",children:l}),t("td",{children:t(I,{amount:a,asset:s,chain:!1,symbol:!1})}),t("td",{class:"band-cell",children:c===void 0?t("\
small",{children:u?"coin for fees":"no band"}):t(Or,{amount:a,bound:c,asset:s,incoming:o?.incoming??"0"})}),t("td",{title:o?.fiat??void 0,"data-exact":o?.fiat??
void 0,children:t(sl,{valued:o})}),t("td",{title:o?.change??void 0,children:o?.change==null||Number(o.change)===0?"=":`${Number(o.change)>0?"+":""}${O(o.change)}`}),
t("td",{class:Nr(o)?"some":"",children:t(il,{valued:o,asset:s})}),t("td",{children:c===void 0?u?Pr(r.daysLeft):"":t("span",{class:c.place,children:ol[c.place]})})]})}
function sl({valued:e}){let n=H();if(e===null||e.fiat===null&&e.price!==null)return t(b,{children:"–"});let{fiat:o,priceAt:r}=e;if(o===null)return t("small",{
title:r??void 0,children:Rr(r)});let s=r!==null&&n-Date.parse(r)>al;return t(b,{children:[k(o),s?t("small",{class:"block",children:["price ",t(A,{at:r})]}):null]})}
var al=2*36e5;function jt(e){return Number(e)!==0}function Nr(e){return e!==null&&(jt(e.incoming)||jt(e.outgoing))}function il(e){let{valued:n,asset:o}=e;return n===
null||!Nr(n)?t(b,{children:"–"}):t(b,{children:[jt(n.incoming)?t("span",{class:"block",title:n.incoming,children:["↓ in ",O(n.incoming)," ",t(se,{amount:n.incoming,
asset:o})]}):null,jt(n.outgoing)?t("span",{class:"block",title:n.outgoing,children:["↑ out ",O(n.outgoing)," ",t(se,{amount:n.outgoing,asset:o})]}):null]})}function Fr({flows:e,span:n}){let{steps:o,total:r,maxCostBps:s}=e,a=i=>`$${Q(i)}`;return t("div",{class:"grid thirds",children:[t(S,{title:`Cost, ${n}`,note:t(ll,
{}),children:[t("p",{children:[t("b",{title:r.costFiat,children:k(r.costFiat)})," ",t("span",{class:"quiet",children:["for ",t("b",{title:r.volumeFiat,children:k(
r.volumeFiat)})," in ",r.completed," swap",r.completed===1?"":"s"]})]}),t(Be,{title:"Cost in usd",steps:o,as:"bars",show:a,series:[{name:"swaps",of:i=>Number(i.
costFiat)-Number(i.feesFiat),tone:"a"},{name:"network",of:i=>Number(i.feesFiat),tone:"b"}]})]}),t(S,{title:"Cost of what moved",note:"bps",children:[t("p",{children:[
t("b",{children:r.costBps===null?"–":`${r.costBps} bps`})," ",t("span",{class:"quiet",children:"network fees included"})]}),t(Be,{title:"Cost in bps of what m\
oved",steps:o,as:"lines",show:i=>Q(i),limit:s===null?null:{value:s,name:`limit ${s} bps`},series:[{name:"bps",of:({costBps:i})=>i,tone:"a"}]})]}),t(S,{title:"Ti\
me to completion",children:[t("p",{children:[t("span",{class:"quiet",children:"half within"})," ",t("b",{children:ut(r.medianMs)}),t("span",{class:"quiet",children:"\
, 95 of 100 within"})," ",t("b",{children:ut(r.p95Ms)})]}),t(Be,{title:"Time to completion",steps:o,as:"lines",show:ut,series:[{name:"half",of:({medianMs:i})=>i,
tone:"a"},{name:"95 of 100",of:({p95Ms:i})=>i,tone:"b"}]})]})]})}function ll(){return t(b,{children:[t(Wn,{tone:"bar-a"})," swaps ",t(Wn,{tone:"bar-b"})," netwo\
rk, usd"]})}var ul=["Rule","Pair","Service","Time"];function Lr({flows:e,span:n}){let[o,r]=v("Rule"),s=cl(e,o);return t("section",{class:"card",children:[t("hea\
der",{children:[t("h2",{children:["Volume, cost and time, ",n]}),t("fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"By"}),ul.map(a=>t(
"button",{type:"button","aria-pressed":a===o,onClick:()=>r(a),children:a},a))]})]}),s.length===0?t(K,{children:"No order in this time."}):null,t(ne,{figures:!0,
caption:`Volume, cost and time by ${o.toLowerCase()}`,columns:[o,"Orders","Moved","Cost","Of it network","bps","Half within","95 of 100"],rows:[...s,{name:"Tota\
l",line:e.total}].map(({name:a,line:i})=>({key:a,cells:dl(a,i)}))}),e.total.unpriced===0?null:t("p",{class:"note",children:e.total.unpriced===1?"One amount with\
out a price is in no sum.":`${e.total.unpriced} amounts without a price are in no sum.`})]})}function cl({rules:e,services:n,pairs:o,steps:r},s){return s==="Rul\
e"?e.map(a=>({name:a.name,line:a})):s==="Service"?n.map(a=>({name:a.name,line:a})):s==="Pair"?o.map(a=>({name:`${Dr(a.from)} → ${Dr(a.to)}`,line:a})):r.filter(
({orders:a})=>a>0).toReversed().map(a=>({name:a.from.replace("T00:00:00.000Z","").replace(":00.000Z","Z"),line:a}))}function Dr(e){let{symbol:n,chain:o}=C(e);return`${n}\
 ${o}`}function dl(e,n){return[t("b",{children:e},"name"),n.orders,t(j,{fiat:n.volumeFiat},"moved"),t(j,{fiat:n.costFiat},"cost"),t(j,{fiat:n.feesFiat},"fees"),
n.costBps??"–",ut(n.medianMs),ut(n.p95Ms)]}function ut(e){return e===null?"–":X(e)}var Ir={"24 h":1,"7 d":7,"30 d":30,"1 y":365},Xr=10*6e4,ml=864e5;function Br({overview:e}){let[n,o]=v("7 d"),r=Ur(n),{value:s}=E("summary",1e4),a=ct(n);return t(
F,{live:e,children:i=>t(b,{children:[t(J,{children:"Treasury"}),s===null?t(We,{}):t(b,{children:[t(pl,{overview:i,summary:s}),t("div",{class:"stack",children:t(
qt,{overview:i,summary:s})})]}),t(Yn,{range:n,onChange:o,ranges:Object.keys(Ir)}),t(fl,{treasury:i.treasury,summary:s,since:r,range:n,marks:a.value?.marks??[]}),
t(F,{live:a,children:l=>t(hl,{flows:l,range:n})}),t(yl,{gas:i.gas})]})})}function Ur(e){let[n,o]=v(Jr);return L(()=>{let r=setInterval(()=>o(Jr()),3e4);return()=>clearInterval(
r)},[]),new Date(n-Ir[e]*ml).toISOString()}function Jr(){return Math.floor(Date.now()/Xr)*Xr}function ct(e){return Nt(E(`flows?since=${Ur(e)}`,2e4),e)}function Yn(e){
return t("fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"Range of the plots"}),e.ranges.map(n=>t("button",{type:"button","aria-press\
ed":n===e.range,onClick:()=>e.onChange(n),children:n},n))]})}function pl({overview:e,summary:n}){let o=Ue(),s=[...new Set(e.treasury.map(({asset:l})=>l.split(":")[0]??
""))].map(l=>({chain:l,fiat:n.assets.filter(({asset:u})=>u.startsWith(`${l}:`)).reduce((u,{fiat:c})=>u+Number(c??0),0)})),a=Math.max(s.reduce((l,{fiat:u})=>l+u,
0),Number.MIN_VALUE),i=0;return t("section",{class:"card shares","aria-label":"Shares of the chains",children:[t("p",{class:"total",title:`${n.totalFiat} usd`,"\
data-exact":n.totalFiat,children:k(n.totalFiat)}),t("svg",{viewBox:"0 0 1000 10",preserveAspectRatio:"none","aria-hidden":"true",children:s.map(({chain:l,fiat:u})=>{
let c=i;return i+=1e3*u/a,t("rect",{class:`node ${o(l)}`,x:c,width:Math.max(0,i-c-2),height:"10"},l)})}),t("ul",{children:[s.map(({chain:l,fiat:u})=>t("li",{children:[
t(te,{id:l})," ",t("b",{children:k(String(u))})," ",t("small",{children:ot(String(u),n.totalFiat)})]},l)),t("li",{children:["In flight ",t("b",{title:n.inFlight.
fiat,children:k(n.inFlight.fiat)})]})]})]})}function fl(e){let{treasury:n,summary:o,since:r,range:s,marks:a}=e;return n.length===0?t(K,{children:"The configurat\
ion lists no asset."}):t(S,{title:"Balance against its band",note:"▲ arrived ▼ left ◆ outside ✕ alarm ⚑ configuration · hatched: no reading of our nodes",
children:t("div",{class:"multiples",children:n.map(({asset:i,amount:l,bounds:u,shares:c})=>{let d=o?.assets.find(p=>p.asset===i)??null;return t("section",{"aria\
-label":`${C(i).symbol} on ${C(i).chain}`,children:[t("p",{class:"head",children:[t("span",{children:[t("b",{children:C(i).symbol})," ",t(te,{id:i})]}),t("span",
{children:[t(I,{amount:l,asset:i,chain:!1,symbol:!1})," ",d?.fiat==null?null:t("small",{title:d.fiat,children:k(d.fiat)})]})]}),t(_r,{asset:i,since:r,range:s,bound:u[0]??
null,marks:a.filter(p=>p.asset===i||p.asset===null),price:d?.price??null}),c.map(({rule:p,percent:f})=>t("p",{class:"note",children:["Target of ",p,": ",f," of \
the treasury"]},p))]},i)})})})}function hl({flows:e,range:n}){let{chains:o,total:r,outside:s}=e,a=n==="1 y"?"31 d":n;return t(b,{children:[t("div",{class:"grid",
children:[t(S,{title:`Flows, ${a}`,note:t("b",{title:r.volumeFiat,children:k(r.volumeFiat)}),children:t(Kt,{chains:o})}),t("div",{class:"column",children:[t(S,{
title:"The same as a table",children:t(Vt,{chains:o})}),t(S,{title:`Money from outside, ${a}`,note:"not part of the flows",children:s.length===0?t(K,{children:"\
Nothing was paid in or taken out."}):t(gl,{outside:s})})]})]}),t(Fr,{flows:e,span:a}),t(Lr,{flows:e,span:a})]})}function gl({outside:e}){let n=(o,r)=>Number(o)===
0?"–":t("span",{title:`${o}, ${r??"no price"}`,children:[O(o)," ",t("small",{children:r===null?"no price":k(r)})]});return t(ne,{caption:"Money from outside",
columns:["Asset","Paid in","Taken out"],rows:e.map(o=>({key:o.asset,cells:[t("span",{children:[C(o.asset).symbol," ",t(te,{id:o.asset})]},"asset"),n(o.in,o.inFiat),
n(o.out,o.outFiat)]}))})}function yl({gas:e}){return t(S,{title:"Coin for fees",wide:!0,children:t(ne,{figures:!0,caption:"Coin for fees",columns:["Chain","Bala\
nce","Must stay","Lasts"],rows:e.map(({chain:n,coin:o,amount:r,needed:s,daysLeft:a})=>{let i=r!==null&&Number(r)<Number(s);return{key:n,cells:[t(te,{id:n},"chai\
n"),r===null?"not read yet":t("span",{children:[O(r)," ",o," ",t(se,{amount:r,asset:`${n}:${o.toLowerCase()}`})]},"balance"),O(s),i?t("b",{class:"below",children:"\
▼ too little"},"low"):a===null?"no use yet":a>365?"over a year":`about ${a} days`]}})})})}function Hr({payoutDeadline:e},n){if(e===void 0)return null;let{at:o,height:r}=e,s=bl(e);if(o===null)return`before its lock ends, at an unknown time; ${s}`;let a=Date.
parse(o)-(n??0),i=a>0?`${X(a)} left`:`over since ${X(-a)}`,l=[`height ${r??"unknown"}`,...n===null?[]:[i],"estimated"];return`before ${Yo(Date.parse(o))} (${l.join(
", ")}); ${s}`}function bl({offerUnits:e,capUnits:n}){let o=n===null?"":`, and one may offer up to ${n}`;return e===null?`no redemption of ours is signed yet${o}${o===
""?"":" of the coin's smallest units"}`:`our newest redemption offers at most ${e}${o} of the coin's smallest units`}function Wr({secret:e,ownSecret:n}){if(n===void 0)return e==="service"?"chosen by the service":"not chosen yet";let{status:o,revealedAt:r}=n,s=r===null?"":` at ${r}`;
return{unknown:"our own, told to no other party",revealed:`our own, revealed${s}`,withheld:"our own, withheld for ever",lost:`our own, revealed${s}, and the pay\
out went back to the solver`}[o]}function Kr({asset:e,source:n,price:o,agreed:r,deviationBps:s}){let a=s<0?"below":"above";return`The price source ${n} gives ${o} for ${e}, ${Math.abs(s)/100} %\
 ${a} the ${r} of the others, and does not count`}function Gt({reference:e}){if(e===void 0)return[];let{costBps:n,outliers:o}=e,r=(n??0)<0?"more":"less",a=`By our own prices the quote pays ${Math.abs(n??0)/100}\
 % ${r} than it takes`;return[...n===null?[]:[a],...o.map(Kr)]}function Vr(e,n){let{usual:o,seen:r,createdAt:s,outcome:a,updatedAt:i}=e;if(o===null||a!==null&&a!=="completed")return[];let l=f=>f==null?null:Date.parse(f)-Date.
parse(s),u=[["To the deposit",l(r.sourceInitiated?.at),o.depositMs],["To the payout",l(r.destinationRedeemed?.at),o.payoutMs],["To the end",a===null?null:l(i),o.
endMs]],c=n-Date.parse(s),d=0,p=!1;return u.map(([f,m,h])=>{let g=d,w=m===null&&!p?Math.max(0,c-g):null;return p||=m===null,d=m??g+Math.max(h,w??0),{name:f,startMs:g,
tookMs:m===null?null:m-g,runsMs:w,usualMs:h}})}function qe(e){return e<1e4?`${(e/1e3).toFixed(1)} s`:X(e)}function $e(e){let n=Y(null),o=Y(e.onClose);o.current=e.onClose,Xe(()=>{let s=n.current,a=new AbortController;return s?.addEventListener("close",()=>o.current(),
{signal:a.signal}),s?.showModal(),()=>{a.abort(),s?.close()}},[]);let r=s=>{s.key==="Escape"&&(s.preventDefault(),e.onClose())};return t("dialog",{ref:n,class:e.
class,"aria-label":e.label,"aria-labelledby":e.labelledBy,onKeyDown:r,children:e.children})}function Qn({change:e,onClose:n}){let[o]=v(rt),[r,s]=v(""),[a,i]=v(!1),[l,u]=v(null),c=_e(),d=_e(),p=r.trim()===e.word;async function f(m){if(m.preventDefault(),
!(!p||a)){i(!0);try{let h=await Ie(e.path,e.body,o);pe(),n(),e.onDone?.(h)}catch(h){h instanceof P&&u(h),i(!1)}}}return t($e,{labelledBy:c,onClose:n,children:t(
"form",{onSubmit:f,children:[t("h2",{id:c,children:e.title}),e.children,t("label",{for:d,children:["Type ",t("code",{class:"word",children:e.word})," to confirm"]}),
t("input",{id:d,value:r,autocomplete:"off",spellcheck:!1,onInput:m=>s(m.currentTarget.value)}),l===null?null:t("p",{class:"notice bad",role:"alert",children:l.message}),
t("footer",{children:[t("button",{type:"button",onClick:n,children:"Cancel"}),t("button",{type:"submit",class:e.danger?"main danger":"main",disabled:!p||a,children:a?
"Sending…":e.button})]})]})})}function de(e){let[n,o]=v(!1),r=He(e.scope,e.scopes);return t(b,{children:[t("button",{type:"button",class:e.change.danger?"dang\
er":e.main?"main":"",disabled:r!==null,title:r??void 0,onClick:()=>o(!0),children:e.change.button}),n?t(Qn,{change:e.change,onClose:()=>o(!1)}):null]})}var wl=1e3,Zn=4;function jr({order:e,scopes:n,opens:o}){let r=He("approve",n),[s,a]=v(o&&r===null?"drawer":null),i=()=>a(null);return t(b,{children:[t("button",
{type:"button",class:"main","data-key":"approve",disabled:r!==null,title:r??void 0,onClick:()=>a("drawer"),children:"Approve or reject"}),s==="drawer"?t(_l,{order:e,
onReject:()=>a("reject"),onClose:i}):null,s==="reject"?t(Qn,{change:vl(e),onClose:i}):null]})}function vl({id:e,amount:n,from:o}){let r=`${O(n)} ${C(o).symbol}`;
return{title:"Reject this order?",word:"reject",button:"Reject",path:`orders/${e}/reject`,body:{},danger:!0,children:t("p",{children:["Nothing was deposited. Th\
e order ends, and ",r," stay in the wallet."]})}}function _l({order:e,onReject:n,onClose:o}){let r=_e(),[s]=v(rt),[a,i]=v(""),[l,u]=v(null),c=Ml(e),d=c&&(e.payee?.
uses??0)>0,p=d||a.trim()===e.destinationOwner.slice(-Zn);async function f(){try{await Ie(`orders/${e.id}/approve`,{intent:e.intent},s),pe(),o()}catch(m){m instanceof
P&&u(m)}}return t($e,{class:"approve",labelledBy:r,onClose:o,children:[t("header",{children:[t("small",{children:["ends ",t(A,{at:e.approveBefore})]}),t("h2",{id:r,
tabIndex:-1,children:["Approve ",e.fiat===null?"this order":k(e.fiat),"?"]}),t("button",{type:"button",onClick:o,children:"Later"})]}),t(Sl,{order:e,isOurs:c,isFamiliar:d}),
t(Ol,{order:e}),t("details",{children:[t("summary",{children:"All fields that are signed"}),t("dl",{class:"pairs small",children:Object.entries(e.intentFields??
{}).map(([m,h])=>t("div",{children:[t("dt",{children:m}),t("dd",{children:t("code",{children:h})})]},m))})]}),d?null:t(kl,{typed:a,onType:i}),l===null?null:t("p",
{class:"notice bad",role:"alert",children:l.message}),t("footer",{children:[t("button",{type:"button",class:"danger",onClick:n,children:"Reject"}),t(Tl,{disabled:!p,
onHeld:()=>{f()}})]})]})}function kl(e){let n=_e();return t(b,{children:[t("label",{for:n,children:["Type the last ",Zn," characters of the address"]}),t("input",
{id:n,value:e.typed,maxLength:Zn,autocomplete:"off",spellcheck:!1,onInput:o=>e.onType(o.currentTarget.value)})]})}function Sl(e){let{order:n,isOurs:o,isFamiliar:r}=e,
{destinationOwner:s,payee:a}=n,{value:i}=E("settings",6e4),l=At(i).payeeOf(s);return t("p",{class:r?"payee":"payee unfamiliar",children:[r?"":"▲ ",o?"Pays our\
 own wallet":"Pays an address that is not this daemon's wallet",l===null?"":`: ${l}`,a===void 0?null:t("small",{children:[" · ",$l(a)]}),t("code",{children:s.match(
xl)?.join(" ")})]})}var xl=/.{1,4}(?=(?:.{4})*$)/g;function $l({uses:e,of:n,since:o}){return e>0&&o!==null?`used ${e===1?"once":`${e} times`} since ${M(o)}`:n===
0?"new payee":`new payee: not among the last ${n} payouts`}function Ol({order:e}){let n=C(e.from),o=C(e.to),{route:r}=e,s=e.costParts.refundAtMostFiat;return t(
"dl",{class:"pairs",children:[t("div",{children:[t("dt",{children:"Sends"}),t("dd",{children:[t(I,{amount:e.amount,asset:e.from,chain:!1}),", ",n.chain]})]}),t(
"div",{children:[t("dt",{children:"Receives"}),t("dd",{children:[t(I,{amount:e.destinationAmount,asset:e.to,chain:!1}),", ",o.chain]})]}),t("div",{children:[t("\
dt",{children:"Costs"}),t("dd",{children:[e.costFiat===null?"unknown":k(e.costFiat)," (",ee(e.costBps),")"]})]}),t(Cl,{order:e}),t("div",{class:"says",children:[
t("dt",{children:"Why it asks"}),t("dd",{children:[e.askedBy??e.rule," wants more than one order may send without a person"]})]}),t("div",{class:"says",children:[
t("dt",{children:"At worst"}),t("dd",{children:[r===void 0?`${O(e.amount)} ${n.symbol} stay locked until the timelock ends`:r.trust,r!==void 0?"":", then come b\
ack",r!==void 0||s===null?"":`, for a fee of up to ${k(s)}`]})]}),t(El,{order:e})]})}function Cl({order:e}){let n=Gt(e),o=(e.reference?.outliers.length??0)>0;return n.
length===0?null:t("div",{class:"says",children:[t("dt",{children:o?"▲ Reference":"Reference"}),t("dd",{children:n.map(r=>t("span",{class:"block",children:t(D,
{text:r})},r))})]})}function El({order:{people:e,askedBy:n}}){let o=e?.needed??1,r=e?.approved??[];return t("div",{children:[t("dt",{children:"People"}),t("dd",
{children:[r.length," of ",o," approved",r.map(({by:s,at:a})=>t("span",{class:"block",title:a,children:["✓ ",s," ",t(A,{at:a})]},s)),n===void 0?null:t("small",
{class:"block",children:[n," asked, and may not approve"]})]})]})}function Tl(e){let n=Y(0),[o,r]=v(!1),s=()=>{e.disabled||n.current!==0||(r(!0),n.current=window.
setTimeout(()=>{a(),e.onHeld()},wl))},a=()=>{clearTimeout(n.current),n.current=0,r(!1)};L(()=>a,[]);let i=({key:l})=>l==="Enter"||l===" ";return t("button",{type:"\
button",class:o?"main hold holding":"main hold",disabled:e.disabled,onPointerDown:s,onPointerUp:a,onPointerLeave:a,onKeyDown:l=>i(l)?s():void 0,onKeyUp:a,onBlur:a,
onContextMenu:l=>l.preventDefault(),children:"Hold to approve"})}function Ml({to:e,destinationOwner:n}){let{value:o}=E("status",6e4),r=e.split(":")[0];return o?.
chains.some(s=>s.chain===r&&s.account===n)??!1}function qr({order:e,scopes:n,opens:o}){if(e.state==="awaiting-approval")return t(Rl,{order:e,scopes:n,opens:o});if(!e.held&&e.state!=="disarmed")return null;let r=(a,i)=>{
let l=a.slice(0,1).toUpperCase()+a.slice(1);return{title:`${l} this order?`,word:a,button:l,path:`orders/${e.id}/${a}`,body:{},danger:a==="abandon",children:t("\
p",{children:i})}},s=r("abandon","You answer for the end of this order: Ballast ends it once no deposit can land.");return t("div",{class:"actions",children:[e.
held?t(b,{children:[t(de,{change:r("retry","Ballast goes on from where the order was held."),scope:"operate",scopes:n,main:!0}),t(de,{change:r("refund","Ballast\
 takes the deposit back as soon as the HTLC allows it."),scope:"operate",scopes:n})]}):null,t(de,{change:s,scope:"operate",scopes:n})]})}function Al({people:e}){
if(e===void 0)return"";let n=e.approved.map(({by:r})=>r).join(", "),o=e.needed-e.approved.length;return` · approved by ${n===""?"none":n}; ${o} more must appro\
ve`}function Rl({order:e,scopes:n,opens:o}){return t("div",{class:"actions",children:[t(jr,{order:e,scopes:n,opens:o}),t("span",{class:"note",children:["Approve\
 before ",t(A,{at:e.approveBefore,clock:!0})," (",t(A,{at:e.approveBefore}),")",Al(e)]})]})}function zr({events:e,seen:n,outcome:o,state:r,approval:s,updatedAt:a,createdAt:i,route:l}){let u=(...h)=>e.find(({type:g})=>h.includes(g))?.at??null,c=r==="awa\
iting-approval"||s!==null,d=n.sourceRefunded!=null||r.startsWith("refund")||o==="refunded",p=[{name:"Requested",at:i},{name:"Quoted",at:u("quote.accepted")},{name:"\
Ordered",at:u("order.created")},{name:"Verified",at:u("deposit.verified")},...c?[{name:"Approved",at:s?.at??null}]:[],{name:Zr(l?.deposit,"Deposited"),at:n.sourceInitiated?.
at??null},...d?[{name:"Refunded",at:n.sourceRefunded?.at??null}]:Pl(l,n),{name:o===null?"Final":eo(o),at:o===null?null:a}],f=p.findLastIndex(({at:h,passed:g=!1})=>h!==
null||g),m=o==="rejected"||o==="abandoned";return p.map((h,g)=>{if(m&&g===p.length-1)return{...h,state:"failed"};if(g<=f&&!(m&&h.at===null))return{...h,state:"d\
one"};let y=g===f+1;return{...h,state:y&&o===null?r==="held"?"failed":"now":"open"}}).filter(({at:h,state:g})=>!(o!==null&&h===null&&g==="open"))}function Pl(e,n){
return[e===void 0?{name:"Solver deposited",at:n.destinationInitiated?.at??null}:{name:eo(e.voucher),at:null,passed:e.nonce!==null},{name:Zr(e?.payout,"Paid out"),
at:n.destinationRedeemed?.at??null}]}function Yr(e){let n=e.from.split(":")[0]??"",o=e.to.split(":")[0]??"",r=(a,i,l)=>({what:i,chain:l,service:e.reportedTxs[a],
seen:e.seen[a]??null}),{route:s}=e;return s!==void 0?[r("sourceInitiated",`Our ${s.deposit}`,n),r("destinationRedeemed",`The ${s.payout} to us`,o)]:[r("sourceIn\
itiated","Our deposit",n),r("destinationInitiated","The solver's deposit",o),r("destinationRedeemed","The payout to us",o),r("sourceRedeemed","The solver takes \
our deposit",n),r("sourceRefunded","The refund to us",n)]}function Qr({service:e,seen:n},o){return n!==null&&e.includes(n.tx)?{tone:"good",says:"agree"}:n!==null&&
e.length>0?{tone:"warn",says:"another transaction"}:n!==null?{tone:"good",says:"proven"}:e.length>0?{tone:o?"calm":"warn",says:"only reported"}:{tone:"calm",says:"\
not yet"}}function zt(e){return`${e.kind}: ${e.deposit}, ${e.voucher}, ${e.payout}`}function Zr(e,n){return e===void 0?n:eo(e)}function eo(e){return e.slice(0,1).
toUpperCase()+ce(e).slice(1)}function es(e,{route:n}={}){let o=n===void 0?Gr:{...Gr,...Nl(n)},[r]=Object.entries(o).filter(([a])=>a===e);return r!==void 0?{who:r[1][0],
says:r[1][1]}:{who:e.startsWith("operator.")?"operator":"Ballast",says:e.replaceAll(/[._]/g," ")}}function Nl({kind:e,deposit:n,payout:o}){return{"quote.accepte\
d":["Ballast",`takes a quote of ${e} that all guards accept`],"order.created":["Ballast",`builds the ${n}`],"deposit.verified":["Ballast",`compared the ${n} wit\
h the request and the chains`],"order.observed":["chain",`shows the state of ${n} and ${o}`],"order.unfunded":["chain",`proves that the ${n} never landed`]}}var Gr={
"order.opened":["Ballast","opens the order"],"work.deferred":["Ballast","waits and looks again later"],"quote.accepted":["service","quotes a price that all guar\
ds accept"],"quote.outdated":["service","no longer accepts the quote; Ballast asks again"],"order.created":["service","creates the order"],"order.declined":["Ba\
llast","declines to go on"],"deposit.verified":["Ballast","compared the deposit with the order; every field agrees"],"operator.approved":["operator","approves t\
he order"],"operator.rejected":["operator","rejects the order"],"operator.retried":["operator","asks to try again"],"operator.abandoned":["operator","gives the \
order up"],"operator.refunded":["operator","asks for a refund"],"operator.redeemed":["operator","asks for the redemption of the payout"],"approval.expired":["Ba\
llast","ends the wait for an approval"],"allowance.ready":["chain","shows the allowance that the deposit needs"],"transaction.planned":["Ballast","plans a trans\
action"],"transaction.signed":["Ballast","signs a transaction and stores it"],"transaction.sent":["Ballast","sends the transaction"],"transaction.mined":["chain",
"shows the transaction in a block"],"transaction.pending":["chain","shows the transaction as pending"],"transaction.unseen":["chain","does not show the transact\
ion; it is sent again"],"transaction.stuck":["chain","does not take the transaction up"],"transaction.excluded":["chain","shows that the transaction can never l\
and"],"transaction.late":["Ballast","finds that the time for the transaction is over"],"gasless.signed":["Ballast","signs the typed data for the relay"],"gasles\
s.submitted":["service","takes the signature for its relay"],"gasless.initiated":["chain","shows the deposit of the relay"],"gasless.missing":["chain","does not\
 show the deposit of the relay yet"],"order.observed":["chain","shows the state of both HTLCs"],"order.unfunded":["chain","proves that the HTLC never had the de\
posit"]};var to=22,no=104;function ts({order:e}){let[n,o]=Z(),r=Vr(e,H());if(r.length===0)return null;let s=Math.max(1,...r.map(l=>l.startMs+Dl(l))),a=l=>l/s*Math.max(0,
o-no-2),i=r.map(l=>`${l.name}: ${Fl(l)}`).join("; ");return t("figure",{class:"chart spans",ref:n,children:[t("svg",{width:o,height:r.length*to,role:"img","aria\
-label":i,children:r.map(({name:l,startMs:u,tookMs:c,runsMs:d,usualMs:p},f)=>t("g",{transform:`translate(0 ${f*to})`,children:[t("text",{y:to-8,children:l}),t("\
rect",{class:c===null?"runs":"took",x:no+a(u),y:"6",width:Math.max(c===null&&d===null?0:1,a(c??d??0)),height:"10"}),t("rect",{class:"usual",x:no+a(u),y:"3",width:Math.
max(1,a(p)),height:"16"})]},l))}),t("figcaption",{class:"note",children:i})]})}function Dl({tookMs:e,runsMs:n,usualMs:o}){return Math.max(o,e??n??0)}function Fl({
tookMs:e,runsMs:n,usualMs:o}){let r=`usually ${qe(o)}`;return e!==null?`${qe(e)}, ${r}`:n===null?r:`${qe(n)} so far, ${r}`}function os(e){let n=E(`orders/${encodeURIComponent(e.detail)}`,3e3);return t(F,{live:n,children:o=>t(Ll,{order:o,desk:e,opens:e.opens})})}function Ll(e){let{order:n,
desk:o,opens:r}=e,s=`#/decisions/${encodeURIComponent(n.rule)}`,a=o.overview.value?.orders.find(({id:i})=>i===n.id)??null;return t(b,{children:[t(J,{note:t(b,{children:[
"Order ",t("code",{children:n.id.slice(0,8)})," of rule ",t("a",{href:s,children:n.rule}),", requested ",t(A,{at:n.createdAt})]}),children:[t(I,{amount:n.amount,
asset:n.from})," →"," ",t(I,{amount:n.destinationAmount,asset:n.to})]}),t("section",{class:`card wide place ${Je(n.state)}`,children:[t("p",{children:t(Xt,{state:n.
state})}),t("p",{class:"money",children:[t("span",{class:"quiet",children:"Where is the money?"})," ",t("b",{children:n.money})]}),a?.left==null?null:t("p",{children:[
t("b",{children:a.left})," left",a.ends===null?"":`: ${a.ends}`]}),t(ae,{reasons:n.reasons.map(i=>o.known.humane(i,n))}),t(qr,{order:n,scopes:o.scopes,opens:r})]}),
n.explained===void 0||n.explained.length===0?null:t(S,{title:"Why this way",note:`rule ${n.rule}`,wide:!0,children:n.explained.map(i=>t("p",{children:t(D,{text:i})},
i))}),t(S,{title:"The way of the order",wide:!0,children:[t(Xl,{stages:zr(n)}),t(ts,{order:n})]}),t(S,{title:n.route===void 0?"The service's word and the chain'\
s word":"The chains",note:"Ballast believes only the chain.",wide:!0,children:t(Jl,{order:n,desk:o})}),t("div",{class:"grid halves",children:[t(S,{title:"Transa\
ctions",children:t(Bl,{order:n,desk:o})}),t(S,{title:"Terms",children:t(Ul,{order:n})})]}),t(S,{title:"Everything that happened",note:`${n.events.length} events`,
wide:!0,children:t(Wl,{order:n})})]})}function Xl({stages:e}){return t("ol",{class:"stages",children:e.map(({name:n,at:o,state:r},s)=>{let a=e.slice(0,s).findLast(
l=>l.at!==null)?.at??null,i=o===null||a===null?null:Date.parse(o)-Date.parse(a);return t("li",{class:r,"aria-current":r==="now"?"step":void 0,children:[t("span",
{class:"mark","aria-hidden":"true"}),t("b",{children:n}),o===null?t("small",{children:r==="now"?"next":r==="done"?"passed":"not yet"}):t("small",{title:o,children:[
M(o),i===null||i<0?"":` · +${qe(i)}`]})]},n)})})}function Jl({order:e,desk:n}){let o=Yr(e).filter(({what:r,service:s,seen:a})=>s.length>0||a!==null||r!=="The r\
efund to us").map(({what:r,chain:s,service:a,seen:i})=>{let{tone:l,says:u}=Qr({service:a,seen:i},e.outcome!==null),c=[t("span",{children:[t("b",{children:r}),t(
"small",{class:"block",children:["on ",U(s)]})]},"what"),t(Il,{chain:s,txs:a,desk:n},"service"),i===null?t("span",{class:"quiet",children:"shows nothing"},"seen"):
t("span",{children:[t(ie,{hash:i.tx,link:n.known.linkOf(s,i.tx),what:"the transaction"}),t("small",{class:"block",children:[M(i.at),", ",i.final?"final":"not fi\
nal yet"]})]},"seen"),t(W,{tone:l,children:u},"judgement")];return{key:r,cells:c}});return t(ne,{caption:"The service's word and the chain's word",columns:["Abo\
ut","The service says","Our own node shows","Together"],rows:o})}var ns=3;function Il({chain:e,txs:n,desk:o}){if(n.length===0)return t("span",{class:"quiet",children:"\
says nothing"});let r=n.length-ns;return t("span",{children:[n.slice(0,ns).map(s=>t("span",{class:"block",children:t(ie,{hash:s,link:o.known.linkOf(e,s),what:"t\
he transaction"})},s)),r>0?t("small",{class:"block",children:["and ",r," more"]}):null]})}function Bl({order:e,desk:n}){let o=e.from.split(":")[0]??"";return e.
transactions.length===0?t("p",{class:"empty",children:e.deposit==="gasless"&&e.depositTx!==null?"Ballast signed no transaction of its own: the relay made the de\
posit and paid its fee.":"Ballast has signed no transaction for this order."}):t("ul",{class:"plain",children:e.transactions.map(({purpose:r,attempt:s,tx:a})=>t(
"li",{children:[t("b",{children:r})," ",t("small",{children:s>0?`attempt ${s+1}`:`on ${U(o)}`}),t(ie,{hash:a,link:n.known.linkOf(o,a),what:"the transaction"})]},
a))})}function Ul({order:e}){let n=C(e.to).symbol,o=Hr(e,null),r=Gt(e).join("; "),s=[["Order",t(ie,{hash:e.id,what:"the order's id"},"id")],["Order at the servi\
ce",e.serviceOrderId===null?"none":t(ie,{hash:e.serviceOrderId,what:"the service's id"},"s")],["Service",e.service??"none yet"],["Solver",e.solver===null?"none \
yet":t(ie,{hash:e.solver,what:"the solver's id"},"solver")],...Hl(e),...o===null?[]:[["Payout must be redeemed",o]],["Value",e.fiat===null?"unknown":k(e.fiat)],
["Cost, network fees so far included",`${k(e.costFiat)} (quote: ${ee(e.costBps)})`],...r===""?[]:[["Against our prices",r]],["Deposit",e.deposit==="gasless"?"by\
 a relay, without a fee of ours":"by our own transaction"],["Pays to",t(ie,{hash:e.destinationOwner,what:"the address"},"d")],["Fee that the payout may lose",e.
payoutFee===null?"unknown":`${O(e.payoutFee)} ${n}`],["Approved",e.approval===null?"no approval was needed or given":`by ${e.approval.by}, ${M(e.approval.at)}`],
["Acts next",e.who]];return t(b,{children:[t(Ke,{pairs:s}),e.calls.length===0?null:t(b,{children:[t("h3",{children:"Asked by people"}),t("ul",{class:"plain",children:e.
calls.map(({at:a,caller:i,source:l,action:u})=>t("li",{children:[t("b",{children:u})," by ",i," from ",l,", ",t(A,{at:a})]},`${a} ${u}`))})]})]})}function Hl(e){
let{route:n,refundableAtHeight:o}=e;return n!==void 0?[["Route",zt(n)],["Depends on",n.trust]]:[["Route","two HTLCs of a swap service"],["Secret",Wr(e)],["Refun\
d possible at height",o??"not known yet"]]}function Wl({order:e}){let[n,o]=v(!1),r=n?e.events:e.events.slice(-40);return t(b,{children:[e.events.length>r.length?
t("button",{type:"button",onClick:()=>o(!0),children:["Show the ",e.events.length-r.length," earlier events"]}):null,t("ol",{class:"events",children:r.map(({at:s,
type:a,state:i},l)=>{let{who:u,says:c}=es(a,e);return t("li",{class:u,children:[t("time",{dateTime:s,title:s,children:M(s)}),t("span",{class:"who",children:u}),
t("span",{children:[c," ",t("small",{children:["→ ",ce(i)]})]})]},`${s} ${l}`)})})]})}function Yt(e,n,o){let r=URL.createObjectURL(new Blob([o],{type:n})),s=document.createElement("a");s.href=r,s.download=e,s.click(),URL.revokeObjectURL(r)}var rs={id:({id:e})=>e,requested:({createdAt:e})=>e,changed:({updatedAt:e})=>e,state:({state:e})=>e,rule:({rule:e})=>e,service:({service:e})=>e,sent:({amount:e})=>e,
sent_asset:({from:e})=>e,received:({destinationAmount:e})=>e,received_asset:({to:e})=>e,value_usd:({fiat:e})=>e,cost_usd:({costFiat:e})=>e,cost_bps:({costBps:e})=>e,
deposit_tx:({depositTx:e})=>e,payout_tx:({destinationTx:e})=>e};function ss(e){return[Object.keys(rs),...e.map(o=>Object.values(rs).map(r=>String(r(o)??"")))].map(
o=>`${o.map(Kl).join(",")}\r
`).join("")}function Kl(e){let n=/^[=+@\t\r]|^-(?![\d.])/.test(e)?`'${e}`:e;return/[",\r\n]/.test(n)?`"${n.replaceAll('"','""')}"`:n}var Vl=1e3;async function as(e,n){let o=[],r=null;do{let a=r===null?"":`&cursor=${r}`,i=await q("GET",`orders?${e}&limit=${Vl}${a}`);o.push(...i.orders),n(o.length),
r=i.next}while(r!==null);let s=new Date().toISOString().slice(0,10);Yt(`orders-${s}.csv`,"text/csv",ss(o))}var jl=1e3,ql=6e4,Gl="since=1970-01-01T00:00:00Z";function is({query:e}){let[n,o]=v(null);if(L(()=>{let g=!1,y=async()=>{let x=e.includes("since=")?e:`${e}&${Gl}`,
T=await q("GET",`report?${x}`).catch(()=>null);T!==null&&!g&&o({query:e,sums:T.total})},w=setTimeout(y,jl),_=setInterval(y,ql);return()=>{g=!0,clearTimeout(w),clearInterval(
_)}},[e]),n?.query!==e)return null;let{counts:r,volumeFiat:s,costBps:a,toPayoutMs:i,unpriced:l,...u}=n.sums,{swapCostFiat:c,affiliateCostFiat:d,payoutCostFiat:p,
networkFeeFiat:f}=u,m=[c,d,p,f],h=l.swaps+l.fees;return t("p",{class:"sums",role:"status",children:[t("b",{children:"All of this filter:"}),t("span",{children:Object.
entries(r).map(([g,y])=>`${y} ${g}`).join(", ")||"no order"}),t("span",{children:[t(j,{fiat:s})," moved"]}),t("span",{children:[t(j,{fiat:m.reduce((g,y)=>g+Number(
y),0).toFixed(6)})," cost",a===null?"":`, ${a} bps`]}),i===null?null:t("span",{children:["paid out in ",X(i.median)," (median)"]}),h===0?null:t("span",{children:[
"▲ without ",h," that have no price"]})]})}var oo={state:"",rule:"",pair:"",service:"",since:"",text:""};function Ge({state:e,rule:n,pair:o,service:r,since:s,text:a}){return[e==="open=true"?"open":e.replace(
/^state=/,"").replace(/-/g," "),n,o===""?"":ro(o),r,s,a.trim()].filter(u=>u!=="").join(" · ")}function ro(e){let[n,o]=e.split(" ").map(C);return`${n?.symbol} ${n?.
chain} → ${o?.symbol} ${o?.chain}`}var ls=8;function us(e){let n=zl(e??"[]");return Array.isArray(n)?n.filter(Yl).slice(0,ls):[]}function cs(e,n){return[n,...so(
e,n)].slice(0,ls)}function so(e,n){return e.filter(o=>Ge(o)!==Ge(n))}function zl(e){try{return JSON.parse(e)}catch{return null}}function Yl(e){if(typeof e!="obj\
ect"||e===null)return!1;let n=new Map(Object.entries(e));return Object.keys(oo).every(o=>typeof n.get(o)=="string")}var ds="ballast.views";function ms(e){let{filter:n,onChange:o}=e,[r,s]=v(()=>us(localStorage.getItem(ds))),a=Ge(n),i=u=>{localStorage.setItem(ds,JSON.stringify(
u)),s(u)},l=r.some(u=>Ge(u)===a);return t(b,{children:[t("button",{type:"button",disabled:a===""||l,title:a===""?"Choose a filter first":void 0,onClick:()=>i(cs(
r,n)),children:"Save this view"}),r.map(u=>{let c=Ge(u);return t("span",{class:"saved",children:[t("button",{type:"button",class:"chip","aria-pressed":c===a,onClick:()=>o(
u),children:c}),t("button",{type:"button","aria-label":`Forget the view ${c}`,onClick:()=>i(so(r,u)),children:"✕"})]},c)})]})}var Ql=["quoted","ordered","verified","signed"],Zl={deposit:"deposited",voucher:"solver deposited",payout:"paid out"},eu={quoting:0,creating:1,verifying:2,"awai\
ting-approval":3,allowing:3,"gasless-signing":3,"deposit-planning":3,"deposit-signing":3,"deposit-sending":4,"gasless-submitting":4,"deposit-confirming":4,"gasl\
ess-confirming":4,funded:5,revealing:6,revealed:6,"redeem-reported":6,completed:7};function ps(e){let{state:n,deposited:o,parts:r=Zl}=e,s=[...Ql,r.deposit,r.voucher,
r.payout],a=eu[n]??(o?5:3),i=["completed","refunded","rejected","abandoned"].includes(n),l=Je(n),u=s[a];return t("svg",{class:`steps ${l}`,viewBox:"0 0 69 6",role:"\
img","aria-label":i||u===void 0?`${a} of ${s.length} stages`:`${a} of ${s.length} stages, next: ${u}`,children:s.map((c,d)=>t("rect",{class:d<a?"passed":d===a&&
!i?"next":"track",x:d*10,width:"9",height:"6",rx:"1"},c))})}var tu=[{name:"all",query:""},{name:"needs you",query:"state=awaiting-approval"},{name:"open",query:"open=true"},{name:"held",query:"state=held"},{name:"complet\
ed",query:"state=completed"},{name:"refunded",query:"state=refunded"},{name:"rejected",query:"state=rejected"}],gs={"24 h":1,"7 days":7,"30 days":30,"1 year":365},
nu=864e5,fs=50,hs="",ou=60;function ys({overview:e}){let[n,o]=v(oo),[r,s]=v([]),a=bs(n),i=r.at(-1),l=E(`orders?${a}&limit=${fs}${i===void 0?"":`&cursor=${i}`}`),
u=Y(null);u.current=l.value??u.current;let c={...l,value:u.current};return t(b,{children:[t(J,{children:"Orders"}),t(ru,{filter:n,onChange:p=>{o(f=>({...f,...p})),
s([])},overview:e.value,rows:u.current?.orders??[]}),t(F,{live:c,children:({orders:p,next:f})=>t("section",{class:"card",children:[a===""?null:t(is,{query:a}),t(
ao,{orders:p.map(m=>({...m,since:m.updatedAt,left:null})),none:a===""?t(Ve,{what:"No order yet",overview:e.value}):"No order matches."}),t(iu,{first:r.length*fs,
count:p.length,onNewer:r.length===0?null:()=>s(r.slice(0,-1)),onOlder:f===null?null:()=>s([...r,f])})]})})]})}function bs({state:e,rule:n,pair:o,service:r,since:s,
text:a}){let[i="",l=""]=o.split(" "),u=gs[s],c={rule:n,from:i,to:l,service:r,since:u===void 0?"":`${new Date(Date.now()-u*nu).toISOString().slice(0,16)}:00Z`,text:a.
trim().toLowerCase()};return[...e===""?[]:[e],...Object.entries(c).filter(([,d])=>d!=="").map(([d,p])=>`${d}=${encodeURIComponent(p)}`)].join("&")}function ru(e){
let{filter:n,onChange:o,overview:r,rows:s}=e,a=E("flows",6e4).value,i=[...(r?.rules??[]).map(({id:c})=>c),...(a?.rules??[]).map(({name:c})=>c),...s.map(({rule:c})=>c)],
l=[...a?.pairs??[],...s].map(({from:c,to:d})=>`${c} ${d}`),u=[...(r?.services??[]).map(({name:c})=>c),...(a?.services??[]).map(({name:c})=>c).filter(c=>c!=="non\
e yet"),...s.flatMap(({service:c})=>c??[])];return t("div",{class:"filters",children:[t("fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"\
Show"}),tu.map(({name:c,query:d},p)=>t("button",{type:"button","data-key":p===0?"filter":void 0,"aria-pressed":d===n.state,onClick:()=>o({state:d}),children:c},
c))]}),t(Qt,{name:"Any time",value:n.since,values:Object.keys(gs),isSorted:!0,onChange:c=>o({since:c})}),t(Qt,{name:"Every rule",value:n.rule,values:i,onChange:c=>o(
{rule:c})}),t(Qt,{name:"Every pair",value:n.pair,values:l,say:ro,onChange:c=>o({pair:c})}),t(Qt,{name:"Every service or route",value:n.service,values:u,onChange:c=>o(
{service:c})}),t(su,{text:n.text,onChange:c=>o({text:c})}),t(au,{query:bs(n)}),t(ms,{filter:n,onChange:o})]})}function su(e){let{text:n,onChange:o}=e,r=Y(0),s=Y(
null);return L(()=>{s.current!==null&&r.current===0&&(s.current.value=n)},[n]),t("label",{children:[t("span",{class:"hidden",children:"Search by order, rule or \
asset"}),t("input",{ref:s,type:"search",placeholder:"Order, rule or asset",onInput:({currentTarget:{value:a}})=>{clearTimeout(r.current),r.current=window.setTimeout(
()=>{r.current=0,o(a)},ou)}})]})}function au({query:e}){let[n,o]=v("Export CSV");return t("button",{type:"button","data-key":"export",onClick:()=>{as(e,s=>o(`${s}\
 orders…`)).then(()=>o("Export CSV"),s=>o(s instanceof P?s.message:"The export failed"))},children:n})}function iu(e){let{first:n,count:o,onNewer:r,onOlder:s}=e;
return t("p",{class:"pages",children:[t("span",{class:"quiet keys",children:[t("kbd",{children:"j"})," ",t("kbd",{children:"k"})," move ",t("kbd",{children:"o"}),
" open ",t("kbd",{children:"f"})," filter ",t("kbd",{children:"e"})," export"]}),t("span",{class:"quiet",children:o===0?"":`${n+1}–${n+o}`}),t("button",{type:"\
button",disabled:r===null,onClick:()=>r?.(),children:"Newer"}),t("button",{type:"button",disabled:s===null,onClick:()=>s?.(),children:"Older"})]})}function Qt(e){
let{name:n,value:o,values:r,isSorted:s=!1,say:a=u=>u,onChange:i}=e,l=[...new Set([...o===hs?[]:[o],...r])];return t("label",{children:[t("span",{class:"hidden",
children:n}),t("select",{value:o,onChange:u=>i(u.currentTarget.value),children:[t("option",{value:hs,children:n}),(s?r:l.toSorted()).map(u=>t("option",{value:u,
children:a(u)},u))]})]})}var lu=["Opened","Order","Sends","From → to","Receives","Value","Cost","Stage","State","Took","Rule"];function ao({orders:e,none:n,few:o=!1}){
return e.length===0?t(K,{children:n}):t("table",{class:o?"orders few":"orders",children:[t("caption",{class:"hidden",children:"Orders"}),t("thead",{children:t("\
tr",{children:lu.map(r=>t("th",{scope:"col",children:r},r))})}),t("tbody",{children:e.map(r=>t(uu,{order:r},r.id))})]})}function uu({order:e}){let{id:n,from:o,to:r,
state:s,fiat:a,costFiat:i=null,costBps:l=null}=e;return t("tr",{children:[t("td",{children:t(A,{at:e.createdAt})}),t("td",{children:t("a",{href:`#/orders/${n}`,
class:"id","data-row":!0,children:n.slice(0,8)})}),t("td",{class:"number",children:t(I,{amount:e.amount,asset:o,chain:!1})}),t("td",{children:[t(te,{id:o})," ",
t("span",{class:"quiet",children:"→"})," ",t(te,{id:r})]}),t("td",{class:"number",children:e.destinationAmount===null?"–":t(I,{amount:e.destinationAmount,asset:r,
chain:!1})}),t("td",{class:"number",title:a??void 0,"data-exact":a??void 0,children:a===null?"–":k(a)}),t("td",{class:"number",title:i===null?void 0:`${i} usd`,
children:l===null?"–":`${l} bps`}),t("td",{children:[t(ps,{state:s,deposited:e.deposited,parts:e.route}),e.route===void 0?null:t("small",{class:"block",children:zt(
e.route)})]}),t("td",{title:e.money,children:[t(Xt,{state:s}),e.left===null?null:t("small",{class:"block",children:[e.left," left"]})]}),t("td",{children:t(cu,{
order:e})}),t("td",{class:"rule",children:e.rule})]})}function cu({order:{createdAt:e,since:n,outcome:o}}){let r=H(),s=o!=null,a=s?Date.parse(n):r;return t("tim\
e",{dateTime:e,title:s?`${e} to ${n}`:`since ${e}`,children:X(Math.max(0,a-Date.parse(e)))})}var du="Nothing is ordered before you have seen the quote and typed the amount.";function _s(e){let n=(e.overview.value?.treasury??[]).map(({asset:y})=>y),[o,r]=v(
""),[s,a]=v(""),[i,l]=v(""),[u,c]=v(null),[d,p]=v(null),[f,m]=v(!1);function h(y){y(),c(null)}async function g(y){y.preventDefault(),m(!0),c(null),p(null);try{c(
await mu({from:o,to:s,amount:i}))}catch(w){p(w instanceof P?w.message:"The page failed")}m(!1)}return t(b,{children:[t(J,{note:du,children:"New swap"}),t("div",
{class:"grid even",children:[t(S,{title:"Request",children:[t("form",{class:"fields",onSubmit:g,children:[t(ws,{label:"Send",id:"swap-from",value:o,assets:n,onChoose:y=>h(
()=>r(y))}),t(pu,{asset:o,value:i,onType:y=>h(()=>l(y))}),t(ws,{label:"Receive",id:"swap-to",value:s,assets:n,onChoose:y=>h(()=>a(y))}),t("button",{type:"submit",
class:"main",disabled:o===""||s===""||i===""||f,children:f?"Asking…":"Get a quote"})]}),d===null?null:t("p",{class:"notice bad",role:"alert",children:d})]}),u===
null?null:t(fu,{quote:u,desk:e})]})]})}async function mu(e){return await q("GET",`quote?${new URLSearchParams(e)}`)}function pu(e){let n=e.asset===""?"":`, in ${C(
e.asset).symbol}`;return t(b,{children:[t("label",{for:"swap-amount",children:["Amount",n]}),t("input",{id:"swap-amount",inputMode:"decimal",autocomplete:"off",
value:e.value,onInput:({currentTarget:o})=>e.onType(o.value.trim())})]})}function ws(e){return t(b,{children:[t("label",{for:e.id,children:e.label}),t("select",
{id:e.id,value:e.value,onChange:n=>e.onChoose(n.currentTarget.value),children:[t("option",{value:"",children:"Choose an asset"}),e.assets.map(n=>t("option",{value:n,
children:[C(n).symbol," on ",C(n).chain]},n))]})]})}function fu({quote:e,desk:n}){let o={title:"Order this swap?",word:e.amount,button:"Order the swap",path:"sw\
ap",body:{from:e.from,to:e.to,amount:e.amount},onDone:r=>{location.hash=`#/orders/${r.id}`},children:t(b,{children:[t("p",{children:["Send ",t(I,{amount:e.amount,
asset:e.from})," and receive about"," ",t(I,{amount:e.receive,asset:e.to}),"."]}),t(vs,{sentences:e.worstCase})]})};return t(S,{title:"Quote",note:e.refused.length===
0?t(W,{tone:"good",children:"the guards allow it"}):t(W,{tone:"bad",children:"refused"}),children:[t("p",{class:"big",children:t(I,{amount:e.receive,asset:e.to})}),
t(gu,{quote:e}),t(vs,{sentences:e.worstCase}),t(ae,{reasons:e.refused.map(r=>n.known.humane(r,e))}),t("div",{class:"actions",children:e.refused.length===0?t(de,
{change:o,scope:"operate",scopes:n.scopes,main:!0}):null})]})}function hu({deposit:e,refund:n,redeem:o}){return o===void 0?`${e}; for a refund ${n}`:`${e}; for \
our own redemption ${o}`}function gu({quote:e}){return t("dl",{class:"pairs",children:[t("div",{children:[t("dt",{children:"Cost"}),t("dd",{children:[ee(e.costBps),
e.sendsFiat===null||e.receivesFiat===null?"":`: ${k(e.sendsFiat)} for ${k(e.receivesFiat)}`]})]}),t("div",{children:[t("dt",{children:"Service and solver"}),t("\
dd",{children:[e.service??"none"," ",e.solver===null?null:t(ie,{hash:e.solver,what:"the solver's id"})]})]}),t("div",{children:[t("dt",{children:"Network fees a\
t most"}),t("dd",{children:e.fees===null?"cannot be estimated now":t(D,{text:hu(e.fees)})})]}),t("div",{children:[t("dt",{children:"Approval"}),t("dd",{children:e.
needsApproval?"a person must approve the order":"not needed"})]})]})}function vs({sentences:e}){return t("div",{class:"notice warn",children:[t("b",{children:"T\
he worst case"}),t("ul",{children:e.map(n=>t("li",{children:t(D,{text:n})},n))})]})}var yu=1500,ks="ballast.keys";function io(){return localStorage.getItem(ks)!=="off"}function Ss(e){localStorage.setItem(ks,e?"on":"off")}function xs(e){let n=Y(
e);n.current=e,L(()=>{let o="",r=0,s=a=>{if((a.ctrlKey||a.metaKey)&&a.key.toLowerCase()==="k"){a.preventDefault(),n.current["/"]?.();return}if(a.ctrlKey||a.metaKey||
a.altKey||!io()||bu(a))return;let i=`${o} ${a.key}`,l=Date.now()-r<yu&&i in n.current,u=n.current[l?i:a.key];o=l?"":a.key,r=Date.now(),u!==void 0&&u()!==!1&&a.preventDefault()};
return document.addEventListener("keydown",s),()=>document.removeEventListener("keydown",s)},[])}function bu({target:e}){return document.querySelector("dialog[o\
pen]")!==null?!0:e instanceof Element&&e.closest("input, select, textarea")!==null}function dt(e){let n=[...document.querySelectorAll("main [data-row]")],o=n.findIndex(
s=>s.matches(":focus")),r=n[o===-1?e===1?0:n.length-1:o+e];return r?.focus(),r?.scrollIntoView({block:"nearest"}),n.length>0}function Oe(e){let n=document.querySelector(
`[data-key="${e}"]`);return n?.focus(),n instanceof HTMLButtonElement&&n.click(),n!==null}function $s(){let{activeElement:e}=document;e instanceof HTMLElement&&
e.dataset.row!==void 0&&e.click()}function Os(e,n){let o=r=>Math.abs(Number(n(r)??0));return e.toSorted((r,s)=>+(s.level==="trouble")-+(r.level==="trouble")||o(s)-o(r)||(r.deadline??"~").localeCompare(
s.deadline??"~"))}function Cs({overview:e,summary:n}){let o=a=>wu(n,a),r=Os(e.tasks,o),s=e.problems.filter(({needsPerson:a})=>!a);return r.length+s.length===0?t(S,{title:"Needs y\
ou",children:t("p",{class:"quiet",children:["✓ Nothing. ",e.verdict]})}):t(S,{title:r.length>0?"Needs you":"Worth knowing",note:r.length>1?"most at stake firs\
t":void 0,children:t("ul",{class:"plain tasks",children:[...r,...s].map(a=>t(ku,{problem:a,stake:o(a),stops:vu(a)&&e.pause===null},`${a.code} ${a.sentence}`))})})}
function wu(e,{order:n,about:o,code:r}){return n!==null?e?.open.find(s=>s.order===n)?.fiat??null:r!==Es?null:e?.assets.find(({asset:s})=>s===o)?.unbookedFiat??null}
var Es="books.difference";function vu({code:e,kind:n}){return e===Es||n==="theft"}var _u={trouble:"✕",attention:"▲"};function ku(e){let{problem:n,stake:o,stops:r}=e,
{level:s,sentence:a,meaning:i,todo:l,deadline:u,left:c,needsPerson:d}=n,p=d?Zt(n):null;return t("li",{class:s,children:[t("span",{class:"shape","aria-hidden":"t\
rue",children:_u[s]}),t("div",{children:[t("p",{children:[t("b",{children:t(D,{text:a})}),o===null?null:t("span",{class:"stake",children:k(o)})]}),t("p",{class:"\
note",children:[i," ",t(D,{text:l}),d?null:" (ends by itself)"]}),t(lo,{problem:n})]}),u===null&&p===null&&!r?null:t("p",{class:"do",children:[u===null?null:t("\
span",{children:["Time left: ",t("b",{children:c})]}),r?t("button",{type:"button",class:"stop",onClick:()=>Oe("pause"),children:"Pause everything"}):null,p===null?
null:t("a",{class:r?"button":"button main",href:p.href,"data-row":!0,children:p.name})]})]})}function lo({problem:e}){let{command:n,needsPerson:o}=e;return n===
null||o&&Zt(e)!==null?null:t("details",{class:"small",children:[t("summary",{children:"On the daemon's machine"}),t("p",{class:"hash",children:[t("code",{children:n}),
t(lt,{text:n,what:"the command"})]})]})}function Zt({order:e,kind:n,about:o}){return e!==null&&n==="approval"?{name:"Review",href:`#/orders/${e}/approve`}:e!==null?
{name:"Open the order",href:`#/orders/${e}`}:n==="rule"||n==="pause"&&o?.startsWith("rule ")===!0?{name:"Open the rules",href:"#/rules"}:n==="limit"?{name:"Open\
 the limits",href:"#/limits"}:n==="gas"?{name:"Open the treasury",href:"#/treasury"}:n==="books"?{name:"Open the books",href:"#/books"}:null}var Su="An alarm is open as long as its cause lasts. A pause by an alarm ends when a person acknowledges it (Resume, on the overview).";function Ms({overview:e}){
let n=E("alerts?limit=100",1e4);return t(b,{children:[t(J,{note:Su,children:"Alarms"}),t(F,{live:n,children:o=>{let r=o.alerts.filter(({closed:i})=>i===null),s=e.
value?.problems??[],a=o.alerts.filter(({closed:i})=>i!==null);return t(b,{children:[t(S,{title:r.length===0?"No alarm is open":`${r.length} open`,wide:!0,children:r.
length===0?t(K,{children:"Nothing needs you here."}):t(Ts,{alerts:r,problems:s})}),a.length===0?null:t(S,{title:"Over",note:`${a.length} of the last 100`,wide:!0,
children:t(Ts,{alerts:a})})]})}})]})}function Ts({alerts:e,problems:n=[]}){return t("ul",{class:"plain alarms",children:e.map(({at:o,order:r,reason:s,closed:a})=>t(
"li",{children:[t("p",{children:[t(W,{tone:a===null?"bad":"calm",children:a===null?"open":`over after ${X(Date.parse(a)-Date.parse(o))}`})," ",t("b",{title:s.code,
children:t(D,{text:s.message})})]}),t("p",{class:"line quiet",children:[t("span",{title:o,children:M(o)}),t(A,{at:o}),r===null?null:t("a",{href:`#/orders/${r}`,
children:["Order ",r.slice(0,8)]})]}),t(xu,{problem:n.find(i=>i.code===s.code&&i.order===r)})]},`${o} ${s.code} ${r}`))})}function xu({problem:e}){if(e===void 0)
return null;let{meaning:n,todo:o}=e,r=Zt(e);return t(b,{children:[t("p",{children:[n," ",t(D,{text:o})]}),r===null?null:t("a",{class:"button",href:r.href,children:r.
name}),t(lo,{problem:e})]})}function en(e){return t("figure",{class:"calls",children:[t("svg",{viewBox:"0 0 144 12",role:"img","aria-label":e.words,children:e.marks.map(({kind:n,path:o,title:r},s)=>t(
"path",{class:n,d:o,transform:`translate(${s*6} 0)`,children:t("title",{children:r})},r))}),t("figcaption",{children:e.words})]})}function uo(e){let n=e.reduce((a,i)=>a+i.failed,0),o=e.reduce((a,i)=>a+i.answered,n);if(o===0)return"no call in 24 h";let{fault:r=null}=e.findLast(a=>a.fault!==
null)??{},s=`${o} call${o===1?"":"s"}`;return n===0?`${s}, all answered`:`▲ ${s}, ${n} failed: ${r}`}var As=36e5,Rs=24;function co({hours:e}){let n=Math.floor(H()/As)-Rs+1,o=Array.from({length:Rs},(r,s)=>{let a=(n+s)*As,i=e.find(({at:u})=>Date.parse(u)===a),l=i===
void 0?"no call":uo([i]);return{...$u(i),title:`${M(new Date(a).toISOString())}: ${l}`}});return t(en,{marks:o,words:uo(e)})}function $u(e){return e===void 0?{kind:"\
none",path:"M0 11h5v1h-5z"}:e.failed===0?{kind:"well",path:"M0 0h5v12h-5z"}:{kind:"ill",path:"M0 6h5v6h-5z"}}function Ps({overview:e}){let n=E("settings",6e4);return t(b,{children:[t(J,{note:"What Ballast may still sell, and what it has used.",children:"Limits"}),t(F,{
live:e,children:({limits:o})=>{let r=({used:s,unit:a})=>Number(s)===0&&a.includes(":");return t("div",{class:"grid even",children:[o.filter(s=>!r(s)).toSorted((s,a)=>a.
percent-s.percent).map(s=>t(Ou,{limit:s},s.name)),t(Cu,{limits:o.filter(r)})]})}}),t(F,{live:n,children:({guards:o})=>t(mo,{guards:o})})]})}function Ou({limit:e}){
let{name:n,used:o,max:r,left:s,unit:a,percent:i}=e,l=`${i}% used`;return t(S,{title:Ns(n),note:i>=80?t(W,{tone:i>=100?"bad":"warn",children:l}):l,children:[t("p",
{class:"big",children:[fo(s,a)," ",t("small",{children:"left"})," ",t(se,{amount:s,asset:a})]}),t(Jt,{percent:i,label:l}),t("p",{class:"note",children:[po(o,r,a),
" used"]})]})}function Cu({limits:e}){return e.length===0?null:t(S,{title:"Not used yet",children:t("dl",{class:"pairs",children:e.map(({name:n,left:o,unit:r})=>t(
"div",{children:[t("dt",{children:Ns(n)}),t("dd",{children:[fo(o,r)," left ",t(se,{amount:o,asset:r})]})]},n))})})}function mo({guards:e}){return t(S,{title:"Ev\
ery guard",note:"as the configuration in force says",wide:!0,children:t("dl",{class:"pairs",children:e.map(({guard:n,means:o})=>t("div",{children:[t("dt",{children:t(
"code",{children:n})}),t("dd",{children:t(D,{text:Eu(o)})})]},n))})})}function po(e,n,o){return o==="usd"?`${k(e)} of ${k(n)}`:`${O(e)} of ${fo(n,o)}`}function fo(e,n){
return n==="usd"?k(e):`${O(e)} ${n.includes(":")?C(n).symbol:n}`}function Eu(e){let n=e.split(", ").map(s=>s.split(" ")),[[o=""]=[]]=n;return n.length>1&&n.every(
([s,a="",...i])=>s===o&&a.includes(":")&&i.length===0)?`${o} of each asset`:e}function Ns(e){let[n=""]=e.split(" ");if(!n.includes(":"))return e.slice(0,1).toUpperCase()+
e.slice(1);let{symbol:o,chain:r}=C(n);return`${o} on ${r}${e.slice(n.length)}`}var Ds=864e5,Tu=100;function tn(e,n){return n.length>=Tu?[]:n.map(o=>({rule:e,at:o}))}function nn(e,n,o=[],r=Date.now()){let s=n.flatMap(({id:i,deadline:l,ends:u})=>{
let c=`#/orders/${i}`;return l===null?[]:[{at:l,kind:"end",words:`${i.slice(0,8)}: ${u}`,href:c}]});return[...e.map(({rule:i,at:l})=>({at:l,kind:"run",words:`${i}\
 runs`,href:`#/decisions/${encodeURIComponent(i)}`})),...s,...o].filter(({at:i})=>Date.parse(i)>=r&&Date.parse(i)<=r+Ds).toSorted((i,l)=>Date.parse(i.at)-Date.parse(
l.at))}function Fs(e,n,o){return e.flatMap(({asset:r,amount:s,bounds:a})=>{let i=n.find(h=>h.asset===r),[l]=a;if(s===null||i===void 0||l===void 0)return[];let u=Number(
i.in)-Number(i.out),c=u<0?l.min:l.max;if(u===0||c===null)return[];let d=(Number(c)-Number(s))/u;if(d<0)return[];let{symbol:p,chain:f}=C(r),m=u<0?"below":"above";
return[{at:new Date(o+d*Ds).toISOString(),kind:"likely",words:`${p} on ${f} ${m} its band, likely by the pace of 24 h`,href:`#/decisions/${encodeURIComponent(l.
rule)}`}]})}var mt=16,Ls=864e5,Mu=3,Xs=16,Js={run:{class:"run-tick",path:"M0 -12V0"},end:{class:"mark out",path:"m0 -1 4 -8h-8z"},likely:{class:"mark likely",path:"m-4 -6a4\
 4 0 1 1 8 0a4 4 0 1 1 -8 0z"}};function on(e){let{coming:n,listed:o=!1}=e,[r,s]=Z(),a=H(),i=d=>Math.max(0,s*(d-a)/Ls),l=n.slice(0,Mu).map(({at:d,words:p})=>`${M(
d)} ${p}`),u=n.length-l.length,c=`Next 24 hours: ${l.join(", ")}${u>0?`, ${u} more`:""}`;return t("figure",{class:"chart upcoming",ref:r,children:[t("svg",{width:s,
height:mt+16,role:"img","aria-label":c,children:[t("line",{class:"grid-line",x2:s,y1:mt,y2:mt}),n.map(({at:d,kind:p,words:f})=>t("path",{class:Js[p].class,d:Js[p].
path,transform:`translate(${i(Date.parse(d))} ${mt})`,children:t("title",{children:`${M(d)} ${f}`})},`${d} ${f}`)),ke(a,a+Ls,Math.max(2,Math.floor(s/80))).filter(
({ms:d})=>i(d)>Xs&&i(d)<s-Xs).map(({ms:d,label:p})=>t("text",{x:i(d),y:mt+13,"text-anchor":"middle",children:p},d))]}),o?null:t("figcaption",{class:"note",children:c})]})}var Au=4,Ru=5;function Is({overview:e}){let n=H(),{value:o}=E("rules",3e4),{value:r}=ct("24 h"),s=new Set(e.rules.filter(d=>d.paused).map(({id:d})=>d)),a=(o?.rules??
[]).filter(({id:d})=>!s.has(d)).flatMap(({id:d,upcoming:p})=>tn(d,p)),i=Fs(e.treasury,r?.outside??[],n),l=nn(a,e.orders,i,n),u=l.filter(({kind:d})=>d!=="run").slice(
0,Au),c=e.next.slice(0,Ru).map(({rule:d,at:p})=>({at:p,words:d,href:`#/decisions/${encodeURIComponent(d)}`}));return t(S,{title:"Next 24 hours",link:"#/rules",note:"\
| run ▼ end of a time ○ likely",children:[l.length===0?null:t(on,{coming:l,listed:!0}),u.length+c.length===0?t(K,{children:"No rule is due, and no order end\
s."}):null,t("dl",{class:"pairs",children:[...u,...c].map(d=>t(Pu,{coming:d},`${d.at} ${d.words}`))})]})}function Pu({coming:{at:e,words:n,href:o}}){return t("d\
iv",{children:[t("dt",{children:t("a",{href:o,children:n})}),t("dd",{children:t(A,{at:e})})]})}var pt="ballast.looked",Nu=864e5;function Bs({problems:e}){let n=H(),[o,r]=v(Xu);L(()=>sessionStorage.setItem(pt,o),[o]),L(()=>{let f=()=>localStorage.setItem(pt,
new Date().toISOString());return addEventListener("pagehide",f),()=>removeEventListener("pagehide",f)},[]);let{value:s}=E(`summary?since=${o}`,1e4);if(s===null)
return t(S,{title:"Since you last looked",children:t("p",{class:"quiet",children:"Reading…"})});let{swaps:a,alarms:i,missed:l}=s,u=f=>a.counts[f]??0,c=u("reje\
cted")+u("abandoned"),d=l.reduce((f,m)=>f+m.runs,0),p=()=>{let f=new Date(n).toISOString();localStorage.setItem(pt,f),r(f)};return t(S,{title:"Since you last lo\
oked",note:t(A,{at:o}),children:[t(Du,{swaps:a}),t("ul",{class:"plain small",children:[t(ho,{count:u("refunded"),one:"order refunded",many:"orders refunded"}),t(
ho,{count:c,one:"order ended without a swap",many:"orders ended without a swap"}),t(ho,{count:d,one:"planned run came to no swap",many:"planned runs came to no \
swap"}),t(Lu,{alarms:i.filter(f=>!e.some(m=>Fu(m,f)))}),i.length+c+d+u("refunded")===0?t("li",{class:"quiet",children:"✓ No refund, no refusal, no missed run, n\
o alarm"}):null]}),t("p",{class:"line",children:[t("button",{type:"button",onClick:p,children:"Mark as seen"}),t("a",{href:"#/alarms",children:["All alarms",i.length>
3?` (${i.length})`:""]})]})]})}function Du({swaps:e}){let{orders:n,volumeFiat:o,costFiat:r,costBps:s,slowest:a}=e;return t("dl",{class:"facts pair",children:[t(
"div",{children:[t("dt",{children:"Orders"}),t("dd",{children:n})]}),t("div",{children:[t("dt",{children:"Moved"}),t("dd",{children:t(j,{fiat:o})})]}),t("div",{
children:[t("dt",{children:["Cost",s===null?"":`, ${s} bps`]}),t("dd",{children:t(j,{fiat:r})})]}),t("div",{children:[t("dt",{children:"Slowest"}),t("dd",{children:a==
null?"–":t("a",{href:`#/orders/${a.order}`,children:X(a.ms)})})]})]})}function Fu(e,{code:n,order:o}){return e.code===n&&e.order===o}function Lu({alarms:e}){let n=H();
return t(b,{children:e.slice(0,3).map(({at:o,sentence:r,order:s})=>t("li",{children:[t("span",{"aria-hidden":"true",children:"▲"})," ",s===null?t(D,{text:r}):
t("a",{href:`#/orders/${s}`,children:t(D,{text:r})})," ",t("small",{title:o,children:M(o,n)})]},`${o} ${r}`))})}function ho(e){return e.count===0?null:t("li",{children:[
t("span",{"aria-hidden":"true",children:"▲"})," ",e.count," ",e.count===1?e.one:e.many]})}function Xu(){return sessionStorage.getItem(pt)??localStorage.getItem(
pt)??new Date(Date.now()-Nu).toISOString()}function Ks({overview:e}){let{value:n}=E("summary",5e3);return t(F,{live:e,children:o=>t(b,{children:[t(Hu,{overview:o}),n===null?t(We,{}):t(Ar,{overview:o,summary:n}),
t("div",{class:"grid overview",children:[t("div",{class:"column",children:[t(Cs,{overview:o,summary:n}),n===null?t(We,{}):t(qt,{overview:o,summary:n}),t(Bu,{overview:o,
summary:n}),t(Ku,{overview:o})]}),t("div",{class:"column",children:[t(Bs,{problems:o.problems}),t(Ju,{}),t(Is,{overview:o}),t(Wu,{overview:o})]})]})]})})}function Ju(){
let[e,n]=v("24 h"),{value:o}=ct(e);return t("section",{class:"card",children:[t("header",{children:[t("h2",{children:t("a",{href:"#/treasury",children:"Flows"})}),
t(Yn,{range:e,ranges:["24 h","7 d","30 d"],onChange:n})]}),o===null?t("p",{class:"quiet",children:"Reading…"}):t(Iu,{flows:o})]})}function Iu({flows:{chains:e,
total:n}}){return t(b,{children:[t(Kt,{chains:e}),e.length===0?null:t(b,{children:[t("p",{class:"note",children:[t(j,{fiat:n.volumeFiat})," in ",n.completed," s\
wap",n.completed===1?"":"s",n.costBps===null?"":`, ${n.costBps} bps`]}),t("details",{class:"small",children:[t("summary",{children:"The same as a table"}),t(Vt,
{chains:e})]})]})]})}var Us=6;function Bu({overview:{orders:e},summary:n}){let o=e.slice(0,Us).map(r=>{let s=n?.open.find(a=>a.order===r.id);return{...r,deposited:s?.
deposited??!1,createdAt:s?.requestedAt??r.since,fiat:s?.fiat??null}});return t(S,{title:"Orders in flight",link:"#/orders",children:[t(ao,{orders:o,few:!0,none:"\
No order is in flight."}),e.length<=Us?null:t("p",{class:"rest",children:t("a",{href:"#/orders",children:["All ",e.length," orders in flight"]})})]})}var Uu={ok:"\
All is well",attention:"Needs attention",trouble:"Trouble"};function Hu({overview:e}){let{level:n,mode:o,pause:r}=e;return t("section",{class:`verdict ${n}`,"ar\
ia-label":"Verdict",children:t("h1",{tabIndex:-1,children:[Uu[n]," · ",o??"unknown"," mode",r===null?"":" · paused"]})})}var Hs=80;function Wu({overview:e}){let n=e.
limits.toSorted((a,i)=>i.percent-a.percent),o=n.filter(({percent:a})=>a>=Hs).slice(0,3),r=n.find(({name:a})=>a.startsWith("fees in ")),s=r===void 0||o.includes(
r)?o:[...o,r];return t(S,{title:"Limits used",link:"#/limits",children:[o.length>0?null:t("p",{class:"quiet",children:["✓ None above ",Hs," %; the fullest has\
 ",n[0]?.percent??0," %."]}),s.map(({name:a,used:i,max:l,unit:u,percent:c})=>t("div",{class:"limit",children:[t("p",{children:[t(D,{text:a})," ",t("span",{class:"\
quiet",children:po(i,l,u)})]}),t(Jt,{percent:c,label:`${a}: ${c}%`})]},a))]})}var Ws={good:"good",slow:"warn",degraded:"warn",resting:"warn",silent:"bad",failing:"\
bad",unknown:"calm"};function Ku({overview:e}){let{nodes:n,services:o}=e;return t(S,{title:"Nodes and services",children:t("dl",{class:"pairs two",children:[n.map(
({chain:r,state:s,lastAnswer:a,endpoints:i,needed:l})=>t("div",{children:[t("dt",{children:[U(r)," ",t("details",{class:"small",children:[t("summary",{children:[
i.length," node",i.length===1?"":"s",", ",l," must agree"]}),i.map(({host:u,hours:c})=>t("div",{children:[u,t(co,{hours:c})]},u))]})]}),t("dd",{children:[t(A,{at:a}),
" ",t(W,{tone:Ws[s]??"calm",children:s})]})]},r)),o.map(({name:r,state:s,lastAnswer:a,inFlight:i,hours:l})=>t("div",{children:[t("dt",{children:["Service ",r," ",
t("small",{children:[i," in flight"]}),t(co,{hours:l})]}),t("dd",{children:[t(A,{at:a})," ",t(W,{tone:Ws[s]??"calm",children:s})]})]},r))]})})}var Vu=2e4;function go({scope:e,paused:n,scopes:o,children:r}){let s=H(),[a,i]=v(null),[l,u]=v(null),c=He("operate",o),d=a===null?0:a+Vu-s;async function p(f){try{
await Ie(f,e),u(null),i(f==="pause"?Date.now():null),pe()}catch(m){m instanceof P&&u(m)}}return t("span",{class:"actions",children:[l===null?null:t("span",{class:"\
notice bad",role:"alert",children:l.message}),n&&d>0?t("button",{type:"button",onClick:()=>{p("resume")},children:["Undo (",Math.ceil(d/1e3)," s)"]}):n?r:t("but\
ton",{type:"button",class:"stop","data-key":e.rule===void 0?"pause":void 0,disabled:c!==null,title:c??"No new order and no new deposit. Orders that have deposit\
ed go on.",onClick:()=>{p("pause")},children:"Pause"})]})}function Vs({overview:e,scopes:n}){return t(go,{scope:{},paused:e.pause!==null,scopes:n,children:null})}
function js(e){let{overview:n,scopes:o}=e;if(n===null||n.pause===null)return null;let{by:r,at:s,reason:a}=n.pause;return t("section",{class:"notice warn pause-n\
ote","aria-label":"Paused",children:[t("p",{children:["▲ ",t("b",{children:"Paused"})," by ",r," ",t(A,{at:s}),a===null||r==="alarm"?".":`: ${a}.`," No new or\
der and no new deposit; orders under way go on."]}),t(ju,{overview:n,scopes:o})]})}function ju({overview:e,scopes:n}){let o=e.pause?.alarms??[],[r,s]=v([]),a={title:"\
Resume?",word:"resume",button:"Resume",path:"resume",body:{acknowledge:r},children:o.length===0?t("p",{children:"Rules make orders again at their next time."}):
t("fieldset",{children:[t("legend",{children:"Acknowledge each alarm that you have dealt with"}),o.map(({id:i,message:l})=>t("label",{class:"check",children:[t(
"input",{type:"checkbox",checked:r.includes(i),onChange:u=>{let c=r.filter(d=>d!==i);s(u.currentTarget.checked?[...c,i]:c)}}),l]},i))]})};return t(de,{change:a,
scope:"operate",scopes:n})}function ft(e){return[...Map.groupBy(e,qu).values()].flatMap(o=>o.slice(0,1).map(r=>[r,o.length]))}function qu({outcome:e,refused:n,...o}){let{rules:r,from:s,to:a,
destination:i,kind:l,amount:u}=o,d=e!=null&&"order"in e?"order":e;return JSON.stringify({rules:r,from:s,to:a,destination:i,kind:l,amount:u,refused:n,result:d})}
function rn(e){return e===1?"":`${e} times `}function qs(e){return[...Map.groupBy(e,({rule:o,verdict:r,reasons:s,proposals:a})=>JSON.stringify([o,r,s.map(({code:i})=>i),a.map(({from:i,to:l})=>[i,l])])).values()]}function sn(){let{value:e}=E("rules",6e4);return n=>yo(e?.rules.find(({id:o})=>o===n)??{})}function yo({from:e,to:n}){return typeof e=="string"&&typeof n=="stri\
ng"?{from:e,to:n}:null}var Gu="Why did a rule do something, or nothing? The same outcome is one line; a rule's own list has each decision.",zu=100;function Ys({detail:e,overview:n,known:o}){
let r=e===null?"":`rule=${encodeURIComponent(e)}&`,s=E(`decisions?${r}limit=${zu}`,1e4),a=sn();return t(b,{children:[t(J,{note:Gu,children:e===null?"Decisions":
`Decisions of ${e}`}),t("nav",{class:"filters","aria-label":"Rules",children:[t("a",{class:"chip",href:"#/decisions","aria-current":e===null?"page":void 0,children:"\
all rules"}),(n.value?.rules??[]).map(({id:i})=>t("a",{class:"chip",href:`#/decisions/${encodeURIComponent(i)}`,"aria-current":i===e?"page":void 0,children:i},i))]}),
t(F,{live:s,children:i=>t("section",{class:"card",children:[i.decisions.length===0?t(K,{children:t(Ve,{what:"No decision yet",overview:n.value})}):null,e===null||
i.decisions.length===0?null:t(Qu,{rule:e}),(e===null?qs(i.decisions):i.decisions.map(l=>[l])).map(l=>t(Yu,{group:l,known:o,pairOf:a},l[0]?.id))]})})]})}function Yu(e){
let[n,...o]=e.group;if(n===void 0)return null;let r=o.reduce((s,a)=>s+a.times,0);return t(b,{children:[t(Gs,{decision:n,known:e.known,pairOf:e.pairOf}),o.length===
0?null:t("details",{class:"others",children:[t("summary",{children:[r," more like this, since ",M(o.at(-1)?.at??n.at)]}),o.map(s=>t(Gs,{decision:s,known:e.known,
pairOf:e.pairOf},s.id))]})]})}function Gs({decision:e,known:n,pairOf:o}){let{id:r,at:s,lastAt:a,times:i,rule:l,verdict:u,reasons:c,proposals:d,orders:p}=e,f=o(l)??
d[0]??null;return t("article",{class:"proposal",children:[t("p",{class:"line",children:[t("b",{title:s,children:M(s)}),t("a",{href:`#/decisions/${encodeURIComponent(
l)}`,children:l}),t(W,{tone:u==="proposed"?"good":"calm",children:u==="proposed"?"proposed":"did nothing"}),i>1?t("span",{class:"quiet",children:[i," times, las\
t ",t(A,{at:a})]}):null]}),ft(d).map(([m,h])=>t("p",{class:"line",children:[rn(h),t(I,{amount:m.amount,asset:m.from}),t(se,{amount:m.amount,asset:m.from})," →",
" ",t(I,{amount:m.receive,asset:m.to}),m.cost===null?null:t("span",{class:"quiet",children:["cost ",k(m.cost)]})]},`${m.from} ${m.to} ${m.amount}`)),t(ae,{reasons:c.
map(m=>n.humane(m,f))}),t("div",{class:"line quiet",children:[p.map(m=>t("a",{href:`#/orders/${m}`,children:["Order ",m.slice(0,8)]},m)),t(ec,{decision:r,known:n})]})]})}
function Qu({rule:e}){let[n,o]=v(null);return t("div",{class:"proposal","aria-live":"polite",children:n===null||n==="asking"?t("button",{type:"button",disabled:n!==
null,onClick:()=>{o("asking"),q("GET",`rules/${encodeURIComponent(e)}/why`).catch(a=>a).then(o)},children:n===null?"Explain the last decision":"Reading the book\
s…"}):n instanceof P?t("p",{class:"notice bad",children:n.message}):t(Zu,{decision:n.decisions[0]??null})})}function Zu(e){let{proposals:n=[],changes:o=[]}=e.
decision??{},r=[...ft(n).flatMap(([{explained:s=[]}])=>s),...o.map(s=>`It proposes (more) when ${s}.`)];return r.length===0?t("p",{class:"quiet",children:"There\
 is no more to say than its reasons."}):t("ul",{class:"plain",children:r.map(s=>t("li",{children:t(D,{text:s})},s))})}function ec({decision:e,known:n}){let[o,r]=v(
null);return t(b,{children:[t("button",{type:"button",onClick:()=>{q("GET",`decisions/${encodeURIComponent(e)}/replay`).catch(i=>i).then(r)},"aria-label":`Repla\
y ${e}`,children:"Replay"}),t("div",{"aria-live":"polite",children:o===null?null:t(tc,{replay:o,known:n})})]})}function tc({replay:e,known:n}){if(e instanceof P)
return t("p",{class:"notice bad",children:e.message});let{same:o,again:r,stored:s}=e;return o?t("p",{class:"notice",children:[t(W,{tone:"good",children:"same de\
cision"})," The stored inputs give the stored result again."]}):t("div",{class:"notice bad",children:[t("p",{children:[t("b",{children:"Another decision."})," T\
he stored inputs give another result now."]}),t("div",{class:"grid even",children:[t(zs,{name:"Stored",of:s,known:n}),t(zs,{name:"Now",of:r,known:n})]})]})}function zs({
name:e,of:n,known:o}){let r=n.proposals,s=r[0]??null;return t("section",{"aria-label":e,children:[t("h3",{children:e}),r.map(({from:a,to:i,units:l})=>t("p",{children:[
"Sell ",t(I,{amount:o.amountOf(l,a),asset:a})," for ",t(D,{text:i})]},`${a} ${i} ${l}`)),t(ae,{reasons:[...r.flatMap(({why:a})=>a),...n.reasons].map(a=>o.humane(
a,s)),none:"No reason."})]})}var nc="What the rules would do if every rule decided now. Looking at it changes nothing.";function Qs({known:e}){let n=E("plan",15e3),o=sn();return t(b,{children:[
t(J,{note:nc,children:"Plan"}),t(F,{live:n,children:({at:r,proposals:s,declined:a,paused:i,plan:l,mode:u})=>t(b,{children:[(i??[]).map(c=>t("p",{class:"notice w\
arn",children:t(D,{text:c})},c)),u==="observe"?t("p",{class:"notice warn",children:"Observe mode: Ballast records decisions and makes no order."}):null,t(S,{title:s.
length===0?"Nothing to swap now":`${s.length} swap${s.length===1?"":"s"}`,note:t(b,{children:["computed ",t(A,{at:r}),l.cost===null||s.length===0?"":`, cost abo\
ut ${k(l.cost)}`]}),wide:!0,children:[s.length===0?t(K,{children:"Each rule says below why it asks for nothing."}):null,ft(s).map(([c,d])=>t(rc,{proposal:c,times:d,
known:e},oc(c)))]}),t("div",{class:"grid even",children:a.map(({rule:c,reasons:d})=>t(S,{title:c,link:`#/decisions/${encodeURIComponent(c)}`,children:t(ae,{reasons:d.
map(p=>e.humane(p,o(c))),none:"It proposes a swap."})},c))})]})})]})}function oc({rules:e,from:n,to:o,amount:r}){return`${e.join()} ${n} ${o} ${r}`}function rc({
proposal:e,times:n,known:o}){let{amount:r,from:s,receive:a,to:i,rules:l,cost:u,why:c,refused:d,explained:p=[]}=e;return t("article",{class:"proposal",children:[
t("p",{class:"line",children:[rn(n),t(I,{amount:r,asset:s})," ",t(se,{amount:r,asset:s})," →"," ",t(I,{amount:a,asset:i}),d.length===0?t(W,{tone:"good",children:"\
would be ordered"}):t(W,{tone:"bad",children:"refused"}),t("span",{class:"quiet",children:[l.join(", "),u===null?"":` · cost ${k(u)}${n>1?" each":""}`]})]}),p.
map(f=>t("p",{class:"quiet",children:f},f)),t(ae,{reasons:[...c,...d].map(f=>o.humane(f,e))})]})}var an={swap:"swapped",nothing:"nothing to do",refused:"refused",missed:"missed"};function Zs(e){let n=s=>e.filter(({outcome:a})=>s===null||a===s).reduce((a,{times:i})=>a+
i,0),r=Object.keys(an).filter(s=>n(s)>0).map(s=>`${n(s)} ${an[s]}`);return e.length===0?"no run yet":`Last ${n(null)} run${n(null)===1?"":"s"}: ${r.join(", ")}`}var sc={swap:"M0 0h5v12h-5z",nothing:"M0 5h5v2h-5z",refused:"M2.5 1l2.5 10h-5z",missed:"M0 2l5 8m0 -8l-5 8"};function ea(e){let n=e.runs.map(o=>{let{at:r,lastAt:s,
times:a,outcome:i}=o,l=[`${M(s)}: ${an[i]}`,...a>1?[`${a} times since ${M(r)}`]:[],...i==="swap"?[]:[e.whyOf(o)]];return{kind:i,path:sc[i],title:l.join(", ")}});
return t(en,{marks:n,words:Zs(e.runs)})}var ac=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function ta(e,n){let o=e.trim().split(/\s+/),r=o.length===6?o:["0",...o],[s="0",
a="",i="",l="",u="",c=""]=r,p=[l,u,c].every(h=>h==="*")&&i==="*"?ic(s,a):null;if(p!==null)return`runs ${p}`;let f=u==="*"?lc(l,c):null,m=s==="0"&&ht(i)&&ht(a);return f===
null||!m?`runs at ${e} (${n})`:`runs ${f} at ${bo(i)}:${bo(a)} (${n})`}function ic(e,n){return n==="*"&&ln(e)!==null?`every ${ln(e)} s`:e!=="0"?null:ln(n)!==null?
`every ${ln(n)} min`:ht(n)?`each hour at :${bo(n)}`:null}function lc(e,n){return e==="*"&&n==="*"?"each day":e==="*"&&ht(n)?`each ${ac[Number(n)%7]}`:n==="*"&&ht(
e)?`on day ${e} of each month`:null}function ln(e){return/^\*\/(\d+)$/.exec(e)?.[1]??null}function ht(e){return/^\d+$/.test(e)}function bo(e){return e.padStart(
2,"0")}function un(e,n){let{kind:o}=e,r=l=>String(e[l]??""),s=l=>n.speak(r(l)),a=(l,u)=>{let c=l==null?null:n.amountOf(String(l),u);return c===null?"any":O(c)},i=typeof e.
everyMs=="number"?`looks each ${X(e.everyMs)}`:ta(r("schedule"),r("timezone"));if(o==="recurring")return`Swaps ${uc(e.amount,u=>a(u,r("from")))} of ${s("from")}\
 to ${s("to")}; ${i}.`;if(o==="band"){let[l,u,c]=["minUnits","targetUnits","maxUnits"].map(f=>a(e[f],r("asset"))),d=wo(", bought with",e.sources,n)+wo(", sold f\
or",e.sinks,n),p=`between ${l} and ${c}, with ${u} as the target`;return`Keeps ${s("asset")} ${p}${d}; ${i}.`}if(o==="sweep"){let l=a(e.keepUnits,r("from"));return`\
Swaps all of ${s("from")} above ${l} to ${s("to")}; ${i}.`}if(o==="gas"){let l=`the network fees of ${r("days")} days and of ${r("orders")} orders`,u=wo(", boug\
ht with",e.sources,n);return`Keeps ${l} in ${s("asset")}${u}; ${i}.`}if(o==="weights"){let l=vo(e.toleranceBps);return`Keeps ${cc(e.weights,n)} within ${l}; ${i}\
.`}return`A rule of the kind ${o}; ${i}.`}function uc(e,n){let o=e;return o?.kind==="share"?vo(o.bps):o?.kind==="fiat"?`${k(String(Number(o.fiat)/1e6))} worth`:
n(o?.units)}function vo(e){return`${Number(e)/100}%`}function wo(e,n,{speak:o}){let s=(Array.isArray(n)?n:[]).map(a=>typeof a=="string"?a:String(na(a)));return s.
length===0?"":`${e} ${s.map(o).join(" or ")}`}function na(e){return e?.asset}function cc(e,{speak:n}){return(Array.isArray(e)?e:[]).map(r=>{let{bps:s}=r;return`${vo(
s)} in ${n(String(na(r)))}`}).join(", ")}function oa({overview:e,scopes:n,known:o}){let r=E("rules",3e4),s=E("flows",3e4);return t(b,{children:[t(J,{note:"Each rule with its last decision, and why it d\
ecided so.",children:"Rules"}),t(F,{live:e,children:({rules:a,orders:i})=>t("div",{class:"grid even",children:[a.map(l=>t(dc,{rule:l,flights:i.filter(u=>u.rule===
l.id),scopes:n,fields:r.value?.rules.find(({id:u})=>u===l.id)??null,known:o,week:s.value?.rules.find(({name:u})=>u===l.id)??null},l.id)),a.length===0?t(K,{children:"\
The configuration has no rules."}):null]})})]})}function dc({rule:e,flights:n,scopes:o,fields:r,known:s,week:a}){let{id:i,kind:l,paused:u,verdict:c,reasons:d}=e,
p=nn(tn(i,r?.upcoming??[]),n),f={title:`Resume the rule ${i}?`,word:"resume",button:"Resume",path:"resume",body:{rule:i},children:t("p",{children:"The rule deci\
des again at its next time."})};return t(S,{title:i,note:ce(l),link:`#/decisions/${encodeURIComponent(i)}`,children:[r===null?null:t("p",{class:"sentence",children:un(
r,s)}),t(mc,{rule:e,inFlight:n.length}),r===null?null:t(ea,{runs:r.runs,whyOf:({reasons:m})=>m.map(h=>s.humane(h,yo(r)).message).join("; ")}),p.length===0||u?null:
t(on,{coming:p}),a===null?null:t("p",{class:"quiet",children:["In 7 days: ",a.completed," of ",a.orders," orders completed ·"," ",t(j,{fiat:a.volumeFiat})," mo\
ved · ",t(j,{fiat:a.costFiat})," cost",a.costBps===null?"":`, ${a.costBps} bps`]}),t("p",{children:c===null?t("span",{class:"quiet",children:"It has not decide\
d yet."}):c==="proposed"?t("b",{children:"It proposed a swap."}):t("b",{children:"It did nothing, because:"})}),t(ae,{reasons:d}),t("div",{class:"actions",children:[
t(go,{scope:{rule:i},paused:u,scopes:o,children:t(de,{change:f,scope:"operate",scopes:o})}),t("a",{class:"button",href:`#/decisions/${encodeURIComponent(i)}`,children:"\
All decisions"}),t("a",{class:"button",href:`#/simulate/${encodeURIComponent(i)}`,children:"Try a change"})]})]})}function mc({rule:e,inFlight:n}){let{enabled:o,
paused:r,next:s,last:a}=e;return t("p",{class:"line",children:[o?r?t(W,{tone:"warn",children:"paused"}):t(W,{tone:"good",children:"on"}):t(W,{tone:"calm",children:"\
not enabled"}),t("span",{children:["Next: ",t(A,{at:s})]}),t("span",{children:["Last: ",t(A,{at:a})]}),n===0?null:t("span",{children:[n," in flight"]})]})}function pc(e,n,o){if(!e)throw new Ae({code:"bug.assertion",disposition:"bug",message:n,...o?{details:o}:{}})}function ra(e,n){return pc(e!=null,`${n} is missin\
g`),e}function fc(e){let n=aa(e);return{p5:gt(n,5),p50:gt(n,50),p95:gt(n,95)}}function sa(e){let n=aa(e);return{...fc(n),p25:gt(n,25),p75:gt(n,75)}}function aa(e){return e.
toSorted((n,o)=>n<o?-1:n>o?1:0)}function gt(e,n){let o=Math.max(0,Math.ceil(e.length*n/100)-1);return ra(e[o],"a value")}var ze=120,z=56,la=52,bt={high:ze,left:z,right:la},_o=20,mn=["as it is","changed"];function pn(e,n,o,r){let s=e.subjects[n]??{points:[],bound:null},{bottom:a,top:i}=hc(
e.subjects),l=r-la,u=Math.max(1,s.points.length-1),c=w=>Ce(z+(l-z)*w/u),d=w=>Ce(Math.max(0,Math.min(ze,ze-ze*(w-a)/(i-a)))),p=w=>s.points.map((_,x)=>`${c(x)} ${d(
w(_))}`),f=(w,_)=>`M${[...p(x=>x[_]),...p(x=>x[w]).toReversed()].join("L")}Z`,m=Math.min(...s.points.map(({p5:w})=>w)),h=Math.max(...s.points.map(({p95:w})=>w)),
g=e.asset.split(":")[1]?.toUpperCase()??"",y=Pe(a,i,3);return{width:r,height:ze+_o,words:`Simulated balance over ${he(o)}, nine of ten runs: ${O(String(m))} to ${O(
String(h))} ${g}`,marks:[...gc(s.bound,d,l),...y.flatMap(w=>[Ye("grid-line",d(w),l),fe(z-6,d(w)+4,Q(w,(y[1]??0)-(y[0]??0)),"end")]),...ua(o,ze,l),{tag:"path",tone:"\
fan",at:{d:f("p5","p95")}},{tag:"path",tone:"half",at:{d:f("p25","p75")}},{tag:"path",tone:"line-a",at:{d:`M${p(({p50:w})=>w).join("L")}`}}]}}function hc(e){let n=e.
flatMap(({points:a,bound:i})=>[...a.flatMap(({p5:l,p95:u})=>[l,u]),...i===null?[]:[Number(i.min),Number(i.target)]]),o=Math.min(...n),r=Math.max(...n),s=(r-o)*.1||
r*.05||1;return{bottom:Math.max(0,o-s),top:r+s}}function gc(e,n,o){if(e===null)return[];let r=e.max===null?0:n(Number(e.max)),s=n(Number(e.min)),a=n(Number(e.target)),
i=Math.max(0,s-r);return[{tag:"rect",tone:"band-area",at:{x:z,y:r,width:o-z,height:i}},Ye("edge",s,o),Ye("goal",a,o),fe(o+6,s+4,"min","start"),...s-a<12?[]:[fe(
o+6,a+4,"target","start")],...r===0||a-r<12?[]:[Ye("edge",r,o),fe(o+6,r+4,"max","start")]]}var cn=30,yt=62,yc=40;function fn(e,n,o){let r=e.map(({costs:h})=>h.map(
g=>Number(g)/1e6)),s=Math.min(...r.flat()),a=Math.max(...r.flat()),i=a-s||1,l=o-14,u=h=>Ce(z+(l-z)*(h-s)/i),c=h=>Math.min(cn-1,Math.floor((h-s)/i*cn)),d=r.map(h=>Array.
from({length:cn},(g,y)=>h.filter(w=>c(w)===y).length)),p=Math.max(1,...d.flat()),f=r.map(h=>sa(h).p50),m=(l-z)/cn;return{width:o,height:yt*r.length+_o,words:`Co\
st of ${he(n)} in ${r[0]?.length??0} runs, the middle one: `+f.map((h,g)=>`${mn[g]} ${ia(h)}`).join(", "),marks:[...d.flatMap((h,g)=>{let y=yt*(g+1),w=f[g]??0,_=u(
w),x=_>(z+l)/2;return[...h.flatMap((T,$)=>{let G=Ce(yc*T/p),N={x:Ce(z+$*m+.5),y:y-G},ue={width:Ce(m-1),height:G},_t=g===0&&r.length>1?"bar-b":"bar-a";return T===
0?[]:[{tag:"rect",tone:_t,at:{...N,...ue}}]}),Ye("grid-line",y,l),fe(0,y-4,mn[g]??"","start"),{tag:"line",tone:"edge",at:{x1:_,x2:_,y1:y-yt+8,y2:y}},fe(_+(x?-5:
5),y-yt+17,`median ${ia(w)}`,x?"end":"start")]}),...Pe(s,a).map(h=>fe(u(h),yt*r.length+15,`$${Q(h)}`,"middle"))]}}var dn=26;function hn(e,n,o){let r=o-14,s=dn*e.
length;return{width:o,height:s+_o,words:`When the middle run would swap in ${he(n)}: `+e.map(({swapDays:a},i)=>`${mn[i]} ${a.length} times`).join(", "),marks:[...e.
flatMap(({swapDays:a},i)=>[Ye("grid-line",dn*(i+1),r),fe(0,dn*(i+1)-4,mn[i]??"","start"),...a.map(l=>{let u=Ce(z+(r-z)*l/n),c=dn*(i+1);return{tag:"line",tone:"r\
un-tick",at:{x1:u,x2:u,y1:c-16,y2:c}}})]),...ua(n,s,r)]}}function ua(e,n,o){return[0,.5,1].map(r=>fe(z+(o-z)*r,n+15,`${Math.round(r*e*10)/10} d`,"middle"))}function Ye(e,n,o){
return{tag:"line",tone:e,at:{x1:z,x2:o,y1:n,y2:n}}}function fe(e,n,o,r){return{tag:"text",tone:"label",at:{x:Ce(e),y:n,"text-anchor":r},text:o}}function he(e){return`${e}\
 day${e===1?"":"s"}`}function ia(e){return k(e.toFixed(2))}function Ce(e){return Math.round(e*10)/10}function da({plots:e,subjects:n,days:o}){let r=e.filter(l=>l.subjects.some(({points:u})=>u.length>0)),s=n.length*(gn+De)-De,a=[...r.flatMap((l,u)=>n.map((c,d)=>({
title:l.asset,drawing:pn(l,d,o,gn),x:d*(gn+De),y:u*yn}))),{title:`Cost of ${he(o)}: each column counts runs`,drawing:fn(n,o,s),x:0,y:r.length*yn},{title:"When i\
t would swap: the middle run",drawing:hn(n,o,s),x:0,y:(r.length+1)*yn}];return[`<svg xmlns="http://www.w3.org/2000/svg" ${`width="${s+2*De}" height="${ca+(r.length+
2)*yn}"`} font-family="sans-serif" font-size="11">`,'<rect width="100%" height="100%" fill="#ffffff"/>',...n.map(({name:l},u)=>`<text x="${De+u*(gn+De)}" y="26"\
 font-weight="bold">${bn(l)}</text>`),...a.map(({title:l,drawing:u,x:c,y:d})=>`<g transform="translate(${c+De} ${d+ca})"><text x="0" y="-10" ${ma.label}>${bn(l)}\
</text>${bc(u)}</g>`),`</svg>
`].join(`
`)}var gn=560,De=32,ca=60,yn=190,ma={fan:'fill="#2456c9" fill-opacity="0.16"',half:'fill="#2456c9" fill-opacity="0.28"',"line-a":'fill="none" stroke="#2456c9" s\
troke-width="1.6" stroke-linejoin="round"',"band-area":'fill="#dceee9"',edge:'stroke="#3f8f7b"',goal:'stroke="#3f8f7b" stroke-dasharray="4 3"',"grid-line":'stro\
ke="#e5e8ec"',"bar-a":'fill="#2456c9"',"bar-b":'fill="#7d8997"',"run-tick":'stroke="#2456c9" stroke-width="1.6"',label:'fill="#4d5866"'};function bc({words:e,marks:n}){
return`<title>${bn(e)}</title>${n.map(wc).join("")}`}function wc({tag:e,tone:n,at:o,text:r=""}){let s=Object.entries(o).map(([a,i])=>` ${a}="${i}"`);return`<${e}\
 class="${n}" ${ma[n]}${s.join("")}>${bn(r)}</${e}>`}function bn(e){return e.replace(/[&<>"]/g,n=>`&#${n.charCodeAt(0)};`)}function wt(e){let[n,o]=Z(),{width:r,height:s,words:a,marks:i}=e.draw(o);return t("figure",{class:"chart",ref:n,children:[t("svg",{width:r,height:s,role:"img","\
aria-label":a,children:i.map(({tag:l,tone:u,at:c,text:d})=>To(l,{key:JSON.stringify([l,u,c]),class:u,...c},d))}),e.over?.(r),t("figcaption",{class:"note",children:a})]})}function pa(e){let{plot:n,subject:o,days:r,title:s}=e,a=n.subjects[o]?.points??[],i=Math.max(1,a.length-1),{symbol:l}=C(n.asset),u=c=>{let d=a[c];if(d===void 0)
return"no run";let[p,f,m,h]=[d.p5,d.p25,d.p75,d.p95].map(y=>O(String(y)));return`day ${Math.round(10*r*c/i)/10} · half ${f} to ${m} · nine of ten ${p} to ${h}\
 ${l}`};return t(wt,{draw:c=>pn(n,o,r,c),over:c=>t(Se,{of:"fan",label:`${s}: ${l} on a day`,last:i,high:bt.high,at:d=>({x:bt.left+(c-bt.left-bt.right)*d/i,words:u(
d)})})})}function wn({parts:e,shown:n,label:o}){return t("nav",{class:"filters tabs","aria-label":o,children:e.map(({id:r,name:s})=>t("a",{class:"chip",href:`#/${r}`,"ar\
ia-current":r===n?"page":void 0,children:s},r))})}var vc={band:[["min","minUnits","Refill below","asset"],["target","targetUnits","Refill or drain to","asset"],["max","maxUnits","Drain above","asset"],["least",
"leastUnits","Smallest order","asset"]],sweep:[["keep","keepUnits","Keep","from"],["least","leastUnits","Smallest order","from"]]};function fa(e,n){let s=[...(vc[e.
kind]??[]).map(([a,i,l,u])=>{let c=e[i]??null,d=c===null?null:n.amountOf(String(c),String(e[u]));return{key:a,label:l,text:d??""}}),..._c(e,n)];return s.length===
0?[]:[...s,{key:"max_cost",label:"Highest cost",text:kc(e.maxCost)}]}function _c(e,n){return e.kind==="weights"?[{key:"tolerance",label:"Tolerance",text:ha(e.toleranceBps)}]:
e.kind==="recurring"?[{key:"amount",label:"Amount",text:Sc(e.amount,String(e.from),n)}]:[]}function kc(e){let n=e;return n?.kind==="share"?`${n.bps}bps`:n?.kind===
"fiat"?ga(n.fiat):""}function Sc(e,n,o){let r=e;return r?.kind==="share"?ha(r.bps):r?.kind==="fiat"?ga(r.fiat):o.amountOf(String(r?.units??0),n)??""}function ha(e){
return`${Number(e)/100}%`}function ga(e){return`${Re(BigInt(String(e)),6)} usd`}function ya(e){let[,n="",o=""]=/^(\d+(?:\.\d+)?)(.*)$/.exec(e)??[],r=Number(n);if(!(r>
0))return null;let s=Math.max(0,2-Math.floor(Math.log10(r))),a=i=>i.toFixed(s).replace(/\.?0+$/,s===0?"$&":"");return{most:2*r,step:10**-s,textOf:i=>`${a(i)}${o}`}}
function ba(e,n){return va(e,n).map(({key:o,text:r})=>`${o}=${r}`).join(",")}function wa(e,n,o){let r=va(n,o).map(({key:s,text:a})=>`    ${s}: "${a}"`);return[`\
  - id: ${e}`,...r].join(`
`)}function va(e,n){return e.flatMap(({key:o,text:r})=>{let s=n[o]?.trim()??"";return s===""||s===r?[]:[{key:o,text:s}]})}var Qe=1e6;function _a(e,n,o){let[r,s]=e.subjects.map(({summary:c})=>c);if(r===void 0||s===void 0)return[];let a=(c,d,p)=>{let f=d(r),m=d(s);return{name:c,now:p(
f),changed:p(m),difference:$c(m-f,p)}},i=c=>k(c.toFixed(2)),l=r.rules.some(c=>c.rule===n),u=a("Time off its goal",c=>So(c,n),ee);return[a("Swaps",({moves:c})=>c.
p50,String),a("Moved",({volumeFiat:c})=>Number(c.p50)/Qe,i),a("Cost",({feesFiat:c})=>Number(c.p50)/Qe,i),a("Of it network fees",({networkFeesFiat:c})=>Number(c.
p50)/Qe,i),a("Cost of what moved",({feesHundredthBps:c})=>Number(c.p50)/100,c=>`${c.toFixed(1)} bps`),a("Refunded",({refunded:c})=>c.p50,String),...l?[u]:[],...e.
plots.map(({asset:c})=>a(`Mean value of ${C(c).symbol} held`,d=>ko(d,c)/Qe,i)),...e.plots.map(({asset:c})=>a(`Lowest ${C(c).symbol}, 19 of 20 runs`,({assets:d})=>{
let p=d.find(f=>f.asset===c)?.lowestUnits.p5??"0";return Number(o.amountOf(p,c))},d=>O(String(d))))]}function ka(e,n,o){let[r,s]=e.subjects.map(({summary:w})=>w);
if(r===void 0||s===void 0)return"The change was not simulated.";let a=s.moves.p50-r.moves.p50,i=(Number(s.feesFiat.p50)-Number(r.feesFiat.p50))/Qe,l=a===0?"As m\
any swaps":`${Math.abs(a)} ${a<0?"fewer":"more"} swap${Math.abs(a)===1?"":"s"}`,u=Math.abs(i)<.005?"the same cost":`${k(Math.abs(i).toFixed(2))} ${i<0?"less":"m\
ore"} cost`,c=e.plots.reduce((w,{asset:_})=>w+ko(s,_)-ko(r,_),0),d=ee(So(r,n)),p=ee(So(s,n)),f=r.rules.every(w=>w.rule!==n)?"":`; the rule is off its goal ${p} \
of the time`+(d===p?", as now":` instead of ${d}`),m=e.comparison?.cheaper===null&&Math.abs(i)>=.005?" The runs do not agree which is cheaper.":"",{days:h}=e.scenario,
g=he(h),y=h<o?` The rules look too often to simulate ${o} days within a minute, so this is of ${g}.`:"";return`${l} and ${u} in ${g}${xc(c/Qe)}${f}.${m}${y}`}function xc(e){
return Math.abs(e)<.01?"":`, ${k(Math.abs(e).toFixed(2))} ${e<0?"less":"more"} held`}function ko({assets:e},n){return Number(e.find(o=>o.asset===n)?.meanFiat.p50??
0)}function So({rules:e},n){return e.find(o=>o.rule===n)?.outsideBps.p50??0}function $c(e,n){let o=n(Math.abs(e));return o===n(0)?"same":`${e<0?"▾":"▴"} ${o}`}var Oc="Runs the rules with and without a change in the same random markets. Nothing is changed: the file is yours to edit.",Cc=[7,30,90],Ec=20;function xa({detail:e,
known:n}){let o=E("rules",6e4);return t(b,{children:[t(J,{note:Oc,children:["Simulate",e===null?"":` ${e}`]}),t(F,{live:o,children:({rules:r})=>{let s=r.map(i=>({
rule:i,keys:fa(i,n)})).filter(({keys:i})=>i.length>0),a=e===null?s[0]:s.find(({rule:i})=>i.id===e);return t(b,{children:[t(wn,{parts:s.map(({rule:{id:i}})=>({id:Sa(
i),name:i})),shown:Sa(a?.rule.id??""),label:"Rule"}),a===void 0?t(K,{children:"This page cannot try a change of such a rule."}):t(Tc,{id:a.rule.id,sentence:un(a.
rule,n),keys:a.keys,known:n},a.rule.id)]})}})]})}function Sa(e){return`simulate/${encodeURIComponent(e)}`}function Tc(e){let{id:n,sentence:o,keys:r,known:s}=e,[
a,i]=v({}),[l,u]=v(30),[c,d]=v(null),p=ba(r,a),f=async h=>{h.preventDefault(),d("asking"),d(await Ac(n,p,l,wa(n,r,a)))},m=c===null||c==="asking"||c instanceof P?
null:c;return t(b,{children:[t("div",{class:"grid","aria-live":"polite",children:m===null?null:t(Rc,{id:n,result:m,isOld:m.change!==p})}),t(S,{title:"The change",
wide:!0,children:[t("p",{class:"sentence",children:o}),t("form",{class:"fields trial",onSubmit:f,children:[r.map(h=>t(Mc,{of:h,value:a[h.key]??h.text,onValue:g=>i(
{...a,[h.key]:g})},h.key)),t("div",{class:"line",children:[Cc.map(h=>t("button",{type:"button",class:"chip","aria-pressed":h===l,onClick:()=>u(h),children:[h," \
days"]},h)),t("button",{type:"submit",class:"main",disabled:p===""||c==="asking",children:c==="asking"?"Simulating…":"Simulate"})]})]}),c instanceof P?t("p",{
class:"notice bad",role:"alert",children:c.message}):null]}),m===null?null:t(Dc,{id:n,result:m,known:s})]})}function Mc(e){let{of:{key:n,label:o,text:r},value:s,
onValue:a}=e,i=ya(r),l=r===""?"not set":r;return t("div",{children:[t("label",{for:`try-${n}`,children:[o," ",t("span",{class:"quiet",children:[s===r?r===""?l:`\
now ${r}`:`${l} → `,s===r?null:t("b",{children:s})]})]}),t("input",{id:`try-${n}`,autocomplete:"off",value:s,onInput:({currentTarget:u})=>a(u.value)}),i===null?
null:t("input",{type:"range","aria-label":`Slider: ${o}`,min:"0",max:i.most,step:i.step,value:Number.parseFloat(s),onInput:({currentTarget:u})=>a(i.textOf(u.valueAsNumber))})]})}
async function Ac(e,n,o,r){let s=new URLSearchParams({rule:e,change:n,days:String(o),seeds:String(Ec)});try{let a=await q("GET",`simulate?${s}`);return{change:n,
text:r,askedDays:o,found:a}}catch(a){if(a instanceof P)return a;throw a}}function Rc(e){let{id:n,result:o,isOld:r}=e,{found:s,askedDays:a,text:i}=o;return t("se\
ction",{class:"card wide","aria-label":"What the change would do",children:[r?t("p",{class:"notice warn",children:"This is of the change before; simulate again."}):
null,t("div",{class:"verdict-line",children:[t("p",{class:"sentence",children:t("b",{children:ka(s,n,a)})}),t("span",{class:"actions",children:[t("button",{type:"\
button","data-key":"export",onClick:()=>Nc(n,s),children:"Export SVG"}),t(Pc,{text:i})]})]}),t("p",{class:"note",children:[s.seeds.count," runs in random market\
s, the same for both. The real one is another."]})]})}function Pc({text:e}){let[n,o]=v(!1);return t("button",{type:"button",class:"main",onClick:()=>{navigator.
clipboard?.writeText(e).then(()=>o(!0))},children:n?"Copied: it goes into the file":"Copy this change"})}function Nc(e,{plots:n,subjects:o,scenario:{days:r}}){Yt(
`simulate-${e}.svg`,"image/svg+xml",da({plots:n,subjects:o,days:r}))}function Dc(e){let{id:n,result:o,known:r}=e,{found:s,text:a}=o,{days:i}=s.scenario,{subjects:l}=s;
return t("div",{class:"grid halves",children:[s.plots.flatMap(u=>["As it is","With the change"].map((c,d)=>t(S,{title:c,note:`${C(u.asset).symbol} · half, and n\
ine of ten runs`,children:t(pa,{plot:u,subject:d,days:i,title:c})},`${u.asset} ${c}`))),t(S,{title:`Cost of ${he(i)}`,note:"each column counts runs",children:[t(
wt,{draw:u=>fn(l,i,u)}),t("h3",{children:"When it would swap"}),t(wt,{draw:u=>hn(l,i,u)})]}),t(S,{title:"Side by side",note:"the middle run",children:t(Fc,{compared:_a(
s,n,r)})}),t(S,{title:"For the file",note:t(lt,{text:a,what:"the change"}),wide:!0,children:[t("pre",{class:"file",children:a}),t("p",{class:"note",children:["T\
hen ",t("code",{children:"ballast check"})," and ",t("code",{children:"ballast reload"}),"."]})]})]})}function Fc({compared:e}){return t(ne,{caption:"The rules \
as they are and with the change",figures:!0,columns:["","As it is","Changed","Difference"],rows:e.map(({name:n,now:o,changed:r,difference:s})=>({key:n,cells:[n,
o,r,s]}))})}var Lc="The configuration that the daemon has in force now. To change it, edit the file and reload; no secret is shown here.";function $a({overview:e}){let n=E(
"settings",6e4);return t(b,{children:[t(J,{note:Lc,children:"Settings"}),t(F,{live:n,children:o=>t("div",{class:"grid even",children:[t(S,{title:"Daemon",children:t(
Ke,{pairs:[["treasury",o.treasury],["version",e.value?.daemon.version??"unknown"],["configuration",t(ie,{hash:o.configHash,what:"the hash of the configuration"},
"hash")],...o.settings.map(({name:r,means:s})=>[r,s])]})}),t(S,{title:"Chains",children:t(Ke,{pairs:o.chains.map(({chain:r,family:s,nativeCoin:a,endpoints:i,agree:l})=>[
U(r),`${s}, coin ${a.symbol}, ${i} node${i===1?"":"s"} of which ${l} must agree`])})}),t(S,{title:"Services and access",children:t(Ke,{pairs:[...o.services.map(
({name:r,host:s})=>[`service ${r}`,s]),...o.tokens.map(({name:r,scopes:s})=>[`token ${r}`,s.join(", ")])]})}),t(mo,{guards:o.guards})]})})]})}var Xc=[["g h","Overview"],["g t","Treasury"],["g o","Orders"],["g r","Rules"],["g s","Simulate"],["g ,","Settings"],["/ or Ctrl K","Find or do"],["j k, ↓ ↑",
"Next and previous line of a list, or task"],["o, Enter","Open it"],["a","Approve; elsewhere, the most urgent approval"],["f","Filter"],["e","Export"],["p p","P\
ause everything"],[".","Times as clock times, or as ages"],["?","This list"]];function Oa({onClose:e}){let[n,o]=v(io);return t($e,{labelledBy:"key-help",onClose:e,
children:[t("h2",{id:"key-help",children:"Keys"}),t("dl",{class:"pairs",children:Xc.map(([r,s])=>t("div",{children:[t("dt",{children:t("kbd",{children:r})}),t("\
dd",{children:s})]},r))}),t("label",{class:"check",children:[t("input",{type:"checkbox",checked:n,onChange:({currentTarget:{checked:r}})=>{Ss(r),o(r)}}),"Single\
 keys act outside of fields"]}),t("footer",{children:t("button",{type:"button",onClick:e,children:"Close"})})]})}function Ca(e,n,o){let r=n.toLowerCase().split(/\s+/),s=e.filter(({name:l})=>r.every(u=>l.toLowerCase().includes(u))),[a=""]=/^[0-9a-f]{32}$/.exec(n.trim())??[],
i={name:`Order ${a}`,act:()=>o(a)};return(a===""?s:[i,...s]).slice(0,9)}function Ea(e){let{commands:n,onClose:o}=e,r=_e(),[s,a]=v(""),[i,l]=v(0),u=Ca(n,s,e.onOrder),c=p=>{p!==void 0&&(o(),p.act())},d=p=>{let f={ArrowDown:1,ArrowUp:-1}[p.
key];f!==void 0&&(p.preventDefault(),l((i+f+u.length)%Math.max(u.length,1))),p.key==="Enter"&&(p.preventDefault(),c(u[i]))};return t($e,{class:"palette",label:"\
Find or do",onClose:o,children:[t("input",{type:"text",role:"combobox","aria-label":"Find or do","aria-expanded":"true","aria-controls":r,"aria-activedescendant":u.
length===0?void 0:`${r}-${i}`,placeholder:"A view, an order, a rule, an act",value:s,autocomplete:"off",spellcheck:!1,onInput:p=>{a(p.currentTarget.value),l(0)},
onKeyDown:d}),t("div",{id:r,role:"listbox","aria-label":"Found",children:u.map((p,f)=>t("button",{type:"button",id:`${r}-${f}`,role:"option",tabIndex:-1,"aria-s\
elected":f===i,onClick:()=>c(p),children:[p.name,p.keys===void 0?null:t("kbd",{children:p.keys})]},p.name))}),u.length===0?t("p",{class:"empty",children:"Nothin\
g has these words."}):null]})}var Jc={overview:"M2.5 7.5 8 3l5.5 4.5M4 7v6h3v-3.5h2V13h3V7",orders:"M2 5.5h10m-2.5-3 3 3-3 3M14 10.5H4m2.5-3-3 3 3 3",treasury:"M2.5 3h11v9h-11zM4 12v1.5M12 1\
2v1.5M8 5.5a2 2 0 1 0 .01 0",rules:"M2 4.5h3m3 0h6M6.5 3v3M2 11.5h6m3 0h3M9.5 10v3",simulate:"M2.5 2.5v11h11M5 10.5l2.5-3 2 1.5 3.5-5",settings:"M8 5.5a2.5 2.5 \
0 1 0 .01 0M8 1.5v2m0 9v2m6.5-6.5h-2m-9 0h-2M12.6 3.4l-1.4 1.4m-6.4 6.4-1.4 1.4m0-9.2 1.4 1.4m6.4 6.4 1.4 1.4",find:"M7 2.5a4.5 4.5 0 1 0 .01 0M10.3 10.3 14 14",
pause:"M5.5 3v10M10.5 3v10"};function vn({name:e}){return t("svg",{class:"icon",viewBox:"0 0 16 16","aria-hidden":"true",children:t("path",{d:Jc[e]})})}function Ta(e){let{overview:n}=e,o={"":n?.tasks.length,orders:n?.orders.length};return t("nav",{class:"side","aria-label":"Views",children:t("div",{class:"rail",
children:[t("a",{class:"brand",href:"#/",children:[t("img",{src:"/icon.svg",alt:"",width:"26",height:"26"}),t("span",{children:["Ballast",t("small",{children:e.
treasury??""})]})]}),t("ul",{children:e.entries.map(({id:r,name:s,icon:a})=>t("li",{children:t("a",{href:`#/${r}`,"aria-current":r===e.shown?"page":void 0,children:[
t(vn,{name:a}),s,o[r]?t("span",{class:r===""?"count tasks":"count",children:o[r]}):null]})},r))}),n===null?null:t(Ic,{overview:n})]})})}function Ic({overview:{services:e,
nodes:n}}){let o=n.filter(({state:r})=>r!=="good");return t("dl",{class:"pulse",children:[e.map(({name:r,state:s})=>t("div",{children:[t("dt",{children:["Servic\
e ",r]}),t("dd",{children:s==="good"?"✓ good":`▲ ${s}`})]},r)),t("div",{title:o.map(({chain:r,state:s})=>`${U(r)} ${s}`).join(", "),children:[t("dt",{children:"\
Chains"}),t("dd",{children:[o.length===0?"✓":"▲"," ",n.length-o.length," of ",n.length," good"]})]})]})}function Ma(e){let{account:n,overview:o}=e,r=()=>{lr().
then(e.onLeave)};return t("header",{class:"top",children:[t("p",{class:"state",children:o===null?null:t(b,{children:[t("span",{class:`dot ${o.level}`}),o.pause===
null?`${o.mode??"unknown"} mode`:"paused"]})}),t("button",{type:"button",class:"find",onClick:e.onFind,"aria-label":"Find or do","aria-keyshortcuts":"/ Control+\
K",children:[t(vn,{name:"find"}),t("span",{children:"Find or do…"}),t("kbd",{children:"/"})]}),t("a",{class:"button",href:"#/swap",children:"New swap"}),o===null?
null:t(Vs,{overview:o,scopes:n.scopes}),t("a",{class:"button gear",href:"#/settings","aria-label":"Settings",children:t(vn,{name:"settings"})}),t(Bc,{}),n.csrf===
null?null:t("button",{type:"button",onClick:r,title:`Logged in with the token ${n.name}: ${n.scopes.join(", ")}`,children:"Log out"})]})}function Bc(){let[e,n]=v(
localStorage.getItem("ballast.theme")??"system");L(()=>{e==="system"?delete document.documentElement.dataset.theme:document.documentElement.dataset.theme=e,localStorage.
setItem("ballast.theme",e)},[e]);let o={light:"Light",dark:"Dark"}[e]??"Auto",r={system:"light",light:"dark",dark:"system"}[e]??"system";return t("button",{type:"\
button",class:"theme",onClick:()=>n(r),"aria-label":`${o} colours. Change to ${r}`,children:o})}var vt=[{id:"",name:"Overview",icon:"overview",show:Ks},{id:"treasury",name:"Treasury",icon:"treasury",show:Br},{id:"books",name:"Books",icon:"treasury",of:"tre\
asury",show:gr},{id:"orders",name:"Orders",icon:"orders",show:ys},{id:"rules",name:"Rules",icon:"rules",show:oa},{id:"plan",name:"Plan",icon:"rules",of:"rules",
show:Qs},{id:"decisions",name:"Decisions",icon:"rules",of:"rules",show:Ys},{id:"limits",name:"Limits",icon:"rules",of:"rules",show:Ps},{id:"simulate",name:"Simu\
late",icon:"simulate",show:xa},{id:"settings",name:"Settings",icon:"settings",show:$a},{id:"alarms",name:"Alarms",icon:"settings",of:"settings",show:Ms}];function Aa(){
let[e,n]=v("asking"),[o,r]=v(0);return L(()=>{ar().then(n,()=>setTimeout(()=>r(a=>a+1),2e3))},[o]),e==="asking"?t("main",{class:"login",children:t("p",{class:"q\
uiet",children:o===0?"Reading…":"The daemon does not answer. The page tries again every two seconds."})}):e===null?t(pr,{onLogin:n}):t(Uc,{account:e,onLeave:()=>{
cr(),re.loggedOut=!1,n(null)}})}function Uc({account:e,onLeave:n}){let o=E("overview",3e3),r=E("settings",6e4),[s="",a=null,i=null]=mr(),l=Y(!1);L(()=>{let $=new AbortController;
return dr($.signal),document.addEventListener("copy",Gc,{signal:$.signal}),()=>$.abort()},[]);let u=re.loggedOut;L(()=>{u&&n()},[u]);let c=vt.find(({id:$})=>$===
s),d=s==="swap"?"New swap":c?.name??"Not found";L(()=>{document.title=`${d} · Ballast`,l.current&&document.querySelector("h1")?.focus({preventScroll:!0}),l.current=
!0,scrollTo(0,0)},[s,a]);let p=Hc(),f={overview:o,known:At(r.value),scopes:e.scopes,detail:a},m=Qc()&&o.value!==null,[h,g]=v(!1),[y,w]=v(null);return xs(Vc({find:()=>w(
"palette"),help:()=>w("help"),swapTimes:()=>g($=>!$)},o.value)),t(Wc,{known:f.known,prices:p,isStale:m,asClock:h,children:[t("div",{class:"frame",children:[t("b\
utton",{type:"button",class:"skip",onClick:zc,children:"Skip to the content"}),t(Ta,{entries:vt.filter(({of:$})=>$===void 0),shown:c?.of??s,overview:o.value,treasury:r.
value?.treasury??null}),t("div",{class:"body",children:[t(Ma,{account:e,overview:o.value,onFind:()=>w("palette"),onLeave:n}),t(Zc,{overview:o.value,isStale:m}),
t(js,{overview:o.value,scopes:e.scopes}),t("main",{id:"content",tabIndex:-1,children:t(qc,{view:s,detail:a,part:i,desk:f},`${s}/${a}`)})]})]}),y==="palette"?t(Ea,
{commands:jc(o.value,()=>w("help")),onOrder:$=>le(`orders/${$}`),onClose:()=>w(null)}):null,y==="help"?t(Oa,{onClose:()=>w(null)}):null]})}function Hc(){let{value:e}=E(
"summary",3e4);return new Map((e?.assets??[]).flatMap(({asset:n,price:o})=>o===null?[]:[[n,o]]))}function Wc(e){return t(Un.Provider,{value:e.known.speak,children:t(
it.Provider,{value:e.known.chains,children:t(Hn.Provider,{value:e.isStale,children:t(Vn.Provider,{value:e.asClock,children:t(Kn.Provider,{value:e.prices,children:e.
children})})})})})}function Kc(e){let[n]=(e?.tasks??[]).filter(({kind:o,order:r})=>o==="approval"&&r!==null).toSorted((o,r)=>(o.deadline??"~").localeCompare(r.deadline??
"~"));return n===void 0?"":`orders/${n.order}/approve`}function le(e){location.hash=`#/${e}`}function Vc(e,n){return{"g h":()=>le(""),"g t":()=>le("treasury"),"\
g o":()=>le("orders"),"g r":()=>le("rules"),"g s":()=>le("simulate"),"g ,":()=>le("settings"),"p p":()=>Oe("pause"),"/":e.find,"?":e.help,".":e.swapTimes,j:()=>dt(
1),k:()=>dt(-1),ArrowDown:()=>dt(1),ArrowUp:()=>dt(-1),o:$s,a:()=>Oe("approve")||le(Kc(n)),f:()=>Oe("filter"),e:()=>Oe("export")}}function jc(e,n){let o={"":"g \
h",treasury:"g t",orders:"g o",rules:"g r",simulate:"g s",settings:"g ,"};return[...vt.map(({id:r,name:s})=>({name:s,keys:o[r],act:()=>le(r)})),{name:"New swap",
act:()=>le("swap")},{name:"Pause everything",keys:"p p",act:()=>Oe("pause")},{name:"Keys",keys:"?",act:n},...(e?.orders??[]).map(({id:r,from:s,to:a})=>({name:`O\
rder ${r.slice(0,8)} ${s} → ${a}`,act:()=>le(`orders/${r}`)})),...(e?.rules??[]).map(({id:r})=>({name:`Rule ${r}`,act:()=>le(`decisions/${encodeURIComponent(r)}`)}))]}
function qc({view:e,detail:n,part:o,desk:r}){if(e==="orders"&&n!==null)return t(os,{...r,detail:n,opens:o==="approve"});if(e==="swap")return t(_s,{...r});let s=vt.
find(({id:l})=>l===e);if(s===void 0)return t("h1",{tabIndex:-1,children:"There is no such view"});let a=s.of??s.id,i=vt.filter(({id:l,of:u})=>l===a||u===a);return t(
b,{children:[i.length<2?null:t(wn,{parts:i,shown:e,label:"Parts of this view"}),t(s.show,{...r})]})}function Gc(e){let n=getSelection(),[o,r]=[n?.anchorNode,n?.
focusNode].map(s=>s?.parentElement?.closest("[data-exact]")??null);o==null||o!==r||(e.clipboardData?.setData("text/plain",o.dataset.exact??""),e.preventDefault())}
function zc(){document.querySelector("#content")?.focus()}var Yc=1e4;function Qc(){let[e,n]=v(!1);return L(()=>{let o=setInterval(()=>n(re.failing||Date.now()-re.
lastMs>Yc),500);return()=>clearInterval(o)},[]),e}function Zc(e){let{overview:n,isStale:o}=e,r=H();return Xe(()=>{document.body.classList.toggle("old",o)},[o]),
t("div",{role:"status",children:o&&n!==null?t("p",{class:"notice bad stale",children:[t("b",{children:"This is not live."})," The daemon last answered"," ",Mt(new Date(
re.lastMs).toISOString(),r),". You see the state of"," ",M(n.at,r),"."," ",t("button",{type:"button",onClick:pe,children:"Try now"})]}):null})}var Ra=document.querySelector("#app");Ra!==null&&Fo(t(Aa,{}),Ra);
