/*! Ballast's dashboard, made from web/ by `npm run generate`. It contains Preact (MIT), (c) 2015-present Jason Miller. */
var A,In,As,ye,Ut,mt,Bn,ut,Un,Kt,Ht,Hn,He=Symbol.for("pv"),pt={},ft=[],Rs=/^m(i|n|o|s|text|space)$/,Vt=Array.isArray,qt=ft.slice,Oe=Object.assign;function $e(e){
e&&e.parentNode&&e.remove()}function Wn(e,n,o){var r,s,a,i={},l=arguments.length;for(a in n)a=="key"?r=n[a]:a=="ref"&&typeof e!="function"?s=n[a]:i[a]=n[a];return l>
2&&(i.children=l>3?qt.call(arguments,2):o),Ue(e,i,r,s,null)}function Ue(e,n,o,r,s){var a={type:e,props:n,key:o,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:He,__v:s||++In,__i:-1,__u:0};return!s&&A.vnode&&A.
vnode(a),a}function b(e){return e.children}function ct(e,n){this.props=e,this.context=n,this.__g=0}function be(e,n){if(n==null)return e.__&&be(e.__,e.__i+1);for(var o;n<e.
__k.length;n++)if((o=e.__k[n])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:be(e)}function Ps(e){var n,o=e.__v,r=o.__e,s=[],a=[],i=e.__P;
i&&((n=Oe({constructor:He},o)).__v=o.__v+1,A.vnode&&A.vnode(n),jt(i,n,o,e.__n,i.namespaceURI,32&o.__u?[r]:null,s,r||be(o),32&o.__u,a),n.__v=o.__v,n.__.__k[n.__i]=
n,zn(s,n,a),o.__=o.__e=null,n.__e!=r&&Kn(n))}function Kn(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(n){return n&&(e.__e=n.__e)}),
Kn(e)}function Wt(e){(8&e.__g||(e.__g|=8,ye.push(e),mt++))&&Ut==A.debounceRendering||((Ut=A.debounceRendering)||queueMicrotask)(Vn)}function Vn(){try{for(var e,
n=1;ye.length;)ye.length>n&&ye.sort(Bn),e=ye.shift(),n=ye.length,8&e.__g&&Ps(e)}finally{(mt=ye.length)&&(Ut||queueMicrotask)(Vn)}}function qn(e,n,o,r,s,a,i,l,u,c,d){
var p,f,m,h,g,y,w=r.__k||ft,S=n.length;for(u=Ds(o,n,w,u,S),p=0;p<S;p++)(m=o.__k[p])!=null&&(f=~m.__i&&w[m.__i]||pt,m.__i=p,y=jt(e,m,f,s,a,i,l,u,c,d),h=m.__e,(f.
ref!=m.ref||8&f.__u)&&(f.ref&&Gt(f.ref,null,m,f),m.ref&&d.push(m.ref,m.__c||h,m)),g=g||h,4&m.__u?(u=jn(m,u,e,!f.__v),f.__e&&(f.__e=null)):typeof m.type=="functi\
on"&&y!==void 0?u=y:h&&(u=h.nextSibling),m.__u&=-21);return o.__e=g,u}function Ds(e,n,o,r,s){var a,i,l,u,c,d,p,f,m,h=o.length,g=h,y=0,w=0,S=e.__k=Array(s);for(a=
0;a<s;a++)(i=n[a])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=S[a]=Ue(null,i):Vt(i)?i=S[a]=Ue(b,{children:i}):
i.constructor===He&&i.__b?i=S[a]=Ue(i.type,i.props,i.key,i.ref,i.__v):S[a]=i,u=a+y,i.__=e,i.__b=e.__b+1,l=null,~(c=i.__i=Ns(i,o,u,g))&&(g--,(l=o[c])&&(l.__u|=2)),
l&&l.__v?(i.__u|=16,c==u-1?y--:c==u+1?y++:c!=u&&(c>u?y--:y++,w=1)):(~c||(s>h?y--:s<h&&y++),typeof i.type!="function"&&(i.__u|=4))):S[a]=null;if(w){for(d=[],p=[],
a=0;a<s;a++)if((i=S[a])&&16&i.__u){for(y=0,f=d.length;y<f;)d[m=y+f>>1]<i.__i?y=m+1:f=m;d[y]=i.__i,p[a]=y+1}for(y=d.length;a--;)p[a]&&(p[a]==y?y--:S[a].__u|=4)}if(g)
for(a=0;a<h;a++)!(l=o[a])||2&l.__u||(l.__e==r&&(r=be(l)),zt(l,l));return r}function jn(e,n,o,r){var s,a,i,l;if(typeof e.type=="function"){if(e.props.__P)return n;
if(s=e.__k)for(a=0;a<s.length;a++)s[a]&&(s[a].__=e,n=jn(s[a],n,o,!1));return n}for(n&&!n.parentNode&&(n=be(e))&&!n.parentNode&&(n=null),i=e.__e,l=n;l&&l.nodeType==
8;)l=l.nextSibling;for(i!=l&&(!r&&o.moveBefore&&i.parentNode?o.moveBefore(i,n):o.insertBefore(i,n||null)),n=i;(n=n&&n.nextSibling)&&n.nodeType==8&&!n.data.startsWith(
"$s"););return n}function Ns(e,n,o,r){var s,a=e.key,i=e.type,l=n[o],u=l&&!(2&l.__u);if(l===null&&a==null||u&&a==l.key&&i==l.type)return o;if(r>(u?1:0)){for(s=o-1;s>=0;s--)if((l=
n[s])&&!(2&l.__u)&&a==l.key&&i==l.type)return s;for(s=o+1;s<n.length;s++)if((l=n[s])&&!(2&l.__u)&&a==l.key&&i==l.type)return s}return-1}function Jn(e,n,o){o==null&&
(o=""),n[0]=="-"?e.setProperty(n,o):e[n]=o}function lt(e,n,o,r,s){var a,i;if(n=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof r=="string"&&(e.style.
cssText=r=""),r)for(n in r)o&&n in o||Jn(e.style,n);if(o)for(n in o)r&&o[n]==r[n]||Jn(e.style,n,o[n])}else if(n[0]=="o"&&n[1]=="n")typeof o!="function"&&(o=null),
typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[n]=o,o&&r||(i=Ht[n]||(Ht[n]=Ls(n)),(e.__a||(e.__a={}))[n]=Kt,a=n!=(n=n.replace(Un,"$1")),(n=n.slice(2))[0]<"a"&&
(n=n.toLowerCase()),o?e.addEventListener(n,i,a):e.removeEventListener(n,i,a));else{if(s=="http://www.w3.org/2000/svg")n=n.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(n!="width"&&n!="height"&&n!="href"&&n!="list"&&n!="form"&&n!="tabIndex"&&n!="download"&&n!="rowSpan"&&n!="colSpan"&&n!="role"&&n!="popover"&&n in e)
try{return void(e[n]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&n[4]!="-"?e.removeAttribute(n):e.setAttribute(n,n=="popover"&&o==1?"":o)}}function Ls(e){
return function(n){var o=this.__e;if(o){if(o=o[e],n[ut]==null)n[ut]=Kt++;else if(n[ut]<this.__a[e])return;return o(A.event?A.event(n):n)}}}function jt(e,n,o,r,s,a,i,l,u,c){
var d,p,f,m,h,g,y,w,S,x,T,le,he,F,ue,it,ge,xe,ce=n.type;if(n.constructor!==He)return null;128&o.__u&&(u=32&o.__u,d=o.__c.__z)&&(n.__u|=u,p=a=[],d.nodeType==8?l=
dt(d,a):a.push(d),l=a[0]||l),(d=A.__b)&&d(n);e:if(typeof ce=="function"){f=i.length;try{if(w=n.props,S=(d=ce.prototype)&&d.render,x=(d=ce.contextType)&&r[d.__c],
T=d?x?x.props.value:d.__:r,(m=o.__c)?(n.__c=m,2&m.__g&&(m.__g|=1)):(S?n.__c=m=new ce(w,T):(n.__c=m=new ct(w,T),m.constructor=ce,m.render=Fs),x&&x.sub(m),m.state||
(m.state={}),m.__n=r,m.__g|=8,m.__h=[],m.__k=[]),S&&(m.__s||(m.__s=m.state),ce.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=Oe({},m.__s)),Oe(m.__s,ce.getDerivedStateFromProps(
w,m.__s)))),h=m.props,g=m.state,m.__v=n,o.__c){if(w!==h&&S&&!ce.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(w,T),n.__v==o.
__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(w,m.__s,T)===!1){n.__v!=o.__v&&(m.props=w,m.state=m.__s,m.__g&=-9),n.__e=o.__e,n.__k=
o.__k,n.__k.some(function(ee){ee&&(ee.__=n)}),ft.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&i.push(m),l=be(o);break e}m.componentWillUpdate&&m.componentWillUpdate(
w,m.__s,T),S&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(h,g,y)})}else S&&!ce.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),
S&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=T,m.props=w,m.__P=e,m.__g&=-5,le=A.__r,he=S?25:0;do m.__g&=-9,le&&le(n),d=m.render(m.props,m.state=
m.__s,m.context);while(8&m.__g&&++he<25);S&&(ft.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(r=Oe({},r,m.getChildContext())),S&&o.__c&&m.
getSnapshotBeforeUpdate&&(y=m.getSnapshotBeforeUpdate(h,g)),F=d&&d.type===b&&d.key==null?d.props.children:d,w.__P&&(d=l,s=(e=w.__P).namespaceURI,u=a=null,o.props&&
o.props.__P!=e&&(o.__k.some(function(ee){ee&&zt(ee,ee)}),o.__k=null),l=o.__k?be(o,0):null),l=qn(e,Vt(F)?F:[F],n,o,r,s,a,i,l,u,c),w.__P&&(n.__e=null,l=d),n.__u&=
-161,p&&p.some($e),m.__h.length&&i.push(m),1&m.__g&&(m.__g&=-4)}catch(ee){if(i.length=f,n.__v=null,u||a)if(ee&&ee.then){if(n.__u|=128|u,a){for(~(ge=a.indexOf(l||
void 0))||(ge=a.length);(xe=a[ge-1])&&xe.nodeType==8;)ge--;for(;ge<a.length;ge++)if(xe=a[ge])if(a[ge]=null,ue){if(xe==it)break}else{if(xe.nodeType!=8)break;xe.data.
startsWith("$s")&&(it=dt(ue=xe))}}if(!ue){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;ue=l}(d=dt(ue=n.__c.__z||(n.__c.__z=ue)))?(n.__e=ue,l=d):n.__e=l,
l=l&&l.nextSibling}else a&&a.some($e);else n.__e=o.__e;n.__k||(n.__k=o.__k||[]),ee&&ee.then||Gn(n),A.__e(ee,n,o)}}else l=n.__e=Xs(o.__e,n,o,r,s,a,i,u,c,e);return(d=
A.diffed)&&d(n),l}function dt(e,n){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.
data.startsWith("/$s")&&!--o)return e}n&&n.push(e)}}function Gn(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Gn))}function zn(e,n,o){for(var r=0;r<o.length;)Gt(
o[r++],o[r++],o[r++]);A.__c&&A.__c(n,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(a){a.call(s)})}catch(a){A.__e(a,s.__v)}})}function Xs(e,n,o,r,s,a,i,l,u,c){
var d,p,f,m,h,g,y,w,S=o.props||pt,x=n.props,T=n.type;if(T=="svg"?s="http://www.w3.org/2000/svg":T=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://w\
ww.w3.org/1999/xhtml"),a){for(d=0;d<a.length;d++)if((h=a[d])&&(T?h.localName==T:h.nodeType==3)){e=h,a[d]=null;break}}if(!e){if(w=c.ownerDocument||document,!T)return w.
createTextNode(x);e=w.createElementNS(s,T,x.is?x:c),l&&(A.__m&&A.__m(n,a),l=!1),a=null}if(T){if(c=T=="template"&&e.content||e,a=T=="textarea"&&x.defaultValue!=null?
null:a&&qt.call(c.childNodes),!l&&a)for(S={},d=0;d<e.attributes.length;d++)S[(h=e.attributes[d]).name]=h.value;for(d in S)h=S[d],d=="dangerouslySetInnerHTML"?f=
h:d=="children"||d in x||d=="value"&&"defaultValue"in x||d=="checked"&&"defaultChecked"in x||lt(e,d,null,h,s);for(d in x)h=x[d],d=="children"?m=h:d=="dangerousl\
ySetInnerHTML"?p=h:d=="value"?g=h:d=="checked"?y=h:l&&typeof h!="function"||S[d]===h||lt(e,d,h,S[d],s);p?(l||f&&(p.__html==f.__html||p.__html==e.innerHTML)||(e.
innerHTML=p.__html),n.__k=[]):(f&&(e.textContent=""),(T=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&Rs.test(T))&&(s="http://www.w3.org/1999/xhtml"),
qn(c,Vt(m)?m:[m],n,o,r,s,a,i,a?a[0]:o.__k&&be(o,0),l,u),a&&a.some($e)),l&&T!="textarea"||(d="value",T=="progress"&&g==null?e.removeAttribute(d):g==null||g===e[d]&&
(T!="progress"||g)||lt(e,d,g,S[d],s),d="checked",y!=null&&y!=e[d]&&lt(e,d,y,S[d],s))}else S===x||l&&e.data==x||(e.data=x);return e}function Gt(e,n,o,r){try{typeof e==
"function"?n?n.__x=e(n)||1:r&&(r=r.__c||r.__e)&&(n=r.__x)&&(r.__x=null,typeof n=="function"?n():e(null)):e.current=n}catch(s){A.__e(s,o)}}function zt(e,n,o){var r,
s,a,i;if(A.unmount&&A.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Gt(r,null,n,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(l){
A.__e(l,n)}r.__P=r.__n=null}if(r=e.__k)for(i=0;i<r.length;i++)r[i]&&zt(r[i],n,typeof e.type!="function"||o&&!e.props.__P);!o&&(r=e.__c)&&(r=r.__z)&&(s=dt(r,a=[]))&&
(r==e.__e&&a.some($e),$e(s),$e(r)),o||$e(e.__e),e.__e=e.__c=e.__=null}function Fs(e,n,o){return this.constructor(e,o)}function Yn(e,n){var o,r,s,a;A.__&&A.__(e,
n),n.nodeType==9&&(n=n.documentElement),r=(o=e&&32&e.__u)?null:n.__k,n.__k=Ue(b,{children:[e]}),s=[],a=[],jt(n,n.__k,r||pt,pt,n.namespaceURI,r?null:n.firstChild?
qt.call(n.childNodes):null,s,r?r.__e:n.firstChild,o,a),zn(s,n.__k,a),n.__k.props.children=null}function We(e){function n(o){var r,s;return this.getChildContext||(r=new Set,(s={})[n.__c]=this,this.getChildContext=function(){return s},this.shouldComponentUpdate=
function(a){this.props.value!=a.value&&r.forEach(function(i){i.__g|=4,Wt(i)})},this.sub=function(a){r.add(a);var i=a.componentWillUnmount;a.componentWillUnmount=
function(){r.delete(a),i&&i.call(a)}}),o.children}return n.__c="__cC"+Hn++,n.__=e,n.Provider=(n.Consumer=function(o,r){return o.children(r)}).contextType=n,n}A={__e:function(e,n,o,r){for(var s,a,i;n=n.__;)if((s=n.__c)&&!(1&s.__g)){s.__g|=4;try{if((i=(a=s.constructor)&&a.getDerivedStateFromError)&&s.setState(a.getDerivedStateFromError(
e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),i=1),i&&8&s.__g)return void(s.__g|=2)}catch(l){e=l}}throw mt=0,e}},In=0,As=function(e){return e!=null&&e.
constructor===He},ct.prototype.setState=function(e,n){var o=this.__s;o&&o!=this.state||(o=this.__s=Oe({},this.state)),typeof e=="function"&&(e=e(Oe({},o),this.props)),
e&&(Oe(o,e),this.__v&&(n&&this.__k.push(n),Wt(this)))},ct.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Wt(this))},ct.prototype.render=
b,ye=[],mt=0,Bn=function(e,n){return e.__v.__b-n.__v.__b},ut=Symbol(),Un=/(PointerCapture)$|Capture$/i,Kt=0,Ht={},Hn=0;var we,J,Yt,Qn,Qt=Object.is,ht=0,io=[],Zt=[],H=A,Zn=H.__b,eo=H.__r,to=H.diffed,no=H.__c,oo=H.unmount,ro=H.__;function Re(e,n){H.__h&&H.__h(J,e,ht||n),ht=0;var o=J.
__H||(J.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function v(e){return ht=1,Js(uo,e)}function Js(e,n,o){var r=Re(we++,2);if(r.t=e,!r.__c&&
(r.__=[o?o(n):uo(void 0,n),function(a){var i=(r.__N||r.__)[0],l=r.t(i,a);Qt(i,l)||(r.__N=[l,r.__[1]],r.__c.setState({}))}],r.__c=J,!J.__f)){J.__f=!0;var s=J.shouldComponentUpdate;
J.shouldComponentUpdate=function(a,i,l){var u=this.__H;if(!u)return!0;var c=!1,d=this.props!=a;if(u.__.some(function(f){f.__N&&(c=!0,Qt(f.__[0],f.__N[0])||(d=!0))}),
s){var p=s.call(this,a,i,l);return c?p||d:p}return!c||d}}return r.__}function L(e,n){var o=Re(we++,3);!H.__s&&tn(o.__H,n)&&(o.__P=!0,o.__=e,o.u=n,J.__H.__h.push(
o))}function lo(e,n){var o=Re(we++,4);!H.__s&&tn(o.__H,n)&&(o.__P=!1,o.__=e,o.u=n,J.__h.push(o))}function te(e){return ht=5,Is(function(){return{current:e}},[])}function Is(e,n){var o=Re(we++,7);return tn(o.__H,n)&&(o.__=e(),o.__H=n),o.__}function Ce(e){var n=J.context[e.__c],o=Re(we++,9);return o.c=e,n?(o.__==null&&(o.__=!0,n.sub(J)),n.props.value):e.__}function ve(){var e=Re(we++,11);if(!e.__){for(var n=J.__v;!n.__m&&n.__;)n=n.__;var o=n.__m||(n.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function Bs(){var e;
do{for(;e=Zt.shift();)try{Ke(e)}catch(o){H.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=io.shift();){var n=e.__H;if(e.__P&&n)try{n.__h.some(Ke),n.__h.some(en),n.__h=[]}catch(o){
n.__h=[],H.__e(o,e.__v)}}}while(Zt.length)}H.__b=function(e){J=null,Zn&&Zn(e)},H.__=function(e,n){e&&n.__k&&n.__k.__m&&(e.__m=n.__k.__m),ro&&ro(e,n)},H.__r=function(e){
eo&&eo(e),we=0;var n=(J=e.__c).__H;n&&(Yt==J?J.__h=[]:(n.__h.some(Ke),n.__h.some(en),we=0),n.__h=[],n.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),
Yt=J},H.diffed=function(e){to&&to(e);var n=e.__c;n&&n.__H&&(n.__H.__h.length&&ao(io.push(n)),n.__H.__.some(function(o){o.u&&(o.__H=o.u)})),Yt=J=null},H.__c=function(e,n){
n.some(function(o){try{o.__h.some(Ke),o.__h=o.__h.filter(function(r){return!r.__||en(r)})}catch(r){o.__h=[function(){throw r}]}}),no&&no(e,n)},H.unmount=function(e){
oo&&oo(e);var n,o,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}s.__P=o,
ao(Zt.push(s))}else Ke(s)}catch(a){n=a}}),r.__H=void 0,n&&H.__e(n,r.__v))};var so=typeof requestAnimationFrame=="function";function Us(e){var n,o=function(){clearTimeout(
r),so&&cancelAnimationFrame(n),setTimeout(e)},r=setTimeout(o,35);so&&(n=requestAnimationFrame(o))}function ao(e){e!=1&&Qn==H.requestAnimationFrame||((Qn=H.requestAnimationFrame)||
Us)(Bs)}function Ke(e){var n=J,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),J=n}function en(e){var n=J;e.__c=e.__(),J=n}function tn(e,n){return!e||e.length!=
n.length||n.some(function(o,r){return!Qt(o,e[r])})}function uo(e,n){return typeof n=="function"?n(e):n}var Ee=class extends Error{name="AppError";code;disposition;details;constructor(n){super(n.message,n.cause===void 0?void 0:{cause:n.cause}),this.code=n.code,this.
disposition=n.disposition,this.details=n.details??{}}};function co(e,n){let o=e.length;for(;o>0&&e[o-1]===n;)o--;return e.slice(0,o)}function Te(e,n){let o=e<0n?"-":"",r=(e<0n?-e:e).toString().padStart(n+1,"0"),s=r.slice(0,r.length-n),a=co(r.slice(r.length-n),"0");return`${o}${s}${a===""?"":`\
.${a}`}`}function O(e){let n=e.startsWith("-")?"−":"",[o="0",r=""]=e.replace("-","").split(".");if(o.length>mo)return`${n}${O(`${o.slice(0,-6)}.${o.slice(-6)}`)} M`;let s=o===
"0"?/^0*/.exec(r)?.[0].length??0:-o.length,a=r.slice(0,mo+s).replace(/0+$/,""),i=o.replace(/\B(?=(\d{3})+$)/g," ");return`${n}${i}${a===""?"":`.${a}`}`}var mo=6;
function _(e){if(e===null)return"unknown";let n=Math.abs(Number(e));if(n>=1e6)return`${po(e)}$${O(String(Math.trunc(n)))}`;let o=n>=1e3?0:n!==0&&n<.01?4:2,r=n.toLocaleString(
"en-US",{minimumFractionDigits:o,maximumFractionDigits:o});return`${po(e)}$${r}`}function po(e){return e.startsWith("-")&&Number(e)!==0?"−":""}function U(e){if(e<6e4)return`${Math.max(0,Math.floor(e/1e3))} s`;if(e<36e5)return`${Math.floor(e/6e4)} min`;if(e>=2*864e5)return`${Math.floor(e/864e5)} d`;let n=Math.
floor(e%36e5/6e4);return`${Math.floor(e/36e5)} h${n===0?"":` ${n} min`}`}function fo(e){return Number.isFinite(e)?`${new Date(e).toISOString().slice(0,16).replace(
"T"," ")} UTC`:"an unknown time"}function C(e){let[n="",o=""]=e.split(":");return{symbol:o.toUpperCase(),chain:I(n)}}function I(e){return e.replace(/(^|_)([a-z])/g,(n,o,r)=>(o?" ":"")+r.toUpperCase())}
var Hs=/(?<![\w.:-])\d+\.\d+(?!\w|[:-]|\.\d)/g;function ho(e){return e.replace(Hs,O)}function Ve(e){return Number(e)>0?`+${_(e)}`:_(e)}function qe(e,n){let o=Number(
n)===0?0:100*Number(e)/Number(n);return`${o<0?"−":""}${Math.abs(o).toFixed(Math.abs(o)<10?2:1)}%`}function z(e){return e===null?"unknown":`${(e/100).toFixed(2)}\
%`}function gt(e,n){let o=Date.parse(e)-n;return Number.isNaN(o)?e:Math.abs(o)<1500?"now":o>0?`in ${U(o)}`:`${U(-o)} ago`}function E(e,n=Date.now()){let o=new Date(
e),r=o.toLocaleTimeString("en-GB");return o.toDateString()===new Date(n).toDateString()?r:`${o.toLocaleDateString("en-GB",{day:"numeric",month:"short"})}, ${r}`}
function ae(e){return e.replace(/[-_]/g," ")}function nn(e){return e.length<=18?e:`${e.slice(0,8)}…${e.slice(-6)}`}function Me(e){return e==="completed"?"good":
e==="held"?"bad":e==="awaiting-approval"||e.startsWith("refund")?"warn":e==="rejected"||e==="abandoned"?"calm":"busy"}function go(e){return e===null?n=>n:(n,o=null)=>{let[,r=null]=Ks.exec(n)??[],[,s=null]=Vs.exec(n)??[],a=(r===null?null:on(e,`${r}:native`))??on(e,s)??on(e,o);if(a===
null)return n;let i=l=>`${Te(BigInt(l),a.decimals)} ${a.name}`;return n.replace(Qs,(l,u)=>`within ${U(Number(u)*1e3)}`).replace(js,(l,u,c)=>`(${i(u)}, at most ${i(
c)})`).replace(Ys,(l,u,c)=>`within the range of ${i(u)} to ${i(c)}`).replace(zs,(l,u,c)=>`(${u} usd, at most ${c} usd)`).replace(qs,(l,u)=>i(u)).replace(Zs,l=>a.
decimals<ea?l:i(l))}}function yo(e,n,o){let r=n.asset??(Ws.includes(n.code)?o?.to:o?.from)??null;return{...n,message:e(n.message,r)}}var Ws=["alarm.payout_short",
"quote.too_good","quote.unproven"],bo="[a-z0-9_]+:[a-z0-9._-]+",Ks=/units of (?:the coin|the native coin) of ([a-z0-9_]+)/i,Vs=new RegExp(`\\d (?:smallest )?(?:u\
nits of )?(${bo})`,"i"),qs=new RegExp(`(?<![\\w.])(\\d+) (?:smallest )?units(?: of the coin of [a-z0-9_]+| of ${bo})?`,"gi"),js=/(?<=larger than one order may be |would sell more than allowed )\((\d+), at most (\d+)\)/g,
Gs=["worth more than one order may be","would be worth more than allowed","would cost more than allowed"],zs=new RegExp(`(?<=(?:${Gs.join("|")}) )\\(([\\d.]+), at\
 most ([\\d.]+)\\)`,"g"),Ys=/within the range of (\d{1,40}) to (\d{1,40})(?![\d.])/gi,Qs=/(?<=Orders |orders )within (\d+) s\b/g,Zs=/(?<![\w.:-])\d{10,}(?![\w.:])(?!\s(?:units|smallest))/g,
ea=6;function on({assets:e,chains:n},o){let r=e.find(a=>a.id===o);if(r!==void 0)return{decimals:r.decimals,name:r.id};let s=n.find(({chain:a})=>`${a}:native`===
o)?.nativeCoin;return s===void 0?null:{decimals:s.decimals,name:s.symbol}}function rn(e){if(!/^[a-z0-9_-]+:[a-z0-9_.-]+$/.test(e)){let n="<chain>:<asset>, for example base_sepolia:wbtc";throw new Ee({code:"domain.asset_id",disposition:"\
refused",message:`"${e}" is not an asset id; expected ${n}`,details:{text:e}})}return e}function ta(e){return e.slice(0,e.indexOf(":"))}function wo(e){return ta(
rn(`${e}:x`))}function _o(e,n){return vo(e)===vo(n)}function vo(e){return e.startsWith("0x")?e.toLowerCase().replace(/^0x0*/,"0x"):e}function yt(e){let n=go(e===null?null:{assets:e.assets.map(({id:s,decimals:a})=>({id:rn(s),decimals:a})),chains:e.chains.map(({chain:s,nativeCoin:a})=>({chain:wo(
s),nativeCoin:{...a,token:null}}))}),o=new Set(e?.assets.map(({id:s})=>s)),r=new Set(e?.chains.map(({chain:s})=>s));return{chains:[...r],linkOf:(s,a)=>{let l=(e?.
chains.find(u=>u.chain===s)?.explorer??null)?.tx.replace("{tx}",encodeURIComponent(a))??null;return l?.startsWith("https://")===!0?l:null},amountOf:(s,a)=>{let i=e?.
assets.find(({id:l})=>l===a)?.decimals;return i===void 0?null:Te(BigInt(s),i)},payeeOf:s=>e?.payees.find(a=>_o(a.address,s))?.name??null,humane:(s,a=null)=>yo(n,
s,a),speak:s=>s.replace(na,a=>o.has(a)?aa(a):a).replace(oa,a=>r.has(a)?I(a):a).replace(ra,"").replace(sa,a=>E(a))}}var na=/\b[a-z0-9_]+:[a-z0-9._-]*[a-z0-9]/g,oa=/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g,
ra=/ \[[a-z_]+(?:\.[a-z_]+)+\]/g,sa=/\b\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g;function aa(e){let{symbol:n,chain:o}=C(e);return`${n} on ${o}`}function ko(e,n){return n==="request.key_in_flight"?!0:e===0||e>=500&&n!=="cluster.standby"}var R=class extends Error{status;reasons;constructor(n,o){super(o.map(({message:r})=>r).join(" ")),this.status=n,this.reasons=o}},bt="ballast.csrf";async function So(){
try{return{...await V("GET","session"),csrf:localStorage.getItem(bt)}}catch(e){if(e instanceof R&&e.status===401)return null;throw e}}async function xo(e){let n=await V(
"POST","session",{token:e});return localStorage.setItem(bt,n.csrf),n}async function $o(){await V("DELETE","session").catch(()=>{}),localStorage.removeItem(bt)}var ia=5e3,
la=200;function je(){return crypto.getRandomValues(new BigUint64Array(2)).join("-")}async function Pe(e,n,o=je()){let r=performance.now()+ia;for(let s=la;;s*=2){
try{return await V("POST",e,n,{"idempotency-key":o})}catch(a){if(!(a instanceof R)||!ko(a.status,a.reasons[0]?.code))throw a;if(performance.now()+s>r)throw new R(
a.status,[ua])}await new Promise(a=>setTimeout(a,s))}}var ua={code:"page.uncertain",message:"No answer came, so it may be done or not. Press again: it is done o\
nce."};async function V(e,n,o,r={}){let s=await sn(e,n,{body:o,headers:r}).catch(()=>{throw new R(0,[{code:"page.silent",message:"The daemon does not answer."}])}),
a=await s.json().catch(()=>null);if(s.ok)return a;let{reasons:i}=a??{};throw new R(s.status,i??[{code:"page.answer",message:`The daemon answered ${s.status}.`}])}
function sn(e,n,{body:o,headers:r={},signal:s}={}){return fetch(`/api/v1/${n}`,{method:e,headers:{...r,"x-ballast-csrf":localStorage.getItem(bt)??"",...o===void 0?
{}:{"content-type":"application/json"}},...o===void 0?{}:{body:JSON.stringify(o)},...s===void 0?{}:{signal:s}})}var ne={lastMs:Date.now(),failing:!1,loggedOut:!1,streaming:!1},an=new Map,ln=new Set;function $(e,n=5e3){let[,o]=v(0),[r,s]=v(null),[a,i]=v(0);return L(()=>{if(e===
null)return;let u=!1;async function c(){if(!(e===null||document.hidden))try{if(an.set(e,await V("GET",e)),u)return;ne.lastMs=Date.now(),ne.failing=!1,s(null),o(
f=>f+1)}catch(f){if(u||!(f instanceof R))return;f.status===401&&(ne.loggedOut=!0),f.status===0&&(ne.failing=!0),s(f)}}let d=()=>{c()};c();let p=setInterval(d,n);
return ln.add(d),document.addEventListener("visibilitychange",d),()=>{u=!0,clearInterval(p),ln.delete(d),document.removeEventListener("visibilitychange",d)}},[e,
n,a]),{value:e===null?null:an.get(e)??null,error:r,refresh:()=>i(u=>u+1)}}function de(){for(let e of ln)e()}function Co(){an.clear()}var ca=700,Oo=4e4;async function Eo(e){
let n=0,o=()=>{n===0&&(n=window.setTimeout(()=>{n=0,de()},ca))};for(;!e.aborted;)await da(e,o).catch(()=>{}),ne.streaming=!1,await new Promise(r=>setTimeout(r,2e3))}
async function da(e,n){let o=new AbortController,r=setTimeout(()=>o.abort(),Oo),s=await sn("GET","events",{signal:AbortSignal.any([e,o.signal])});if(!s.ok||s.body===
null)return;ne.streaming=!0;let a=s.body.pipeThrough(new TextDecoderStream).getReader();for(let i=await a.read();!i.done;i=await a.read())clearTimeout(r),r=setTimeout(
()=>o.abort(),Oo),i.value.includes("data:")&&n();clearTimeout(r)}function K(){let[e,n]=v(Date.now());return L(()=>{let o=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(
o)},[]),e}function To(){let[e,n]=v(location.hash);return L(()=>{let o=()=>n(location.hash);return addEventListener("hashchange",o),()=>removeEventListener("hash\
change",o)},[]),e.replace(/^#\/?/,"").split("/").map(o=>decodeURIComponent(o))}var ma=Symbol.for("pv"),pa=0;function t(e,n,o,r,s,a){n||(n={});var i,l,u=n;if("ref"in u&&typeof e!="function")for(l in u={},n)l=="ref"?i=n[l]:u[l]=n[l];var c={type:e,props:u,key:o,ref:i,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:ma,__v:--pa,__i:-1,__u:0};return(s||a)&&(c.__source=s,c.__self=a),A.vnode&&A.vnode(c),c}function Mo({onLogin:e}){let[n,o]=v(""),[r,s]=v(!1),[a,i]=v(null);async function l(u){u.preventDefault(),s(!0);try{e(await xo(n.trim()))}catch(c){i(c instanceof
R?c.message:"The page failed"),s(!1)}}return t("main",{class:"login",children:t("form",{class:"card",onSubmit:l,children:[t("img",{src:"/icon.svg",alt:"",width:"\
44",height:"44"}),t("h1",{children:"Ballast"}),t("p",{class:"note",children:["Log in with one of the tokens of ",t("code",{children:"ops.token"})," or ",t("code",
{children:"ops.tokens"}),". What you can do here is what the token's scopes allow."]}),t("label",{for:"token",children:"Token"}),t("input",{id:"token",type:"pas\
sword",autocomplete:"current-password",value:n,onInput:u=>o(u.currentTarget.value)}),a===null?null:t("p",{class:"notice bad",role:"alert",children:a}),t("button",
{type:"submit",class:"main",disabled:n===""||r,children:"Log in"})]})})}function me(e,n,o=3){let r=Math.max(Math.abs(e),Math.abs(n)),s=10**(Math.floor(Math.log10(r))-5),a=Math.max((n-e)/o,s);if(!(n>e))return[e];let i=10**Math.floor(
Math.log10(a*(1+1e-9))),l=i>5*s?[1,2,2.5,5,10]:[1,2,5,10],u=i*(l.find(p=>p*i>=a*(1-1e-9))??10),c=Math.ceil(e/u-1e-9),d=Math.floor(n/u+1e-9);return Array.from({length:d-
c+1},(p,f)=>Number(((c+f)*u).toPrecision(12)))}var fa=[[1e9,"G"],[1e6,"M"],[1e3,"k"]];function j(e,n=e){let[o,r]=fa.find(([a])=>Math.abs(e)>=a)??[1,""],s=n===0?
4:Math.ceil(Math.log10(Math.abs(e/n)||1))+3;return`${Number((e/o).toPrecision(Math.max(4,Math.min(12,s))))}${r}`}function _e(e,n,o=5){let r=ha.find(l=>(n-e)/l<=o)??31536e6,s=new Date(e).getTimezoneOffset()*6e4,a=Math.ceil((e-s)/r)*r+s;return Array.from({length:Math.max(0,Math.
floor((n-a)/r)+1)},(l,u)=>a+u*r).map(l=>({ms:l,label:ga(l,r,n-e)}))}var ha=[...[1/60,1/12,1/4,1,3,6,12].map(e=>e*36e5),...[1,2,7,14,30,91].map(e=>e*864e5)];function ga(e,n,o){
let r=new Date(e);return n<864e5?r.toLocaleTimeString("en-GB",{hour:"2-digit",minute:"2-digit"}):o<=8*864e5?r.toLocaleDateString("en-GB",{weekday:"short"}):r.toLocaleDateString(
"en-GB",{day:"2-digit",month:"short"})}function G(){let[e,n]=v(null),[o,r]=v(0);return L(()=>{if(e===null)return;let s=new ResizeObserver(([a])=>r(Math.floor(a?.contentRect.width??0)));return s.observe(
e),()=>s.disconnect()},[e]),[n,o]}var wt=132,Ge=48,vt=8,ya=20;function De(e){let{title:n,steps:o,series:r,as:s,show:a,limit:i=null}=e,[l,u]=G(),c=w=>r.map(({of:S})=>S(w)??0),d=w=>s==="bars"?c(w).
reduce((S,x)=>S+x,0):Math.max(...c(w)),p=Math.max(...o.map(d),i?.value??0),f=p===0?1:p*1.08,m=Date.parse(o[0]?.from??""),h=Date.parse(o.at(-1)?.to??""),g=w=>Ge+
(u-Ge-vt)*(w-m)/Math.max(1,h-m),y=w=>8+wt-wt*w/f;return t("figure",{class:"chart",ref:l,children:[t("svg",{width:u,height:8+wt+ya,role:"img","aria-label":ba(e,p),
children:[me(0,f).map(w=>t("g",{children:[t("line",{class:"grid-line",x1:Ge,x2:u-vt,y1:y(w),y2:y(w)}),t("text",{x:Ge-6,y:y(w)+4,"text-anchor":"end",children:a(w)})]},
w)),_e(m,h,Math.max(2,Math.floor(u/60))).map(({ms:w,label:S})=>t("text",{x:g(w),y:8+wt+15,"text-anchor":"middle",children:S},w)),s==="bars"?t(wa,{steps:o,series:r,
x:g,y,show:a}):t(va,{steps:o,series:r,x:g,y}),i===null?null:t(b,{children:[t("line",{class:"limit-line",x1:Ge,x2:u-vt,y1:y(i.value),y2:y(i.value)}),t("text",{x:u-
vt,y:y(i.value)-4,"text-anchor":"end",children:i.name})]})]}),t(_a,{title:n,steps:o,series:r,show:a})]})}function ba({title:e,steps:n,show:o},r){return`${e}: ${n.
length} steps from ${n[0]?.from??""}, at most ${o(r)}`}function wa(e){let{steps:n,series:o,x:r,y:s,show:a}=e,i=Date.now();return t(b,{children:n.map(l=>{let u=r(
Date.parse(l.from)),c=r(Date.parse(l.to)),d=Date.parse(l.to)<=i,p=0;return o.map(({name:f,of:m,tone:h})=>{let g=m(l)??0;return p+=g,t("rect",{class:`bar-${h} ${d?
"":"part"}`,x:u+(c-u)*.14,width:Math.max(1,(c-u)*.72),y:s(p),height:Math.max(0,s(0)-s(g)),children:t("title",{children:`${Ao(l)}, ${f}: ${a(g)}${d?"":" so far"}`})},
`${l.from} ${f}`)})})})}function va({steps:e,series:n,x:o,y:r}){let s=a=>o((Date.parse(a.from)+Date.parse(a.to))/2);return t(b,{children:n.map(({name:a,of:i,tone:l})=>{
let u=e.map(d=>({step:d,value:i(d)})),c=u.map(({step:d,value:p},f)=>p===null?"":`${f===0||u[f-1]?.value===null?"M":"L"}${s(d)} ${r(p)}`).join("");return t("g",{
children:[t("path",{class:`line-${l}`,d:c}),u.map(({step:d,value:p})=>p===null?null:t("circle",{class:`dot-${l}`,cx:s(d),cy:r(p),r:"2.2"},d.from))]},a)})})}function Ao({
from:e,to:n}){return Date.parse(n)-Date.parse(e)<24*36e5?`${e.slice(0,10)} ${e.slice(11,16)} UTC`:e.slice(0,10)}function _a(e){let{title:n,steps:o,series:r,show:s}=e;
return t("div",{class:"hidden",children:t("table",{children:[t("caption",{children:n}),t("thead",{children:t("tr",{children:[t("th",{scope:"col",children:"Time"}),
r.map(({name:a})=>t("th",{scope:"col",children:a},a))]})}),t("tbody",{children:o.map(a=>t("tr",{children:[t("th",{scope:"row",children:Ao(a)}),r.map(({name:i,of:l})=>{
let u=l(a);return t("td",{children:u===null?"none":s(u)},i)})]},a.from))})]})})}var un=We(e=>e);function D({text:e}){let n=Ce(un)(e),o=ho(n);return o!==n?t("span",{title:n,children:o}):t(b,{children:n})}var ze=We([]),ka=10;function Ne(){let e=Ce(
ze);return n=>{let o=e.indexOf(n.split(":")[0]??"");return o===-1?"chain-none":`chain-${o%ka}`}}function Y({id:e}){let n=Ne();return t("span",{class:"chain-name",
children:[t("i",{class:n(e)}),I(e.split(":")[0]??"")]})}var cn=We(!1);function Le(e,n){return Ce(cn)?"The daemon does not answer, so nothing can be changed":n.includes(
e)?null:`Your token lacks the scope ${e}`}function N({tone:e,children:n}){return t("span",{class:`pill ${e}`,children:n})}function k(e){return t("section",{class:e.
wide?"card wide":"card",children:[t("header",{children:[t("h2",{children:e.link===void 0?e.title:t("a",{href:e.link,children:e.title})}),e.note===void 0?null:t(
"span",{class:"note",children:e.note})]}),e.children]})}function X({children:e,note:n}){return t("header",{class:"title",children:[t("h1",{tabIndex:-1,children:e}),
n===void 0?null:t("p",{class:"note",children:n})]})}function W({amount:e,asset:n,chain:o=!0,symbol:r=!0}){let s=C(n);return t("span",{class:"amount",title:`${e??
"no reading"} ${n}`,"data-exact":e??void 0,children:[t("b",{children:e===null?"no reading":O(e)}),r?` ${s.symbol}`:null,o?t("small",{children:[" ",s.chain]}):null]})}
var dn=We(!1);function Q({fiat:e}){return t("span",{title:`${e} usd`,"data-exact":e,children:_(e)})}function M({at:e,clock:n=!1}){let o=K(),r=Ce(dn)||n;return e===
null?t("span",{class:"quiet",children:"never"}):t("time",{dateTime:e,title:e,children:r?E(e,o):gt(e,o)})}function oe({reasons:e,none:n=null}){let o=[...new Map(
e.map(r=>[r.message,r])).values()];return o.length===0?n===null?null:t("p",{class:"quiet",children:n}):t("ul",{class:"reasons",children:o.map(({code:r,message:s})=>t(
"li",{title:r,children:t(D,{text:s})},s))})}function re({hash:e,link:n=null,what:o}){return t("span",{class:"hash",children:[n===null?t("code",{title:e,children:nn(
e)}):t("a",{href:n,target:"_blank",rel:"noopener noreferrer",title:e,children:[t("code",{children:nn(e)}),t("span",{class:"hidden",children:" (opens the explore\
r)"})]}),t(Ye,{text:e,what:o})]})}function Ye({text:e,what:n}){let[o,r]=v(!1);return t("button",{type:"button",class:"copy",onClick:()=>{navigator.clipboard?.writeText(
e).then(()=>{r(!0),setTimeout(()=>r(!1),1500)})},"aria-label":`Copy ${n}`,children:o?"copied":"copy"})}function P({live:e,children:n}){return e.value!==null?t(b,
{children:n(e.value)}):e.error===null?t(Sa,{}):t("p",{class:"notice bad",children:e.error.message})}function Sa(){return t("div",{class:"card skeleton",role:"st\
atus",children:[t("span",{class:"hidden",children:"Reading…"}),t("i",{}),t("i",{}),t("i",{})]})}function B({children:e}){return t("p",{class:"empty",children:e})}
function Z(e){return t("table",{class:e.figures?"figures":void 0,children:[t("caption",{class:"hidden",children:e.caption}),t("thead",{children:t("tr",{children:e.
columns.map(n=>t("th",{scope:"col",children:n},n))})}),t("tbody",{children:e.rows.map(({key:n,cells:o})=>t("tr",{children:o.map((r,s)=>t("td",{"data-label":e.columns[s],
children:t("div",{children:r})},e.columns[s]))},n))})]})}function _t({percent:e,label:n}){let o=e>=100?"bad":e>=80?"warn":"good";return t("svg",{class:`meter ${o}`,
viewBox:"0 0 100 6",preserveAspectRatio:"none",role:"img","aria-label":n,children:[t("rect",{class:"track",width:"100",height:"6"}),t("rect",{class:"fill",width:Math.
max(0,Math.min(100,e)),height:"6"})]})}function Xe({pairs:e}){return t("dl",{class:"pairs",children:e.map(([n,o])=>t("div",{children:[t("dt",{children:n}),t("dd",
{children:o})]},n))})}function Ro(e){let n=$("books",2e4);return t(b,{children:[t(X,{note:"Swaps of the last 52 weeks, by the ledger. A week begins on Monday, 00:00 UTC.",children:"B\
ooks"}),t(P,{live:n,children:({weeks:o,rules:r,total:s,at:a})=>t(b,{children:[t("div",{class:"grid thirds",children:[t(mn,{name:"Volume",value:_(s.volume),note:`${s.
orders} orders`}),t(mn,{name:"Cost of swaps",value:_(s.swapCost),note:`${z(s.costBps)} of the volume, network fees included`}),t(mn,{name:"Network fees",value:_(
s.networkFees),note:s.unpriced===0?"all priced":`${s.unpriced} without a price are not in it`})]}),t("div",{class:"grid thirds",children:[t(pn,{title:"Volume by\
 week",weeks:o,of:({volume:i})=>i}),t(pn,{title:"Cost by week",weeks:o,of:({swapCost:i})=>i}),t(pn,{title:"Network fees by week",weeks:o,of:i=>i.networkFees})]}),
t(k,{title:"By rule",note:t(M,{at:a}),wide:!0,children:r.length===0?t(B,{children:"No order in these weeks."}):t($a,{lines:[...r,s]})})]})})]})}function mn({name:e,
value:n,note:o}){return t("section",{class:"card figure",children:[t("h2",{children:e}),t("p",{class:"big",children:n}),t("p",{class:"note",children:o})]})}var xa=7*
864e5;function pn(e){let n=e.weeks.map(o=>{let r=Date.parse(`${o.group}T00:00:00Z`),[s,a]=[r,r+xa].map(i=>new Date(i).toISOString());return{from:s??"",to:a??"",
value:Number(e.of(o))}});return t(k,{title:e.title,note:"usd",children:t(De,{title:e.title,steps:n,as:"bars",show:o=>`$${j(o)}`,series:[{name:"usd",of:({value:o})=>o,
tone:"a"}]})})}function $a({lines:e}){let n=e.map(o=>({key:o.group,cells:[t("b",{children:o.group},"group"),Object.entries(o.counts).map(([r,s])=>`${s} ${ae(r)}`).
join(", "),_(o.volume),_(o.swapCost),_(o.networkFees),z(o.costBps)]}));return t(Z,{caption:"Swaps by rule",columns:["Rule","Orders","Volume","Cost","Network fee\
s","Cost of volume"],rows:n})}function kt(e,n,o,r){return e.map(({at:a,amount:i},l)=>{if(i===null)return"";let u=e[l-1]?.amount??null,c=o(e[l+1]?.at??n);return`${u===null?`M${o(a)} ${r(Number(
i))}`:`V${r(Number(i))}`}H${c}`}).join("")}function Po(e,n){return e.flatMap(({at:o,amount:r},s)=>r===null?[{start:o,end:e[s+1]?.at??n}]:[])}function Do(e,n){return e.
findLast(({at:o})=>Date.parse(o)<=n)?.amount??null}function No(e,n,o){return e.flatMap(({from:r,bound:s},a)=>{let i=e[a+1],l={startMs:Math.max(n,Date.parse(r)),
endMs:Math.min(o,i===void 0?o:Date.parse(i.from))};return s===null||l.startMs>=l.endMs?[]:[{bound:s,...l}]})}var pe=92,St=44,Xo=44,fn=16,Oa=18;function Fo(e){let{asset:n,since:o,bound:r}=e,{value:s}=$(`series/${encodeURIComponent(n)}?since=${o}`,3e4);if(s===null)return null;
let a=s.points.flatMap(({amount:i})=>i===null?[]:[Number(i)]);return a.length===0?t("p",{class:"note",children:"No reading in this time."}):t(Ca,{...e,series:s,
known:a,bound:r})}function Ca(e){let{series:n,known:o,bound:r,marks:s,price:a}=e,[i,l]=G(),{from:u,to:c,points:d}=n,p=d[0]?.at??u,f=Date.parse(p),m=Date.parse(c),
{low:h,high:g,bottom:y,top:w,y:S}=Ea(o,r),x=F=>St+(l-St-Xo)*(F-f)/Math.max(1,m-f),T=F=>x(Date.parse(F)),{symbol:le}=C(n.asset),he=Lo(String(h),String(g));return t(
"figure",{class:"chart history",ref:i,children:[t("svg",{width:l,height:pe+fn+Oa,role:"img","aria-label":`Readings from ${E(p)}: ${he} ${le}`,children:[t(Ma,{bands:n.
bands,startMs:f,endMs:m,x,y:S}),t(Ta,{x,y:S,low:y,high:w,startMs:f,endMs:m,width:l}),Po(d,c).map(F=>t("rect",{class:"gap",x:T(F.start),width:T(F.end)-T(F.start),
height:pe},F.start)),t("path",{class:"line-a",d:kt(d,c,T,S)}),t(Aa,{points:d,x:x(m),y:S}),s.filter(({at:F})=>F>=p).map(F=>t(Pa,{mark:F,x:T(F.at),symbol:le},`${F.
at} ${F.kind} ${F.order}`))]}),t(Da,{series:n,startMs:f,x,price:a}),t("figcaption",{class:"note",children:["Since ",t("span",{title:p,children:E(p)}),": ",he," ",
le,r===null?"":` · band ${Lo(r.min,r.max)}, target ${O(r.target)}`]})]})}function Ea(e,n){let o=Math.min(...e),r=Math.max(...e),s=Math.min(o,n===null?o:Number(
n.min)),a=Math.max(r,n===null?r:Number(n.target)),i=(a-s)*.12||a*.05||1,l=s-i,u=a+i;return{low:o,high:r,bottom:l,top:u,y:d=>Math.max(0,Math.min(pe,pe-pe*(d-l)/(u-
l)))}}function Lo(e,n){return n===null?`${O(e)} to any`:e===n?O(e):`${O(e)} to ${O(n)}`}function Ta(e){let{x:n,y:o,low:r,high:s,startMs:a,endMs:i,width:l}=e,u=me(
r,s,2);return t(b,{children:[u.map(c=>t("g",{children:[t("line",{class:"grid-line",x1:St,x2:l-Xo,y1:o(c),y2:o(c)}),t("text",{x:St-6,y:o(c)+4,"text-anchor":"end",
children:j(c,(u[1]??0)-(u[0]??0))})]},c)),_e(a,i,Math.max(2,Math.floor(l/70))).map(({ms:c,label:d})=>t("text",{x:n(c),y:pe+fn+14,"text-anchor":"middle",children:d},
c))]})}function Ma(e){let{x:n,y:o}=e,r=No(e.bands,e.startMs,e.endMs),s=r.at(-1)?.endMs===e.endMs?r.at(-1):void 0,a=n(e.endMs)+6;return t(b,{children:[r.map(({bound:i,
startMs:l,endMs:u})=>{let c=i.max===null?0:o(Number(i.max)),d=o(Number(i.min)),p=o(Number(i.target)),f=n(l),m=n(u);return t("g",{children:[t("rect",{class:"band\
-area",x:f,y:c,width:Math.max(0,m-f),height:Math.max(0,d-c)}),t("line",{class:"edge",x1:f,x2:m,y1:d,y2:d}),t("line",{class:"goal",x1:f,x2:m,y1:p,y2:p})]},l)}),s===
void 0?null:t("text",{x:a,y:o(Number(s.bound.min))+4,children:"min"}),s===void 0||s.bound.max===null||o(Number(s.bound.max))===0?null:t("text",{x:a,y:o(Number(s.
bound.max))+4,children:"max"}),s===void 0||o(Number(s.bound.min))-o(Number(s.bound.target))<12?null:t("text",{x:a,y:o(Number(s.bound.target))+4,children:"target"})]})}
function Aa(e){let n=e.points.at(-1)?.amount??null;return n===null?null:t("circle",{class:"dot-now",cx:e.x,cy:e.y(Number(n)),r:"3"})}var Ra={in:{path:"m0 -5 4 8\
h-8z",word:"arrived"},out:{path:"m0 3 4 -8h-8z",word:"left"},outside:{path:"m0 -5 4.5 4.5-4.5 4.5-4.5 -4.5z",word:"from outside"},alarm:{path:"m-3.5 -4.5 7 7m0 \
-7-7 7",word:"alarm"},configuration:{path:"m-3 4v-10h7l-2 2.5 2 2.5h-7",word:"another configuration in force"}};function Pa({mark:e,x:n,symbol:o}){let{kind:r,at:s,
amount:a,order:i}=e,{path:l,word:u}=Ra[r],c=a===null?u:`${O(a)} ${o} ${u}`,d=i===null?"":`, order ${i.slice(0,8)}`;return t("path",{class:`mark ${r}`,d:l,transform:`\
translate(${n} ${pe+fn/2+1})`,children:t("title",{children:`${E(s)}: ${c}${d}`})})}var Qe=240;function Da(e){let{series:n,startMs:o,x:r,price:s}=e,[a,i]=v(null),
l=Date.parse(n.to)-o,u=o+l*(a??Qe)/Qe,c=Do(n.points,u),{symbol:d}=C(n.asset),p=[E(new Date(u).toISOString()),c===null?"no reading":`${O(c)} ${d}`,...c===null||s===
null?[]:[_(String(Number(c)*Number(s)))]].join(" · "),f=m=>{let h=m.currentTarget instanceof Element?m.currentTarget.getBoundingClientRect():null;if(h===null||
h.width===0)return;let g=(m.clientX-h.left)/h.width;i(Math.round(Qe*Math.max(0,Math.min(1,g))))};return t(b,{children:[t("input",{type:"range",class:"scrub",min:"\
0",max:Qe,value:a??Qe,"aria-label":`Reading of ${d} at a time`,"aria-valuetext":p,onInput:m=>i(Number(m.currentTarget.value)),onPointerMove:f,onPointerLeave:()=>i(
null),onBlur:()=>i(null)}),a===null?null:t(b,{children:[t("svg",{class:"cross",width:r(u)+1,height:pe,"aria-hidden":"true",children:t("line",{x1:r(u),x2:r(u),y2:pe})}),
t("output",{class:"tip",children:p})]})]})}var Na="others";function Io(e,n,o=220,r=8){let s=La(e.filter(({value:g})=>g>0),r),a=s.reduce((g,{value:y})=>g+y,0),i=a===0?0:o/a,l=Jo(s,"from",n,i),u=Jo(s,"to",n,i),c={from:new Map,
to:new Map},d=(g,y,w)=>{let S=y.find(({chain:T})=>T===w[g])?.y??0,x=c[g].get(w[g])??0;return c[g].set(w[g],x+w.value*i),S+x},p=Bo(n),m=s.toSorted((g,y)=>p(g.from)-
p(y.from)||p(g.to)-p(y.to)).map(g=>({...g,top:d("from",l,g),bottom:d("to",u,g),height:Math.max(2,g.value*i)})),h=g=>{let y=g.at(-1);return y===void 0?0:Math.max(
y.y+y.height,y.y+34)};return{left:l,right:u,ribbons:m,height:Math.max(h(l),h(u))}}function La(e,n){let o=new Map;for(let{from:i,to:l,value:u}of e)for(let c of new Set(
[i,l]))o.set(c,(o.get(c)??0)+u);let r=new Set([...o].toSorted(([,i],[,l])=>l-i).slice(0,o.size>n?n-1:n).map(([i])=>i)),s=i=>r.has(i)?i:Na,a=new Map;for(let{from:i,
to:l,value:u}of e){let c={from:s(i),to:s(l)},d=`${c.from} ${c.to}`;a.set(d,{...c,value:(a.get(d)?.value??0)+u})}return[...a.values()]}function Bo(e){return n=>e.
includes(n)?e.indexOf(n):e.length}function Jo(e,n,o,r){let s=new Map;for(let l of e)s.set(l[n],(s.get(l[n])??0)+l.value);let a=Bo(o),i=[];for(let[l,u]of[...s].toSorted(
([c],[d])=>a(c)-a(d))){let c=i.at(-1),d=c===void 0?0:Math.max(c.y+c.height+10,c.y+34);i.push({chain:l,value:u,y:d,height:Math.max(2,u*r)})}return i}var xt=7;function $t({chains:e}){let n=Ce(ze),[o,r]=G(),s=e.map(({from:p,to:f,volumeFiat:m})=>({from:p,to:f,value:Number(m)})),{left:a,right:i,ribbons:l,height:u}=Io(
s,n);if(l.length===0)return t(B,{children:"No swap was paid out in this time."});let c=Math.min(150,r*.3),d=l.map(({from:p,to:f,value:m})=>`${I(p)} to ${I(f)} ${_(
String(m))}`).join(", ");return t("figure",{class:"chart",ref:o,children:t("svg",{width:r,height:u+8,role:"img","aria-label":`Moved: ${d}`,children:[l.map(p=>t(
Xa,{ribbon:p,x1:c,x2:r-c},`${p.from} ${p.to}`)),a.map(p=>t(Uo,{of:p,x:c-xt,labelX:c-xt-8,isLeft:!0},p.chain)),i.map(p=>t(Uo,{of:p,x:r-c,labelX:r-c+xt+8},p.chain))]})})}
function Xa({ribbon:e,x1:n,x2:o}){let r=Ne(),{from:s,to:a,value:i,top:l,bottom:u,height:c}=e,d=(n+o)/2,p=`M${n} ${l}C${d} ${l} ${d} ${u} ${o} ${u}V${u+c}C${d} ${u+
c} ${d} ${l+c} ${n} ${l+c}Z`;return t("path",{class:`flow ${r(s)}`,d:p,children:t("title",{children:`${I(s)} → ${I(a)}: ${_(String(i))}`})})}function Uo(e){let n=Ne(),
{of:o,x:r,labelX:s,isLeft:a=!1}=e,i=a?"end":"start",l=o.y+Math.max(11,o.height/2-3);return t(b,{children:[t("rect",{class:`node ${n(o.chain)}`,x:r,y:o.y,width:xt,
height:o.height}),t("text",{class:"strong",x:s,y:l,"text-anchor":i,children:I(o.chain)}),t("text",{x:s,y:l+14,"text-anchor":i,children:["$",j(o.value)]})]})}function Ho({
chains:e}){return t(Z,{figures:!0,caption:"Own moves between chains",columns:["From → to","Orders","Moved","Cost","bps"],rows:e.map(({from:n,to:o,orders:r,volumeFiat:s,
costFiat:a,costBps:i})=>({key:`${n} ${o}`,cells:[t("span",{children:[t(Y,{id:n})," → ",t(Y,{id:o})]},"pair"),r,t(Q,{fiat:s},"moved"),t(Q,{fiat:a},"cost"),i??"\
–"]}))})}var Fa={below:{tone:"bad",word:"below its band"},above:{tone:"warn",word:"above its band"},within:{tone:"good",word:"in its band"},unknown:{tone:"calm",word:"no\
t read yet"}};function Wo({amount:e,bound:n,asset:o}){let r=Number(n.min),s=Number(n.target),a=n.max===null?null:Number(n.max),i=e===null?null:Number(e),l=1.15*
Math.max(a??0,s*1.5,r,i??0,Number.MIN_VALUE),u=f=>100*f/l,{tone:c,word:d}=Fa[n.place],p=`${d}: from ${O(n.min)} to ${n.max===null?"any":O(n.max)}, target ${O(n.
target)} ${C(o).symbol}`;return t("svg",{class:`band ${c}`,viewBox:"0 0 100 10",preserveAspectRatio:"none",role:"img","aria-label":p,children:[t("title",{children:p}),
t("rect",{class:"track",y:"3",width:"100",height:"4"}),t("rect",{class:"range",x:u(r),y:"1",width:Math.max(.5,(a===null?100:u(a))-u(r)),height:"8"}),i===null?null:
t("rect",{class:"fill",y:"3",width:u(i),height:"4"}),t("rect",{class:"target",x:u(s)-.2,width:"0.5",height:"10"})]})}var hn=62;function Ko(){let{value:e}=$("series/total",6e4),[n,o]=G(),r=(e?.points??[]).flatMap(({amount:h})=>h===null?[]:[Number(h)]),[s]=e?.points??[];if(e===null||
s===void 0||r.length===0)return null;let a=Math.min(...r),i=Math.max(...r),l=(i-a)*.1||i*.01||1,u=Date.parse(s.at),c=Date.parse(e.to),d=h=>(o-56)*(h-u)/Math.max(
1,c-u),p=h=>4+hn*(i+l-h)/(i-a+2*l),f=me(a-l,i+l,2),m=`${_(String(a))} to ${_(String(i))}`;return t("figure",{class:"chart total-plot",ref:n,children:[t("h2",{children:[
"Total, ",E(s.at)," to now"]}),t("svg",{width:o,height:hn+24,role:"img","aria-label":`Total in usd: ${m}`,children:[t("title",{children:m}),f.map(h=>t("g",{children:[
t("line",{class:"grid-line",x2:o-56,y1:p(h),y2:p(h)}),t("text",{x:o-50,y:p(h)+4,children:["$",j(h,(f[1]??0)-(f[0]??0))]})]},h)),_e(u,c,4).map(({ms:h,label:g})=>t(
"text",{x:d(h),y:hn+20,"text-anchor":"middle",children:g},h)),t("path",{class:"line-a",d:kt(e.points,e.to,h=>d(Date.parse(h)),p)})]})]})}function jo({overview:e,summary:n}){let{totalFiat:o,change:r,swaps:s,inFlight:a,unpriced:i,unread:l}=n,u=[...i,...l],c=new Set(u.map(d=>C(d).symbol));return t("\
section",{class:"card money-first","aria-label":"Money",children:[t("div",{children:[t("h2",{children:"Treasury"}),t("p",{class:"total",title:`${o} usd`,"data-e\
xact":o,children:_(o)}),t(Ja,{change:r,total:o}),u.length===0?null:t("p",{class:"note",title:u.join(", "),children:["without ",[...c].join(", "),":"," ",l.length>
0?"no reading or no price":"no price"]})]}),t(Ko,{}),t("dl",{class:"facts",children:[t(Ae,{name:"Moved in 24 h",value:_(s.volumeFiat),exact:s.volumeFiat,children:Vo(
s.orders)}),t(Ae,{name:"Cost in 24 h",value:_(s.costFiat),exact:s.costFiat,children:s.costBps===null?"no swap yet":`${s.costBps} bps`}),t(Ae,{name:"In flight",value:_(
a.fiat),exact:a.fiat,children:Vo(a.orders)}),t(Ae,{name:"Half done within",value:qo(s.medianMs),children:s.p90Ms===null?"":`nine of ten ${qo(s.p90Ms)}`}),t(Ia,{
gas:e.gas}),t(Ba,{overview:e})]})]})}function Ae(e){return t("div",{children:[t("dt",{children:e.name}),t("dd",{class:e.tone,children:[t("span",{title:e.exact,"\
data-exact":e.exact,children:e.value})," ",t("small",{children:e.children})]})]})}function Ja({change:e,total:n}){let o=K();if(e===null)return t("p",{class:"not\
e",children:"No older reading to compare with yet."});let{from:r,totalFiat:s,pricesFiat:a,outsideFiat:i,swapsFiat:l}=e;return t(b,{children:[t("p",{children:[t(
"b",{title:s,children:[Ve(s)," (",qe(s,n),")"]})," ",t("span",{class:"quiet",children:["since ",t("span",{title:r,children:E(r,o)})]})]}),t("p",{class:"note par\
ts",children:[t("span",{title:a,children:["prices ",Ve(a)]}),t("span",{title:i,children:["paid in and out ",Ve(i)]}),t("span",{title:l,children:["swaps and fees\
 ",Ve(l)]})]})]})}function Vo(e){return`${e} order${e===1?"":"s"}`}function qo(e){return e===null?"–":U(e)}function Ia({gas:e}){let n=({amount:s,needed:a})=>s!==
null&&Number(s)<Number(a),[o]=e.toSorted((s,a)=>Number(n(a))-Number(n(s))||(s.daysLeft??Number.MAX_VALUE)-(a.daysLeft??Number.MAX_VALUE));if(o===void 0)return t(
Ae,{name:"Runs dry first",value:"–"});let r=n(o);return t(Ae,{name:"Runs dry first",value:r?"▲ too little":Go(o.daysLeft),tone:r||(o.daysLeft??99)<7?"warn":
"",children:`${o.coin}, ${I(o.chain)}`})}function Go(e){return e===null?"no use yet":e>365?"over a year":`${e} days`}function Ba({overview:{services:e,nodes:n}}){
let o=[...e.filter(({state:r})=>r!=="good").map(({name:r,state:s})=>`${r} ${s}`),...n.filter(({state:r})=>r!=="good").map(({chain:r,state:s})=>`${I(r)} ${s}`)];
return t(Ae,{name:"Service and nodes",value:o.length===0?"✓ well":`▲ ${o[0]??""}`,tone:o.length===0?"":"warn",children:o.length===0?`${e.length+n.length} an\
swer`:o.length===1?"":`and ${o.length-1} more`})}function Ct({overview:e,summary:n}){let{treasury:o,gas:r}=e,s=[...new Set(o.map(({asset:a})=>a.split(":")[0]??""))];
return t(k,{title:"Where the money is",link:"#/treasury",note:"bar from 0: band, target, balance",children:t("table",{class:"places",children:[t("caption",{class:"\
hidden",children:"Balances by chain and asset"}),t("thead",{children:t("tr",{children:["Asset","Balance","Band","Value","In 24 h","On its way","State"].map(a=>t(
"th",{scope:"col",children:a},a))})}),s.map(a=>t("tbody",{children:[t(Ha,{chain:a,holdings:o.filter(({asset:i})=>i.startsWith(`${a}:`)),summary:n,source:e.nodes.
find(i=>i.chain===a)??null}),o.filter(({asset:i})=>i.startsWith(`${a}:`)).map(i=>t(Ka,{holding:i,valued:n.assets.find(({asset:l})=>l===i.asset)??null,gas:r.find(
l=>l.chain===a)??null},i.asset))]},a))]})})}var Ua=15*6e4;function Ha(e){let{chain:n,summary:o,source:r}=e,s=o.assets.filter(({asset:d})=>d.startsWith(`${n}:`)).
reduce((d,p)=>d+Number(p.fiat??0),0),[a]=e.holdings.map(({readAt:d})=>d??"").sort(),l=K()-Date.parse(a||"1970-01-01")>Ua&&r?.state!=="good",u=r?.endpoints.find(
({error:d})=>d!==null)?.error??null,c=e.holdings.flatMap(({bounds:d})=>d.map(({rule:p})=>p));return t("tr",{class:l?"chain late":"chain",children:[t("th",{scope:"\
rowgroup",colSpan:3,children:[t(Y,{id:n})," ",t("small",{children:[qe(String(s),o.totalFiat)," of the total"]})]}),t("td",{children:_(String(s))}),t("td",{colSpan:3,
children:t("small",{children:[l?"▲ last read":"read"," ",t(M,{at:a||null}),l&&u!==null?`, ${u}`:"",l&&c.length>0?`; waiting: ${[...new Set(c)].join(", ")}`:""]})})]})}
var Wa={below:"▼ below its band",above:"▲ above its band",within:"✓ in band",unknown:"no reading"};function Ka(e){let{holding:n,valued:o,gas:r}=e,{asset:s,
amount:a,bounds:i}=n,{symbol:l}=C(s),u=r!==null&&r.coin.toUpperCase()===l,[c]=i;return t("tr",{children:[t("th",{scope:"row",children:l}),t("td",{children:t(W,{
amount:a,asset:s,chain:!1,symbol:!1})}),t("td",{class:"band-cell",children:c===void 0?t("small",{children:u?"coin for fees":"no band"}):t(Wo,{amount:a,bound:c,asset:s})}),
t("td",{title:o?.fiat??void 0,"data-exact":o?.fiat??void 0,children:o?.fiat==null?t("small",{children:"no price"}):_(o.fiat)}),t("td",{title:o?.change??void 0,children:o?.
change==null||Number(o.change)===0?"=":`${Number(o.change)>0?"+":""}${O(o.change)}`}),t("td",{class:zo(o)?"some":"",children:t(Va,{valued:o})}),t("td",{children:c===
void 0?u?Go(r.daysLeft):"":t("span",{class:c.place,children:Wa[c.place]})})]})}function Ot(e){return Number(e)!==0}function zo(e){return e!==null&&(Ot(e.incoming)||
Ot(e.outgoing))}function Va({valued:e}){return e===null||!zo(e)?t(b,{children:"–"}):t(b,{children:[Ot(e.incoming)?t("span",{class:"block",title:e.incoming,children:[
"↓ in ",O(e.incoming)]}):null,Ot(e.outgoing)?t("span",{class:"block",title:e.outgoing,children:["↑ out ",O(e.outgoing)]}):null]})}function Qo({flows:e,span:n}){let{steps:o,total:r,maxCostBps:s}=e,a=i=>`$${j(i)}`;return t("div",{class:"grid thirds",children:[t(k,{title:`Cost, ${n}`,note:"■ \
swaps ■ network, usd",children:[t("p",{children:[t("b",{title:r.costFiat,children:_(r.costFiat)})," ",t("span",{class:"quiet",children:["for ",t("b",{title:r.
volumeFiat,children:_(r.volumeFiat)})," in ",r.completed," swaps"]})]}),t(De,{title:"Cost in usd",steps:o,as:"bars",show:a,series:[{name:"swaps",of:i=>Number(i.
costFiat)-Number(i.feesFiat),tone:"a"},{name:"network",of:i=>Number(i.feesFiat),tone:"b"}]})]}),t(k,{title:"Cost of what moved",note:"bps",children:[t("p",{children:[
t("b",{children:r.costBps===null?"–":`${r.costBps} bps`})," ",t("span",{class:"quiet",children:"network fees included"})]}),t(De,{title:"Cost in bps of what m\
oved",steps:o,as:"lines",show:i=>j(i),limit:s===null?null:{value:s,name:`limit ${s} bps`},series:[{name:"bps",of:({costBps:i})=>i,tone:"a"}]})]}),t(k,{title:"Ti\
me to completion",note:"— half · — 95 of 100",children:[t("p",{children:[t("span",{class:"quiet",children:"half within"})," ",t("b",{children:Ze(r.medianMs)}),
t("span",{class:"quiet",children:", 95 of 100 within"})," ",t("b",{children:Ze(r.p95Ms)})]}),t(De,{title:"Time to completion",steps:o,as:"lines",show:Ze,series:[
{name:"half",of:({medianMs:i})=>i,tone:"a"},{name:"95 of 100",of:({p95Ms:i})=>i,tone:"b"}]})]})]})}var qa=["Rule","Pair","Service","Time"];function Zo({flows:e,
span:n}){let[o,r]=v("Rule"),s=ja(e,o);return t("section",{class:"card",children:[t("header",{children:[t("h2",{children:["Volume, cost and time, ",n]}),t("field\
set",{class:"segments",children:[t("legend",{class:"hidden",children:"By"}),qa.map(a=>t("button",{type:"button","aria-pressed":a===o,onClick:()=>r(a),children:a},
a))]})]}),s.length===0?t(B,{children:"No order in this time."}):null,t(Z,{figures:!0,caption:`Volume, cost and time by ${o.toLowerCase()}`,columns:[o,"Orders","\
Moved","Cost","Of it network","bps","Half within","95 of 100"],rows:[...s,{name:"Total",line:e.total}].map(({name:a,line:i})=>({key:a,cells:Ga(a,i)}))}),e.total.
unpriced===0?null:t("p",{class:"note",children:[e.total.unpriced," amounts without a price are in no sum."]})]})}function ja({rules:e,services:n,pairs:o,steps:r},s){
return s==="Rule"?e.map(a=>({name:a.name,line:a})):s==="Service"?n.map(a=>({name:a.name,line:a})):s==="Pair"?o.map(a=>({name:`${Yo(a.from)} → ${Yo(a.to)}`,line:a})):
r.filter(({orders:a})=>a>0).toReversed().map(a=>({name:a.from.replace("T00:00:00.000Z","").replace(":00.000Z","Z"),line:a}))}function Yo(e){let{symbol:n,chain:o}=C(
e);return`${n} ${o}`}function Ga(e,n){return[t("b",{children:e},"name"),n.orders,t(Q,{fiat:n.volumeFiat},"moved"),t(Q,{fiat:n.costFiat},"cost"),t(Q,{fiat:n.feesFiat},
"fees"),n.costBps??"–",Ze(n.medianMs),Ze(n.p95Ms)]}function Ze(e){return e===null?"–":U(e)}var er={"24 h":1,"7 d":7,"30 d":30,"1 y":365},za=864e5;function tr({overview:e}){let[n,o]=v("7 d"),r=gn(n),{value:s}=$("summary",1e4),a=$(`flows?since=${r}`,2e4);
return t(P,{live:e,children:i=>t(b,{children:[t(X,{children:"Treasury"}),s===null?null:t(b,{children:[t(Ya,{overview:i,summary:s}),t("div",{class:"stack",children:t(
Ct,{overview:i,summary:s})})]}),t(yn,{range:n,onChange:o,ranges:Object.keys(er)}),t(Qa,{treasury:i.treasury,summary:s,since:r,marks:a.value?.marks??[]}),t(P,{live:a,
children:l=>t(Za,{flows:l,range:n})}),t(ti,{gas:i.gas})]})})}function gn(e){let[n]=v(Date.now);return new Date(n-er[e]*za).toISOString()}function yn(e){return t(
"fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"Range of the plots"}),e.ranges.map(n=>t("button",{type:"button","aria-pressed":n===e.
range,onClick:()=>e.onChange(n),children:n},n))]})}function Ya({overview:e,summary:n}){let o=Ne(),s=[...new Set(e.treasury.map(({asset:l})=>l.split(":")[0]??""))].
map(l=>({chain:l,fiat:n.assets.filter(({asset:u})=>u.startsWith(`${l}:`)).reduce((u,{fiat:c})=>u+Number(c??0),0)})),a=Math.max(s.reduce((l,{fiat:u})=>l+u,0),Number.
MIN_VALUE),i=0;return t("section",{class:"card shares","aria-label":"Shares of the chains",children:[t("p",{class:"total",title:`${n.totalFiat} usd`,"data-exact":n.
totalFiat,children:_(n.totalFiat)}),t("svg",{viewBox:"0 0 1000 10",preserveAspectRatio:"none","aria-hidden":"true",children:s.map(({chain:l,fiat:u})=>{let c=i;return i+=
1e3*u/a,t("rect",{class:`node ${o(l)}`,x:c,width:Math.max(0,i-c-2),height:"10"},l)})}),t("ul",{children:[s.map(({chain:l,fiat:u})=>t("li",{children:[t(Y,{id:l}),
" ",t("b",{children:_(String(u))})," ",t("small",{children:qe(String(u),n.totalFiat)})]},l)),t("li",{children:["In flight ",t("b",{title:n.inFlight.fiat,children:_(
n.inFlight.fiat)})]})]})]})}function Qa(e){let{treasury:n,summary:o,since:r,marks:s}=e;return n.length===0?t(B,{children:"The configuration lists no asset."}):t(
k,{title:"Balance against its band",note:"▲ arrived ▼ left ◆ outside ✕ alarm ⚑ configuration · hatched: no reading of our nodes",children:t("div",{class:"\
multiples",children:n.map(({asset:a,amount:i,bounds:l,shares:u})=>{let c=o?.assets.find(d=>d.asset===a)??null;return t("section",{"aria-label":`${C(a).symbol} o\
n ${C(a).chain}`,children:[t("p",{class:"head",children:[t("span",{children:[t("b",{children:C(a).symbol})," ",t(Y,{id:a})]}),t("span",{children:[t(W,{amount:i,
asset:a,chain:!1,symbol:!1})," ",c?.fiat==null?null:t("small",{title:c.fiat,children:_(c.fiat)})]})]}),t(Fo,{asset:a,since:r,bound:l[0]??null,marks:s.filter(d=>d.
asset===a||d.asset===null),price:c?.price??null}),u.map(({rule:d,percent:p})=>t("p",{class:"note",children:["Target of ",d,": ",p," of the treasury"]},d))]},a)})})})}
function Za({flows:e,range:n}){let{chains:o,total:r,outside:s}=e,a=n==="1 y"?"31 d":n;return t(b,{children:[t("div",{class:"grid",children:[t(k,{title:`Flows, ${a}`,
note:t("b",{title:r.volumeFiat,children:_(r.volumeFiat)}),children:t($t,{chains:o})}),t("div",{class:"column",children:[t(k,{title:"The same as a table",children:t(
Ho,{chains:o})}),t(k,{title:`Money from outside, ${a}`,note:"not part of the flows",children:s.length===0?t(B,{children:"Nothing was paid in or taken out."}):t(
ei,{outside:s})})]})]}),t(Qo,{flows:e,span:a}),t(Zo,{flows:e,span:a})]})}function ei({outside:e}){let n=(o,r)=>Number(o)===0?"–":t("span",{title:`${o}, ${r??"\
no price"}`,children:[O(o)," ",t("small",{children:r===null?"no price":_(r)})]});return t(Z,{caption:"Money from outside",columns:["Asset","Paid in","Taken out"],
rows:e.map(o=>({key:o.asset,cells:[t("span",{children:[C(o.asset).symbol," ",t(Y,{id:o.asset})]},"asset"),n(o.in,o.inFiat),n(o.out,o.outFiat)]}))})}function ti({
gas:e}){return t(k,{title:"Coin for fees",wide:!0,children:t(Z,{caption:"Coin for fees",columns:["Chain","Balance","Must stay","Lasts"],rows:e.map(({chain:n,coin:o,
amount:r,needed:s,daysLeft:a})=>{let i=r!==null&&Number(r)<Number(s);return{key:n,cells:[t(Y,{id:n},"chain"),r===null?"not read yet":`${O(r)} ${o}`,O(s),i?t("b",
{class:"below",children:"▼ too little"},"low"):a===null?"no use yet":a>365?"over a year":`about ${a} days`]}})})})}function nr({payoutDeadline:e},n){if(e===void 0)return null;let{at:o,height:r}=e,s=ni(e);if(o===null)return`before its lock ends, at an unknown time; ${s}`;let a=Date.
parse(o)-(n??0),i=a>0?`${U(a)} left`:`over since ${U(-a)}`,l=[`height ${r??"unknown"}`,...n===null?[]:[i],"estimated"];return`before ${fo(Date.parse(o))} (${l.join(
", ")}); ${s}`}function ni({offerUnits:e,capUnits:n}){let o=n===null?"":`, and one may offer up to ${n}`;return e===null?`no redemption of ours is signed yet${o}${o===
""?"":" of the coin's smallest units"}`:`our newest redemption offers at most ${e}${o} of the coin's smallest units`}function or({secret:e,ownSecret:n}){if(n===void 0)return e==="service"?"chosen by the service":"not chosen yet";let{status:o,revealedAt:r}=n,s=r===null?"":` at ${r}`;
return{unknown:"our own, told to no other party",revealed:`our own, revealed${s}`,withheld:"our own, withheld for ever",lost:`our own, revealed${s}, and the pay\
out went back to the solver`}[o]}function rr(e,n){let{usual:o,seen:r,createdAt:s,outcome:a,updatedAt:i}=e;if(o===null||a!==null&&a!=="completed")return[];let l=f=>f==null?null:Date.parse(f)-Date.
parse(s),u=[["To the deposit",l(r.sourceInitiated?.at),o.depositMs],["To the payout",l(r.destinationRedeemed?.at),o.payoutMs],["To the end",a===null?null:l(i),o.
endMs]],c=n-Date.parse(s),d=0,p=!1;return u.map(([f,m,h])=>{let g=d,w=m===null&&!p?Math.max(0,c-g):null;return p||=m===null,d=m??g+Math.max(h,w??0),{name:f,startMs:g,
tookMs:m===null?null:m-g,runsMs:w,usualMs:h}})}function Fe(e){return e<1e4?`${(e/1e3).toFixed(1)} s`:U(e)}function ke(e){let n=te(null),o=te(e.onClose);o.current=e.onClose,lo(()=>{let s=n.current,a=new AbortController;return s?.addEventListener("close",()=>o.current(),
{signal:a.signal}),s?.showModal(),()=>{a.abort(),s?.close()}},[]);let r=s=>{s.key==="Escape"&&(s.preventDefault(),e.onClose())};return t("dialog",{ref:n,class:e.
class,"aria-label":e.label,"aria-labelledby":e.labelledBy,onKeyDown:r,children:e.children})}function oi({change:e,onClose:n}){let[o]=v(je),[r,s]=v(""),[a,i]=v(!1),[l,u]=v(null),c=ve(),d=ve(),p=r.trim()===e.word;async function f(m){if(m.preventDefault(),
!(!p||a)){i(!0);try{let h=await Pe(e.path,e.body,o);de(),n(),e.onDone?.(h)}catch(h){h instanceof R&&u(h),i(!1)}}}return t(ke,{labelledBy:c,onClose:n,children:t(
"form",{onSubmit:f,children:[t("h2",{id:c,children:e.title}),e.children,t("label",{for:d,children:["Type ",t("code",{class:"word",children:e.word})," to confirm"]}),
t("input",{id:d,value:r,autocomplete:"off",spellcheck:!1,onInput:m=>s(m.currentTarget.value)}),l===null?null:t("p",{class:"notice bad",role:"alert",children:l.message}),
t("footer",{children:[t("button",{type:"button",onClick:n,children:"Cancel"}),t("button",{type:"submit",class:e.danger?"main danger":"main",disabled:!p||a,children:a?
"Sending…":e.button})]})]})})}function ie(e){let[n,o]=v(!1),r=Le(e.scope,e.scopes);return t(b,{children:[t("button",{type:"button",class:e.change.danger?"dang\
er":e.main?"main":"",disabled:r!==null,title:r??void 0,onClick:()=>o(!0),children:e.change.button}),n?t(oi,{change:e.change,onClose:()=>o(!1)}):null]})}function sr({asset:e,source:n,price:o,agreed:r,deviationBps:s}){let a=s<0?"below":"above";return`The price source ${n} gives ${o} for ${e}, ${Math.abs(s)/100} %\
 ${a} the ${r} of the others, and does not count`}function ar({reference:e}){if(e===void 0)return[];let{costBps:n,outliers:o}=e,r=(n??0)<0?"more":"less",a=`By our own prices the quote pays ${Math.abs(n??0)/100}\
 % ${r} than it takes`;return[...n===null?[]:[a],...o.map(sr)]}var ri=1e3,bn=4;function ir({order:e,scopes:n}){let[o,r]=v(!1),s=Le("approve",n);return t(b,{children:[t("button",{type:"button",class:"main","data-key":"approv\
e",disabled:s!==null,title:s??void 0,onClick:()=>r(!0),children:"Approve"}),o?t(si,{order:e,onClose:()=>r(!1)}):null]})}function si({order:e,onClose:n}){let o=ve(),
[r]=v(je),[s,a]=v(""),[i,l]=v(null),u=pi(e),c=u&&(e.payee?.uses??0)>0,d=c||s.trim()===e.destinationOwner.slice(-bn);async function p(){try{await Pe(`orders/${e.
id}/approve`,{intent:e.intent},r),de(),n()}catch(f){f instanceof R&&l(f)}}return t(ke,{class:"approve",labelledBy:o,onClose:n,children:[t("h2",{id:o,tabIndex:-1,
children:["Approve ",e.fiat===null?"this order":_(e.fiat),"?"," ",t("small",{children:["ends ",t(M,{at:e.approveBefore})]})]}),t(ii,{order:e,isOurs:u,isFamiliar:c}),
t(ui,{order:e}),c?null:t(ai,{typed:s,onType:a}),i===null?null:t("p",{class:"notice bad",role:"alert",children:i.message}),t("footer",{children:[t("button",{type:"\
button",onClick:n,children:"Later"}),t(mi,{disabled:!d,onHeld:()=>{p()}})]}),t("details",{children:[t("summary",{children:"All fields that are signed"}),t("dl",
{class:"pairs small",children:Object.entries(e.intentFields??{}).map(([f,m])=>t("div",{children:[t("dt",{children:f}),t("dd",{children:t("code",{children:m})})]},
f))})]})]})}function ai(e){let n=ve();return t(b,{children:[t("label",{for:n,children:["Type the last ",bn," characters of the address"]}),t("input",{id:n,value:e.
typed,maxLength:bn,autocomplete:"off",spellcheck:!1,onInput:o=>e.onType(o.currentTarget.value)})]})}function ii(e){let{order:n,isOurs:o,isFamiliar:r}=e,{destinationOwner:s,
payee:a}=n,{value:i}=$("settings",6e4),l=yt(i).payeeOf(s);return t("p",{class:r?"payee":"payee unfamiliar",children:[r?"":"▲ ",o?"Pays our own wallet":"Pays a\
n address that is not this daemon's wallet",l===null?"":`: ${l}`,a===void 0?null:t("small",{children:[" · ",li(a)]}),t("code",{children:s.match(/.{1,4}/g)?.join(
" ")})]})}function li({uses:e,of:n,since:o}){return e>0&&o!==null?`used ${e===1?"once":`${e} times`} since ${E(o)}`:n===0?"new payee":`new payee: not among the \
last ${n} payouts`}function ui({order:e}){let n=C(e.from),o=C(e.to),{route:r}=e,s=e.costParts.refundAtMostFiat;return t("dl",{class:"pairs",children:[t("div",{children:[
t("dt",{children:"Sends"}),t("dd",{children:[t("b",{children:e.amount})," ",n.symbol,", ",n.chain]})]}),t("div",{children:[t("dt",{children:"Receives"}),t("dd",
{children:[t("b",{children:e.destinationAmount})," ",o.symbol,", ",o.chain]})]}),t("div",{children:[t("dt",{children:"Costs"}),t("dd",{children:[e.costFiat===null?
"unknown":_(e.costFiat)," (",z(e.costBps),")"]})]}),t(ci,{order:e}),t("div",{children:[t("dt",{children:"Why it asks"}),t("dd",{children:[e.askedBy??e.rule," wa\
nts more than one order may send without a person"]})]}),t("div",{children:[t("dt",{children:"At worst"}),t("dd",{children:[r===void 0?"the deposit comes back a\
fter its timelock":r.trust,r!==void 0||s===null?"":`, for a fee of up to ${_(s)}`]})]}),t(di,{order:e})]})}function ci({order:e}){let n=ar(e),o=(e.reference?.outliers.
length??0)>0;return n.length===0?null:t("div",{children:[t("dt",{children:o?"▲ Reference":"Reference"}),t("dd",{children:n.map(r=>t("span",{class:"block",children:t(
D,{text:r})},r))})]})}function di({order:{people:e,askedBy:n}}){let o=e?.needed??1,r=e?.approved??[];return t("div",{children:[t("dt",{children:"People"}),t("dd",
{children:[r.length," of ",o," approved",r.map(({by:s,at:a})=>t("span",{class:"block",title:a,children:["✓ ",s," ",t(M,{at:a})]},s)),n===void 0?null:t("small",
{class:"block",children:[n," asked, and may not approve"]})]})]})}function mi(e){let n=te(0),[o,r]=v(!1),s=()=>{e.disabled||n.current!==0||(r(!0),n.current=window.
setTimeout(()=>{a(),e.onHeld()},ri))},a=()=>{clearTimeout(n.current),n.current=0,r(!1)};L(()=>a,[]);let i=({key:l})=>l==="Enter"||l===" ";return t("button",{type:"\
button",class:o?"main hold holding":"main hold",disabled:e.disabled,onPointerDown:s,onPointerUp:a,onPointerLeave:a,onKeyDown:l=>i(l)?s():void 0,onKeyUp:a,onBlur:a,
onContextMenu:l=>l.preventDefault(),children:"Hold to approve"})}function pi({to:e,destinationOwner:n}){let{value:o}=$("status",6e4),r=e.split(":")[0];return o?.
chains.some(s=>s.chain===r&&s.account===n)??!1}function lr({order:e,scopes:n}){if(e.state==="awaiting-approval")return t(hi,{order:e,scopes:n});if(!e.held&&e.state!=="disarmed")return null;let o=(s,a)=>{let i=s.
slice(0,1).toUpperCase()+s.slice(1);return{title:`${i} this order?`,word:s,button:i,path:`orders/${e.id}/${s}`,body:{},danger:s==="abandon",children:t("p",{children:a})}},
r=o("abandon","You answer for the end of this order: Ballast ends it once no deposit can land.");return t("div",{class:"actions",children:[e.held?t(b,{children:[
t(ie,{change:o("retry","Ballast goes on from where the order was held."),scope:"operate",scopes:n,main:!0}),t(ie,{change:o("refund","Ballast takes the deposit b\
ack as soon as the HTLC allows it."),scope:"operate",scopes:n})]}):null,t(ie,{change:r,scope:"operate",scopes:n})]})}function fi({people:e}){if(e===void 0)return"";
let n=e.approved.map(({by:r})=>r).join(", "),o=e.needed-e.approved.length;return` · approved by ${n===""?"none":n}; ${o} more must approve`}function hi({order:e,
scopes:n}){let o=`${e.amount} ${C(e.from).symbol}`,r={title:"Reject this order?",word:"reject",button:"Reject",path:`orders/${e.id}/reject`,body:{},danger:!0,children:t(
"p",{children:["Nothing was deposited. The order ends, and ",o," stay in the wallet."]})};return t("div",{class:"actions",children:[t(ir,{order:e,scopes:n}),t(ie,
{change:r,scope:"approve",scopes:n}),t("span",{class:"note",children:["Approve before ",t(M,{at:e.approveBefore,clock:!0})," (",t(M,{at:e.approveBefore}),")",fi(
e)]})]})}function ur({events:e,seen:n,outcome:o,state:r,approval:s,updatedAt:a,createdAt:i,route:l}){let u=(...h)=>e.find(({type:g})=>h.includes(g))?.at??null,c=r==="awa\
iting-approval"||s!==null,d=n.sourceRefunded!=null||r.startsWith("refund")||o==="refunded",p=[{name:"Requested",at:i},{name:"Quoted",at:u("quote.accepted")},{name:"\
Ordered",at:u("order.created")},{name:"Verified",at:u("deposit.verified")},...c?[{name:"Approved",at:s?.at??null}]:[],{name:mr(l?.deposit,"Deposited"),at:n.sourceInitiated?.
at??null},...d?[{name:"Refunded",at:n.sourceRefunded?.at??null}]:gi(l,n),{name:o===null?"Final":wn(o),at:o===null?null:a}],f=p.findLastIndex(({at:h,passed:g=!1})=>h!==
null||g),m=o==="rejected"||o==="abandoned";return p.map((h,g)=>{if(m&&g===p.length-1)return{...h,state:"failed"};if(g<=f&&!(m&&h.at===null))return{...h,state:"d\
one"};let y=g===f+1;return{...h,state:y&&o===null?r==="held"?"failed":"now":"open"}}).filter(({at:h,state:g})=>!(o!==null&&h===null&&g==="open"))}function gi(e,n){
return[e===void 0?{name:"Solver deposited",at:n.destinationInitiated?.at??null}:{name:wn(e.voucher),at:null,passed:e.nonce!==null},{name:mr(e?.payout,"Paid out"),
at:n.destinationRedeemed?.at??null}]}function cr(e){let n=e.from.split(":")[0]??"",o=e.to.split(":")[0]??"",r=(a,i,l)=>({what:i,chain:l,service:e.reportedTxs[a],
seen:e.seen[a]??null}),{route:s}=e;return s!==void 0?[r("sourceInitiated",`Our ${s.deposit}`,n),r("destinationRedeemed",`The ${s.payout} to us`,o)]:[r("sourceIn\
itiated","Our deposit",n),r("destinationInitiated","The solver's deposit",o),r("destinationRedeemed","The payout to us",o),r("sourceRedeemed","The solver takes \
our deposit",n),r("sourceRefunded","The refund to us",n)]}function dr({service:e,seen:n},o){return n!==null&&e.includes(n.tx)?{tone:"good",says:"agree"}:n!==null&&
e.length>0?{tone:"warn",says:"another transaction"}:n!==null?{tone:"good",says:"proven"}:e.length>0?{tone:o?"calm":"warn",says:"only reported"}:{tone:"calm",says:"\
not yet"}}function Et(e){return`${e.kind}: ${e.deposit}, ${e.voucher}, ${e.payout}`}function mr(e,n){return e===void 0?n:wn(e)}function wn(e){return e.slice(0,1).
toUpperCase()+ae(e).slice(1)}function pr(e){let[n]=Object.entries(yi).filter(([r])=>r===e);return n!==void 0?{who:n[1][0],says:n[1][1]}:{who:e.startsWith("opera\
tor.")?"operator":"Ballast",says:e.replaceAll(/[._]/g," ")}}var yi={"order.opened":["Ballast","opens the order"],"work.deferred":["Ballast","waits and looks aga\
in later"],"quote.accepted":["service","quotes a price that all guards accept"],"quote.outdated":["service","no longer accepts the quote; Ballast asks again"],"\
order.created":["service","creates the order"],"order.declined":["Ballast","declines to go on"],"deposit.verified":["Ballast","compared the deposit with the ord\
er; every field agrees"],"operator.approved":["operator","approves the order"],"operator.rejected":["operator","rejects the order"],"operator.retried":["operato\
r","asks to try again"],"operator.abandoned":["operator","gives the order up"],"operator.refunded":["operator","asks for a refund"],"operator.redeemed":["operat\
or","asks for the redemption of the payout"],"approval.expired":["Ballast","ends the wait for an approval"],"allowance.ready":["chain","shows the allowance that\
 the deposit needs"],"transaction.planned":["Ballast","plans a transaction"],"transaction.signed":["Ballast","signs a transaction and stores it"],"transaction.s\
ent":["Ballast","sends the transaction"],"transaction.mined":["chain","shows the transaction in a block"],"transaction.pending":["chain","shows the transaction \
as pending"],"transaction.unseen":["chain","does not show the transaction; it is sent again"],"transaction.stuck":["chain","does not take the transaction up"],"\
transaction.excluded":["chain","shows that the transaction can never land"],"transaction.late":["Ballast","finds that the time for the transaction is over"],"ga\
sless.signed":["Ballast","signs the typed data for the relay"],"gasless.submitted":["service","takes the signature for its relay"],"gasless.initiated":["chain",
"shows the deposit of the relay"],"gasless.missing":["chain","does not show the deposit of the relay yet"],"order.observed":["chain","shows the state of both HT\
LCs"],"order.unfunded":["chain","proves that the HTLC never had the deposit"]};var vn=22,_n=104;function fr({order:e}){let[n,o]=G(),r=rr(e,K());if(r.length===0)return null;let s=Math.max(1,...r.map(l=>l.startMs+bi(l))),a=l=>l/s*Math.max(0,
o-_n-2),i=r.map(l=>`${l.name}: ${wi(l)}`).join("; ");return t("figure",{class:"chart spans",ref:n,children:[t("svg",{width:o,height:r.length*vn,role:"img","aria\
-label":i,children:r.map(({name:l,startMs:u,tookMs:c,runsMs:d,usualMs:p},f)=>t("g",{transform:`translate(0 ${f*vn})`,children:[t("text",{y:vn-8,children:l}),t("\
rect",{class:c===null?"runs":"took",x:_n+a(u),y:"6",width:Math.max(c===null&&d===null?0:1,a(c??d??0)),height:"10"}),t("rect",{class:"usual",x:_n+a(u),y:"3",width:Math.
max(1,a(p)),height:"16"})]},l))}),t("figcaption",{class:"note",children:i})]})}function bi({tookMs:e,runsMs:n,usualMs:o}){return Math.max(o,e??n??0)}function wi({
tookMs:e,runsMs:n,usualMs:o}){let r=`usually ${Fe(o)}`;return e!==null?`${Fe(e)}, ${r}`:n===null?r:`${Fe(n)} so far, ${r}`}function gr(e){let n=$(`orders/${encodeURIComponent(e.detail)}`,3e3);return t(P,{live:n,children:o=>t(vi,{order:o,desk:e})})}function vi({order:e,desk:n}){let o=`\
#/decisions/${encodeURIComponent(e.rule)}`,r=n.overview.value?.orders.find(({id:s})=>s===e.id)??null;return t(b,{children:[t(X,{note:t(b,{children:["Order ",t("\
code",{children:e.id.slice(0,8)})," of rule ",t("a",{href:o,children:e.rule}),", requested ",t(M,{at:e.createdAt})]}),children:[t(W,{amount:e.amount,asset:e.from}),
" →"," ",t(W,{amount:e.destinationAmount,asset:e.to})]}),t("section",{class:`card wide place ${Me(e.state)}`,children:[t("p",{children:t(N,{tone:Me(e.state),children:ae(
e.state)})}),t("p",{class:"money",children:[t("span",{class:"quiet",children:"Where is the money?"})," ",t("b",{children:e.money})]}),r?.left==null?null:t("p",{
children:[t("b",{children:r.left})," left",r.ends===null?"":`: ${r.ends}`]}),t(oe,{reasons:e.reasons.map(s=>n.known.humane(s,e))}),t(lr,{order:e,scopes:n.scopes})]}),
e.explained===void 0||e.explained.length===0?null:t(k,{title:"Why this way",note:`rule ${e.rule}`,wide:!0,children:e.explained.map(s=>t("p",{children:t(D,{text:s})},
s))}),t(k,{title:"The way of the order",wide:!0,children:[t(_i,{stages:ur(e)}),t(fr,{order:e})]}),t(k,{title:e.route===void 0?"The service's word and the chain'\
s word":"The chains",note:"Ballast believes only the chain.",wide:!0,children:t(ki,{order:e,desk:n})}),t("div",{class:"grid even",children:[t(k,{title:"Transact\
ions",children:t(xi,{order:e,desk:n})}),t(k,{title:"Terms",children:t($i,{order:e})})]}),t(k,{title:"Everything that happened",note:`${e.events.length} events`,
wide:!0,children:t(Ci,{order:e})})]})}function _i({stages:e}){return t("ol",{class:"stages",children:e.map(({name:n,at:o,state:r},s)=>{let a=e.slice(0,s).findLast(
l=>l.at!==null)?.at??null,i=o===null||a===null?null:Date.parse(o)-Date.parse(a);return t("li",{class:r,"aria-current":r==="now"?"step":void 0,children:[t("span",
{class:"mark","aria-hidden":"true"}),t("b",{children:n}),o===null?t("small",{children:r==="now"?"next":r==="done"?"passed":"not yet"}):t("small",{title:o,children:[
E(o),i===null||i<0?"":` · +${Fe(i)}`]})]},n)})})}function ki({order:e,desk:n}){let o=cr(e).filter(({what:r,service:s,seen:a})=>s.length>0||a!==null||r!=="The r\
efund to us").map(({what:r,chain:s,service:a,seen:i})=>{let{tone:l,says:u}=dr({service:a,seen:i},e.outcome!==null),c=[t("span",{children:[t("b",{children:r}),t(
"small",{class:"block",children:["on ",I(s)]})]},"what"),t(Si,{chain:s,txs:a,desk:n},"service"),i===null?t("span",{class:"quiet",children:"shows nothing"},"seen"):
t("span",{children:[t(re,{hash:i.tx,link:n.known.linkOf(s,i.tx),what:"the transaction"}),t("small",{class:"block",children:[E(i.at),", ",i.final?"final":"not fi\
nal yet"]})]},"seen"),t(N,{tone:l,children:u},"judgement")];return{key:r,cells:c}});return t(Z,{caption:"The service's word and the chain's word",columns:["Abou\
t","The service says","Our own node shows","Together"],rows:o})}var hr=3;function Si({chain:e,txs:n,desk:o}){if(n.length===0)return t("span",{class:"quiet",children:"\
says nothing"});let r=n.length-hr;return t("span",{children:[n.slice(0,hr).map(s=>t("span",{class:"block",children:t(re,{hash:s,link:o.known.linkOf(e,s),what:"t\
he transaction"})},s)),r>0?t("small",{class:"block",children:["and ",r," more"]}):null]})}function xi({order:e,desk:n}){let o=e.from.split(":")[0]??"";return e.
transactions.length===0?t("p",{class:"empty",children:e.deposit==="gasless"&&e.depositTx!==null?"Ballast signed no transaction of its own: the relay made the de\
posit and paid its fee.":"Ballast has signed no transaction for this order."}):t("ul",{class:"plain",children:e.transactions.map(({purpose:r,attempt:s,tx:a})=>t(
"li",{children:[t("b",{children:r})," ",t("small",{children:s>0?`attempt ${s+1}`:`on ${I(o)}`}),t(re,{hash:a,link:n.known.linkOf(o,a),what:"the transaction"})]},
a))})}function $i({order:e}){let n=C(e.to).symbol,o=nr(e,null),r=[["Order",t(re,{hash:e.id,what:"the order's id"},"id")],["Order at the service",e.serviceOrderId===
null?"none":t(re,{hash:e.serviceOrderId,what:"the service's id"},"s")],["Service",e.service??"none yet"],["Solver",e.solver===null?"none yet":t(re,{hash:e.solver,
what:"the solver's id"},"solver")],...Oi(e),...o===null?[]:[["Payout must be redeemed",o]],["Value",e.fiat===null?"unknown":_(e.fiat)],["Cost, network fees so f\
ar included",`${_(e.costFiat)} (quote: ${z(e.costBps)})`],["Deposit",e.deposit==="gasless"?"by a relay, without a fee of ours":"by our own transaction"],["Pays \
to",t(re,{hash:e.destinationOwner,what:"the address"},"d")],["Fee that the payout may lose",e.payoutFee===null?"unknown":`${O(e.payoutFee)} ${n}`],["Approved",e.
approval===null?"no approval was needed or given":`by ${e.approval.by}, ${E(e.approval.at)}`],["Acts next",e.who]];return t(b,{children:[t(Xe,{pairs:r}),e.calls.
length===0?null:t(b,{children:[t("h3",{children:"Asked by people"}),t("ul",{class:"plain",children:e.calls.map(({at:s,caller:a,source:i,action:l})=>t("li",{children:[
t("b",{children:l})," by ",a," from ",i,", ",t(M,{at:s})]},`${s} ${l}`))})]})]})}function Oi(e){let{route:n,refundableAtHeight:o}=e;return n!==void 0?[["Route",
Et(n)],["Depends on",n.trust]]:[["Route","two HTLCs of a swap service"],["Secret",or(e)],["Refund possible at height",o??"not known yet"]]}function Ci({order:e}){
let[n,o]=v(!1),r=n?e.events:e.events.slice(-40);return t(b,{children:[e.events.length>r.length?t("button",{type:"button",onClick:()=>o(!0),children:["Show the ",
e.events.length-r.length," earlier events"]}):null,t("ol",{class:"events",children:r.map(({at:s,type:a,state:i},l)=>{let{who:u,says:c}=pr(a);return t("li",{class:u,
children:[t("time",{dateTime:s,title:s,children:E(s)}),t("span",{class:"who",children:u}),t("span",{children:[c," ",t("small",{children:["→ ",ae(i)]})]})]},`${s}\
 ${l}`)})})]})}var yr={id:({id:e})=>e,requested:({createdAt:e})=>e,changed:({updatedAt:e})=>e,state:({state:e})=>e,rule:({rule:e})=>e,service:({service:e})=>e,sent:({amount:e})=>e,
sent_asset:({from:e})=>e,received:({destinationAmount:e})=>e,received_asset:({to:e})=>e,value_usd:({fiat:e})=>e,cost_usd:({costFiat:e})=>e,cost_bps:({costBps:e})=>e,
deposit_tx:({depositTx:e})=>e,payout_tx:({destinationTx:e})=>e};function br(e){return[Object.keys(yr),...e.map(o=>Object.values(yr).map(r=>String(r(o)??"")))].map(
o=>`${o.map(Ei).join(",")}\r
`).join("")}function Ei(e){let n=/^[=+@\t\r]|^-(?![\d.])/.test(e)?`'${e}`:e;return/[",\r\n]/.test(n)?`"${n.replaceAll('"','""')}"`:n}var Ti=1e3;async function wr(e,n){let o=[],r=null;do{let i=r===null?"":`&cursor=${r}`,l=await V("GET",`orders?${e}&limit=${Ti}${i}`);o.push(...l.orders),n(o.length),
r=l.next}while(r!==null);let s=URL.createObjectURL(new Blob([br(o)],{type:"text/csv"})),a=document.createElement("a");a.href=s,a.download=`orders-${new Date().toISOString().
slice(0,10)}.csv`,a.click(),URL.revokeObjectURL(s)}var Mi=1e3,Ai=6e4,Ri="since=1970-01-01T00:00:00Z";function vr({query:e}){let[n,o]=v(null);if(L(()=>{let g=!1,y=async()=>{let x=e.includes("since=")?e:`${e}&${Ri}`,
T=await V("GET",`report?${x}`).catch(()=>null);T!==null&&!g&&o({query:e,sums:T.total})},w=setTimeout(y,Mi),S=setInterval(y,Ai);return()=>{g=!0,clearTimeout(w),clearInterval(
S)}},[e]),n?.query!==e)return null;let{counts:r,volumeFiat:s,costBps:a,toPayoutMs:i,unpriced:l,...u}=n.sums,{swapCostFiat:c,affiliateCostFiat:d,payoutCostFiat:p,
networkFeeFiat:f}=u,m=[c,d,p,f],h=l.swaps+l.fees;return t("p",{class:"sums",role:"status",children:[t("b",{children:"All of this filter:"}),t("span",{children:Object.
entries(r).map(([g,y])=>`${y} ${g}`).join(", ")||"no order"}),t("span",{children:[t(Q,{fiat:s})," moved"]}),t("span",{children:[t(Q,{fiat:m.reduce((g,y)=>g+Number(
y),0).toFixed(6)})," cost",a===null?"":`, ${a} bps`]}),i===null?null:t("span",{children:["paid out in ",U(i.median)," (median)"]}),h===0?null:t("span",{children:[
"▲ without ",h," that have no price"]})]})}var Pi=["quoted","ordered","verified","signed"],Di={deposit:"deposited",voucher:"solver deposited",payout:"paid out"},Ni={quoting:0,creating:1,verifying:2,"awai\
ting-approval":3,allowing:3,"gasless-signing":3,"deposit-planning":3,"deposit-signing":3,"deposit-sending":4,"gasless-submitting":4,"deposit-confirming":4,"gasl\
ess-confirming":4,funded:5,revealing:6,revealed:6,"redeem-reported":6,completed:7};function _r(e){let{state:n,deposited:o,parts:r=Di}=e,s=[...Pi,r.deposit,r.voucher,
r.payout],a=Ni[n]??(o?5:3),i=["completed","refunded","rejected","abandoned"].includes(n),l=Me(n),u=s[a];return t("svg",{class:`steps ${l}`,viewBox:"0 0 69 6",role:"\
img","aria-label":i||u===void 0?`${a} of ${s.length} stages`:`${a} of ${s.length} stages, next: ${u}`,children:s.map((c,d)=>t("rect",{class:d<a?"passed":d===a&&
!i?"next":"track",x:d*10,width:"9",height:"6",rx:"1"},c))})}var Li=[{name:"all",query:""},{name:"needs you",query:"state=awaiting-approval"},{name:"open",query:"open=true"},{name:"held",query:"state=held"},{name:"complet\
ed",query:"state=completed"},{name:"refunded",query:"state=refunded"},{name:"rejected",query:"state=rejected"}],Sr={"24 h":1,"7 days":7,"30 days":30,"1 year":365},
Xi=864e5,kr=50,Je="",Fi=60,Ji={state:"",rule:Je,pair:Je,service:Je,since:Je,text:""};function xr({overview:e}){let[n,o]=v(Ji),[r,s]=v([]),a=$r(n),i=r.at(-1),l=$(
`orders?${a}&limit=${kr}${i===void 0?"":`&cursor=${i}`}`),u=te(null);u.current=l.value??u.current;let c={...l,value:u.current};return t(b,{children:[t(X,{children:"\
Orders"}),t(Bi,{filter:n,onChange:p=>{o(f=>({...f,...p})),s([])},overview:e.value,rows:u.current?.orders??[]}),t(P,{live:c,children:({orders:p,next:f})=>t("sect\
ion",{class:"card",children:[a===""?null:t(vr,{query:a}),t(kn,{orders:p.map(m=>({...m,since:m.updatedAt,left:null})),none:a===""?t(Ii,{overview:e.value}):"No or\
der matches."}),t(Wi,{first:r.length*kr,count:p.length,onNewer:r.length===0?null:()=>s(r.slice(0,-1)),onOlder:f===null?null:()=>s([...r,f])})]})})]})}function Ii({
overview:e}){let[n]=e?.next??[];return n===void 0?t(b,{children:"No order yet. A rule or a new swap makes the first one."}):t(b,{children:["No order yet. The ru\
le ",n.rule," decides ",t(M,{at:n.at}),";"," ",t("a",{href:`#/simulate/${encodeURIComponent(n.rule)}`,children:"simulate it"})," now."]})}function $r({state:e,rule:n,
pair:o,service:r,since:s,text:a}){let[i="",l=""]=o.split(" "),u=Sr[s],c={rule:n,from:i,to:l,service:r,since:u===void 0?"":`${new Date(Date.now()-u*Xi).toISOString().
slice(0,16)}:00Z`,text:a.trim().toLowerCase()};return[...e===""?[]:[e],...Object.entries(c).filter(([,d])=>d!=="").map(([d,p])=>`${d}=${encodeURIComponent(p)}`)].
join("&")}function Bi(e){let{filter:n,onChange:o,overview:r,rows:s}=e,a=$("flows",6e4).value,i=[...(r?.rules??[]).map(({id:c})=>c),...(a?.rules??[]).map(({name:c})=>c),
...s.map(({rule:c})=>c)],l=[...a?.pairs??[],...s].map(({from:c,to:d})=>`${c} ${d}`),u=[...(r?.services??[]).map(({name:c})=>c),...(a?.services??[]).map(({name:c})=>c).
filter(c=>c!=="none yet"),...s.flatMap(({service:c})=>c??[])];return t("div",{class:"filters",children:[t("fieldset",{class:"segments",children:[t("legend",{class:"\
hidden",children:"Show"}),Li.map(({name:c,query:d},p)=>t("button",{type:"button","data-key":p===0?"filter":void 0,"aria-pressed":d===n.state,onClick:()=>o({state:d}),
children:c},c))]}),t(Tt,{name:"Any time",value:n.since,values:Object.keys(Sr),isSorted:!0,onChange:c=>o({since:c})}),t(Tt,{name:"Every rule",value:n.rule,values:i,
onChange:c=>o({rule:c})}),t(Tt,{name:"Every pair",value:n.pair,values:l,say:Ki,onChange:c=>o({pair:c})}),t(Tt,{name:"Every service or route",value:n.service,values:u,
onChange:c=>o({service:c})}),t(Ui,{onChange:c=>o({text:c})}),t(Hi,{query:$r(n)})]})}function Ui({onChange:e}){let n=te(0);return t("label",{children:[t("span",{
class:"hidden",children:"Search by order, rule or asset"}),t("input",{type:"search",placeholder:"Order, rule or asset",onInput:({currentTarget:{value:o}})=>{clearTimeout(
n.current),n.current=window.setTimeout(()=>e(o),Fi)}})]})}function Hi({query:e}){let[n,o]=v("Export CSV");return t("button",{type:"button","data-key":"export",onClick:()=>{
wr(e,s=>o(`${s} orders…`)).then(()=>o("Export CSV"),s=>o(s instanceof R?s.message:"The export failed"))},children:n})}function Wi(e){let{first:n,count:o,onNewer:r,
onOlder:s}=e;return t("p",{class:"pages",children:[t("span",{class:"quiet keys",children:[t("kbd",{children:"j"})," ",t("kbd",{children:"k"})," move ",t("kbd",{
children:"o"})," open ",t("kbd",{children:"f"})," filter ",t("kbd",{children:"e"})," export"]}),t("span",{class:"quiet",children:o===0?"":`${n+1}–${n+o}`}),t(
"button",{type:"button",disabled:r===null,onClick:()=>r?.(),children:"Newer"}),t("button",{type:"button",disabled:s===null,onClick:()=>s?.(),children:"Older"})]})}
function Ki(e){let[n,o]=e.split(" ").map(C);return`${n?.symbol} ${n?.chain} → ${o?.symbol} ${o?.chain}`}function Tt(e){let{name:n,value:o,values:r,isSorted:s=!1,
say:a=u=>u,onChange:i}=e,l=[...new Set([...o===Je?[]:[o],...r])];return t("label",{children:[t("span",{class:"hidden",children:n}),t("select",{value:o,onChange:u=>i(
u.currentTarget.value),children:[t("option",{value:Je,children:n}),(s?r:l.toSorted()).map(u=>t("option",{value:u,children:a(u)},u))]})]})}var Vi=["Opened","Orde\
r","Sends","From → to","Receives","Value","Cost","Stage","State","Took","Rule"];function kn({orders:e,none:n}){return e.length===0?t(B,{children:n}):t("table",
{class:"orders",children:[t("caption",{class:"hidden",children:"Orders"}),t("thead",{children:t("tr",{children:Vi.map(o=>t("th",{scope:"col",children:o},o))})}),
t("tbody",{children:e.map(o=>t(qi,{order:o},o.id))})]})}function qi({order:e}){let{id:n,from:o,to:r,state:s,fiat:a,costFiat:i=null,costBps:l=null}=e;return t("t\
r",{children:[t("td",{children:t(M,{at:e.createdAt})}),t("td",{children:t("a",{href:`#/orders/${n}`,class:"id","data-row":!0,children:n.slice(0,8)})}),t("td",{class:"\
number",children:t(W,{amount:e.amount,asset:o,chain:!1})}),t("td",{children:[t(Y,{id:o})," ",t("span",{class:"quiet",children:"→"})," ",t(Y,{id:r})]}),t("td",
{class:"number",children:e.destinationAmount===null?"–":t(W,{amount:e.destinationAmount,asset:r,chain:!1})}),t("td",{class:"number",title:a??void 0,"data-exac\
t":a??void 0,children:a===null?"–":_(a)}),t("td",{class:"number",title:i===null?void 0:`${i} usd`,children:l===null?"–":`${l} bps`}),t("td",{children:[t(_r,
{state:s,deposited:e.deposited,parts:e.route}),e.route===void 0?null:t("small",{class:"block",children:Et(e.route)})]}),t("td",{title:e.money,children:[t(Gi,{state:s}),
e.left===null?null:t("small",{class:"block",children:[e.left," left"]})]}),t("td",{children:t(ji,{order:e})}),t("td",{class:"rule",children:e.rule})]})}function ji({
order:{createdAt:e,since:n,outcome:o}}){let r=K(),s=o!=null,a=s?Date.parse(n):r;return t("time",{dateTime:e,title:s?`${e} to ${n}`:`since ${e}`,children:U(Math.
max(0,a-Date.parse(e)))})}function Gi({state:e}){return e==="completed"?t(b,{children:"✓ completed"}):t(N,{tone:Me(e),children:ae(e)})}var zi="Nothing is ordered before you have seen the quote and typed the amount.";function Er(e){let n=(e.overview.value?.treasury??[]).map(({asset:y})=>y),[o,r]=v(
""),[s,a]=v(""),[i,l]=v(""),[u,c]=v(null),[d,p]=v(null),[f,m]=v(!1);function h(y){y(),c(null)}async function g(y){y.preventDefault(),m(!0),c(null),p(null);try{c(
await Yi({from:o,to:s,amount:i}))}catch(w){p(w instanceof R?w.message:"The page failed")}m(!1)}return t(b,{children:[t(X,{note:zi,children:"New swap"}),t("div",
{class:"grid even",children:[t(k,{title:"Request",children:[t("form",{class:"fields",onSubmit:g,children:[t(Or,{label:"Send",id:"swap-from",value:o,assets:n,onChoose:y=>h(
()=>r(y))}),t(Qi,{asset:o,value:i,onType:y=>h(()=>l(y))}),t(Or,{label:"Receive",id:"swap-to",value:s,assets:n,onChoose:y=>h(()=>a(y))}),t("button",{type:"submit",
class:"main",disabled:o===""||s===""||i===""||f,children:f?"Asking…":"Get a quote"})]}),d===null?null:t("p",{class:"notice bad",role:"alert",children:d})]}),u===
null?null:t(Zi,{quote:u,desk:e})]})]})}async function Yi(e){return await V("GET",`quote?${new URLSearchParams(e)}`)}function Qi(e){let n=e.asset===""?"":`, in ${C(
e.asset).symbol}`;return t(b,{children:[t("label",{for:"swap-amount",children:["Amount",n]}),t("input",{id:"swap-amount",inputMode:"decimal",autocomplete:"off",
value:e.value,onInput:({currentTarget:o})=>e.onType(o.value.trim())})]})}function Or(e){return t(b,{children:[t("label",{for:e.id,children:e.label}),t("select",
{id:e.id,value:e.value,onChange:n=>e.onChoose(n.currentTarget.value),children:[t("option",{value:"",children:"Choose an asset"}),e.assets.map(n=>t("option",{value:n,
children:[C(n).symbol," on ",C(n).chain]},n))]})]})}function Zi({quote:e,desk:n}){let o={title:"Order this swap?",word:e.amount,button:"Order the swap",path:"sw\
ap",body:{from:e.from,to:e.to,amount:e.amount},onDone:r=>{location.hash=`#/orders/${r.id}`},children:t(b,{children:[t("p",{children:["Send ",t(W,{amount:e.amount,
asset:e.from})," and receive about"," ",t(W,{amount:e.receive,asset:e.to}),"."]}),t(Cr,{sentences:e.worstCase})]})};return t(k,{title:"Quote",note:e.refused.length===
0?t(N,{tone:"good",children:"the guards allow it"}):t(N,{tone:"bad",children:"refused"}),children:[t("p",{class:"big",children:t(W,{amount:e.receive,asset:e.to})}),
t(el,{quote:e}),t(Cr,{sentences:e.worstCase}),t(oe,{reasons:e.refused.map(r=>n.known.humane(r,e))}),t("div",{class:"actions",children:e.refused.length===0?t(ie,
{change:o,scope:"operate",scopes:n.scopes,main:!0}):null})]})}function el({quote:e}){return t("dl",{class:"pairs",children:[t("div",{children:[t("dt",{children:"\
Cost"}),t("dd",{children:[z(e.costBps),e.sendsFiat===null||e.receivesFiat===null?"":`: ${_(e.sendsFiat)} for ${_(e.receivesFiat)}`]})]}),t("div",{children:[t("d\
t",{children:"Service and solver"}),t("dd",{children:[e.service??"none"," ",e.solver===null?null:t(re,{hash:e.solver,what:"the solver's id"})]})]}),t("div",{children:[
t("dt",{children:"Network fees at most"}),t("dd",{children:e.fees===null?"cannot be estimated now":`${e.fees.deposit}; for a refund ${e.fees.refund}`})]}),t("di\
v",{children:[t("dt",{children:"Approval"}),t("dd",{children:e.needsApproval?"a person must approve the order":"not needed"})]})]})}function Cr({sentences:e}){return t(
"div",{class:"notice warn",children:[t("b",{children:"The worst case"}),t("ul",{children:e.map(n=>t("li",{children:t(D,{text:n})},n))})]})}function Tr({overview:e,summary:n}){let o=({order:a})=>n?.open.find(i=>i.order===a)?.fiat??null,r=e.tasks.toSorted((a,i)=>+(i.level==="trouble")-+(a.level==="tr\
ouble")||Number(o(i)??0)-Number(o(a)??0)),s=e.problems.filter(({needsPerson:a})=>!a);return r.length+s.length===0?t(k,{title:"Needs you",children:t("p",{class:"\
quiet",children:["✓ Nothing. ",e.verdict]})}):t(k,{title:r.length>0?"Needs you":"Worth knowing",note:r.length>1?"most at stake first":void 0,children:t("ul",{
class:"plain tasks",children:[...r,...s].map(a=>t(nl,{problem:a,stake:o(a)},`${a.code} ${a.sentence}`))})})}var tl={trouble:"✕",attention:"▲"};function nl({
problem:e,stake:n}){let{level:o,sentence:r,meaning:s,todo:a,deadline:i,left:l,needsPerson:u}=e,c=u?Mt(e):null;return t("li",{class:o,children:[t("span",{class:"\
shape","aria-hidden":"true",children:tl[o]}),t("div",{children:[t("p",{children:[t("b",{children:t(D,{text:r})}),n===null?null:t("span",{class:"stake",children:_(
n)})]}),t("p",{class:"note",children:[s," ",t(D,{text:a}),u?null:" (ends by itself)"]}),t(Sn,{problem:e})]}),i===null&&c===null?null:t("p",{class:"do",children:[
i===null?null:t("span",{children:["Time left: ",t("b",{children:l})]}),c===null?null:t("a",{class:"button main",href:c.href,"data-row":!0,children:c.name})]})]})}
function Sn({problem:e}){let{command:n,needsPerson:o}=e;return n===null||o&&Mt(e)!==null?null:t("details",{class:"small",children:[t("summary",{children:"On the\
 daemon's machine"}),t("p",{class:"hash",children:[t("code",{children:n}),t(Ye,{text:n,what:"the command"})]})]})}function Mt({order:e,kind:n,about:o}){return e!==
null?{name:n==="approval"?"Review":"Open the order",href:`#/orders/${e}`}:n==="rule"||n==="pause"&&o?.startsWith("rule ")===!0?{name:"Open the rules",href:"#/ru\
les"}:n==="limit"?{name:"Open the limits",href:"#/limits"}:n==="gas"?{name:"Open the treasury",href:"#/treasury"}:n==="books"?{name:"Open the books",href:"#/boo\
ks"}:null}var ol="An alarm is open as long as its cause lasts. A pause by an alarm ends when a person acknowledges it (Resume, on the overview).";function Ar({overview:e}){
let n=$("alerts?limit=100",1e4);return t(b,{children:[t(X,{note:ol,children:"Alarms"}),t(P,{live:n,children:o=>{let r=o.alerts.filter(({closed:i})=>i===null),s=e.
value?.problems??[],a=o.alerts.filter(({closed:i})=>i!==null);return t(b,{children:[t(k,{title:r.length===0?"No alarm is open":`${r.length} open`,wide:!0,children:r.
length===0?t(B,{children:"Nothing needs you here."}):t(Mr,{alerts:r,problems:s})}),a.length===0?null:t(k,{title:"Over",note:`${a.length} of the last 100`,wide:!0,
children:t(Mr,{alerts:a})})]})}})]})}function Mr({alerts:e,problems:n=[]}){return t("ul",{class:"plain alarms",children:e.map(({at:o,order:r,reason:s,closed:a})=>t(
"li",{children:[t("p",{children:[t(N,{tone:a===null?"bad":"calm",children:a===null?"open":`over after ${U(Date.parse(a)-Date.parse(o))}`})," ",t("b",{title:s.code,
children:t(D,{text:s.message})})]}),t("p",{class:"line quiet",children:[t("span",{title:o,children:E(o)}),t(M,{at:o}),r===null?null:t("a",{href:`#/orders/${r}`,
children:["Order ",r.slice(0,8)]})]}),t(rl,{problem:n.find(i=>i.code===s.code&&i.order===r)})]},`${o} ${s.code} ${r}`))})}function rl({problem:e}){if(e===void 0)
return null;let{meaning:n,todo:o}=e,r=Mt(e);return t(b,{children:[t("p",{children:[n," ",t(D,{text:o})]}),r===null?null:t("a",{class:"button",href:r.href,children:r.
name}),t(Sn,{problem:e})]})}function At(e){return t("figure",{class:"calls",children:[t("svg",{viewBox:"0 0 144 12",role:"img","aria-label":e.words,children:e.marks.map(({kind:n,path:o,title:r},s)=>t(
"path",{class:n,d:o,transform:`translate(${s*6} 0)`,children:t("title",{children:r})},r))}),t("figcaption",{children:e.words})]})}function xn(e){let n=e.reduce((a,i)=>a+i.failed,0),o=e.reduce((a,i)=>a+i.answered,n);if(o===0)return"no call in 24 h";let{fault:r=null}=e.findLast(a=>a.fault!==
null)??{},s=`${o} call${o===1?"":"s"}`;return n===0?`${s}, all answered`:`▲ ${s}, ${n} failed: ${r}`}var Rr=36e5,Pr=24;function $n({hours:e}){let n=Math.floor(K()/Rr)-Pr+1,o=Array.from({length:Pr},(r,s)=>{let a=(n+s)*Rr,i=e.find(({at:u})=>Date.parse(u)===a),l=i===
void 0?"no call":xn([i]);return{...sl(i),title:`${E(new Date(a).toISOString())}: ${l}`}});return t(At,{marks:o,words:xn(e)})}function sl(e){return e===void 0?{kind:"\
none",path:"M0 11h5v1h-5z"}:e.failed===0?{kind:"well",path:"M0 0h5v12h-5z"}:{kind:"ill",path:"M0 6h5v6h-5z"}}function Dr({overview:e}){let n=$("settings",6e4);return t(b,{children:[t(X,{note:"What Ballast may still sell, and what it has used.",children:"Limits"}),t(P,{
live:e,children:({limits:o})=>{let r=({used:s,unit:a})=>Number(s)===0&&a.includes(":");return t("div",{class:"grid even",children:[o.filter(s=>!r(s)).toSorted((s,a)=>a.
percent-s.percent).map(s=>t(al,{limit:s},s.name)),t(il,{limits:o.filter(r)})]})}}),t(P,{live:n,children:({guards:o})=>t(On,{guards:o})})]})}function al({limit:e}){
let{name:n,used:o,max:r,left:s,unit:a,percent:i}=e,l=`${i}% used`;return t(k,{title:Nr(n),note:i>=80?t(N,{tone:i>=100?"bad":"warn",children:l}):l,children:[t("p",
{class:"big",children:[En(s,a)," ",t("small",{children:"left"})]}),t(_t,{percent:i,label:l}),t("p",{class:"note",children:[Cn(o,r,a)," used"]})]})}function il({
limits:e}){return e.length===0?null:t(k,{title:"Not used yet",children:t("dl",{class:"pairs",children:e.map(({name:n,left:o,unit:r})=>t("div",{children:[t("dt",
{children:Nr(n)}),t("dd",{children:[En(o,r)," left"]})]},n))})})}function On({guards:e}){return t(k,{title:"Every guard",note:"as the configuration in force say\
s",wide:!0,children:t("dl",{class:"pairs",children:e.map(({guard:n,means:o})=>t("div",{children:[t("dt",{children:t("code",{children:n})}),t("dd",{children:t(D,
{text:ll(o)})})]},n))})})}function Cn(e,n,o){return o==="usd"?`${_(e)} of ${_(n)}`:`${O(e)} of ${En(n,o)}`}function En(e,n){return n==="usd"?_(e):`${O(e)} ${n.includes(
":")?C(n).symbol:n}`}function ll(e){let n=e.split(", ").map(s=>s.split(" ")),[[o=""]=[]]=n;return n.length>1&&n.every(([s,a="",...i])=>s===o&&a.includes(":")&&i.
length===0)?`${o} of each asset`:e}function Nr(e){let[n=""]=e.split(" ");if(!n.includes(":"))return e.slice(0,1).toUpperCase()+e.slice(1);let{symbol:o,chain:r}=C(
n);return`${o} on ${r}${e.slice(n.length)}`}var Mn="ballast.looked",ul=864e5;function Lr({problems:e}){let n=K(),[o,r]=v(ml);L(()=>{let f=()=>localStorage.setItem(Mn,new Date().toISOString());return addEventListener(
"pagehide",f),()=>removeEventListener("pagehide",f)},[]);let{value:s}=$(`summary?since=${o}`,1e4);if(s===null)return t(k,{title:"Since you last looked",children:t(
"p",{class:"quiet",children:"Reading…"})});let{swaps:a,alarms:i,missed:l}=s,u=f=>a.counts[f]??0,c=u("rejected")+u("abandoned"),d=l.reduce((f,m)=>f+m.runs,0),p=()=>{
let f=new Date(n).toISOString();localStorage.setItem(Mn,f),r(f)};return t(k,{title:"Since you last looked",note:t(M,{at:o}),children:[t("dl",{class:"facts",children:[
t("div",{children:[t("dt",{children:"Orders"}),t("dd",{children:a.orders})]}),t("div",{children:[t("dt",{children:"Moved"}),t("dd",{children:_(a.volumeFiat)})]}),
t("div",{children:[t("dt",{children:"Cost"}),t("dd",{children:_(a.costFiat)})]})]}),t("ul",{class:"plain small",children:[t(Tn,{count:u("refunded"),one:"order r\
efunded",many:"orders refunded"}),t(Tn,{count:c,one:"order ended without a swap",many:"orders ended without a swap"}),t(Tn,{count:d,one:"planned run came to no \
swap",many:"planned runs came to no swap"}),t(dl,{alarms:i.filter(f=>!e.some(m=>cl(m,f)))}),i.length+c+d+u("refunded")===0?t("li",{class:"quiet",children:"✓ No \
refund, no refusal, no missed run, no alarm"}):null]}),t("p",{class:"line",children:[t("button",{type:"button",onClick:p,children:"Mark as seen"}),t("a",{href:"\
#/alarms",children:["All alarms",i.length>3?` (${i.length})`:""]})]})]})}function cl(e,{code:n,order:o}){return e.code===n&&e.order===o}function dl({alarms:e}){
let n=K();return t(b,{children:e.slice(0,3).map(({at:o,sentence:r,order:s})=>t("li",{children:[t("span",{"aria-hidden":"true",children:"▲"})," ",s===null?t(D,
{text:r}):t("a",{href:`#/orders/${s}`,children:t(D,{text:r})})," ",t("small",{title:o,children:E(o,n)})]},`${o} ${r}`))})}function Tn(e){return e.count===0?null:
t("li",{children:[t("span",{"aria-hidden":"true",children:"▲"})," ",e.count," ",e.count===1?e.one:e.many]})}function ml(){return localStorage.getItem(Mn)??new Date(
Date.now()-ul).toISOString()}function Ir({overview:e}){let{value:n}=$("summary",5e3);return t(P,{live:e,children:o=>t(b,{children:[t(gl,{overview:o}),n===null?null:t(jo,{overview:o,summary:n}),
t("div",{class:"grid",children:[t("div",{class:"column",children:[t(Tr,{overview:o,summary:n}),n===null?null:t(Ct,{overview:o,summary:n})]}),t("div",{class:"col\
umn",children:[t(Lr,{problems:o.problems}),t(pl,{}),t(yl,{overview:o}),t(bl,{overview:o}),t(wl,{overview:o})]}),t(fl,{overview:o,summary:n})]})]})})}function pl(){
let[e,n]=v("24 h"),{value:o}=$(`flows?since=${gn(e)}`,2e4);return t("section",{class:"card",children:[t("header",{children:[t("h2",{children:t("a",{href:"#/trea\
sury",children:"Flows"})}),t(yn,{range:e,ranges:["24 h","7 d","30 d"],onChange:n})]}),o===null?t("p",{class:"quiet",children:"Reading…"}):t($t,{chains:o.chains})]})}
var Xr=6;function fl({overview:{orders:e},summary:n}){let o=e.slice(0,Xr).map(r=>{let s=n?.open.find(a=>a.order===r.id);return{...r,deposited:s?.deposited??!1,createdAt:s?.
requestedAt??r.since,fiat:s?.fiat??null}});return t(k,{title:"Orders in flight",link:"#/orders",wide:!0,children:[t(kn,{orders:o,none:"No order is in flight."}),
e.length<=Xr?null:t("p",{class:"rest",children:t("a",{href:"#/orders",children:["All ",e.length," orders in flight"]})})]})}var hl={ok:"All is well",attention:"\
Needs attention",trouble:"Trouble"};function gl({overview:e}){let{level:n,mode:o,pause:r}=e;return t("section",{class:`verdict ${n}`,"aria-label":"Verdict",children:t(
"div",{children:[t("h1",{tabIndex:-1,children:[hl[n]," · ",o??"unknown"," mode",r===null?"":" · paused"]}),r===null?null:t("p",{children:["Paused by ",r.by," ",
t(M,{at:r.at}),r.reason===null||r.by==="alarm"?".":`: ${r.reason}.`]})]})})}function yl({overview:e}){return t(k,{title:"Next",link:"#/rules",children:[e.next.length===
0?t(B,{children:"No rule is due."}):null,t("dl",{class:"pairs",children:e.next.slice(0,5).map(({rule:n,at:o})=>t("div",{children:[t("dt",{children:t("a",{href:`\
#/decisions/${encodeURIComponent(n)}`,children:n})}),t("dd",{children:t(M,{at:o})})]},n))})]})}var Fr=80;function bl({overview:e}){let n=e.limits.toSorted((r,s)=>s.
percent-r.percent),o=n.filter(({percent:r})=>r>=Fr).slice(0,3);return t(k,{title:"Limits used",link:"#/limits",children:[o.length>0?null:t("p",{class:"quiet",children:[
"✓ None above ",Fr," %; the fullest has ",n[0]?.percent??0," %."]}),o.map(({name:r,used:s,max:a,unit:i,percent:l})=>t("div",{class:"limit",children:[t("p",{children:[
t(D,{text:r})," ",t("span",{class:"quiet",children:Cn(s,a,i)})]}),t(_t,{percent:l,label:`${r}: ${l}%`})]},r))]})}var Jr={good:"good",slow:"warn",degraded:"warn",
resting:"warn",silent:"bad",failing:"bad",unknown:"calm"};function wl({overview:e}){let{nodes:n,services:o}=e;return t(k,{title:"Nodes and services",children:t(
"dl",{class:"pairs",children:[n.map(({chain:r,state:s,lastAnswer:a,endpoints:i,needed:l})=>t("div",{children:[t("dt",{children:[I(r)," ",t("details",{class:"sma\
ll",children:[t("summary",{children:[i.length," node",i.length===1?"":"s",", ",l," must agree"]}),i.map(({host:u,hours:c})=>t("div",{children:[u,t($n,{hours:c})]},
u))]})]}),t("dd",{children:[t(M,{at:a})," ",t(N,{tone:Jr[s]??"calm",children:s})]})]},r)),o.map(({name:r,state:s,lastAnswer:a,inFlight:i,hours:l})=>t("div",{children:[
t("dt",{children:["Service ",r," ",t("small",{children:[i," in flight"]}),t($n,{hours:l})]}),t("dd",{children:[t(M,{at:a})," ",t(N,{tone:Jr[s]??"calm",children:s})]})]},
r))]})})}function et(e){return[...Map.groupBy(e,vl).values()].flatMap(o=>o.slice(0,1).map(r=>[r,o.length]))}function vl({outcome:e,refused:n,...o}){let{rules:r,from:s,to:a,
destination:i,kind:l,amount:u}=o,d=e!=null&&"order"in e?"order":e;return JSON.stringify({rules:r,from:s,to:a,destination:i,kind:l,amount:u,refused:n,result:d})}
function Rt(e){return e===1?"":`${e} times `}function Br(e){return[...Map.groupBy(e,({rule:o,verdict:r,reasons:s,proposals:a})=>JSON.stringify([o,r,s.map(({code:i})=>i),a.map(({from:i,to:l})=>[i,l])])).values()]}function Pt(){let{value:e}=$("rules",6e4);return n=>An(e?.rules.find(({id:o})=>o===n)??{})}function An({from:e,to:n}){return typeof e=="string"&&typeof n=="stri\
ng"?{from:e,to:n}:null}var _l="Why did a rule do something, or nothing? The same outcome is one line; a rule's own list has each decision.",kl=100;function Wr({detail:e,overview:n,known:o}){
let r=e===null?"":`rule=${encodeURIComponent(e)}&`,s=$(`decisions?${r}limit=${kl}`,1e4),a=Pt();return t(b,{children:[t(X,{note:_l,children:e===null?"Decisions":
`Decisions of ${e}`}),t("nav",{class:"filters","aria-label":"Rules",children:[t("a",{class:"chip",href:"#/decisions","aria-current":e===null?"page":void 0,children:"\
all rules"}),(n.value?.rules??[]).map(({id:i})=>t("a",{class:"chip",href:`#/decisions/${encodeURIComponent(i)}`,"aria-current":i===e?"page":void 0,children:i},i))]}),
t(P,{live:s,children:i=>t("section",{class:"card",children:[i.decisions.length===0?t(B,{children:"No decision yet."}):null,e===null||i.decisions.length===0?null:
t(xl,{rule:e}),(e===null?Br(i.decisions):i.decisions.map(l=>[l])).map(l=>t(Sl,{group:l,known:o,pairOf:a},l[0]?.id))]})})]})}function Sl(e){let[n,...o]=e.group;if(n===
void 0)return null;let r=o.reduce((s,a)=>s+a.times,0);return t(b,{children:[t(Ur,{decision:n,known:e.known,pairOf:e.pairOf}),o.length===0?null:t("details",{class:"\
others",children:[t("summary",{children:[r," more like this, since ",E(o.at(-1)?.at??n.at)]}),o.map(s=>t(Ur,{decision:s,known:e.known,pairOf:e.pairOf},s.id))]})]})}
function Ur({decision:e,known:n,pairOf:o}){let{id:r,at:s,lastAt:a,times:i,rule:l,verdict:u,reasons:c,proposals:d,orders:p}=e,f=o(l)??d[0]??null;return t("articl\
e",{class:"proposal",children:[t("p",{class:"line",children:[t("b",{title:s,children:E(s)}),t("a",{href:`#/decisions/${encodeURIComponent(l)}`,children:l}),t(N,
{tone:u==="proposed"?"good":"calm",children:u==="proposed"?"proposed":"did nothing"}),i>1?t("span",{class:"quiet",children:[i," times, last ",t(M,{at:a})]}):null]}),
et(d).map(([m,h])=>t("p",{class:"line",children:[Rt(h),t(W,{amount:m.amount,asset:m.from})," →"," ",t(W,{amount:m.receive,asset:m.to}),m.cost===null?null:t("s\
pan",{class:"quiet",children:["cost ",_(m.cost)]})]},`${m.from} ${m.to} ${m.amount}`)),t(oe,{reasons:c.map(m=>n.humane(m,f))}),t("p",{class:"line quiet",children:p.
map(m=>t("a",{href:`#/orders/${m}`,children:["Order ",m.slice(0,8)]},m))}),t(Ol,{decision:r,known:n})]})}function xl({rule:e}){let[n,o]=v(null);return t("div",{
class:"proposal","aria-live":"polite",children:n===null||n==="asking"?t("button",{type:"button",disabled:n!==null,onClick:()=>{o("asking"),V("GET",`rules/${encodeURIComponent(
e)}/why`).catch(a=>a).then(o)},children:n===null?"Explain the last decision":"Reading the books…"}):n instanceof R?t("p",{class:"notice bad",children:n.message}):
t($l,{decision:n.decisions[0]??null})})}function $l(e){let{proposals:n=[],changes:o=[]}=e.decision??{},r=[...et(n).flatMap(([{explained:s=[]}])=>s),...o.map(s=>`\
It proposes (more) when ${s}.`)];return r.length===0?t("p",{class:"quiet",children:"There is no more to say than its reasons."}):t("ul",{class:"plain",children:r.
map(s=>t("li",{children:t(D,{text:s})},s))})}function Ol({decision:e,known:n}){let[o,r]=v(null);return t(b,{children:[t("button",{type:"button",onClick:()=>{V("\
GET",`decisions/${encodeURIComponent(e)}/replay`).catch(i=>i).then(r)},"aria-label":`Replay ${e}`,children:"Replay"}),t("div",{"aria-live":"polite",children:o===
null?null:t(Cl,{replay:o,known:n})})]})}function Cl({replay:e,known:n}){if(e instanceof R)return t("p",{class:"notice bad",children:e.message});let{same:o,again:r,
stored:s}=e;return o?t("p",{class:"notice",children:[t(N,{tone:"good",children:"same decision"})," The stored inputs give the stored result again."]}):t("div",{
class:"notice bad",children:[t("p",{children:[t("b",{children:"Another decision."})," The stored inputs give another result now."]}),t("div",{class:"grid even",
children:[t(Hr,{name:"Stored",of:s,known:n}),t(Hr,{name:"Now",of:r,known:n})]})]})}function Hr({name:e,of:n,known:o}){let r=n.proposals,s=r[0]??null;return t("s\
ection",{"aria-label":e,children:[t("h3",{children:e}),r.map(({from:a,to:i,units:l})=>t("p",{children:["Sell ",t(W,{amount:o.amountOf(l,a),asset:a})," for ",t(D,
{text:i})]},`${a} ${i} ${l}`)),t(oe,{reasons:[...r.flatMap(({why:a})=>a),...n.reasons].map(a=>o.humane(a,s)),none:"No reason."})]})}var El="What the rules would do if every rule decided now. Looking at it changes nothing.";function Kr({known:e}){let n=$("plan",15e3),o=Pt();return t(b,{children:[
t(X,{note:El,children:"Plan"}),t(P,{live:n,children:({at:r,proposals:s,declined:a,paused:i,plan:l,mode:u})=>t(b,{children:[(i??[]).map(c=>t("p",{class:"notice w\
arn",children:t(D,{text:c})},c)),u==="observe"?t("p",{class:"notice warn",children:"Observe mode: Ballast records decisions and makes no order."}):null,t(k,{title:s.
length===0?"Nothing to swap now":`${s.length} swap${s.length===1?"":"s"}`,note:t(b,{children:["computed ",t(M,{at:r}),l.cost===null||s.length===0?"":`, cost abo\
ut ${_(l.cost)}`]}),wide:!0,children:[s.length===0?t(B,{children:"Each rule says below why it asks for nothing."}):null,et(s).map(([c,d])=>t(Ml,{proposal:c,times:d,
known:e},Tl(c)))]}),t("div",{class:"grid even",children:a.map(({rule:c,reasons:d})=>t(k,{title:c,link:`#/decisions/${encodeURIComponent(c)}`,children:t(oe,{reasons:d.
map(p=>e.humane(p,o(c))),none:"It proposes a swap."})},c))})]})})]})}function Tl({rules:e,from:n,to:o,amount:r}){return`${e.join()} ${n} ${o} ${r}`}function Ml({
proposal:e,times:n,known:o}){let{amount:r,from:s,receive:a,to:i,rules:l,cost:u,why:c,refused:d,explained:p=[]}=e;return t("article",{class:"proposal",children:[
t("p",{class:"line",children:[Rt(n),t(W,{amount:r,asset:s})," → ",t(W,{amount:a,asset:i}),d.length===0?t(N,{tone:"good",children:"would be ordered"}):t(N,{tone:"\
bad",children:"refused"}),t("span",{class:"quiet",children:[l.join(", "),u===null?"":` · cost ${_(u)}${n>1?" each":""}`]})]}),p.map(f=>t("p",{class:"quiet",children:f},
f)),t(oe,{reasons:[...c,...d].map(f=>o.humane(f,e))})]})}function Vr(e,n,o=Date.now()){let r=n.flatMap(({id:s,deadline:a,ends:i})=>a===null?[]:[{at:a,kind:"end",words:`${s.slice(0,8)}: ${i}`}]);return[...e.map(s=>({at:s,
kind:"run",words:"run"})),...r].filter(({at:s})=>Date.parse(s)>=o&&Date.parse(s)<=o+864e5).toSorted((s,a)=>Date.parse(s.at)-Date.parse(a.at))}var Dt={swap:"swapped",nothing:"nothing to do",refused:"refused",missed:"missed"};function qr(e){let n=s=>e.filter(({outcome:a})=>s===null||a===s).reduce((a,{times:i})=>a+
i,0),r=Object.keys(Dt).filter(s=>n(s)>0).map(s=>`${n(s)} ${Dt[s]}`);return e.length===0?"no run yet":`Last ${n(null)} runs: ${r.join(", ")}`}var Al={swap:"M0 0h5v12h-5z",nothing:"M0 5h5v2h-5z",refused:"M2.5 1l2.5 10h-5z",missed:"M0 2l5 8m0 -8l-5 8"};function jr(e){let n=e.runs.map(o=>{let{at:r,lastAt:s,
times:a,outcome:i}=o,l=[`${E(s)}: ${Dt[i]}`,...a>1?[`${a} times since ${E(r)}`]:[],...i==="swap"?[]:[e.whyOf(o)]];return{kind:i,path:Al[i],title:l.join(", ")}});
return t(At,{marks:n,words:qr(e.runs)})}var tt=16,Gr=864e5,Rl=3;function zr({coming:e}){let[n,o]=G(),r=K(),s=u=>Math.max(0,o*(u-r)/Gr),a=e.slice(0,Rl).map(({at:u,words:c})=>`${E(u)} ${c}`),i=e.length-
a.length,l=`Next 24 hours: ${a.join(", ")}${i>0?`, ${i} more`:""}`;return t("figure",{class:"chart upcoming",ref:n,children:[t("svg",{width:o,height:tt+16,role:"\
img","aria-label":l,children:[t("line",{class:"grid-line",x2:o,y1:tt,y2:tt}),e.map(({at:u,kind:c,words:d})=>t("path",{class:c==="run"?"run-tick":"mark out",d:c===
"run"?"M0 -12V0":"m0 -1 4 -8h-8z",transform:`translate(${s(Date.parse(u))} ${tt})`,children:t("title",{children:`${E(u)} ${d}`})},`${u} ${d}`)),_e(r,r+Gr,Math.max(
2,Math.floor(o/80))).map(({ms:u,label:c})=>t("text",{x:s(u),y:tt+13,"text-anchor":"middle",children:c},u))]}),t("figcaption",{class:"note",children:l})]})}var Pl=2e4;function Rn({scope:e,paused:n,scopes:o,children:r}){let s=K(),[a,i]=v(null),[l,u]=v(null),c=Le("operate",o),d=a===null?0:a+Pl-s;async function p(f){try{
await Pe(f,e),u(null),i(f==="pause"?Date.now():null),de()}catch(m){m instanceof R&&u(m)}}return t("span",{class:"actions",children:[l===null?null:t("span",{class:"\
notice bad",role:"alert",children:l.message}),n&&d>0?t("button",{type:"button",onClick:()=>{p("resume")},children:["Undo (",Math.ceil(d/1e3)," s)"]}):n?r:t("but\
ton",{type:"button",class:"stop","data-key":e.rule===void 0?"pause":void 0,disabled:c!==null,title:c??"No new order and no new deposit. Orders that have deposit\
ed go on.",onClick:()=>{p("pause")},children:"Pause"})]})}function Yr({overview:e,scopes:n}){return t(Rn,{scope:{},paused:e.pause!==null,scopes:n,children:t(Dl,
{overview:e,scopes:n})})}function Dl({overview:e,scopes:n}){let o=e.pause?.alarms??[],[r,s]=v([]),a={title:"Resume?",word:"resume",button:"Resume",path:"resume",
body:{acknowledge:r},children:o.length===0?t("p",{children:"Rules make orders again at their next time."}):t("fieldset",{children:[t("legend",{children:"Acknowl\
edge each alarm that you have dealt with"}),o.map(({id:i,message:l})=>t("label",{class:"check",children:[t("input",{type:"checkbox",checked:r.includes(i),onChange:u=>{
let c=r.filter(d=>d!==i);s(u.currentTarget.checked?[...c,i]:c)}}),l]},i))]})};return t(ie,{change:a,scope:"operate",scopes:n})}function Nt(e,n){let{kind:o}=e,r=l=>String(e[l]??""),s=l=>n.speak(r(l)),a=(l,u)=>{let c=l==null?null:n.amountOf(String(l),u);return c===null?"any":O(c)},i=typeof e.
everyMs=="number"?`looks each ${U(e.everyMs)}`:`runs at ${r("schedule")} (${r("timezone")})`;if(o==="recurring")return`Swaps ${Nl(e.amount,u=>a(u,r("from")))} o\
f ${s("from")} to ${s("to")}; ${i}.`;if(o==="band"){let[l,u,c]=["minUnits","targetUnits","maxUnits"].map(f=>a(e[f],r("asset"))),d=Pn(", bought with",e.sources,n)+
Pn(", sold for",e.sinks,n),p=`between ${l} and ${c}, with ${u} as the target`;return`Keeps ${s("asset")} ${p}${d}; ${i}.`}if(o==="sweep"){let l=a(e.keepUnits,r(
"from"));return`Swaps all of ${s("from")} above ${l} to ${s("to")}; ${i}.`}if(o==="gas"){let l=`the network fees of ${r("days")} days and of ${r("orders")} orde\
rs`,u=Pn(", bought with",e.sources,n);return`Keeps ${l} in ${s("asset")}${u}; ${i}.`}if(o==="weights"){let l=Dn(e.toleranceBps);return`Keeps ${Ll(e.weights,n)} \
within ${l}; ${i}.`}return`A rule of the kind ${o}; ${i}.`}function Nl(e,n){let o=e;return o?.kind==="share"?Dn(o.bps):o?.kind==="fiat"?`${_(String(Number(o.fiat)/
1e6))} worth`:n(o?.units)}function Dn(e){return`${Number(e)/100}%`}function Pn(e,n,{speak:o}){let s=(Array.isArray(n)?n:[]).map(a=>typeof a=="string"?a:String(Qr(
a)));return s.length===0?"":`${e} ${s.map(o).join(" or ")}`}function Qr(e){return e?.asset}function Ll(e,{speak:n}){return(Array.isArray(e)?e:[]).map(r=>{let{bps:s}=r;
return`${Dn(s)} in ${n(String(Qr(r)))}`}).join(", ")}function Zr({overview:e,scopes:n,known:o}){let r=$("rules",3e4),s=$("flows",3e4);return t(b,{children:[t(X,{note:"Each rule with its last decision, and why it d\
ecided so.",children:"Rules"}),t(P,{live:e,children:({rules:a,orders:i})=>t("div",{class:"grid even",children:[a.map(l=>t(Xl,{rule:l,flights:i.filter(u=>u.rule===
l.id),scopes:n,fields:r.value?.rules.find(({id:u})=>u===l.id)??null,known:o,week:s.value?.rules.find(({name:u})=>u===l.id)??null},l.id)),a.length===0?t(B,{children:"\
The configuration has no rules."}):null]})})]})}function Xl({rule:e,flights:n,scopes:o,fields:r,known:s,week:a}){let{id:i,kind:l,paused:u,verdict:c,reasons:d}=e,
p=Vr(r?.upcoming??[],n),f={title:`Resume the rule ${i}?`,word:"resume",button:"Resume",path:"resume",body:{rule:i},children:t("p",{children:"The rule decides ag\
ain at its next time."})};return t(k,{title:i,note:ae(l),link:`#/decisions/${encodeURIComponent(i)}`,children:[r===null?null:t("p",{class:"sentence",children:Nt(
r,s)}),t(Fl,{rule:e,inFlight:n.length}),r===null?null:t(jr,{runs:r.runs,whyOf:({reasons:m})=>m.map(h=>s.humane(h,An(r)).message).join("; ")}),p.length===0||u?null:
t(zr,{coming:p}),a===null?null:t("p",{class:"quiet",children:["In 7 days: ",a.completed," of ",a.orders," orders completed ·"," ",t(Q,{fiat:a.volumeFiat})," mo\
ved · ",t(Q,{fiat:a.costFiat})," cost",a.costBps===null?"":`, ${a.costBps} bps`]}),t("p",{children:c===null?t("span",{class:"quiet",children:"It has not decide\
d yet."}):c==="proposed"?t("b",{children:"It proposed a swap."}):t("b",{children:"It did nothing, because:"})}),t(oe,{reasons:d}),t("div",{class:"actions",children:[
t(Rn,{scope:{rule:i},paused:u,scopes:o,children:t(ie,{change:f,scope:"operate",scopes:o})}),t("a",{class:"button",href:`#/decisions/${encodeURIComponent(i)}`,children:"\
All decisions"}),t("a",{class:"button",href:`#/simulate/${encodeURIComponent(i)}`,children:"Try a change"})]})]})}function Fl({rule:e,inFlight:n}){let{enabled:o,
paused:r,next:s,last:a}=e;return t("p",{class:"line",children:[o?r?t(N,{tone:"warn",children:"paused"}):t(N,{tone:"good",children:"on"}):t(N,{tone:"calm",children:"\
not enabled"}),t("span",{children:["Next: ",t(M,{at:s})]}),t("span",{children:["Last: ",t(M,{at:a})]}),n===0?null:t("span",{children:[n," in flight"]})]})}function Jl(e,n,o){if(!e)throw new Ee({code:"bug.assertion",disposition:"bug",message:n,...o?{details:o}:{}})}function es(e,n){return Jl(e!=null,`${n} is missin\
g`),e}function Il(e){let n=ns(e);return{p5:nt(n,5),p50:nt(n,50),p95:nt(n,95)}}function ts(e){let n=ns(e);return{...Il(n),p25:nt(n,25),p75:nt(n,75)}}function ns(e){return e.
toSorted((n,o)=>n<o?-1:n>o?1:0)}function nt(e,n){let o=Math.max(0,Math.ceil(e.length*n/100)-1);return es(e[o],"a value")}var ot=120,q=56,Bl=52,Nn=20,Ft=["as it is","changed"];function rs(e,n,o,r){let s=e.subjects[n]??{points:[],bound:null},{bottom:a,top:i}=Ul(e.subjects),l=r-Bl,u=Math.
max(1,s.points.length-1),c=w=>Se(q+(l-q)*w/u),d=w=>Se(Math.max(0,Math.min(ot,ot-ot*(w-a)/(i-a)))),p=w=>s.points.map((S,x)=>`${c(x)} ${d(w(S))}`),f=(w,S)=>`M${[...p(
x=>x[S]),...p(x=>x[w]).toReversed()].join("L")}Z`,m=Math.min(...s.points.map(({p5:w})=>w)),h=Math.max(...s.points.map(({p95:w})=>w)),g=e.asset.split(":")[1]?.toUpperCase()??
"",y=me(a,i,3);return{width:r,height:ot+Nn,words:`Simulated balance over ${o} days, nine of ten runs: ${O(String(m))} to ${O(String(h))} ${g}`,marks:[...Hl(s.bound,
d,l),...y.flatMap(w=>[Ie("grid-line",d(w),l),fe(q-6,d(w)+4,j(w,(y[1]??0)-(y[0]??0)),"end")]),...is(o,ot,l),{tag:"path",tone:"fan",at:{d:f("p5","p95")}},{tag:"pa\
th",tone:"half",at:{d:f("p25","p75")}},{tag:"path",tone:"line-a",at:{d:`M${p(({p50:w})=>w).join("L")}`}}]}}function Ul(e){let n=e.flatMap(({points:a,bound:i})=>[
...a.flatMap(({p5:l,p95:u})=>[l,u]),...i===null?[]:[Number(i.min),Number(i.target)]]),o=Math.min(...n),r=Math.max(...n),s=(r-o)*.1||r*.05||1;return{bottom:Math.
max(0,o-s),top:r+s}}function Hl(e,n,o){if(e===null)return[];let r=e.max===null?0:n(Number(e.max)),s=n(Number(e.min)),a=n(Number(e.target)),i=Math.max(0,s-r);return[
{tag:"rect",tone:"band-area",at:{x:q,y:r,width:o-q,height:i}},Ie("edge",s,o),Ie("goal",a,o),fe(o+6,s+4,"min","start"),...s-a<12?[]:[fe(o+6,a+4,"target","start")],
...r===0||a-r<12?[]:[Ie("edge",r,o),fe(o+6,r+4,"max","start")]]}var Lt=30,rt=62,Wl=40;function ss(e,n,o){let r=e.map(({costs:h})=>h.map(g=>Number(g)/1e6)),s=Math.
min(...r.flat()),a=Math.max(...r.flat()),i=a-s||1,l=o-14,u=h=>Se(q+(l-q)*(h-s)/i),c=h=>Math.min(Lt-1,Math.floor((h-s)/i*Lt)),d=r.map(h=>Array.from({length:Lt},(g,y)=>h.
filter(w=>c(w)===y).length)),p=Math.max(1,...d.flat()),f=r.map(h=>ts(h).p50),m=(l-q)/Lt;return{width:o,height:rt*r.length+Nn,words:`Cost of ${n} days in ${r[0]?.
length??0} runs, the middle one: `+f.map((h,g)=>`${Ft[g]} ${os(h)}`).join(", "),marks:[...d.flatMap((h,g)=>{let y=rt*(g+1),w=f[g]??0,S=u(w),x=S>(q+l)/2;return[...h.
flatMap((T,le)=>{let he=Se(Wl*T/p),F={x:Se(q+le*m+.5),y:y-he},ue={width:Se(m-1),height:he},it=g===0&&r.length>1?"bar-b":"bar-a";return T===0?[]:[{tag:"rect",tone:it,
at:{...F,...ue}}]}),Ie("grid-line",y,l),fe(0,y-4,Ft[g]??"","start"),{tag:"line",tone:"edge",at:{x1:S,x2:S,y1:y-rt+8,y2:y}},fe(S+(x?-5:5),y-rt+17,`median ${os(w)}`,
x?"end":"start")]}),...me(s,a).map(h=>fe(u(h),rt*r.length+15,`$${j(h)}`,"middle"))]}}var Xt=26;function as(e,n,o){let r=o-14,s=Xt*e.length;return{width:o,height:s+
Nn,words:`When the middle run would swap in ${n} days: `+e.map(({swapDays:a},i)=>`${Ft[i]} ${a.length} times`).join(", "),marks:[...e.flatMap(({swapDays:a},i)=>[
Ie("grid-line",Xt*(i+1),r),fe(0,Xt*(i+1)-4,Ft[i]??"","start"),...a.map(l=>{let u=Se(q+(r-q)*l/n),c=Xt*(i+1);return{tag:"line",tone:"run-tick",at:{x1:u,x2:u,y1:c-
16,y2:c}}})]),...is(n,s,r)]}}function is(e,n,o){return[0,.5,1].map(r=>fe(q+(o-q)*r,n+15,`${Math.round(r*e*10)/10} d`,"middle"))}function Ie(e,n,o){return{tag:"l\
ine",tone:e,at:{x1:q,x2:o,y1:n,y2:n}}}function fe(e,n,o,r){return{tag:"text",tone:"label",at:{x:Se(e),y:n,"text-anchor":r},text:o}}function os(e){return _(e.toFixed(
2))}function Se(e){return Math.round(e*10)/10}function Jt({draw:e}){let[n,o]=G(),{width:r,height:s,words:a,marks:i}=e(o);return t("figure",{class:"chart",ref:n,children:[t("svg",{width:r,height:s,role:"img",
"aria-label":a,children:i.map(({tag:l,tone:u,at:c,text:d})=>Wn(l,{key:JSON.stringify([l,u,c]),class:u,...c},d))}),t("figcaption",{class:"note",children:a})]})}function It({parts:e,shown:n,label:o}){return t("nav",{class:"filters tabs","aria-label":o,children:e.map(({id:r,name:s})=>t("a",{class:"chip",href:`#/${r}`,"ar\
ia-current":r===n?"page":void 0,children:s},r))})}var Kl={band:[["min","minUnits","Refill below","asset"],["target","targetUnits","Refill or drain to","asset"],["max","maxUnits","Drain above","asset"],["least",
"leastUnits","Smallest order","asset"]],sweep:[["keep","keepUnits","Keep","from"],["least","leastUnits","Smallest order","from"]]};function ls(e,n){let s=[...(Kl[e.
kind]??[]).map(([a,i,l,u])=>{let c=e[i]??null,d=c===null?null:n.amountOf(String(c),String(e[u]));return{key:a,label:l,text:d??""}}),...Vl(e,n)];return s.length===
0?[]:[...s,{key:"max_cost",label:"Highest cost",text:ql(e.maxCost)}]}function Vl(e,n){return e.kind==="weights"?[{key:"tolerance",label:"Tolerance",text:us(e.toleranceBps)}]:
e.kind==="recurring"?[{key:"amount",label:"Amount",text:jl(e.amount,String(e.from),n)}]:[]}function ql(e){let n=e;return n?.kind==="share"?`${n.bps}bps`:n?.kind===
"fiat"?cs(n.fiat):""}function jl(e,n,o){let r=e;return r?.kind==="share"?us(r.bps):r?.kind==="fiat"?cs(r.fiat):o.amountOf(String(r?.units??0),n)??""}function us(e){
return`${Number(e)/100}%`}function cs(e){return`${Te(BigInt(String(e)),6)} usd`}function ds(e){let[,n="",o=""]=/^(\d+(?:\.\d+)?)(.*)$/.exec(e)??[],r=Number(n);if(!(r>
0))return null;let s=Math.max(0,2-Math.floor(Math.log10(r))),a=i=>i.toFixed(s).replace(/\.?0+$/,s===0?"$&":"");return{most:2*r,step:10**-s,textOf:i=>`${a(i)}${o}`}}
function ms(e,n){return fs(e,n).map(({key:o,text:r})=>`${o}=${r}`).join(",")}function ps(e,n,o){let r=fs(n,o).map(({key:s,text:a})=>`    ${s}: "${a}"`);return[`\
  - id: ${e}`,...r].join(`
`)}function fs(e,n){return e.flatMap(({key:o,text:r})=>{let s=n[o]?.trim()??"";return s===""||s===r?[]:[{key:o,text:s}]})}var Bt=1e6;function hs(e,n,o){let[r,s]=e.subjects.map(({summary:c})=>c);if(r===void 0||s===void 0)return[];let a=(c,d,p)=>{let f=d(r),m=d(s);return{name:c,now:p(
f),changed:p(m),difference:Gl(m-f,p)}},i=c=>_(c.toFixed(2)),l=r.rules.some(c=>c.rule===n),u=a("Time off its goal",c=>Ln(c,n),z);return[a("Swaps",({moves:c})=>c.
p50,String),a("Moved",({volumeFiat:c})=>Number(c.p50)/Bt,i),a("Cost",({feesFiat:c})=>Number(c.p50)/Bt,i),a("Of it network fees",({networkFeesFiat:c})=>Number(c.
p50)/Bt,i),a("Cost of what moved",({feesHundredthBps:c})=>Number(c.p50)/100,c=>`${c.toFixed(1)} bps`),a("Refunded",({refunded:c})=>c.p50,String),...l?[u]:[],...e.
plots.map(({asset:c})=>a(`Lowest ${C(c).symbol}, 19 of 20 runs`,({assets:d})=>{let p=d.find(f=>f.asset===c)?.lowestUnits.p5??"0";return Number(o.amountOf(p,c))},
d=>O(String(d))))]}function gs(e,n,o){let[r,s]=e.subjects.map(({summary:y})=>y);if(r===void 0||s===void 0)return"The change was not simulated.";let a=s.moves.p50-
r.moves.p50,i=(Number(s.feesFiat.p50)-Number(r.feesFiat.p50))/Bt,l=a===0?"As many swaps":`${Math.abs(a)} ${a<0?"fewer":"more"} swap${Math.abs(a)===1?"":"s"}`,u=Math.
abs(i)<.005?"the same cost":`${_(Math.abs(i).toFixed(2))} ${i<0?"less":"more"} cost`,c=z(Ln(r,n)),d=z(Ln(s,n)),p=r.rules.every(y=>y.rule!==n)?"":`; the rule is \
off its goal ${d} of the time`+(c===d?", as now":` instead of ${c}`),f=e.comparison?.cheaper===null&&Math.abs(i)>=.005?" The runs do not agree which is cheaper.":
"",{days:m}=e.scenario,h=`${m} day${m===1?"":"s"}`,g=m<o?` The rules look too often to simulate ${o} days within a minute, so this is of ${h}.`:"";return`${l} a\
nd ${u} in ${h}${p}.${f}${g}`}function Ln({rules:e},n){return e.find(o=>o.rule===n)?.outsideBps.p50??0}function Gl(e,n){let o=n(Math.abs(e));return o===n(0)?"sa\
me":`${e<0?"▾":"▴"} ${o}`}var zl="Runs the rules with and without a change in the same random markets. Nothing is changed: the file is yours to edit.",Yl=[7,30,90],Ql=20;function bs({detail:e,
known:n}){let o=$("rules",6e4);return t(b,{children:[t(X,{note:zl,children:["Simulate",e===null?"":` ${e}`]}),t(P,{live:o,children:({rules:r})=>{let s=r.map(i=>({
rule:i,keys:ls(i,n)})).filter(({keys:i})=>i.length>0),a=e===null?s[0]:s.find(({rule:i})=>i.id===e);return t(b,{children:[t(It,{parts:s.map(({rule:{id:i}})=>({id:ys(
i),name:i})),shown:ys(a?.rule.id??""),label:"Rule"}),a===void 0?t(B,{children:"This page cannot try a change of such a rule."}):t(Zl,{id:a.rule.id,sentence:Nt(a.
rule,n),keys:a.keys,known:n},a.rule.id)]})}})]})}function ys(e){return`simulate/${encodeURIComponent(e)}`}function Zl(e){let{id:n,sentence:o,keys:r,known:s}=e,[
a,i]=v({}),[l,u]=v(30),[c,d]=v(null),p=ms(r,a);return t(b,{children:[t(k,{title:"The change",wide:!0,children:[t("p",{class:"sentence",children:o}),t("form",{class:"\
fields trial",onSubmit:async m=>{m.preventDefault(),d("asking"),d(await tu(n,p,l,ps(n,r,a)))},children:[r.map(m=>t(eu,{of:m,value:a[m.key]??m.text,onValue:h=>i(
{...a,[m.key]:h})},m.key)),t("div",{class:"line",children:[Yl.map(m=>t("button",{type:"button",class:"chip","aria-pressed":m===l,onClick:()=>u(m),children:[m," \
days"]},m)),t("button",{type:"submit",class:"main",disabled:p===""||c==="asking",children:c==="asking"?"Simulating…":"Simulate"})]})]}),c instanceof R?t("p",{
class:"notice bad",role:"alert",children:c.message}):null]}),t("div",{"aria-live":"polite",children:c===null||c==="asking"||c instanceof R?null:t(nu,{id:n,result:c,
isOld:c.change!==p,known:s})})]})}function eu(e){let{of:{key:n,label:o,text:r},value:s,onValue:a}=e,i=ds(r),l=r===""?"not set":r;return t("div",{children:[t("la\
bel",{for:`try-${n}`,children:[o," ",t("span",{class:"quiet",children:[s===r?r===""?l:`now ${r}`:`${l} → `,s===r?null:t("b",{children:s})]})]}),t("input",{id:`\
try-${n}`,autocomplete:"off",value:s,onInput:({currentTarget:u})=>a(u.value)}),i===null?null:t("input",{type:"range","aria-label":`Slider: ${o}`,min:"0",max:i.most,
step:i.step,value:Number.parseFloat(s),onInput:({currentTarget:u})=>a(i.textOf(u.valueAsNumber))})]})}async function tu(e,n,o,r){let s=new URLSearchParams({rule:e,
change:n,days:String(o),seeds:String(Ql)});try{let a=await V("GET",`simulate?${s}`);return{change:n,text:r,askedDays:o,found:a}}catch(a){if(a instanceof R)return a;
throw a}}function nu(e){let{id:n,result:o,isOld:r,known:s}=e,{found:a,text:i,askedDays:l}=o,{days:u}=a.scenario,{subjects:c}=a;return t("div",{class:"grid halve\
s",children:[r?t("p",{class:"notice warn wide",children:"This is of the change before; simulate again."}):null,t("section",{class:"card wide","aria-label":"What\
 the change would do",children:[t("p",{class:"sentence",children:t("b",{children:gs(a,n,l)})}),t("p",{class:"note",children:[a.seeds.count," runs in random mark\
ets, the same for both. The real one is another."]})]}),a.plots.flatMap(d=>["As it is","With the change"].map((p,f)=>t(k,{title:p,note:`${C(d.asset).symbol} · h\
alf, and nine of ten runs`,children:t(Jt,{draw:m=>rs(d,f,u,m)})},`${d.asset} ${p}`))),t(k,{title:`Cost of ${u} days`,note:"each column counts runs",children:[t(
Jt,{draw:d=>ss(c,u,d)}),t("h3",{children:"When it would swap"}),t(Jt,{draw:d=>as(c,u,d)})]}),t(k,{title:"Side by side",note:"the middle run",children:t(ou,{compared:hs(
a,n,s)})}),t(k,{title:"For the file",note:t(Ye,{text:i,what:"the change"}),wide:!0,children:[t("pre",{class:"file",children:i}),t("p",{class:"note",children:["T\
hen ",t("code",{children:"ballast check"})," and ",t("code",{children:"ballast reload"}),"."]})]})]})}function ou({compared:e}){return t(Z,{caption:"The rules a\
s they are and with the change",figures:!0,columns:["","As it is","Changed","Difference"],rows:e.map(({name:n,now:o,changed:r,difference:s})=>({key:n,cells:[n,o,
r,s]}))})}var ru="The configuration that the daemon has in force now. To change it, edit the file and reload; no secret is shown here.";function ws({overview:e}){let n=$(
"settings",6e4);return t(b,{children:[t(X,{note:ru,children:"Settings"}),t(P,{live:n,children:o=>t("div",{class:"grid even",children:[t(k,{title:"Daemon",children:t(
Xe,{pairs:[["treasury",o.treasury],["version",e.value?.daemon.version??"unknown"],["configuration",t(re,{hash:o.configHash,what:"the hash of the configuration"},
"hash")],...o.settings.map(({name:r,means:s})=>[r,s])]})}),t(k,{title:"Chains",children:t(Xe,{pairs:o.chains.map(({chain:r,family:s,nativeCoin:a,endpoints:i,agree:l})=>[
I(r),`${s}, coin ${a.symbol}, ${i} node${i===1?"":"s"} of which ${l} must agree`])})}),t(k,{title:"Services and access",children:t(Xe,{pairs:[...o.services.map(
({name:r,host:s})=>[`service ${r}`,s]),...o.tokens.map(({name:r,scopes:s})=>[`token ${r}`,s.join(", ")])]})}),t(On,{guards:o.guards})]})})]})}var su=1500,vs="ballast.keys";function Xn(){return localStorage.getItem(vs)!=="off"}function _s(e){localStorage.setItem(vs,e?"on":"off")}function ks(e){let n=te(
e);n.current=e,L(()=>{let o="",r=0,s=a=>{if((a.ctrlKey||a.metaKey)&&a.key.toLowerCase()==="k"){a.preventDefault(),n.current["/"]?.();return}if(a.ctrlKey||a.metaKey||
a.altKey||!Xn()||au(a))return;let i=`${o} ${a.key}`,l=Date.now()-r<su&&i in n.current,u=n.current[l?i:a.key];o=l?"":a.key,r=Date.now(),u!==void 0&&u()!==!1&&a.preventDefault()};
return document.addEventListener("keydown",s),()=>document.removeEventListener("keydown",s)},[])}function au({target:e}){return document.querySelector("dialog[o\
pen]")!==null?!0:e instanceof Element&&e.closest("input, select, textarea")!==null}function st(e){let n=[...document.querySelectorAll("main [data-row]")],o=n.findIndex(
s=>s.matches(":focus")),r=n[o===-1?e===1?0:n.length-1:o+e];return r?.focus(),r?.scrollIntoView({block:"nearest"}),n.length>0}function Be(e){let n=document.querySelector(
`[data-key="${e}"]`);return n?.focus(),n instanceof HTMLButtonElement&&n.click(),n!==null}function Ss(){let{activeElement:e}=document;e instanceof HTMLElement&&
e.dataset.row!==void 0&&e.click()}var iu=[["g h","Overview"],["g t","Treasury"],["g o","Orders"],["g r","Rules"],["g s","Simulate"],["g ,","Settings"],["/ or Ctrl K","Find or do"],["j k, ↓ ↑",
"Next and previous line of a list, or task"],["o, Enter","Open it"],["a","Approve; elsewhere, the most urgent approval"],["f","Filter"],["e","Export"],["p p","P\
ause everything"],[".","Times as clock times, or as ages"],["?","This list"]];function xs({onClose:e}){let[n,o]=v(Xn);return t(ke,{labelledBy:"key-help",onClose:e,
children:[t("h2",{id:"key-help",children:"Keys"}),t("dl",{class:"pairs",children:iu.map(([r,s])=>t("div",{children:[t("dt",{children:t("kbd",{children:r})}),t("\
dd",{children:s})]},r))}),t("label",{class:"check",children:[t("input",{type:"checkbox",checked:n,onChange:({currentTarget:{checked:r}})=>{_s(r),o(r)}}),"Single\
 keys act outside of fields"]}),t("footer",{children:t("button",{type:"button",onClick:e,children:"Close"})})]})}function $s(e,n,o){let r=n.toLowerCase().split(/\s+/),s=e.filter(({name:l})=>r.every(u=>l.toLowerCase().includes(u))),[a=""]=/^[0-9a-f]{32}$/.exec(n.trim())??[],
i={name:`Order ${a}`,act:()=>o(a)};return(a===""?s:[i,...s]).slice(0,9)}function Os(e){let{commands:n,onClose:o}=e,r=ve(),[s,a]=v(""),[i,l]=v(0),u=$s(n,s,e.onOrder),c=p=>{p!==void 0&&(o(),p.act())},d=p=>{let f={ArrowDown:1,ArrowUp:-1}[p.
key];f!==void 0&&(p.preventDefault(),l((i+f+u.length)%Math.max(u.length,1))),p.key==="Enter"&&(p.preventDefault(),c(u[i]))};return t(ke,{class:"palette",label:"\
Find or do",onClose:o,children:[t("input",{type:"text",role:"combobox","aria-label":"Find or do","aria-expanded":"true","aria-controls":r,"aria-activedescendant":u.
length===0?void 0:`${r}-${i}`,placeholder:"A view, an order, a rule, an act",value:s,autocomplete:"off",spellcheck:!1,onInput:p=>{a(p.currentTarget.value),l(0)},
onKeyDown:d}),t("div",{id:r,role:"listbox","aria-label":"Found",children:u.map((p,f)=>t("button",{type:"button",id:`${r}-${f}`,role:"option",tabIndex:-1,"aria-s\
elected":f===i,onClick:()=>c(p),children:[p.name,p.keys===void 0?null:t("kbd",{children:p.keys})]},p.name))}),u.length===0?t("p",{class:"empty",children:"Nothin\
g has these words."}):null]})}var lu={overview:"M2.5 7.5 8 3l5.5 4.5M4 7v6h3v-3.5h2V13h3V7",orders:"M2 5.5h10m-2.5-3 3 3-3 3M14 10.5H4m2.5-3-3 3 3 3",treasury:"M2.5 3h11v9h-11zM4 12v1.5M12 1\
2v1.5M8 5.5a2 2 0 1 0 .01 0",rules:"M2 4.5h3m3 0h6M6.5 3v3M2 11.5h6m3 0h3M9.5 10v3",simulate:"M2.5 2.5v11h11M5 10.5l2.5-3 2 1.5 3.5-5",settings:"M8 5.5a2.5 2.5 \
0 1 0 .01 0M8 1.5v2m0 9v2m6.5-6.5h-2m-9 0h-2M12.6 3.4l-1.4 1.4m-6.4 6.4-1.4 1.4m0-9.2 1.4 1.4m6.4 6.4 1.4 1.4",find:"M7 2.5a4.5 4.5 0 1 0 .01 0M10.3 10.3 14 14",
pause:"M5.5 3v10M10.5 3v10"};function Fn({name:e}){return t("svg",{class:"icon",viewBox:"0 0 16 16","aria-hidden":"true",children:t("path",{d:lu[e]})})}function Cs(e){let{overview:n}=e,[o,r]=v(!1);L(()=>r(!1),[e.shown]);let s={"":n?.tasks.length,orders:n?.orders.length};return t("nav",{class:o?"side open":"side",
"aria-label":"Views",children:t("div",{class:"rail",children:[t("a",{class:"brand",href:"#/",children:[t("img",{src:"/icon.svg",alt:"",width:"26",height:"26"}),
t("span",{children:["Ballast",t("small",{children:e.treasury??""})]})]}),t("ul",{children:e.entries.map(({id:a,name:i,icon:l})=>t("li",{children:t("a",{href:`#/${a}`,
"aria-current":a===e.shown?"page":void 0,children:[t(Fn,{name:l}),i,s[a]?t("span",{class:a===""?"count tasks":"count",children:s[a]}):null]})},a))}),t("button",
{type:"button",class:"more","aria-expanded":o,onClick:()=>r(!o),children:o?"Less":"More"}),n===null?null:t(uu,{overview:n})]})})}function uu({overview:{services:e,
nodes:n}}){let o=n.filter(({state:r})=>r!=="good");return t("dl",{class:"pulse",children:[e.map(({name:r,state:s})=>t("div",{children:[t("dt",{children:["Servic\
e ",r]}),t("dd",{children:s==="good"?"✓ good":`▲ ${s}`})]},r)),t("div",{title:o.map(({chain:r,state:s})=>`${I(r)} ${s}`).join(", "),children:[t("dt",{children:"\
Chains"}),t("dd",{children:[o.length===0?"✓":"▲"," ",n.length-o.length," of ",n.length," good"]})]})]})}function Es(e){let{account:n,overview:o}=e,r=()=>{$o().
then(e.onLeave)};return t("header",{class:"top",children:[t("p",{class:"state",children:o===null?null:t(b,{children:[t("span",{class:`dot ${o.level}`}),o.pause===
null?`${o.mode??"unknown"} mode`:"paused"]})}),t("button",{type:"button",class:"find",onClick:e.onFind,"aria-label":"Find or do","aria-keyshortcuts":"/ Control+\
K",children:[t(Fn,{name:"find"}),t("span",{children:"Find or do…"}),t("kbd",{children:"/"})]}),t("a",{class:"button",href:"#/swap",children:"New swap"}),o===null?
null:t(Yr,{overview:o,scopes:n.scopes}),t(cu,{}),n.csrf===null?null:t("button",{type:"button",onClick:r,title:`Logged in with the token ${n.name}: ${n.scopes.join(
", ")}`,children:"Log out"})]})}function cu(){let[e,n]=v(localStorage.getItem("ballast.theme")??"system");L(()=>{e==="system"?delete document.documentElement.dataset.
theme:document.documentElement.dataset.theme=e,localStorage.setItem("ballast.theme",e)},[e]);let o={light:"Light",dark:"Dark"}[e]??"Auto",r={system:"light",light:"\
dark",dark:"system"}[e]??"system";return t("button",{type:"button",class:"theme",onClick:()=>n(r),"aria-label":`${o} colours. Change to ${r}`,children:o})}var at=[{id:"",name:"Overview",icon:"overview",show:Ir},{id:"treasury",name:"Treasury",icon:"treasury",show:tr},{id:"books",name:"Books",icon:"treasury",of:"tre\
asury",show:Ro},{id:"orders",name:"Orders",icon:"orders",show:xr},{id:"rules",name:"Rules",icon:"rules",show:Zr},{id:"plan",name:"Plan",icon:"rules",of:"rules",
show:Kr},{id:"decisions",name:"Decisions",icon:"rules",of:"rules",show:Wr},{id:"limits",name:"Limits",icon:"rules",of:"rules",show:Dr},{id:"simulate",name:"Simu\
late",icon:"simulate",show:bs},{id:"settings",name:"Settings",icon:"settings",show:ws},{id:"alarms",name:"Alarms",icon:"settings",of:"settings",show:Ar}];function Ts(){
let[e,n]=v("asking"),[o,r]=v(0);return L(()=>{So().then(n,()=>setTimeout(()=>r(a=>a+1),2e3))},[o]),e==="asking"?t("main",{class:"login",children:t("p",{class:"q\
uiet",children:o===0?"Reading…":"The daemon does not answer. The page tries again every two seconds."})}):e===null?t(Mo,{onLogin:n}):t(du,{account:e,onLeave:()=>{
Co(),ne.loggedOut=!1,n(null)}})}function du({account:e,onLeave:n}){let o=$("overview",3e3),r=$("settings",6e4),[s="",a=null]=To(),i=te(!1);L(()=>{let x=new AbortController;
return Eo(x.signal),document.addEventListener("copy",yu,{signal:x.signal}),()=>x.abort()},[]);let l=ne.loggedOut;L(()=>{l&&n()},[l]);let u=at.find(({id:x})=>x===
s),c=s==="swap"?"New swap":u?.name??"Not found";L(()=>{document.title=`${c} · Ballast`,i.current&&document.querySelector("h1")?.focus({preventScroll:!0}),i.current=
!0,scrollTo(0,0)},[s,a]);let d={overview:o,known:yt(r.value),scopes:e.scopes,detail:a},p=vu()&&o.value!==null,[f,m]=v(!1),[h,g]=v(null);return ks(fu({find:()=>g(
"palette"),help:()=>g("help"),swapTimes:()=>m(x=>!x)},o.value)),t(mu,{known:d.known,isStale:p,asClock:f,children:[t("div",{class:"frame",children:[t("button",{type:"\
button",class:"skip",onClick:bu,children:"Skip to the content"}),t(Cs,{entries:at.filter(({of:x})=>x===void 0),shown:u?.of??s,overview:o.value,treasury:r.value?.
treasury??null}),t("div",{class:"body",children:[t(Es,{account:e,overview:o.value,onFind:()=>g("palette"),onLeave:n}),t(_u,{overview:o.value,isStale:p}),t("main",
{id:"content",tabIndex:-1,children:t(gu,{view:s,detail:a,desk:d},`${s}/${a}`)})]})]}),h==="palette"?t(Os,{commands:hu(o.value,()=>g("help")),onOrder:x=>se(`orde\
rs/${x}`),onClose:()=>g(null)}):null,h==="help"?t(xs,{onClose:()=>g(null)}):null]})}function mu(e){return t(un.Provider,{value:e.known.speak,children:t(ze.Provider,
{value:e.known.chains,children:t(cn.Provider,{value:e.isStale,children:t(dn.Provider,{value:e.asClock,children:e.children})})})})}function pu(e){let[n]=(e?.tasks??
[]).filter(({kind:o,order:r})=>o==="approval"&&r!==null).toSorted((o,r)=>(o.deadline??"~").localeCompare(r.deadline??"~"));return n===void 0?"":`orders/${n.order}`}
function se(e){location.hash=`#/${e}`}function fu(e,n){return{"g h":()=>se(""),"g t":()=>se("treasury"),"g o":()=>se("orders"),"g r":()=>se("rules"),"g s":()=>se(
"simulate"),"g ,":()=>se("settings"),"p p":()=>Be("pause"),"/":e.find,"?":e.help,".":e.swapTimes,j:()=>st(1),k:()=>st(-1),ArrowDown:()=>st(1),ArrowUp:()=>st(-1),
o:Ss,a:()=>Be("approve")||se(pu(n)),f:()=>Be("filter"),e:()=>Be("export")}}function hu(e,n){let o={"":"g h",treasury:"g t",orders:"g o",rules:"g r",simulate:"g \
s",settings:"g ,"};return[...at.map(({id:r,name:s})=>({name:s,keys:o[r],act:()=>se(r)})),{name:"New swap",act:()=>se("swap")},{name:"Pause everything",keys:"p p",
act:()=>Be("pause")},{name:"Keys",keys:"?",act:n},...(e?.orders??[]).map(({id:r,from:s,to:a})=>({name:`Order ${r.slice(0,8)} ${s} → ${a}`,act:()=>se(`orders/${r}`)})),
...(e?.rules??[]).map(({id:r})=>({name:`Rule ${r}`,act:()=>se(`decisions/${encodeURIComponent(r)}`)}))]}function gu({view:e,detail:n,desk:o}){if(e==="orders"&&n!==
null)return t(gr,{...o,detail:n});if(e==="swap")return t(Er,{...o});let r=at.find(({id:i})=>i===e);if(r===void 0)return t("h1",{tabIndex:-1,children:"There is n\
o such view"});let s=r.of??r.id,a=at.filter(({id:i,of:l})=>i===s||l===s);return t(b,{children:[a.length<2?null:t(It,{parts:a,shown:e,label:"Parts of this view"}),
t(r.show,{...o})]})}function yu(e){let n=getSelection(),[o,r]=[n?.anchorNode,n?.focusNode].map(s=>s?.parentElement?.closest("[data-exact]")??null);o==null||o!==
r||(e.clipboardData?.setData("text/plain",o.dataset.exact??""),e.preventDefault())}function bu(){document.querySelector("#content")?.focus()}var wu=1e4;function vu(){
let[e,n]=v(!1);return L(()=>{let o=setInterval(()=>n(ne.failing||Date.now()-ne.lastMs>wu),500);return()=>clearInterval(o)},[]),e}function _u(e){let{overview:n,isStale:o}=e,
r=K();return L(()=>{document.body.classList.toggle("old",o)},[o]),t("div",{role:"status",children:o&&n!==null?t("p",{class:"notice bad stale",children:[t("b",{children:"\
This is not live."})," The daemon last answered"," ",gt(new Date(ne.lastMs).toISOString(),r),". You see the state of"," ",E(n.at,r),"."," ",t("button",{type:"bu\
tton",onClick:de,children:"Try now"})]}):null})}var Ms=document.querySelector("#app");Ms!==null&&Yn(t(Ts,{}),Ms);
