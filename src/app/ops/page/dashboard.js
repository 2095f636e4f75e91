/*! Ballast's dashboard, made from web/ by `npm run generate`. It contains Preact (MIT), (c) 2015-present Jason Miller. */
var R,co,sa,be,ln,kt,mo,wt,po,dn,un,fo,Ze=Symbol.for("pv"),St={},xt=[],aa=/^m(i|n|o|s|text|space)$/,mn=Array.isArray,pn=xt.slice,Ae=Object.assign;function Me(e){
e&&e.parentNode&&e.remove()}function ho(e,n,o){var r,s,a,i={},l=arguments.length;for(a in n)a=="key"?r=n[a]:a=="ref"&&typeof e!="function"?s=n[a]:i[a]=n[a];return l>
2&&(i.children=l>3?pn.call(arguments,2):o),Qe(e,i,r,s,null)}function Qe(e,n,o,r,s){var a={type:e,props:n,key:o,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Ze,__v:s||++co,__i:-1,__u:0};return!s&&R.vnode&&R.
vnode(a),a}function b(e){return e.children}function vt(e,n){this.props=e,this.context=n,this.__g=0}function we(e,n){if(n==null)return e.__&&we(e.__,e.__i+1);for(var o;n<e.
__k.length;n++)if((o=e.__k[n])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:we(e)}function ia(e){var n,o=e.__v,r=o.__e,s=[],a=[],i=e.__P;
i&&((n=Ae({constructor:Ze},o)).__v=o.__v+1,R.vnode&&R.vnode(n),fn(i,n,o,e.__n,i.namespaceURI,32&o.__u?[r]:null,s,r||we(o),32&o.__u,a),n.__v=o.__v,n.__.__k[n.__i]=
n,_o(s,n,a),o.__=o.__e=null,n.__e!=r&&go(n))}function go(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(n){return n&&(e.__e=n.__e)}),
go(e)}function cn(e){(8&e.__g||(e.__g|=8,be.push(e),kt++))&&ln==R.debounceRendering||((ln=R.debounceRendering)||queueMicrotask)(yo)}function yo(){try{for(var e,
n=1;be.length;)be.length>n&&be.sort(mo),e=be.shift(),n=be.length,8&e.__g&&ia(e)}finally{(kt=be.length)&&(ln||queueMicrotask)(yo)}}function bo(e,n,o,r,s,a,i,l,c,u,d){
var p,f,m,h,g,y,w=r.__k||xt,k=n.length;for(c=la(o,n,w,c,k),p=0;p<k;p++)(m=o.__k[p])!=null&&(f=~m.__i&&w[m.__i]||St,m.__i=p,y=fn(e,m,f,s,a,i,l,c,u,d),h=m.__e,(f.
ref!=m.ref||8&f.__u)&&(f.ref&&hn(f.ref,null,m,f),m.ref&&d.push(m.ref,m.__c||h,m)),g=g||h,4&m.__u?(c=wo(m,c,e,!f.__v),f.__e&&(f.__e=null)):typeof m.type=="functi\
on"&&y!==void 0?c=y:h&&(c=h.nextSibling),m.__u&=-21);return o.__e=g,c}function la(e,n,o,r,s){var a,i,l,c,u,d,p,f,m,h=o.length,g=h,y=0,w=0,k=e.__k=Array(s);for(a=
0;a<s;a++)(i=n[a])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=k[a]=Qe(null,i):mn(i)?i=k[a]=Qe(b,{children:i}):
i.constructor===Ze&&i.__b?i=k[a]=Qe(i.type,i.props,i.key,i.ref,i.__v):k[a]=i,c=a+y,i.__=e,i.__b=e.__b+1,l=null,~(u=i.__i=ua(i,o,c,g))&&(g--,(l=o[u])&&(l.__u|=2)),
l&&l.__v?(i.__u|=16,u==c-1?y--:u==c+1?y++:u!=c&&(u>c?y--:y++,w=1)):(~u||(s>h?y--:s<h&&y++),typeof i.type!="function"&&(i.__u|=4))):k[a]=null;if(w){for(d=[],p=[],
a=0;a<s;a++)if((i=k[a])&&16&i.__u){for(y=0,f=d.length;y<f;)d[m=y+f>>1]<i.__i?y=m+1:f=m;d[y]=i.__i,p[a]=y+1}for(y=d.length;a--;)p[a]&&(p[a]==y?y--:k[a].__u|=4)}if(g)
for(a=0;a<h;a++)!(l=o[a])||2&l.__u||(l.__e==r&&(r=we(l)),gn(l,l));return r}function wo(e,n,o,r){var s,a,i,l;if(typeof e.type=="function"){if(e.props.__P)return n;
if(s=e.__k)for(a=0;a<s.length;a++)s[a]&&(s[a].__=e,n=wo(s[a],n,o,!1));return n}for(n&&!n.parentNode&&(n=we(e))&&!n.parentNode&&(n=null),i=e.__e,l=n;l&&l.nodeType==
8;)l=l.nextSibling;for(i!=l&&(!r&&o.moveBefore&&i.parentNode?o.moveBefore(i,n):o.insertBefore(i,n||null)),n=i;(n=n&&n.nextSibling)&&n.nodeType==8&&!n.data.startsWith(
"$s"););return n}function ua(e,n,o,r){var s,a=e.key,i=e.type,l=n[o],c=l&&!(2&l.__u);if(l===null&&a==null||c&&a==l.key&&i==l.type)return o;if(r>(c?1:0)){for(s=o-1;s>=0;s--)if((l=
n[s])&&!(2&l.__u)&&a==l.key&&i==l.type)return s;for(s=o+1;s<n.length;s++)if((l=n[s])&&!(2&l.__u)&&a==l.key&&i==l.type)return s}return-1}function uo(e,n,o){o==null&&
(o=""),n[0]=="-"?e.setProperty(n,o):e[n]=o}function bt(e,n,o,r,s){var a,i;if(n=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof r=="string"&&(e.style.
cssText=r=""),r)for(n in r)o&&n in o||uo(e.style,n);if(o)for(n in o)r&&o[n]==r[n]||uo(e.style,n,o[n])}else if(n[0]=="o"&&n[1]=="n")typeof o!="function"&&(o=null),
typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[n]=o,o&&r||(i=un[n]||(un[n]=ca(n)),(e.__a||(e.__a={}))[n]=dn,a=n!=(n=n.replace(po,"$1")),(n=n.slice(2))[0]<"a"&&
(n=n.toLowerCase()),o?e.addEventListener(n,i,a):e.removeEventListener(n,i,a));else{if(s=="http://www.w3.org/2000/svg")n=n.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(n!="width"&&n!="height"&&n!="href"&&n!="list"&&n!="form"&&n!="tabIndex"&&n!="download"&&n!="rowSpan"&&n!="colSpan"&&n!="role"&&n!="popover"&&n in e)
try{return void(e[n]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&n[4]!="-"?e.removeAttribute(n):e.setAttribute(n,n=="popover"&&o==1?"":o)}}function ca(e){
return function(n){var o=this.__e;if(o){if(o=o[e],n[wt]==null)n[wt]=dn++;else if(n[wt]<this.__a[e])return;return o(R.event?R.event(n):n)}}}function fn(e,n,o,r,s,a,i,l,c,u){
var d,p,f,m,h,g,y,w,k,$,S,A,le,N,de,yt,ye,Te,me=n.type;if(n.constructor!==Ze)return null;128&o.__u&&(c=32&o.__u,d=o.__c.__z)&&(n.__u|=c,p=a=[],d.nodeType==8?l=_t(
d,a):a.push(d),l=a[0]||l),(d=R.__b)&&d(n);e:if(typeof me=="function"){f=i.length;try{if(w=n.props,k=(d=me.prototype)&&d.render,$=(d=me.contextType)&&r[d.__c],S=
d?$?$.props.value:d.__:r,(m=o.__c)?(n.__c=m,2&m.__g&&(m.__g|=1)):(k?n.__c=m=new me(w,S):(n.__c=m=new vt(w,S),m.constructor=me,m.render=ma),$&&$.sub(m),m.state||
(m.state={}),m.__n=r,m.__g|=8,m.__h=[],m.__k=[]),k&&(m.__s||(m.__s=m.state),me.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=Ae({},m.__s)),Ae(m.__s,me.getDerivedStateFromProps(
w,m.__s)))),h=m.props,g=m.state,m.__v=n,o.__c){if(w!==h&&k&&!me.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(w,S),n.__v==o.
__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(w,m.__s,S)===!1){n.__v!=o.__v&&(m.props=w,m.state=m.__s,m.__g&=-9),n.__e=o.__e,n.__k=
o.__k,n.__k.some(function(te){te&&(te.__=n)}),xt.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&i.push(m),l=we(o);break e}m.componentWillUpdate&&m.componentWillUpdate(
w,m.__s,S),k&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(h,g,y)})}else k&&!me.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),
k&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=S,m.props=w,m.__P=e,m.__g&=-5,A=R.__r,le=k?25:0;do m.__g&=-9,A&&A(n),d=m.render(m.props,m.state=
m.__s,m.context);while(8&m.__g&&++le<25);k&&(xt.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(r=Ae({},r,m.getChildContext())),k&&o.__c&&m.
getSnapshotBeforeUpdate&&(y=m.getSnapshotBeforeUpdate(h,g)),N=d&&d.type===b&&d.key==null?d.props.children:d,w.__P&&(d=l,s=(e=w.__P).namespaceURI,c=a=null,o.props&&
o.props.__P!=e&&(o.__k.some(function(te){te&&gn(te,te)}),o.__k=null),l=o.__k?we(o,0):null),l=bo(e,mn(N)?N:[N],n,o,r,s,a,i,l,c,u),w.__P&&(n.__e=null,l=d),n.__u&=
-161,p&&p.some(Me),m.__h.length&&i.push(m),1&m.__g&&(m.__g&=-4)}catch(te){if(i.length=f,n.__v=null,c||a)if(te&&te.then){if(n.__u|=128|c,a){for(~(ye=a.indexOf(l||
void 0))||(ye=a.length);(Te=a[ye-1])&&Te.nodeType==8;)ye--;for(;ye<a.length;ye++)if(Te=a[ye])if(a[ye]=null,de){if(Te==yt)break}else{if(Te.nodeType!=8)break;Te.data.
startsWith("$s")&&(yt=_t(de=Te))}}if(!de){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;de=l}(d=_t(de=n.__c.__z||(n.__c.__z=de)))?(n.__e=de,l=d):n.__e=l,
l=l&&l.nextSibling}else a&&a.some(Me);else n.__e=o.__e;n.__k||(n.__k=o.__k||[]),te&&te.then||vo(n),R.__e(te,n,o)}}else l=n.__e=da(o.__e,n,o,r,s,a,i,c,u,e);return(d=
R.diffed)&&d(n),l}function _t(e,n){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.
data.startsWith("/$s")&&!--o)return e}n&&n.push(e)}}function vo(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(vo))}function _o(e,n,o){for(var r=0;r<o.length;)hn(
o[r++],o[r++],o[r++]);R.__c&&R.__c(n,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(a){a.call(s)})}catch(a){R.__e(a,s.__v)}})}function da(e,n,o,r,s,a,i,l,c,u){
var d,p,f,m,h,g,y,w,k=o.props||St,$=n.props,S=n.type;if(S=="svg"?s="http://www.w3.org/2000/svg":S=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://w\
ww.w3.org/1999/xhtml"),a){for(d=0;d<a.length;d++)if((h=a[d])&&(S?h.localName==S:h.nodeType==3)){e=h,a[d]=null;break}}if(!e){if(w=u.ownerDocument||document,!S)return w.
createTextNode($);e=w.createElementNS(s,S,$.is?$:u),l&&(R.__m&&R.__m(n,a),l=!1),a=null}if(S){if(u=S=="template"&&e.content||e,a=S=="textarea"&&$.defaultValue!=null?
null:a&&pn.call(u.childNodes),!l&&a)for(k={},d=0;d<e.attributes.length;d++)k[(h=e.attributes[d]).name]=h.value;for(d in k)h=k[d],d=="dangerouslySetInnerHTML"?f=
h:d=="children"||d in $||d=="value"&&"defaultValue"in $||d=="checked"&&"defaultChecked"in $||bt(e,d,null,h,s);for(d in $)h=$[d],d=="children"?m=h:d=="dangerousl\
ySetInnerHTML"?p=h:d=="value"?g=h:d=="checked"?y=h:l&&typeof h!="function"||k[d]===h||bt(e,d,h,k[d],s);p?(l||f&&(p.__html==f.__html||p.__html==e.innerHTML)||(e.
innerHTML=p.__html),n.__k=[]):(f&&(e.textContent=""),(S=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&aa.test(S))&&(s="http://www.w3.org/1999/xhtml"),
bo(u,mn(m)?m:[m],n,o,r,s,a,i,a?a[0]:o.__k&&we(o,0),l,c),a&&a.some(Me)),l&&S!="textarea"||(d="value",S=="progress"&&g==null?e.removeAttribute(d):g==null||g===e[d]&&
(S!="progress"||g)||bt(e,d,g,k[d],s),d="checked",y!=null&&y!=e[d]&&bt(e,d,y,k[d],s))}else k===$||l&&e.data==$||(e.data=$);return e}function hn(e,n,o,r){try{typeof e==
"function"?n?n.__x=e(n)||1:r&&(r=r.__c||r.__e)&&(n=r.__x)&&(r.__x=null,typeof n=="function"?n():e(null)):e.current=n}catch(s){R.__e(s,o)}}function gn(e,n,o){var r,
s,a,i;if(R.unmount&&R.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||hn(r,null,n,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(l){
R.__e(l,n)}r.__P=r.__n=null}if(r=e.__k)for(i=0;i<r.length;i++)r[i]&&gn(r[i],n,typeof e.type!="function"||o&&!e.props.__P);!o&&(r=e.__c)&&(r=r.__z)&&(s=_t(r,a=[]))&&
(r==e.__e&&a.some(Me),Me(s),Me(r)),o||Me(e.__e),e.__e=e.__c=e.__=null}function ma(e,n,o){return this.constructor(e,o)}function ko(e,n){var o,r,s,a;R.__&&R.__(e,
n),n.nodeType==9&&(n=n.documentElement),r=(o=e&&32&e.__u)?null:n.__k,n.__k=Qe(b,{children:[e]}),s=[],a=[],fn(n,n.__k,r||St,St,n.namespaceURI,r?null:n.firstChild?
pn.call(n.childNodes):null,s,r?r.__e:n.firstChild,o,a),_o(s,n.__k,a),n.__k.props.children=null}function Le(e){function n(o){var r,s;return this.getChildContext||(r=new Set,(s={})[n.__c]=this,this.getChildContext=function(){return s},this.shouldComponentUpdate=
function(a){this.props.value!=a.value&&r.forEach(function(i){i.__g|=4,cn(i)})},this.sub=function(a){r.add(a);var i=a.componentWillUnmount;a.componentWillUnmount=
function(){r.delete(a),i&&i.call(a)}}),o.children}return n.__c="__cC"+fo++,n.__=e,n.Provider=(n.Consumer=function(o,r){return o.children(r)}).contextType=n,n}R={__e:function(e,n,o,r){for(var s,a,i;n=n.__;)if((s=n.__c)&&!(1&s.__g)){s.__g|=4;try{if((i=(a=s.constructor)&&a.getDerivedStateFromError)&&s.setState(a.getDerivedStateFromError(
e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),i=1),i&&8&s.__g)return void(s.__g|=2)}catch(l){e=l}}throw kt=0,e}},co=0,sa=function(e){return e!=null&&e.
constructor===Ze},vt.prototype.setState=function(e,n){var o=this.__s;o&&o!=this.state||(o=this.__s=Ae({},this.state)),typeof e=="function"&&(e=e(Ae({},o),this.props)),
e&&(Ae(o,e),this.__v&&(n&&this.__k.push(n),cn(this)))},vt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),cn(this))},vt.prototype.render=
b,be=[],kt=0,mo=function(e,n){return e.__v.__b-n.__v.__b},wt=Symbol(),po=/(PointerCapture)$|Capture$/i,dn=0,un={},fo=0;var ve,F,yn,So,bn=Object.is,$t=0,Ro=[],wn=[],W=R,xo=W.__b,$o=W.__r,Oo=W.diffed,Co=W.__c,Eo=W.unmount,To=W.__;function Xe(e,n){W.__h&&W.__h(F,e,$t||n),$t=0;var o=F.
__H||(F.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function v(e){return $t=1,pa(Po,e)}function pa(e,n,o){var r=Xe(ve++,2);if(r.t=e,!r.__c&&
(r.__=[o?o(n):Po(void 0,n),function(a){var i=(r.__N||r.__)[0],l=r.t(i,a);bn(i,l)||(r.__N=[l,r.__[1]],r.__c.setState({}))}],r.__c=F,!F.__f)){F.__f=!0;var s=F.shouldComponentUpdate;
F.shouldComponentUpdate=function(a,i,l){var c=this.__H;if(!c)return!0;var u=!1,d=this.props!=a;if(c.__.some(function(f){f.__N&&(u=!0,bn(f.__[0],f.__N[0])||(d=!0))}),
s){var p=s.call(this,a,i,l);return u?p||d:p}return!u||d}}return r.__}function U(e,n){var o=Xe(ve++,3);!W.__s&&_n(o.__H,n)&&(o.__P=!0,o.__=e,o.u=n,F.__H.__h.push(
o))}function Ot(e,n){var o=Xe(ve++,4);!W.__s&&_n(o.__H,n)&&(o.__P=!1,o.__=e,o.u=n,F.__h.push(o))}function ne(e){return $t=5,fa(function(){return{current:e}},[])}function fa(e,n){var o=Xe(ve++,7);return _n(o.__H,n)&&(o.__=e(),o.__H=n),o.__}function _e(e){var n=F.context[e.__c],o=Xe(ve++,9);return o.c=e,n?(o.__==null&&(o.__=!0,n.sub(F)),n.props.value):e.__}function ke(){var e=Xe(ve++,11);if(!e.__){for(var n=F.__v;!n.__m&&n.__;)n=n.__;var o=n.__m||(n.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function ha(){var e;
do{for(;e=wn.shift();)try{et(e)}catch(o){W.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=Ro.shift();){var n=e.__H;if(e.__P&&n)try{n.__h.some(et),n.__h.some(vn),n.__h=[]}catch(o){
n.__h=[],W.__e(o,e.__v)}}}while(wn.length)}W.__b=function(e){F=null,xo&&xo(e)},W.__=function(e,n){e&&n.__k&&n.__k.__m&&(e.__m=n.__k.__m),To&&To(e,n)},W.__r=function(e){
$o&&$o(e),ve=0;var n=(F=e.__c).__H;n&&(yn==F?F.__h=[]:(n.__h.some(et),n.__h.some(vn),ve=0),n.__h=[],n.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),
yn=F},W.diffed=function(e){Oo&&Oo(e);var n=e.__c;n&&n.__H&&(n.__H.__h.length&&Ao(Ro.push(n)),n.__H.__.some(function(o){o.u&&(o.__H=o.u)})),yn=F=null},W.__c=function(e,n){
n.some(function(o){try{o.__h.some(et),o.__h=o.__h.filter(function(r){return!r.__||vn(r)})}catch(r){o.__h=[function(){throw r}]}}),Co&&Co(e,n)},W.unmount=function(e){
Eo&&Eo(e);var n,o,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}s.__P=o,
Ao(wn.push(s))}else et(s)}catch(a){n=a}}),r.__H=void 0,n&&W.__e(n,r.__v))};var Mo=typeof requestAnimationFrame=="function";function ga(e){var n,o=function(){clearTimeout(
r),Mo&&cancelAnimationFrame(n),setTimeout(e)},r=setTimeout(o,35);Mo&&(n=requestAnimationFrame(o))}function Ao(e){e!=1&&So==W.requestAnimationFrame||((So=W.requestAnimationFrame)||
ga)(ha)}function et(e){var n=F,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),F=n}function vn(e){var n=F;e.__c=e.__(),F=n}function _n(e,n){return!e||e.length!=
n.length||n.some(function(o,r){return!bn(o,e[r])})}function Po(e,n){return typeof n=="function"?n(e):n}var Re=class extends Error{name="AppError";code;disposition;details;constructor(n){super(n.message,n.cause===void 0?void 0:{cause:n.cause}),this.code=n.code,this.
disposition=n.disposition,this.details=n.details??{}}};function Do(e,n){let o=e.length;for(;o>0&&e[o-1]===n;)o--;return e.slice(0,o)}function Pe(e,n){let o=e<0n?"-":"",r=(e<0n?-e:e).toString().padStart(n+1,"0"),s=r.slice(0,r.length-n),a=Do(r.slice(r.length-n),"0");return`${o}${s}${a===""?"":`\
.${a}`}`}function E(e){let n=e.startsWith("-")?"−":"",[o="0",r=""]=e.replace("-","").split(".");if(o.length>No)return`${n}${E(`${o.slice(0,-6)}.${o.slice(-6)}`)} M`;let s=o===
"0"?/^0*/.exec(r)?.[0].length??0:-o.length,a=r.slice(0,No+s).replace(/0+$/,""),i=o.replace(/\B(?=(\d{3})+$)/g," ");return`${n}${i}${a===""?"":`.${a}`}`}var No=6;
function _(e){if(e===null)return"unknown";let n=Math.abs(Number(e));if(n>=1e6)return`${Lo(e)}$${E(String(Math.trunc(n)))}`;let o=n>=1e3?0:n!==0&&n<.01?4:2,r=n.toLocaleString(
"en-US",{minimumFractionDigits:o,maximumFractionDigits:o});return`${Lo(e)}$${r}`}function Lo(e){return e.startsWith("-")&&Number(e)!==0?"−":""}function H(e){if(e<6e4)return`${Math.max(0,Math.floor(e/1e3))} s`;if(e<36e5)return`${Math.floor(e/6e4)} min`;if(e>=2*864e5)return`${Math.floor(e/864e5)} d`;let n=Math.
floor(e%36e5/6e4);return`${Math.floor(e/36e5)} h${n===0?"":` ${n} min`}`}function Xo(e){return Number.isFinite(e)?`${new Date(e).toISOString().slice(0,16).replace(
"T"," ")} UTC`:"an unknown time"}function O(e){let[n="",o=""]=e.split(":");return{symbol:o.toUpperCase(),chain:J(n)}}function J(e){return e.replace(/(^|_)([a-z])/g,(n,o,r)=>(o?" ":"")+r.toUpperCase())}
var ya=/(?<![\w.:-])\d+\.\d+(?!\w|[:-]|\.\d)/g;function Fo(e){return e.replace(ya,E)}function tt(e){return Number(e)>0?`+${_(e)}`:_(e)}function nt(e,n){let o=Number(
n)===0?0:100*Number(e)/Number(n);return`${o<0?"−":""}${Math.abs(o).toFixed(Math.abs(o)<10?2:1)}%`}function Q(e){return e===null?"unknown":`${(e/100).toFixed(2)}\
%`}function Ct(e,n){let o=Date.parse(e)-n;return Number.isNaN(o)?e:Math.abs(o)<1500?"now":o>0?`in ${H(o)}`:`${H(-o)} ago`}function T(e,n=Date.now()){let o=new Date(
e),r=o.toLocaleTimeString("en-GB");return o.toDateString()===new Date(n).toDateString()?r:`${o.toLocaleDateString("en-GB",{day:"numeric",month:"short"})}, ${r}`}
function ue(e){return e.replace(/[-_]/g," ")}function kn(e){return e.length<=18?e:`${e.slice(0,8)}…${e.slice(-6)}`}function Fe(e){return e==="completed"?"good":
e==="held"?"bad":e==="awaiting-approval"||e.startsWith("refund")?"warn":e==="rejected"||e==="abandoned"?"calm":"busy"}function Jo(e){return e===null?n=>n:(n,o=null)=>{let[,r=null]=wa.exec(n)??[],[,s=null]=va.exec(n)??[],a=(r===null?null:Sn(e,`${r}:native`))??Sn(e,s)??Sn(e,o);if(a===
null)return n;let i=l=>`${Pe(BigInt(l),a.decimals)} ${a.name}`;return n.replace(Oa,(l,c)=>`within ${H(Number(c)*1e3)}`).replace(ka,(l,c,u)=>`(${i(c)}, at most ${i(
u)})`).replace($a,(l,c,u)=>`within the range of ${i(c)} to ${i(u)}`).replace(xa,(l,c,u)=>`(${c} usd, at most ${u} usd)`).replace(_a,(l,c)=>i(c)).replace(Ca,l=>a.
decimals<Ea?l:i(l))}}function Io(e,n,o){let r=n.asset??(ba.includes(n.code)?o?.to:o?.from)??null;return{...n,message:e(n.message,r)}}var ba=["alarm.payout_short",
"quote.too_good","quote.unproven"],Bo="[a-z0-9_]+:[a-z0-9._-]+",wa=/units of (?:the coin|the native coin) of ([a-z0-9_]+)/i,va=new RegExp(`\\d (?:smallest )?(?:u\
nits of )?(${Bo})`,"i"),_a=new RegExp(`(?<![\\w.])(\\d+) (?:smallest )?units(?: of the coin of [a-z0-9_]+| of ${Bo})?`,"gi"),ka=/(?<=larger than one order may be |would sell more than allowed )\((\d+), at most (\d+)\)/g,
Sa=["worth more than one order may be","would be worth more than allowed","would cost more than allowed"],xa=new RegExp(`(?<=(?:${Sa.join("|")}) )\\(([\\d.]+), at\
 most ([\\d.]+)\\)`,"g"),$a=/within the range of (\d{1,40}) to (\d{1,40})(?![\d.])/gi,Oa=/(?<=Orders |orders )within (\d+) s\b/g,Ca=/(?<![\w.:-])\d{10,}(?![\w.:])(?!\s(?:units|smallest))/g,
Ea=6;function Sn({assets:e,chains:n},o){let r=e.find(a=>a.id===o);if(r!==void 0)return{decimals:r.decimals,name:r.id};let s=n.find(({chain:a})=>`${a}:native`===
o)?.nativeCoin;return s===void 0?null:{decimals:s.decimals,name:s.symbol}}function xn(e){if(!/^[a-z0-9_-]+:[a-z0-9_.-]+$/.test(e)){let n="<chain>:<asset>, for example base_sepolia:wbtc";throw new Re({code:"domain.asset_id",disposition:"\
refused",message:`"${e}" is not an asset id; expected ${n}`,details:{text:e}})}return e}function Ta(e){return e.slice(0,e.indexOf(":"))}function Uo(e){return Ta(
xn(`${e}:x`))}function Wo(e,n){return Ho(e)===Ho(n)}function Ho(e){return e.startsWith("0x")?e.toLowerCase().replace(/^0x0*/,"0x"):e}function Et(e){let n=Jo(e===null?null:{assets:e.assets.map(({id:s,decimals:a})=>({id:xn(s),decimals:a})),chains:e.chains.map(({chain:s,nativeCoin:a})=>({chain:Uo(
s),nativeCoin:{...a,token:null}}))}),o=new Set(e?.assets.map(({id:s})=>s)),r=new Set(e?.chains.map(({chain:s})=>s));return{chains:[...r],linkOf:(s,a)=>{let l=(e?.
chains.find(c=>c.chain===s)?.explorer??null)?.tx.replace("{tx}",encodeURIComponent(a))??null;return l?.startsWith("https://")===!0?l:null},amountOf:(s,a)=>{let i=e?.
assets.find(({id:l})=>l===a)?.decimals;return i===void 0?null:Pe(BigInt(s),i)},payeeOf:s=>e?.payees.find(a=>Wo(a.address,s))?.name??null,humane:(s,a=null)=>Io(n,
s,a),speak:s=>s.replace(Ma,a=>o.has(a)?Da(a):a).replace(Aa,a=>r.has(a)?J(a):a).replace(Ra,"").replace(Pa,a=>T(a))}}var Ma=/\b[a-z0-9_]+:[a-z0-9._-]*[a-z0-9]/g,Aa=/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g,
Ra=/ \[[a-z_]+(?:\.[a-z_]+)+\]/g,Pa=/\b\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g;function Da(e){let{symbol:n,chain:o}=O(e);return`${n} on ${o}`}function Ko(e,n){return n==="request.key_in_flight"?!0:e===0||e>=500&&n!=="cluster.standby"}var P=class extends Error{status;reasons;constructor(n,o){super(o.map(({message:r})=>r).join(" ")),this.status=n,this.reasons=o}},Tt="ballast.csrf";async function Vo(){
try{return{...await j("GET","session"),csrf:localStorage.getItem(Tt)}}catch(e){if(e instanceof P&&e.status===401)return null;throw e}}async function jo(e){let n=await j(
"POST","session",{token:e});return localStorage.setItem(Tt,n.csrf),n}async function qo(){await j("DELETE","session").catch(()=>{}),localStorage.removeItem(Tt)}var Na=5e3,
La=200;function ot(){return crypto.getRandomValues(new BigUint64Array(2)).join("-")}async function Je(e,n,o=ot()){let r=performance.now()+Na;for(let s=La;;s*=2){
try{return await j("POST",e,n,{"idempotency-key":o})}catch(a){if(!(a instanceof P)||!Ko(a.status,a.reasons[0]?.code))throw a;if(performance.now()+s>r)throw new P(
a.status,[Xa])}await new Promise(a=>setTimeout(a,s))}}var Xa={code:"page.uncertain",message:"No answer came, so it may be done or not. Press again: it is done o\
nce."};async function j(e,n,o,r={}){let s=await $n(e,n,{body:o,headers:r}).catch(()=>{throw new P(0,[{code:"page.silent",message:"The daemon does not answer."}])}),
a=await s.json().catch(()=>null);if(s.ok)return a;let{reasons:i}=a??{};throw new P(s.status,i??[{code:"page.answer",message:`The daemon answered ${s.status}.`}])}
function $n(e,n,{body:o,headers:r={},signal:s}={}){return fetch(`/api/v1/${n}`,{method:e,headers:{...r,"x-ballast-csrf":localStorage.getItem(Tt)??"",...o===void 0?
{}:{"content-type":"application/json"}},...o===void 0?{}:{body:JSON.stringify(o)},...s===void 0?{}:{signal:s}})}var oe={lastMs:Date.now(),failing:!1,loggedOut:!1,streaming:!1},Cn=new Map,En=new Set;function C(e,n=5e3){let[,o]=v(0),[r,s]=v(null),[a,i]=v(0);return U(()=>{if(e===
null)return;let c=!1;async function u(){if(!(e===null||document.hidden))try{if(Cn.set(e,await Fa(e)),c)return;oe.lastMs=Date.now(),oe.failing=!1,s(null),o(f=>f+
1)}catch(f){if(c||!(f instanceof P))return;f.status===401&&(oe.loggedOut=!0),f.status===0&&(oe.failing=!0),s(f)}}let d=()=>{u()};u();let p=setInterval(d,n);return En.
add(d),document.addEventListener("visibilitychange",d),()=>{c=!0,clearInterval(p),En.delete(d),document.removeEventListener("visibilitychange",d)}},[e,n,a]),{value:e===
null?null:Cn.get(e)??null,error:r,refresh:()=>i(c=>c+1)}}var On=new Map;function Fa(e){let n=On.get(e);if(n!==void 0)return n;let o=j("GET",e).finally(()=>On.delete(
e));return On.set(e,o),o}function pe(){for(let e of En)e()}function zo(){Cn.clear()}var Ja=700,Go=4e4;async function Yo(e){let n=0,o=()=>{n===0&&(n=window.setTimeout(
()=>{n=0,pe()},Ja))};for(;!e.aborted;)await Ia(e,o).catch(()=>{}),oe.streaming=!1,await new Promise(r=>setTimeout(r,2e3))}async function Ia(e,n){let o=new AbortController,
r=setTimeout(()=>o.abort(),Go),s=await $n("GET","events",{signal:AbortSignal.any([e,o.signal])});if(!s.ok||s.body===null)return;oe.streaming=!0;let a=s.body.pipeThrough(
new TextDecoderStream).getReader();for(let i=await a.read();!i.done;i=await a.read())clearTimeout(r),r=setTimeout(()=>o.abort(),Go),i.value.includes("data:")&&n();
clearTimeout(r)}function K(){let[e,n]=v(Date.now());return U(()=>{let o=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(o)},[]),e}function Qo(){let[e,
n]=v(location.hash);return U(()=>{let o=()=>n(location.hash);return addEventListener("hashchange",o),()=>removeEventListener("hashchange",o)},[]),e.replace(/^#\/?/,
"").split("/").map(o=>decodeURIComponent(o))}var Ba=Symbol.for("pv"),Ua=0;function t(e,n,o,r,s,a){n||(n={});var i,l,c=n;if("ref"in c&&typeof e!="function")for(l in c={},n)l=="ref"?i=n[l]:c[l]=n[l];var u={type:e,props:c,key:o,ref:i,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:Ba,__v:--Ua,__i:-1,__u:0};return(s||a)&&(u.__source=s,u.__self=a),R.vnode&&R.vnode(u),u}function Zo({onLogin:e}){let[n,o]=v(""),[r,s]=v(!1),[a,i]=v(null);async function l(c){c.preventDefault(),s(!0);try{e(await jo(n.trim()))}catch(u){i(u instanceof
P?u.message:"The page failed"),s(!1)}}return t("main",{class:"login",children:t("form",{class:"card",onSubmit:l,children:[t("img",{src:"/icon.svg",alt:"",width:"\
44",height:"44"}),t("h1",{children:"Ballast"}),t("p",{class:"note",children:["Log in with one of the tokens of ",t("code",{children:"ops.token"})," or ",t("code",
{children:"ops.tokens"}),". What you can do here is what the token's scopes allow."]}),t("label",{for:"token",children:"Token"}),t("input",{id:"token",type:"pas\
sword",autocomplete:"current-password",value:n,onInput:c=>o(c.currentTarget.value)}),a===null?null:t("p",{class:"notice bad",role:"alert",children:a}),t("button",
{type:"submit",class:"main",disabled:n===""||r,children:"Log in"})]})})}function fe(e,n,o=3){let r=Math.max(Math.abs(e),Math.abs(n)),s=10**(Math.floor(Math.log10(r))-5),a=Math.max((n-e)/o,s);if(!(n>e))return[e];let i=10**Math.floor(
Math.log10(a*(1+1e-9))),l=i>5*s?[1,2,2.5,5,10]:[1,2,5,10],c=i*(l.find(p=>p*i>=a*(1-1e-9))??10),u=Math.ceil(e/c-1e-9),d=Math.floor(n/c+1e-9);return Array.from({length:d-
u+1},(p,f)=>Number(((u+f)*c).toPrecision(12)))}var Ha=[[1e9,"G"],[1e6,"M"],[1e3,"k"]];function z(e,n=e){let[o,r]=Ha.find(([a])=>Math.abs(e)>=a)??[1,""],s=n===0?
4:Math.ceil(Math.log10(Math.abs(e/n)||1))+3;return`${Number((e/o).toPrecision(Math.max(4,Math.min(12,s))))}${r}`}function Se(e,n,o=5){let r=Wa.find(l=>(n-e)/l<=o)??31536e6,s=new Date(e).getTimezoneOffset()*6e4,a=Math.ceil((e-s)/r)*r+s;return Array.from({length:Math.max(0,Math.
floor((n-a)/r)+1)},(l,c)=>a+c*r).map(l=>({ms:l,label:Ka(l,r,n-e)}))}var Wa=[...[1/60,1/12,1/4,1,3,6,12].map(e=>e*36e5),...[1,2,7,14,30,91].map(e=>e*864e5)];function Ka(e,n,o){
let r=new Date(e);return n<864e5?r.toLocaleTimeString("en-GB",{hour:"2-digit",minute:"2-digit"}):o<=8*864e5?r.toLocaleDateString("en-GB",{weekday:"short"}):r.toLocaleDateString(
"en-GB",{day:"2-digit",month:"short"})}function xe(e){let{of:n,label:o,last:r,high:s,at:a}=e,[i,l]=v(null),{x:c,words:u}=a(Math.min(r,i??r)),d=p=>{let f=p.currentTarget instanceof Element?p.currentTarget.
getBoundingClientRect():null;if(f===null||f.width===0)return;let m=(p.clientX-f.left)/f.width;l(Math.round(r*Math.max(0,Math.min(1,m))))};return t(b,{children:[
t("input",{type:"range",class:`scrub of-${n}`,min:"0",max:r,value:i??r,"aria-label":o,"aria-valuetext":u,onInput:p=>l(Number(p.currentTarget.value)),onPointerMove:d,
onPointerLeave:()=>l(null),onBlur:()=>l(null)}),i===null?null:t(b,{children:[t("svg",{class:`cross of-${n}`,width:c+1,height:s,"aria-hidden":"true",children:t("\
line",{x1:c,x2:c,y2:s})}),t("output",{class:"tip",children:u})]})]})}var er=180;function Y(){let[e,n]=v(null),[o,r]=v(er);return U(()=>{if(e===null)return;let s=new ResizeObserver(([a])=>r(Math.max(er,Math.floor(a?.contentRect.width??
0))));return s.observe(e),()=>s.disconnect()},[e]),[n,o]}var st=132,rt=48,Va=8,ja=64,qa=20;function Ie(e){let{title:n,steps:o,series:r,as:s,show:a,limit:i=null}=e,[l,c]=Y(),u=k=>r.map(({of:$})=>$(k)??0),d=k=>s==="bars"?
u(k).reduce(($,S)=>$+S,0):Math.max(...u(k)),p=Math.max(...o.map(d),i?.value??0),f=p===0?1:p*1.08,m=Date.parse(o[0]?.from??""),h=Date.parse(o.at(-1)?.to??""),g=s===
"lines"&&r.length>1?ja:Va,y=k=>rt+(c-rt-g)*(k-m)/Math.max(1,h-m),w=k=>8+st-st*k/f;return t("figure",{class:"chart",ref:l,children:[t("svg",{width:c,height:8+st+
qa,role:"img","aria-label":Ga(e,p),children:[fe(0,f).map(k=>t("g",{children:[t("line",{class:"grid-line",x1:rt,x2:c-g,y1:w(k),y2:w(k)}),t("text",{x:rt-6,y:w(k)+
4,"text-anchor":"end",children:a(k)})]},k)),Se(m,h,Math.max(2,Math.floor(c/60))).map(({ms:k,label:$})=>t("text",{x:y(k),y:8+st+15,"text-anchor":"middle",children:$},
k)),s==="bars"?t(za,{steps:o,series:r,x:y,y:w,show:a}):t(Ya,{steps:o,series:r,x:y,y:w}),i===null?null:t(b,{children:[t("line",{class:"limit-line",x1:rt,x2:c-g,y1:w(
i.value),y2:w(i.value)}),t("text",{x:c-g,y:w(i.value)-4,"text-anchor":"end",children:i.name})]})]}),o.length<2?null:t(ei,{...e,x:y}),t(ni,{title:n,steps:o,series:r,
show:a})]})}function Ga({title:e,steps:n,show:o},r){return`${e}: ${n.length} steps from ${n[0]?.from??""}, at most ${o(r)}`}function za(e){let{steps:n,series:o,
x:r,y:s,show:a}=e,i=Date.now();return t(b,{children:n.map(l=>{let c=r(Date.parse(l.from)),u=r(Date.parse(l.to)),d=Date.parse(l.to)<=i,p=0;return o.map(({name:f,
of:m,tone:h})=>{let g=m(l)??0;return p+=g,t("rect",{class:`bar-${h} ${d?"":"part"}`,x:c+(u-c)*.14,width:Math.max(1,(u-c)*.72),y:s(p),height:Math.max(0,s(0)-s(g)),
children:t("title",{children:`${Tn(l)}, ${f}: ${a(g)}${d?"":" so far"}`})},`${l.from} ${f}`)})})})}function Ya({steps:e,series:n,x:o,y:r}){let s=l=>o((Date.parse(
l.from)+Date.parse(l.to))/2),a=Date.now(),i=n.length>1?Za(e,n,r):[];return t(b,{children:[i.map(({name:l,ms:c,labelY:u})=>t("text",{x:o(c)+7,y:u,children:l},l)),
n.map(({name:l,of:c,tone:u})=>{let d=e.map(f=>({step:f,value:c(f)})),p=d.map(({step:f,value:m},h)=>m===null?"":`${h===0||d[h-1]?.value===null?"M":"L"}${s(f)} ${r(
m)}`).join("");return t("g",{children:[t("path",{class:`line-${u}`,d:p}),d.map(({step:f,value:m})=>m===null?null:t("circle",{class:`dot-${u} ${Date.parse(f.to)<=
a?"":"part"}`,cx:s(f),cy:r(m),r:"2.2"},f.from))]},l)})]})}var Qa=12;function Za(e,n,o){let r=n.flatMap(({name:a,of:i})=>{let l=e.findLast(u=>i(u)!==null);if(l===
void 0)return[];let c=(Date.parse(l.from)+Date.parse(l.to))/2;return[{name:a,ms:c,labelY:o(i(l)??0)+4}]}),s=Number.NEGATIVE_INFINITY;return r.toSorted((a,i)=>a.
labelY-i.labelY).map(a=>(s=Math.max(a.labelY,s+Qa),{...a,labelY:s}))}function Tn({from:e,to:n}){return Date.parse(n)-Date.parse(e)<24*36e5?`${e.slice(0,10)} ${e.
slice(11,16)} UTC`:e.slice(0,10)}function ei(e){let{title:n,steps:o,series:r,show:s,x:a}=e,i=u=>{let d=o[u];if(d===void 0)return{x:0,words:"no step"};let p=(Date.
parse(d.from)+Date.parse(d.to))/2;return{x:a(p),words:ti(d,r,s)}},l=`${n} at a time`,c=e.as==="lines"&&r.length>1?"named":"steps";return t(xe,{of:c,label:l,last:o.
length-1,high:8+st,at:i})}function ti(e,n,o){let r=Date.parse(e.to)<=Date.now(),s=n.map(({name:a,of:i})=>{let l=i(e);return`${a} ${l===null?"none":o(l)}`});return`${Tn(
e)} · ${s.join(" · ")}${r?"":" · so far"}`}function ni(e){let{title:n,steps:o,series:r,show:s}=e;return t("div",{class:"hidden",children:t("table",{children:[
t("caption",{children:n}),t("thead",{children:t("tr",{children:[t("th",{scope:"col",children:"Time"}),r.map(({name:a})=>t("th",{scope:"col",children:a},a))]})}),
t("tbody",{children:o.map(a=>t("tr",{children:[t("th",{scope:"row",children:Tn(a)}),r.map(({name:i,of:l})=>{let c=l(a);return t("td",{children:c===null?"none":s(
c)},i)})]},a.from))})]})})}var Mn=Le(e=>e);function L({text:e}){let n=_e(Mn)(e),o=Fo(n);return o!==n?t("span",{title:n,children:o}):t(b,{children:n})}var at=Le([]),oi=10;function Be(){let e=_e(
at);return n=>{let o=e.indexOf(n.split(":")[0]??"");return o===-1?"chain-none":`chain-${o%oi}`}}function Z({id:e}){let n=Be();return t("span",{class:"chain-name",
children:[t("i",{class:n(e)}),J(e.split(":")[0]??"")]})}var An=Le(!1);function Ue(e,n){return _e(An)?"The daemon does not answer, so nothing can be changed":n.includes(
e)?null:`Your token lacks the scope ${e}`}function I({tone:e,children:n}){return t("span",{class:`pill ${e}`,children:n})}function Mt({state:e}){return e==="com\
pleted"?t(b,{children:"✓ completed"}):t(I,{tone:Fe(e),children:ue(e)})}function Rn({tone:e}){return t("svg",{class:"swatch",viewBox:"0 0 10 10","aria-hidden":"\
true",children:t("rect",{class:e,width:"10",height:"10"})})}function x(e){return t("section",{class:e.wide?"card wide":"card",children:[t("header",{children:[t(
"h2",{children:e.link===void 0?e.title:t("a",{href:e.link,children:e.title})}),e.note===void 0?null:t("span",{class:"note",children:e.note})]}),e.children]})}function X({
children:e,note:n}){return t("header",{class:"title",children:[t("h1",{tabIndex:-1,children:e}),n===void 0?null:t("p",{class:"note",children:n})]})}function V({
amount:e,asset:n,chain:o=!0,symbol:r=!0}){let s=O(n);return t("span",{class:"amount",title:`${e??"no reading"} ${n}`,"data-exact":e??void 0,children:[t("b",{children:e===
null?"no reading":E(e)}),r?` ${s.symbol}`:null,o?t("small",{children:[" ",s.chain]}):null]})}var Pn=Le(new Map);function re({amount:e,asset:n}){let o=_e(Pn).get(
n);return o===void 0?null:t("small",{class:"worth",children:_(String(Number(e)*Number(o)))})}var Dn=Le(!1);function G({fiat:e}){return t("span",{title:`${e} usd`,
"data-exact":e,children:_(e)})}function M({at:e,clock:n=!1}){let o=K(),r=_e(Dn)||n;return e===null?t("span",{class:"quiet",children:"never"}):t("time",{dateTime:e,
title:e,children:r?T(e,o):Ct(e,o)})}function se({reasons:e,none:n=null}){let o=[...new Map(e.map(r=>[r.message,r])).values()];return o.length===0?n===null?null:
t("p",{class:"quiet",children:n}):t("ul",{class:"reasons",children:o.map(({code:r,message:s})=>t("li",{title:r,children:t(L,{text:s})},s))})}function ae({hash:e,
link:n=null,what:o}){return t("span",{class:"hash",children:[n===null?t("code",{title:e,children:kn(e)}):t("a",{href:n,target:"_blank",rel:"noopener noreferrer",
title:e,children:[t("code",{children:kn(e)}),t("span",{class:"hidden",children:" (opens the explorer)"})]}),t(it,{text:e,what:o})]})}function it({text:e,what:n}){
let[o,r]=v(!1);return t("button",{type:"button",class:"copy",onClick:()=>{navigator.clipboard?.writeText(e).then(()=>{r(!0),setTimeout(()=>r(!1),1500)})},"aria-\
label":`Copy ${n}`,children:o?"copied":"copy"})}function D({live:e,children:n}){return e.value!==null?t(b,{children:n(e.value)}):e.error===null?t(He,{}):t("p",{
class:"notice bad",children:e.error.message})}function He(){return t("div",{class:"card skeleton",role:"status",children:[t("span",{class:"hidden",children:"Rea\
ding…"}),t("i",{}),t("i",{}),t("i",{})]})}function B({children:e}){return t("p",{class:"empty",children:e})}function ee(e){return t("table",{class:e.figures?"\
figures":void 0,children:[t("caption",{class:"hidden",children:e.caption}),t("thead",{children:t("tr",{children:e.columns.map(n=>t("th",{scope:"col",children:n},
n))})}),t("tbody",{children:e.rows.map(({key:n,cells:o})=>t("tr",{children:o.map((r,s)=>t("td",{"data-label":e.columns[s],children:t("div",{children:r})},e.columns[s]))},
n))})]})}function At({percent:e,label:n}){let o=e>=100?"bad":e>=80?"warn":"good";return t("svg",{class:`meter ${o}`,viewBox:"0 0 100 6",preserveAspectRatio:"non\
e",role:"img","aria-label":n,children:[t("rect",{class:"track",width:"100",height:"6"}),t("rect",{class:"fill",width:Math.max(0,Math.min(100,e)),height:"6"})]})}
function We({pairs:e}){return t("dl",{class:"pairs",children:e.map(([n,o])=>t("div",{children:[t("dt",{children:n}),t("dd",{children:o})]},n))})}function Ke(e){let{what:n,overview:o}=e,[r]=o?.next??[];return r===void 0?t(b,{children:[n,". A rule or a new swap makes the first one."]}):t(b,{children:[n,". \
The rule ",r.rule," decides ",t(M,{at:r.at}),";"," ",t("a",{href:`#/simulate/${encodeURIComponent(r.rule)}`,children:"simulate it"})," now."]})}function tr({overview:e}){let n=C("books",2e4);return t(b,{children:[t(X,{note:"Swaps of the last 52 weeks, by the ledger. A week begins on Monday, 00:00 UTC.",
children:"Books"}),t(D,{live:n,children:({weeks:o,rules:r,total:s,at:a})=>t(b,{children:[t("div",{class:"grid thirds",children:[t(Nn,{name:"Volume",value:_(s.volume),
note:`${s.orders} orders`}),t(Nn,{name:"Cost of swaps",value:_(s.swapCost),note:`${Q(s.costBps)} of the volume, network fees included`}),t(Nn,{name:"Network fee\
s",value:_(s.networkFees),note:s.unpriced===0?"all priced":`${s.unpriced} without a price are not in it`})]}),t("div",{class:"grid thirds",children:[t(Ln,{title:"\
Volume by week",weeks:o,of:({volume:i})=>i}),t(Ln,{title:"Cost by week",weeks:o,of:({swapCost:i})=>i}),t(Ln,{title:"Network fees by week",weeks:o,of:i=>i.networkFees})]}),
t(x,{title:"By rule",note:t(M,{at:a}),wide:!0,children:r.length===0?t(B,{children:t(Ke,{what:"No order in these weeks",overview:e.value})}):t(si,{lines:[...r,s]})})]})})]})}
function Nn({name:e,value:n,note:o}){return t("section",{class:"card figure",children:[t("h2",{children:e}),t("p",{class:"big",children:n}),t("p",{class:"note",
children:o})]})}var ri=7*864e5;function Ln(e){let n=e.weeks.map(o=>{let r=Date.parse(`${o.group}T00:00:00Z`),[s,a]=[r,r+ri].map(i=>new Date(i).toISOString());return{
from:s??"",to:a??"",value:Number(e.of(o))}});return t(x,{title:e.title,note:"usd",children:t(Ie,{title:e.title,steps:n,as:"bars",show:o=>`$${z(o)}`,series:[{name:"\
usd",of:({value:o})=>o,tone:"a"}]})})}function si({lines:e}){let n=e.map(o=>({key:o.group,cells:[t("b",{children:o.group},"group"),Object.entries(o.counts).map(
([r,s])=>`${s} ${ue(r)}`).join(", "),_(o.volume),_(o.swapCost),_(o.networkFees),Q(o.costBps)]}));return t(ee,{caption:"Swaps by rule",columns:["Rule","Orders","\
Volume","Cost","Network fees","Cost of volume"],rows:n})}function Rt(e,n,o,r){return e.map(({at:a,amount:i},l)=>{if(i===null)return"";let c=e[l-1]?.amount??null,u=o(e[l+1]?.at??n);return`${c===null?`M${o(a)} ${r(Number(
i))}`:`V${r(Number(i))}`}H${u}`}).join("")}function Pt(e,n){return e.flatMap(({at:o,amount:r},s)=>r===null?[{start:o,end:e[s+1]?.at??n}]:[])}function Dt(e,n){return e.
findLast(({at:o})=>Date.parse(o)<=n)?.amount??null}function nr(e,n,o){return e.flatMap(({from:r,bound:s},a)=>{let i=e[a+1],l={startMs:Math.max(n,Date.parse(r)),
endMs:Math.min(o,i===void 0?o:Date.parse(i.from))};return s===null||l.startMs>=l.endMs?[]:[{bound:s,...l}]})}var $e=92,Nt=44,sr=44,Xn=16,ai=18;function ar(e){let{asset:n,since:o,bound:r}=e,{value:s}=C(`series/${encodeURIComponent(n)}?since=${o}`,3e4);if(s===null)return null;
let a=s.points.flatMap(({amount:i})=>i===null?[]:[Number(i)]);return a.length===0?t("p",{class:"note",children:"No reading in this time."}):t(ii,{...e,series:s,
known:a,bound:r})}function ii(e){let{series:n,known:o,bound:r,marks:s,price:a}=e,[i,l]=Y(),{from:c,to:u,points:d}=n,p=d[0]?.at??c,f=Date.parse(p),m=Date.parse(u),
{low:h,high:g,bottom:y,top:w,y:k}=li(o,r),$=N=>Nt+(l-Nt-sr)*(N-f)/Math.max(1,m-f),S=N=>$(Date.parse(N)),{symbol:A}=O(n.asset),le=or(String(h),String(g));return t(
"figure",{class:"chart history",ref:i,children:[t("svg",{width:l,height:$e+Xn+ai,role:"img","aria-label":`Readings from ${T(p)}: ${le} ${A}`,children:[t(ci,{bands:n.
bands,startMs:f,endMs:m,x:$,y:k}),t(ui,{x:$,y:k,low:y,high:w,startMs:f,endMs:m,width:l}),Pt(d,u).map(N=>t("rect",{class:"gap",x:S(N.start),width:S(N.end)-S(N.start),
height:$e},N.start)),t("path",{class:"line-a",d:Rt(d,u,S,k)}),t(di,{points:d,x:$(m),y:k}),s.filter(({at:N})=>N>=p).map(N=>t(pi,{mark:N,x:S(N.at),symbol:A},`${N.
at} ${N.kind} ${N.order}`))]}),t(fi,{series:n,startMs:f,x:$,price:a}),t("figcaption",{class:"note",children:["Since ",t("span",{title:p,children:T(p)}),": ",le,
" ",A,r===null?"":` · band ${or(r.min,r.max)}, target ${E(r.target)}`]})]})}function li(e,n){let o=Math.min(...e),r=Math.max(...e),s=Math.min(o,n===null?o:Number(
n.min)),a=Math.max(r,n===null?r:Number(n.target)),i=(a-s)*.12||a*.05||1,l=s-i,c=a+i;return{low:o,high:r,bottom:l,top:c,y:d=>Math.max(0,Math.min($e,$e-$e*(d-l)/(c-
l)))}}function or(e,n){return n===null?`${E(e)} to any`:e===n?E(e):`${E(e)} to ${E(n)}`}function ui(e){let{x:n,y:o,low:r,high:s,startMs:a,endMs:i,width:l}=e,c=fe(
r,s,2);return t(b,{children:[c.map(u=>t("g",{children:[t("line",{class:"grid-line",x1:Nt,x2:l-sr,y1:o(u),y2:o(u)}),t("text",{x:Nt-6,y:o(u)+4,"text-anchor":"end",
children:z(u,(c[1]??0)-(c[0]??0))})]},u)),Se(a,i,Math.max(2,Math.floor(l/70))).map(({ms:u,label:d})=>t("text",{x:n(u),y:$e+Xn+14,"text-anchor":"middle",children:d},
u))]})}function ci(e){let{x:n,y:o}=e,r=nr(e.bands,e.startMs,e.endMs),s=r.at(-1)?.endMs===e.endMs?r.at(-1):void 0,a=n(e.endMs)+6;return t(b,{children:[r.map(({bound:i,
startMs:l,endMs:c})=>{let u=i.max===null?0:o(Number(i.max)),d=o(Number(i.min)),p=o(Number(i.target)),f=n(l),m=n(c);return t("g",{children:[t("rect",{class:"band\
-area",x:f,y:u,width:Math.max(0,m-f),height:Math.max(0,d-u)}),t("line",{class:"edge",x1:f,x2:m,y1:d,y2:d}),u===0?null:t("line",{class:"edge",x1:f,x2:m,y1:u,y2:u}),
t("line",{class:"goal",x1:f,x2:m,y1:p,y2:p})]},l)}),s===void 0?null:t("text",{x:a,y:o(Number(s.bound.min))+4,children:"min"}),s===void 0||s.bound.max===null||o(
Number(s.bound.max))===0?null:t("text",{x:a,y:o(Number(s.bound.max))+4,children:"max"}),s===void 0||o(Number(s.bound.min))-o(Number(s.bound.target))<12?null:t("\
text",{x:a,y:o(Number(s.bound.target))+4,children:"target"})]})}function di(e){let n=e.points.at(-1)?.amount??null;return n===null?null:t("circle",{class:"dot-n\
ow",cx:e.x,cy:e.y(Number(n)),r:"3"})}var mi={in:{path:"m0 -5 4 8h-8z",word:"arrived"},out:{path:"m0 3 4 -8h-8z",word:"left"},outside:{path:"m0 -5 4.5 4.5-4.5 4.\
5-4.5 -4.5z",word:"from outside"},alarm:{path:"m-3.5 -4.5 7 7m0 -7-7 7",word:"alarm"},configuration:{path:"m-3 4v-10h7l-2 2.5 2 2.5h-7",word:"another configurat\
ion in force"}};function pi({mark:e,x:n,symbol:o}){let{kind:r,at:s,amount:a,order:i}=e,{path:l,word:c}=mi[r],u=a===null?c:`${E(a)} ${o} ${c}`,d=i===null?"":`, o\
rder ${i.slice(0,8)}`;return t("path",{class:`mark ${r}`,d:l,transform:`translate(${n} ${$e+Xn/2+1})`,children:t("title",{children:`${T(s)}: ${u}${d}`})})}var rr=240;
function fi(e){let{series:n,startMs:o,x:r,price:s}=e,{symbol:a}=O(n.asset),i=c=>{let u=o+(Date.parse(n.to)-o)*c/rr,d=Dt(n.points,u),p=[T(new Date(u).toISOString()),
d===null?"no reading":`${E(d)} ${a}`,...d===null||s===null?[]:[_(String(Number(d)*Number(s)))]].join(" · ");return{x:r(u),words:p}},l=`Reading of ${a} at a tim\
e`;return t(xe,{of:"balance",label:l,last:rr,high:$e,at:i})}var hi="others";function lr(e,n,o=220,r=8){let s=gi(e.filter(({value:g})=>g>0),r),a=s.reduce((g,{value:y})=>g+y,0),i=a===0?0:o/a,l=ir(s,"from",n,i),c=ir(s,"to",n,i),u={from:new Map,
to:new Map},d=(g,y,w)=>{let k=y.find(({chain:S})=>S===w[g])?.y??0,$=u[g].get(w[g])??0;return u[g].set(w[g],$+w.value*i),k+$},p=ur(n),m=s.toSorted((g,y)=>p(g.from)-
p(y.from)||p(g.to)-p(y.to)).map(g=>({...g,top:d("from",l,g),bottom:d("to",c,g),height:Math.max(2,g.value*i)})),h=g=>{let y=g.at(-1);return y===void 0?0:Math.max(
y.y+y.height,y.y+34)};return{left:l,right:c,ribbons:m,height:Math.max(h(l),h(c))}}function gi(e,n){let o=new Map;for(let{from:i,to:l,value:c}of e)for(let u of new Set(
[i,l]))o.set(u,(o.get(u)??0)+c);let r=new Set([...o].toSorted(([,i],[,l])=>l-i).slice(0,o.size>n?n-1:n).map(([i])=>i)),s=i=>r.has(i)?i:hi,a=new Map;for(let{from:i,
to:l,value:c}of e){let u={from:s(i),to:s(l)},d=`${u.from} ${u.to}`;a.set(d,{...u,value:(a.get(d)?.value??0)+c})}return[...a.values()]}function ur(e){return n=>e.
includes(n)?e.indexOf(n):e.length}function ir(e,n,o,r){let s=new Map;for(let l of e)s.set(l[n],(s.get(l[n])??0)+l.value);let a=ur(o),i=[];for(let[l,c]of[...s].toSorted(
([u],[d])=>a(u)-a(d))){let u=i.at(-1),d=u===void 0?0:Math.max(u.y+u.height+10,u.y+34);i.push({chain:l,value:c,y:d,height:Math.max(2,c*r)})}return i}var Lt=7;function Xt({chains:e}){let n=_e(at),[o,r]=Y(),s=e.map(({from:p,to:f,volumeFiat:m})=>({from:p,to:f,value:Number(m)})),{left:a,right:i,ribbons:l,height:c}=lr(
s,n);if(l.length===0)return t(B,{children:"No swap was paid out in this time."});let u=Math.min(150,r*.36),d=l.map(({from:p,to:f,value:m})=>`${J(p)} to ${J(f)} ${_(
String(m))}`).join(", ");return t("figure",{class:"chart",ref:o,children:t("svg",{width:r,height:c+8,role:"img","aria-label":`Moved: ${d}`,children:[l.map(p=>t(
yi,{ribbon:p,x1:u,x2:r-u},`${p.from} ${p.to}`)),a.map(p=>t(cr,{of:p,x:u-Lt,labelX:u-Lt-8,isLeft:!0},p.chain)),i.map(p=>t(cr,{of:p,x:r-u,labelX:r-u+Lt+8},p.chain))]})})}
function yi({ribbon:e,x1:n,x2:o}){let r=Be(),{from:s,to:a,value:i,top:l,bottom:c,height:u}=e,d=(n+o)/2,p=`M${n} ${l}C${d} ${l} ${d} ${c} ${o} ${c}V${c+u}C${d} ${c+
u} ${d} ${l+u} ${n} ${l+u}Z`;return t("path",{class:`flow ${r(s)}`,d:p,children:t("title",{children:`${J(s)} → ${J(a)}: ${_(String(i))}`})})}function cr(e){let n=Be(),
{of:o,x:r,labelX:s,isLeft:a=!1}=e,i=a?"end":"start",l=o.y+Math.max(11,o.height/2-3);return t(b,{children:[t("rect",{class:`node ${n(o.chain)}`,x:r,y:o.y,width:Lt,
height:o.height}),t("text",{class:"strong",x:s,y:l,"text-anchor":i,children:J(o.chain)}),t("text",{x:s,y:l+14,"text-anchor":i,children:["$",z(o.value)]})]})}function Ft({
chains:e}){return t(ee,{figures:!0,caption:"Own moves between chains",columns:["From → to","Orders","Moved","Cost","bps"],rows:e.map(({from:n,to:o,orders:r,volumeFiat:s,
costFiat:a,costBps:i})=>({key:`${n} ${o}`,cells:[t("span",{children:[t(Z,{id:n})," → ",t(Z,{id:o})]},"pair"),r,t(G,{fiat:s},"moved"),t(G,{fiat:a},"cost"),i??"\
–"]}))})}var bi={below:{tone:"bad",word:"below its band"},above:{tone:"warn",word:"above its band"},within:{tone:"good",word:"in its band"},unknown:{tone:"calm",word:"no\
t read yet"}};function dr(e){let{amount:n,bound:o,asset:r}=e,s=Number(e.incoming),a=Number(o.min),i=Number(o.target),l=o.max===null?null:Number(o.max),c=n===null?
null:Number(n),u=1.15*Math.max(l??0,i*1.5,a,(c??0)+s,Number.MIN_VALUE),d=h=>100*h/u,{tone:p,word:f}=bi[o.place],m=`${f}: from ${E(o.min)} to ${o.max===null?"any":
E(o.max)}, target ${E(o.target)} ${O(r).symbol}`+(s>0?`; ${E(e.incoming)} on its way in`:"");return t("svg",{class:`band ${p}`,viewBox:"0 0 100 10",preserveAspectRatio:"\
none",role:"img","aria-label":m,children:[t("title",{children:m}),t("rect",{class:"track",y:"3",width:"100",height:"4"}),t("rect",{class:"range",x:d(a),y:"1",width:Math.
max(.5,(l===null?100:d(l))-d(a)),height:"8"}),c===null?null:t("rect",{class:"fill",y:"3",width:d(c),height:"4"}),s>0?t("rect",{class:"coming",x:d(c??0),y:"3",width:Math.
max(1,d(s)),height:"4"}):null,t("rect",{class:"target",x:d(i)-.2,width:"0.5",height:"10"})]})}var Ve=66,Fn=56;function mr(){let{value:e}=C("series/total",6e4),n=(e?.points??[]).flatMap(({amount:r})=>r===null?[]:[Number(r)]),[o]=e?.points??[];return e===null||
o===void 0||n.length===0?null:t("figure",{class:"total-plot",children:[t("h2",{children:["Total, ",T(o.at)," to now"]}),t(wi,{series:e,known:n,startAt:o.at}),e.
joined.length===0?null:t("p",{class:"note",children:e.joined.slice(0,2).map(pr).join("; ")})]})}function wi(e){let{series:n,known:o,startAt:r}=e,{points:s,to:a}=n,
[i,l]=Y(),c=Math.min(...o),u=Math.max(...o),d=(u-c)*.1||u*.01||1,p=Date.parse(r),f=Date.parse(a),m=S=>(l-Fn)*(S-p)/Math.max(1,f-p),h=S=>m(Date.parse(S)),g=S=>4+
(Ve-4)*(u+d-S)/(u-c+2*d),y=fe(c-d,u+d,2),w=s.at(-1)?.amount??null,k=`${_(String(c))} to ${_(String(u))}`;return t("div",{class:"chart",ref:i,children:[t("svg",{
width:l,height:Ve+20,role:"img","aria-label":`Total in usd: ${k}`,children:[y.map(S=>t("g",{children:[t("line",{class:"grid-line",x2:l-Fn,y1:g(S),y2:g(S)}),t("t\
ext",{x:l-Fn+6,y:g(S)+4,children:["$",z(S,(y[1]??0)-(y[0]??0))]})]},S)),Se(p,f,4).map(({ms:S,label:A})=>t("text",{x:m(S),y:Ve+16,"text-anchor":"middle",children:A},
S)),Pt(s,a).map(({start:S,end:A})=>t("rect",{class:"gap",x:h(S),width:h(A)-h(S),height:Ve},S)),t("path",{class:"line-a",d:Rt(s,a,h,g)}),w===null?null:t("circle",
{class:"dot-now",cx:m(f),cy:g(Number(w)),r:"3"}),n.joined.map(S=>t("path",{class:"mark configuration",d:"m-3 0v-10h7l-2 2.5 2 2.5h-7",transform:`translate(${h(S.
at)} ${Ve})`,children:t("title",{children:pr(S)})},`${S.asset} ${S.by}`))]}),t(xe,{of:"total",label:"Total at a time",last:120,high:Ve,at:$})]});function $(S){let A=p+
(f-p)*S/120,le=Dt(s,A),N=le===null?"no reading":_(le);return{x:m(A),words:`${T(new Date(A).toISOString())} · ${N}`}}}function pr({at:e,asset:n,by:o}){let{symbol:r,
chain:s}=O(n),a=T(e);return o==="price"?`⚑ ${r} on ${s}: before ${a} at its first price`:`⚑ ${r} on ${s}: from ${a} on`}function gr({overview:e,summary:n}){let{totalFiat:o,change:r,swaps:s,inFlight:a}=n;return t("section",{class:"card money-first","aria-label":"Money",children:[t(
"div",{children:[t("h2",{children:"Treasury"}),t("p",{class:"total",title:`${o} usd`,"data-exact":o,children:_(o)}),t(_i,{change:r,total:o}),t(vi,{summary:n})]}),
t(mr,{}),t("dl",{class:"facts",children:[t(De,{name:"Moved in 24 h",value:_(s.volumeFiat),exact:s.volumeFiat,children:fr(s.orders)}),t(De,{name:"Cost in 24 h",value:_(
s.costFiat),exact:s.costFiat,children:s.costBps===null?"no swap yet":`${s.costBps} bps`}),t(De,{name:"In flight",value:_(a.fiat),exact:a.fiat,children:fr(a.orders)}),
t(De,{name:"Half done within",value:hr(s.medianMs),children:s.p90Ms===null?"":`nine of ten ${hr(s.p90Ms)}`}),t(ki,{gas:e.gas}),t(Si,{overview:e})]})]})}function vi({
summary:e}){let{unpriced:n,unread:o,assets:r}=e,s=l=>o.includes(l)?"no reading":yr(r.find(({asset:c})=>c===l)?.priceAt??null),a=[...new Set([...o,...n])].map(l=>[
O(l).symbol,s(l)]);if(a.length===0)return null;let i=[...Map.groupBy(a,([,l])=>l)].map(([l,c])=>`${[...new Set(c.map(([u])=>u))].join(", ")}: ${l}`);return t("p",
{class:"note",title:[...o,...n].join(", "),children:["without ",i.join("; ")]})}function yr(e){return e===null?"no price yet":`no price since ${T(e)}`}function De(e){
return t("div",{children:[t("dt",{children:e.name}),t("dd",{class:e.tone,children:[t("span",{title:e.exact,"data-exact":e.exact,children:e.value})," ",t("small",
{children:e.children})]})]})}function _i({change:e,total:n}){let o=K();if(e===null)return t("p",{class:"note",children:"No older reading to compare with yet."});
let{from:r,totalFiat:s,pricesFiat:a,outsideFiat:i,swapsFiat:l}=e;return t(b,{children:[t("p",{children:[t("b",{title:s,children:[tt(s)," (",nt(s,n),")"]})," ",t(
"span",{class:"quiet",children:["since ",t("span",{title:r,children:T(r,o)})]})]}),t("p",{class:"note parts",children:[t("span",{title:a,children:["prices ",tt(
a)]}),t("span",{title:i,children:["paid in and out ",tt(i)]}),t("span",{title:l,children:["swaps and fees ",tt(l)]})]})]})}function fr(e){return`${e} order${e===
1?"":"s"}`}function hr(e){return e===null?"–":H(e)}function ki({gas:e}){let n=({amount:s,needed:a})=>s!==null&&Number(s)<Number(a),[o]=e.toSorted((s,a)=>Number(
n(a))-Number(n(s))||(s.daysLeft??Number.MAX_VALUE)-(a.daysLeft??Number.MAX_VALUE));if(o===void 0)return t(De,{name:"Runs dry first",value:"–"});let r=n(o);return t(
De,{name:"Runs dry first",value:r?"▲ too little":br(o.daysLeft),tone:r||(o.daysLeft??99)<7?"warn":"",children:`${o.coin}, ${J(o.chain)}`})}function br(e){return e===
null?"no use yet":e>365?"over a year":`${e} days`}function Si({overview:{services:e,nodes:n}}){let o=[...e.filter(({state:r})=>r!=="good").map(({name:r,state:s})=>`${r}\
 ${s}`),...n.filter(({state:r})=>r!=="good").map(({chain:r,state:s})=>`${J(r)} ${s}`)];return t(De,{name:"Service and nodes",value:o.length===0?"✓ well":`▲ ${o[0]??
""}`,tone:o.length===0?"":"warn",children:o.length===0?`${e.length+n.length} answer`:o.length===1?"":`and ${o.length-1} more`})}function It({overview:e,summary:n}){
let{treasury:o,gas:r}=e,s=[...new Set(o.map(({asset:a})=>a.split(":")[0]??""))];return t(x,{title:"Where the money is",link:"#/treasury",note:"bar from 0: band,\
 target, balance",children:t("table",{class:"places",children:[t("caption",{class:"hidden",children:"Balances by chain and asset"}),t("thead",{children:t("tr",{
children:["Asset","Balance","Band","Value","In 24 h","On its way","State"].map(a=>t("th",{scope:"col",children:a},a))})}),s.map(a=>t("tbody",{children:[t($i,{chain:a,
holdings:o.filter(({asset:i})=>i.startsWith(`${a}:`)),summary:n,source:e.nodes.find(i=>i.chain===a)??null}),o.filter(({asset:i})=>i.startsWith(`${a}:`)).map(i=>t(
Ci,{holding:i,valued:n.assets.find(({asset:l})=>l===i.asset)??null,gas:r.find(l=>l.chain===a)??null},i.asset))]},a))]})})}var xi=15*6e4;function $i(e){let{chain:n,
summary:o,source:r}=e,s=o.assets.filter(({asset:d})=>d.startsWith(`${n}:`)).reduce((d,p)=>d+Number(p.fiat??0),0),[a]=e.holdings.map(({readAt:d})=>d??"").sort(),
l=K()-Date.parse(a||"1970-01-01")>xi&&r?.state!=="good",c=r?.endpoints.find(({error:d})=>d!==null)?.error??null,u=e.holdings.flatMap(({bounds:d})=>d.map(({rule:p})=>p));
return t("tr",{class:l?"chain late":"chain",children:[t("th",{scope:"rowgroup",colSpan:3,children:[t(Z,{id:n})," ",t("small",{children:[nt(String(s),o.totalFiat),
" of the total"]})]}),t("td",{children:_(String(s))}),t("td",{colSpan:3,children:t("small",{children:[l?"▲ last read":"read"," ",t(M,{at:a||null}),l&&c!==null?
`, ${c}`:"",l&&u.length>0?`; waiting: ${[...new Set(u)].join(", ")}`:""]})})]})}var Oi={below:"▼ below its band",above:"▲ above its band",within:"✓ in band",
unknown:"no reading"};function Ci(e){let{holding:n,valued:o,gas:r}=e,{asset:s,amount:a,bounds:i}=n,{symbol:l}=O(s),c=r!==null&&r.coin.toUpperCase()===l,[u]=i;return t(
"tr",{children:[t("th",{scope:"row",children:l}),t("td",{children:t(V,{amount:a,asset:s,chain:!1,symbol:!1})}),t("td",{class:"band-cell",children:u===void 0?t("\
small",{children:c?"coin for fees":"no band"}):t(dr,{amount:a,bound:u,asset:s,incoming:o?.incoming??"0"})}),t("td",{title:o?.fiat??void 0,"data-exact":o?.fiat??
void 0,children:t(Ei,{valued:o})}),t("td",{title:o?.change??void 0,children:o?.change==null||Number(o.change)===0?"=":`${Number(o.change)>0?"+":""}${E(o.change)}`}),
t("td",{class:wr(o)?"some":"",children:t(Mi,{valued:o,asset:s})}),t("td",{children:u===void 0?c?br(r.daysLeft):"":t("span",{class:u.place,children:Oi[u.place]})})]})}
function Ei({valued:e}){let n=K();if(e===null||e.fiat===null&&e.price!==null)return t(b,{children:"–"});let{fiat:o,priceAt:r}=e;if(o===null)return t("small",{
title:r??void 0,children:yr(r)});let s=r!==null&&n-Date.parse(r)>Ti;return t(b,{children:[_(o),s?t("small",{class:"block",children:["price ",t(M,{at:r})]}):null]})}
var Ti=2*36e5;function Jt(e){return Number(e)!==0}function wr(e){return e!==null&&(Jt(e.incoming)||Jt(e.outgoing))}function Mi(e){let{valued:n,asset:o}=e;return n===
null||!wr(n)?t(b,{children:"–"}):t(b,{children:[Jt(n.incoming)?t("span",{class:"block",title:n.incoming,children:["↓ in ",E(n.incoming)," ",t(re,{amount:n.incoming,
asset:o})]}):null,Jt(n.outgoing)?t("span",{class:"block",title:n.outgoing,children:["↑ out ",E(n.outgoing)," ",t(re,{amount:n.outgoing,asset:o})]}):null]})}function _r({flows:e,span:n}){let{steps:o,total:r,maxCostBps:s}=e,a=i=>`$${z(i)}`;return t("div",{class:"grid thirds",children:[t(x,{title:`Cost, ${n}`,note:t(Ai,
{}),children:[t("p",{children:[t("b",{title:r.costFiat,children:_(r.costFiat)})," ",t("span",{class:"quiet",children:["for ",t("b",{title:r.volumeFiat,children:_(
r.volumeFiat)})," in ",r.completed," swaps"]})]}),t(Ie,{title:"Cost in usd",steps:o,as:"bars",show:a,series:[{name:"swaps",of:i=>Number(i.costFiat)-Number(i.feesFiat),
tone:"a"},{name:"network",of:i=>Number(i.feesFiat),tone:"b"}]})]}),t(x,{title:"Cost of what moved",note:"bps",children:[t("p",{children:[t("b",{children:r.costBps===
null?"–":`${r.costBps} bps`})," ",t("span",{class:"quiet",children:"network fees included"})]}),t(Ie,{title:"Cost in bps of what moved",steps:o,as:"lines",show:i=>z(
i),limit:s===null?null:{value:s,name:`limit ${s} bps`},series:[{name:"bps",of:({costBps:i})=>i,tone:"a"}]})]}),t(x,{title:"Time to completion",children:[t("p",{
children:[t("span",{class:"quiet",children:"half within"})," ",t("b",{children:lt(r.medianMs)}),t("span",{class:"quiet",children:", 95 of 100 within"})," ",t("b",
{children:lt(r.p95Ms)})]}),t(Ie,{title:"Time to completion",steps:o,as:"lines",show:lt,series:[{name:"half",of:({medianMs:i})=>i,tone:"a"},{name:"95 of 100",of:({
p95Ms:i})=>i,tone:"b"}]})]})]})}function Ai(){return t(b,{children:[t(Rn,{tone:"bar-a"})," swaps ",t(Rn,{tone:"bar-b"})," network, usd"]})}var Ri=["Rule","Pair",
"Service","Time"];function kr({flows:e,span:n}){let[o,r]=v("Rule"),s=Pi(e,o);return t("section",{class:"card",children:[t("header",{children:[t("h2",{children:[
"Volume, cost and time, ",n]}),t("fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"By"}),Ri.map(a=>t("button",{type:"button","aria-pre\
ssed":a===o,onClick:()=>r(a),children:a},a))]})]}),s.length===0?t(B,{children:"No order in this time."}):null,t(ee,{figures:!0,caption:`Volume, cost and time by\
 ${o.toLowerCase()}`,columns:[o,"Orders","Moved","Cost","Of it network","bps","Half within","95 of 100"],rows:[...s,{name:"Total",line:e.total}].map(({name:a,line:i})=>({
key:a,cells:Di(a,i)}))}),e.total.unpriced===0?null:t("p",{class:"note",children:[e.total.unpriced," amounts without a price are in no sum."]})]})}function Pi({rules:e,
services:n,pairs:o,steps:r},s){return s==="Rule"?e.map(a=>({name:a.name,line:a})):s==="Service"?n.map(a=>({name:a.name,line:a})):s==="Pair"?o.map(a=>({name:`${vr(
a.from)} → ${vr(a.to)}`,line:a})):r.filter(({orders:a})=>a>0).toReversed().map(a=>({name:a.from.replace("T00:00:00.000Z","").replace(":00.000Z","Z"),line:a}))}
function vr(e){let{symbol:n,chain:o}=O(e);return`${n} ${o}`}function Di(e,n){return[t("b",{children:e},"name"),n.orders,t(G,{fiat:n.volumeFiat},"moved"),t(G,{fiat:n.
costFiat},"cost"),t(G,{fiat:n.feesFiat},"fees"),n.costBps??"–",lt(n.medianMs),lt(n.p95Ms)]}function lt(e){return e===null?"–":H(e)}var Sr={"24 h":1,"7 d":7,"30 d":30,"1 y":365},Ni=864e5;function xr({overview:e}){let[n,o]=v("7 d"),r=Jn(n),{value:s}=C("summary",1e4),a=C(`flows?since=${r}`,2e4);
return t(D,{live:e,children:i=>t(b,{children:[t(X,{children:"Treasury"}),s===null?t(He,{}):t(b,{children:[t(Li,{overview:i,summary:s}),t("div",{class:"stack",children:t(
It,{overview:i,summary:s})})]}),t(In,{range:n,onChange:o,ranges:Object.keys(Sr)}),t(Xi,{treasury:i.treasury,summary:s,since:r,marks:a.value?.marks??[]}),t(D,{live:a,
children:l=>t(Fi,{flows:l,range:n})}),t(Ii,{gas:i.gas})]})})}function Jn(e){let[n]=v(Date.now);return new Date(n-Sr[e]*Ni).toISOString()}function In(e){return t(
"fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"Range of the plots"}),e.ranges.map(n=>t("button",{type:"button","aria-pressed":n===e.
range,onClick:()=>e.onChange(n),children:n},n))]})}function Li({overview:e,summary:n}){let o=Be(),s=[...new Set(e.treasury.map(({asset:l})=>l.split(":")[0]??""))].
map(l=>({chain:l,fiat:n.assets.filter(({asset:c})=>c.startsWith(`${l}:`)).reduce((c,{fiat:u})=>c+Number(u??0),0)})),a=Math.max(s.reduce((l,{fiat:c})=>l+c,0),Number.
MIN_VALUE),i=0;return t("section",{class:"card shares","aria-label":"Shares of the chains",children:[t("p",{class:"total",title:`${n.totalFiat} usd`,"data-exact":n.
totalFiat,children:_(n.totalFiat)}),t("svg",{viewBox:"0 0 1000 10",preserveAspectRatio:"none","aria-hidden":"true",children:s.map(({chain:l,fiat:c})=>{let u=i;return i+=
1e3*c/a,t("rect",{class:`node ${o(l)}`,x:u,width:Math.max(0,i-u-2),height:"10"},l)})}),t("ul",{children:[s.map(({chain:l,fiat:c})=>t("li",{children:[t(Z,{id:l}),
" ",t("b",{children:_(String(c))})," ",t("small",{children:nt(String(c),n.totalFiat)})]},l)),t("li",{children:["In flight ",t("b",{title:n.inFlight.fiat,children:_(
n.inFlight.fiat)})]})]})]})}function Xi(e){let{treasury:n,summary:o,since:r,marks:s}=e;return n.length===0?t(B,{children:"The configuration lists no asset."}):t(
x,{title:"Balance against its band",note:"▲ arrived ▼ left ◆ outside ✕ alarm ⚑ configuration · hatched: no reading of our nodes",children:t("div",{class:"\
multiples",children:n.map(({asset:a,amount:i,bounds:l,shares:c})=>{let u=o?.assets.find(d=>d.asset===a)??null;return t("section",{"aria-label":`${O(a).symbol} o\
n ${O(a).chain}`,children:[t("p",{class:"head",children:[t("span",{children:[t("b",{children:O(a).symbol})," ",t(Z,{id:a})]}),t("span",{children:[t(V,{amount:i,
asset:a,chain:!1,symbol:!1})," ",u?.fiat==null?null:t("small",{title:u.fiat,children:_(u.fiat)})]})]}),t(ar,{asset:a,since:r,bound:l[0]??null,marks:s.filter(d=>d.
asset===a||d.asset===null),price:u?.price??null}),c.map(({rule:d,percent:p})=>t("p",{class:"note",children:["Target of ",d,": ",p," of the treasury"]},d))]},a)})})})}
function Fi({flows:e,range:n}){let{chains:o,total:r,outside:s}=e,a=n==="1 y"?"31 d":n;return t(b,{children:[t("div",{class:"grid",children:[t(x,{title:`Flows, ${a}`,
note:t("b",{title:r.volumeFiat,children:_(r.volumeFiat)}),children:t(Xt,{chains:o})}),t("div",{class:"column",children:[t(x,{title:"The same as a table",children:t(
Ft,{chains:o})}),t(x,{title:`Money from outside, ${a}`,note:"not part of the flows",children:s.length===0?t(B,{children:"Nothing was paid in or taken out."}):t(
Ji,{outside:s})})]})]}),t(_r,{flows:e,span:a}),t(kr,{flows:e,span:a})]})}function Ji({outside:e}){let n=(o,r)=>Number(o)===0?"–":t("span",{title:`${o}, ${r??"\
no price"}`,children:[E(o)," ",t("small",{children:r===null?"no price":_(r)})]});return t(ee,{caption:"Money from outside",columns:["Asset","Paid in","Taken out"],
rows:e.map(o=>({key:o.asset,cells:[t("span",{children:[O(o.asset).symbol," ",t(Z,{id:o.asset})]},"asset"),n(o.in,o.inFiat),n(o.out,o.outFiat)]}))})}function Ii({
gas:e}){return t(x,{title:"Coin for fees",wide:!0,children:t(ee,{caption:"Coin for fees",columns:["Chain","Balance","Must stay","Lasts"],rows:e.map(({chain:n,coin:o,
amount:r,needed:s,daysLeft:a})=>{let i=r!==null&&Number(r)<Number(s);return{key:n,cells:[t(Z,{id:n},"chain"),r===null?"not read yet":t("span",{children:[E(r)," ",
o," ",t(re,{amount:r,asset:`${n}:${o.toLowerCase()}`})]},"balance"),E(s),i?t("b",{class:"below",children:"▼ too little"},"low"):a===null?"no use yet":a>365?"o\
ver a year":`about ${a} days`]}})})})}function $r({payoutDeadline:e},n){if(e===void 0)return null;let{at:o,height:r}=e,s=Bi(e);if(o===null)return`before its lock ends, at an unknown time; ${s}`;let a=Date.
parse(o)-(n??0),i=a>0?`${H(a)} left`:`over since ${H(-a)}`,l=[`height ${r??"unknown"}`,...n===null?[]:[i],"estimated"];return`before ${Xo(Date.parse(o))} (${l.join(
", ")}); ${s}`}function Bi({offerUnits:e,capUnits:n}){let o=n===null?"":`, and one may offer up to ${n}`;return e===null?`no redemption of ours is signed yet${o}${o===
""?"":" of the coin's smallest units"}`:`our newest redemption offers at most ${e}${o} of the coin's smallest units`}function Or({secret:e,ownSecret:n}){if(n===void 0)return e==="service"?"chosen by the service":"not chosen yet";let{status:o,revealedAt:r}=n,s=r===null?"":` at ${r}`;
return{unknown:"our own, told to no other party",revealed:`our own, revealed${s}`,withheld:"our own, withheld for ever",lost:`our own, revealed${s}, and the pay\
out went back to the solver`}[o]}function Cr(e,n){let{usual:o,seen:r,createdAt:s,outcome:a,updatedAt:i}=e;if(o===null||a!==null&&a!=="completed")return[];let l=f=>f==null?null:Date.parse(f)-Date.
parse(s),c=[["To the deposit",l(r.sourceInitiated?.at),o.depositMs],["To the payout",l(r.destinationRedeemed?.at),o.payoutMs],["To the end",a===null?null:l(i),o.
endMs]],u=n-Date.parse(s),d=0,p=!1;return c.map(([f,m,h])=>{let g=d,w=m===null&&!p?Math.max(0,u-g):null;return p||=m===null,d=m??g+Math.max(h,w??0),{name:f,startMs:g,
tookMs:m===null?null:m-g,runsMs:w,usualMs:h}})}function je(e){return e<1e4?`${(e/1e3).toFixed(1)} s`:H(e)}function Oe(e){let n=ne(null),o=ne(e.onClose);o.current=e.onClose,Ot(()=>{let s=n.current,a=new AbortController;return s?.addEventListener("close",()=>o.current(),
{signal:a.signal}),s?.showModal(),()=>{a.abort(),s?.close()}},[]);let r=s=>{s.key==="Escape"&&(s.preventDefault(),e.onClose())};return t("dialog",{ref:n,class:e.
class,"aria-label":e.label,"aria-labelledby":e.labelledBy,onKeyDown:r,children:e.children})}function Bn({change:e,onClose:n}){let[o]=v(ot),[r,s]=v(""),[a,i]=v(!1),[l,c]=v(null),u=ke(),d=ke(),p=r.trim()===e.word;async function f(m){if(m.preventDefault(),
!(!p||a)){i(!0);try{let h=await Je(e.path,e.body,o);pe(),n(),e.onDone?.(h)}catch(h){h instanceof P&&c(h),i(!1)}}}return t(Oe,{labelledBy:u,onClose:n,children:t(
"form",{onSubmit:f,children:[t("h2",{id:u,children:e.title}),e.children,t("label",{for:d,children:["Type ",t("code",{class:"word",children:e.word})," to confirm"]}),
t("input",{id:d,value:r,autocomplete:"off",spellcheck:!1,onInput:m=>s(m.currentTarget.value)}),l===null?null:t("p",{class:"notice bad",role:"alert",children:l.message}),
t("footer",{children:[t("button",{type:"button",onClick:n,children:"Cancel"}),t("button",{type:"submit",class:e.danger?"main danger":"main",disabled:!p||a,children:a?
"Sending…":e.button})]})]})})}function ce(e){let[n,o]=v(!1),r=Ue(e.scope,e.scopes);return t(b,{children:[t("button",{type:"button",class:e.change.danger?"dang\
er":e.main?"main":"",disabled:r!==null,title:r??void 0,onClick:()=>o(!0),children:e.change.button}),n?t(Bn,{change:e.change,onClose:()=>o(!1)}):null]})}function Er({asset:e,source:n,price:o,agreed:r,deviationBps:s}){let a=s<0?"below":"above";return`The price source ${n} gives ${o} for ${e}, ${Math.abs(s)/100} %\
 ${a} the ${r} of the others, and does not count`}function Tr({reference:e}){if(e===void 0)return[];let{costBps:n,outliers:o}=e,r=(n??0)<0?"more":"less",a=`By our own prices the quote pays ${Math.abs(n??0)/100}\
 % ${r} than it takes`;return[...n===null?[]:[a],...o.map(Er)]}var Ui=1e3,Un=4;function Mr({order:e,scopes:n,opens:o}){let r=Ue("approve",n),[s,a]=v(o&&r===null?"drawer":null),i=()=>a(null);return t(b,{children:[t("button",
{type:"button",class:"main","data-key":"approve",disabled:r!==null,title:r??void 0,onClick:()=>a("drawer"),children:"Approve or reject"}),s==="drawer"?t(Wi,{order:e,
onReject:()=>a("reject"),onClose:i}):null,s==="reject"?t(Bn,{change:Hi(e),onClose:i}):null]})}function Hi({id:e,amount:n,from:o}){let r=`${n} ${O(o).symbol}`;return{
title:"Reject this order?",word:"reject",button:"Reject",path:`orders/${e}/reject`,body:{},danger:!0,children:t("p",{children:["Nothing was deposited. The order\
 ends, and ",r," stay in the wallet."]})}}function Wi({order:e,onReject:n,onClose:o}){let r=ke(),[s]=v(ot),[a,i]=v(""),[l,c]=v(null),u=Zi(e),d=u&&(e.payee?.uses??
0)>0,p=d||a.trim()===e.destinationOwner.slice(-Un);async function f(){try{await Je(`orders/${e.id}/approve`,{intent:e.intent},s),pe(),o()}catch(m){m instanceof P&&
c(m)}}return t(Oe,{class:"approve",labelledBy:r,onClose:o,children:[t("header",{children:[t("small",{children:["ends ",t(M,{at:e.approveBefore})]}),t("h2",{id:r,
tabIndex:-1,children:["Approve ",e.fiat===null?"this order":_(e.fiat),"?"]}),t("button",{type:"button",onClick:o,children:"Later"})]}),t(Vi,{order:e,isOurs:u,isFamiliar:d}),
t(Gi,{order:e}),t("details",{children:[t("summary",{children:"All fields that are signed"}),t("dl",{class:"pairs small",children:Object.entries(e.intentFields??
{}).map(([m,h])=>t("div",{children:[t("dt",{children:m}),t("dd",{children:t("code",{children:h})})]},m))})]}),d?null:t(Ki,{typed:a,onType:i}),l===null?null:t("p",
{class:"notice bad",role:"alert",children:l.message}),t("footer",{children:[t("button",{type:"button",class:"danger",onClick:n,children:"Reject"}),t(Qi,{disabled:!p,
onHeld:()=>{f()}})]})]})}function Ki(e){let n=ke();return t(b,{children:[t("label",{for:n,children:["Type the last ",Un," characters of the address"]}),t("input",
{id:n,value:e.typed,maxLength:Un,autocomplete:"off",spellcheck:!1,onInput:o=>e.onType(o.currentTarget.value)})]})}function Vi(e){let{order:n,isOurs:o,isFamiliar:r}=e,
{destinationOwner:s,payee:a}=n,{value:i}=C("settings",6e4),l=Et(i).payeeOf(s);return t("p",{class:r?"payee":"payee unfamiliar",children:[r?"":"▲ ",o?"Pays our\
 own wallet":"Pays an address that is not this daemon's wallet",l===null?"":`: ${l}`,a===void 0?null:t("small",{children:[" · ",qi(a)]}),t("code",{children:s.match(
ji)?.join(" ")})]})}var ji=/.{1,4}(?=(?:.{4})*$)/g;function qi({uses:e,of:n,since:o}){return e>0&&o!==null?`used ${e===1?"once":`${e} times`} since ${T(o)}`:n===
0?"new payee":`new payee: not among the last ${n} payouts`}function Gi({order:e}){let n=O(e.from),o=O(e.to),{route:r}=e,s=e.costParts.refundAtMostFiat;return t(
"dl",{class:"pairs",children:[t("div",{children:[t("dt",{children:"Sends"}),t("dd",{children:[t("b",{children:e.amount})," ",n.symbol,", ",n.chain]})]}),t("div",
{children:[t("dt",{children:"Receives"}),t("dd",{children:[t("b",{children:e.destinationAmount})," ",o.symbol,", ",o.chain]})]}),t("div",{children:[t("dt",{children:"\
Costs"}),t("dd",{children:[e.costFiat===null?"unknown":_(e.costFiat)," (",Q(e.costBps),")"]})]}),t(zi,{order:e}),t("div",{children:[t("dt",{children:"Why it ask\
s"}),t("dd",{children:[e.askedBy??e.rule," wants more than one order may send without a person"]})]}),t("div",{children:[t("dt",{children:"At worst"}),t("dd",{children:[
r===void 0?"the deposit comes back after its timelock":r.trust,r!==void 0||s===null?"":`, for a fee of up to ${_(s)}`]})]}),t(Yi,{order:e})]})}function zi({order:e}){
let n=Tr(e),o=(e.reference?.outliers.length??0)>0;return n.length===0?null:t("div",{children:[t("dt",{children:o?"▲ Reference":"Reference"}),t("dd",{children:n.
map(r=>t("span",{class:"block",children:t(L,{text:r})},r))})]})}function Yi({order:{people:e,askedBy:n}}){let o=e?.needed??1,r=e?.approved??[];return t("div",{children:[
t("dt",{children:"People"}),t("dd",{children:[r.length," of ",o," approved",r.map(({by:s,at:a})=>t("span",{class:"block",title:a,children:["✓ ",s," ",t(M,{at:a})]},
s)),n===void 0?null:t("small",{class:"block",children:[n," asked, and may not approve"]})]})]})}function Qi(e){let n=ne(0),[o,r]=v(!1),s=()=>{e.disabled||n.current!==
0||(r(!0),n.current=window.setTimeout(()=>{a(),e.onHeld()},Ui))},a=()=>{clearTimeout(n.current),n.current=0,r(!1)};U(()=>a,[]);let i=({key:l})=>l==="Enter"||l===
" ";return t("button",{type:"button",class:o?"main hold holding":"main hold",disabled:e.disabled,onPointerDown:s,onPointerUp:a,onPointerLeave:a,onKeyDown:l=>i(l)?
s():void 0,onKeyUp:a,onBlur:a,onContextMenu:l=>l.preventDefault(),children:"Hold to approve"})}function Zi({to:e,destinationOwner:n}){let{value:o}=C("status",6e4),
r=e.split(":")[0];return o?.chains.some(s=>s.chain===r&&s.account===n)??!1}function Ar({order:e,scopes:n,opens:o}){if(e.state==="awaiting-approval")return t(tl,{order:e,scopes:n,opens:o});if(!e.held&&e.state!=="disarmed")return null;let r=(a,i)=>{
let l=a.slice(0,1).toUpperCase()+a.slice(1);return{title:`${l} this order?`,word:a,button:l,path:`orders/${e.id}/${a}`,body:{},danger:a==="abandon",children:t("\
p",{children:i})}},s=r("abandon","You answer for the end of this order: Ballast ends it once no deposit can land.");return t("div",{class:"actions",children:[e.
held?t(b,{children:[t(ce,{change:r("retry","Ballast goes on from where the order was held."),scope:"operate",scopes:n,main:!0}),t(ce,{change:r("refund","Ballast\
 takes the deposit back as soon as the HTLC allows it."),scope:"operate",scopes:n})]}):null,t(ce,{change:s,scope:"operate",scopes:n})]})}function el({people:e}){
if(e===void 0)return"";let n=e.approved.map(({by:r})=>r).join(", "),o=e.needed-e.approved.length;return` · approved by ${n===""?"none":n}; ${o} more must appro\
ve`}function tl({order:e,scopes:n,opens:o}){return t("div",{class:"actions",children:[t(Mr,{order:e,scopes:n,opens:o}),t("span",{class:"note",children:["Approve\
 before ",t(M,{at:e.approveBefore,clock:!0})," (",t(M,{at:e.approveBefore}),")",el(e)]})]})}function Rr({events:e,seen:n,outcome:o,state:r,approval:s,updatedAt:a,createdAt:i,route:l}){let c=(...h)=>e.find(({type:g})=>h.includes(g))?.at??null,u=r==="awa\
iting-approval"||s!==null,d=n.sourceRefunded!=null||r.startsWith("refund")||o==="refunded",p=[{name:"Requested",at:i},{name:"Quoted",at:c("quote.accepted")},{name:"\
Ordered",at:c("order.created")},{name:"Verified",at:c("deposit.verified")},...u?[{name:"Approved",at:s?.at??null}]:[],{name:Nr(l?.deposit,"Deposited"),at:n.sourceInitiated?.
at??null},...d?[{name:"Refunded",at:n.sourceRefunded?.at??null}]:nl(l,n),{name:o===null?"Final":Hn(o),at:o===null?null:a}],f=p.findLastIndex(({at:h,passed:g=!1})=>h!==
null||g),m=o==="rejected"||o==="abandoned";return p.map((h,g)=>{if(m&&g===p.length-1)return{...h,state:"failed"};if(g<=f&&!(m&&h.at===null))return{...h,state:"d\
one"};let y=g===f+1;return{...h,state:y&&o===null?r==="held"?"failed":"now":"open"}}).filter(({at:h,state:g})=>!(o!==null&&h===null&&g==="open"))}function nl(e,n){
return[e===void 0?{name:"Solver deposited",at:n.destinationInitiated?.at??null}:{name:Hn(e.voucher),at:null,passed:e.nonce!==null},{name:Nr(e?.payout,"Paid out"),
at:n.destinationRedeemed?.at??null}]}function Pr(e){let n=e.from.split(":")[0]??"",o=e.to.split(":")[0]??"",r=(a,i,l)=>({what:i,chain:l,service:e.reportedTxs[a],
seen:e.seen[a]??null}),{route:s}=e;return s!==void 0?[r("sourceInitiated",`Our ${s.deposit}`,n),r("destinationRedeemed",`The ${s.payout} to us`,o)]:[r("sourceIn\
itiated","Our deposit",n),r("destinationInitiated","The solver's deposit",o),r("destinationRedeemed","The payout to us",o),r("sourceRedeemed","The solver takes \
our deposit",n),r("sourceRefunded","The refund to us",n)]}function Dr({service:e,seen:n},o){return n!==null&&e.includes(n.tx)?{tone:"good",says:"agree"}:n!==null&&
e.length>0?{tone:"warn",says:"another transaction"}:n!==null?{tone:"good",says:"proven"}:e.length>0?{tone:o?"calm":"warn",says:"only reported"}:{tone:"calm",says:"\
not yet"}}function Bt(e){return`${e.kind}: ${e.deposit}, ${e.voucher}, ${e.payout}`}function Nr(e,n){return e===void 0?n:Hn(e)}function Hn(e){return e.slice(0,1).
toUpperCase()+ue(e).slice(1)}function Lr(e){let[n]=Object.entries(ol).filter(([r])=>r===e);return n!==void 0?{who:n[1][0],says:n[1][1]}:{who:e.startsWith("opera\
tor.")?"operator":"Ballast",says:e.replaceAll(/[._]/g," ")}}var ol={"order.opened":["Ballast","opens the order"],"work.deferred":["Ballast","waits and looks aga\
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
LCs"],"order.unfunded":["chain","proves that the HTLC never had the deposit"]};var Wn=22,Kn=104;function Xr({order:e}){let[n,o]=Y(),r=Cr(e,K());if(r.length===0)return null;let s=Math.max(1,...r.map(l=>l.startMs+rl(l))),a=l=>l/s*Math.max(0,
o-Kn-2),i=r.map(l=>`${l.name}: ${sl(l)}`).join("; ");return t("figure",{class:"chart spans",ref:n,children:[t("svg",{width:o,height:r.length*Wn,role:"img","aria\
-label":i,children:r.map(({name:l,startMs:c,tookMs:u,runsMs:d,usualMs:p},f)=>t("g",{transform:`translate(0 ${f*Wn})`,children:[t("text",{y:Wn-8,children:l}),t("\
rect",{class:u===null?"runs":"took",x:Kn+a(c),y:"6",width:Math.max(u===null&&d===null?0:1,a(u??d??0)),height:"10"}),t("rect",{class:"usual",x:Kn+a(c),y:"3",width:Math.
max(1,a(p)),height:"16"})]},l))}),t("figcaption",{class:"note",children:i})]})}function rl({tookMs:e,runsMs:n,usualMs:o}){return Math.max(o,e??n??0)}function sl({
tookMs:e,runsMs:n,usualMs:o}){let r=`usually ${je(o)}`;return e!==null?`${je(e)}, ${r}`:n===null?r:`${je(n)} so far, ${r}`}function Jr(e){let n=C(`orders/${encodeURIComponent(e.detail)}`,3e3);return t(D,{live:n,children:o=>t(al,{order:o,desk:e,opens:e.opens})})}function al(e){let{order:n,
desk:o,opens:r}=e,s=`#/decisions/${encodeURIComponent(n.rule)}`,a=o.overview.value?.orders.find(({id:i})=>i===n.id)??null;return t(b,{children:[t(X,{note:t(b,{children:[
"Order ",t("code",{children:n.id.slice(0,8)})," of rule ",t("a",{href:s,children:n.rule}),", requested ",t(M,{at:n.createdAt})]}),children:[t(V,{amount:n.amount,
asset:n.from})," →"," ",t(V,{amount:n.destinationAmount,asset:n.to})]}),t("section",{class:`card wide place ${Fe(n.state)}`,children:[t("p",{children:t(Mt,{state:n.
state})}),t("p",{class:"money",children:[t("span",{class:"quiet",children:"Where is the money?"})," ",t("b",{children:n.money})]}),a?.left==null?null:t("p",{children:[
t("b",{children:a.left})," left",a.ends===null?"":`: ${a.ends}`]}),t(se,{reasons:n.reasons.map(i=>o.known.humane(i,n))}),t(Ar,{order:n,scopes:o.scopes,opens:r})]}),
n.explained===void 0||n.explained.length===0?null:t(x,{title:"Why this way",note:`rule ${n.rule}`,wide:!0,children:n.explained.map(i=>t("p",{children:t(L,{text:i})},
i))}),t(x,{title:"The way of the order",wide:!0,children:[t(il,{stages:Rr(n)}),t(Xr,{order:n})]}),t(x,{title:n.route===void 0?"The service's word and the chain'\
s word":"The chains",note:"Ballast believes only the chain.",wide:!0,children:t(ll,{order:n,desk:o})}),t("div",{class:"grid even",children:[t(x,{title:"Transact\
ions",children:t(cl,{order:n,desk:o})}),t(x,{title:"Terms",children:t(dl,{order:n})})]}),t(x,{title:"Everything that happened",note:`${n.events.length} events`,
wide:!0,children:t(pl,{order:n})})]})}function il({stages:e}){return t("ol",{class:"stages",children:e.map(({name:n,at:o,state:r},s)=>{let a=e.slice(0,s).findLast(
l=>l.at!==null)?.at??null,i=o===null||a===null?null:Date.parse(o)-Date.parse(a);return t("li",{class:r,"aria-current":r==="now"?"step":void 0,children:[t("span",
{class:"mark","aria-hidden":"true"}),t("b",{children:n}),o===null?t("small",{children:r==="now"?"next":r==="done"?"passed":"not yet"}):t("small",{title:o,children:[
T(o),i===null||i<0?"":` · +${je(i)}`]})]},n)})})}function ll({order:e,desk:n}){let o=Pr(e).filter(({what:r,service:s,seen:a})=>s.length>0||a!==null||r!=="The r\
efund to us").map(({what:r,chain:s,service:a,seen:i})=>{let{tone:l,says:c}=Dr({service:a,seen:i},e.outcome!==null),u=[t("span",{children:[t("b",{children:r}),t(
"small",{class:"block",children:["on ",J(s)]})]},"what"),t(ul,{chain:s,txs:a,desk:n},"service"),i===null?t("span",{class:"quiet",children:"shows nothing"},"seen"):
t("span",{children:[t(ae,{hash:i.tx,link:n.known.linkOf(s,i.tx),what:"the transaction"}),t("small",{class:"block",children:[T(i.at),", ",i.final?"final":"not fi\
nal yet"]})]},"seen"),t(I,{tone:l,children:c},"judgement")];return{key:r,cells:u}});return t(ee,{caption:"The service's word and the chain's word",columns:["Abo\
ut","The service says","Our own node shows","Together"],rows:o})}var Fr=3;function ul({chain:e,txs:n,desk:o}){if(n.length===0)return t("span",{class:"quiet",children:"\
says nothing"});let r=n.length-Fr;return t("span",{children:[n.slice(0,Fr).map(s=>t("span",{class:"block",children:t(ae,{hash:s,link:o.known.linkOf(e,s),what:"t\
he transaction"})},s)),r>0?t("small",{class:"block",children:["and ",r," more"]}):null]})}function cl({order:e,desk:n}){let o=e.from.split(":")[0]??"";return e.
transactions.length===0?t("p",{class:"empty",children:e.deposit==="gasless"&&e.depositTx!==null?"Ballast signed no transaction of its own: the relay made the de\
posit and paid its fee.":"Ballast has signed no transaction for this order."}):t("ul",{class:"plain",children:e.transactions.map(({purpose:r,attempt:s,tx:a})=>t(
"li",{children:[t("b",{children:r})," ",t("small",{children:s>0?`attempt ${s+1}`:`on ${J(o)}`}),t(ae,{hash:a,link:n.known.linkOf(o,a),what:"the transaction"})]},
a))})}function dl({order:e}){let n=O(e.to).symbol,o=$r(e,null),r=[["Order",t(ae,{hash:e.id,what:"the order's id"},"id")],["Order at the service",e.serviceOrderId===
null?"none":t(ae,{hash:e.serviceOrderId,what:"the service's id"},"s")],["Service",e.service??"none yet"],["Solver",e.solver===null?"none yet":t(ae,{hash:e.solver,
what:"the solver's id"},"solver")],...ml(e),...o===null?[]:[["Payout must be redeemed",o]],["Value",e.fiat===null?"unknown":_(e.fiat)],["Cost, network fees so f\
ar included",`${_(e.costFiat)} (quote: ${Q(e.costBps)})`],["Deposit",e.deposit==="gasless"?"by a relay, without a fee of ours":"by our own transaction"],["Pays \
to",t(ae,{hash:e.destinationOwner,what:"the address"},"d")],["Fee that the payout may lose",e.payoutFee===null?"unknown":`${E(e.payoutFee)} ${n}`],["Approved",e.
approval===null?"no approval was needed or given":`by ${e.approval.by}, ${T(e.approval.at)}`],["Acts next",e.who]];return t(b,{children:[t(We,{pairs:r}),e.calls.
length===0?null:t(b,{children:[t("h3",{children:"Asked by people"}),t("ul",{class:"plain",children:e.calls.map(({at:s,caller:a,source:i,action:l})=>t("li",{children:[
t("b",{children:l})," by ",a," from ",i,", ",t(M,{at:s})]},`${s} ${l}`))})]})]})}function ml(e){let{route:n,refundableAtHeight:o}=e;return n!==void 0?[["Route",
Bt(n)],["Depends on",n.trust]]:[["Route","two HTLCs of a swap service"],["Secret",Or(e)],["Refund possible at height",o??"not known yet"]]}function pl({order:e}){
let[n,o]=v(!1),r=n?e.events:e.events.slice(-40);return t(b,{children:[e.events.length>r.length?t("button",{type:"button",onClick:()=>o(!0),children:["Show the ",
e.events.length-r.length," earlier events"]}):null,t("ol",{class:"events",children:r.map(({at:s,type:a,state:i},l)=>{let{who:c,says:u}=Lr(a);return t("li",{class:c,
children:[t("time",{dateTime:s,title:s,children:T(s)}),t("span",{class:"who",children:c}),t("span",{children:[u," ",t("small",{children:["→ ",ue(i)]})]})]},`${s}\
 ${l}`)})})]})}function Ut(e,n,o){let r=URL.createObjectURL(new Blob([o],{type:n})),s=document.createElement("a");s.href=r,s.download=e,s.click(),URL.revokeObjectURL(r)}var Ir={id:({id:e})=>e,requested:({createdAt:e})=>e,changed:({updatedAt:e})=>e,state:({state:e})=>e,rule:({rule:e})=>e,service:({service:e})=>e,sent:({amount:e})=>e,
sent_asset:({from:e})=>e,received:({destinationAmount:e})=>e,received_asset:({to:e})=>e,value_usd:({fiat:e})=>e,cost_usd:({costFiat:e})=>e,cost_bps:({costBps:e})=>e,
deposit_tx:({depositTx:e})=>e,payout_tx:({destinationTx:e})=>e};function Br(e){return[Object.keys(Ir),...e.map(o=>Object.values(Ir).map(r=>String(r(o)??"")))].map(
o=>`${o.map(fl).join(",")}\r
`).join("")}function fl(e){let n=/^[=+@\t\r]|^-(?![\d.])/.test(e)?`'${e}`:e;return/[",\r\n]/.test(n)?`"${n.replaceAll('"','""')}"`:n}var hl=1e3;async function Ur(e,n){let o=[],r=null;do{let a=r===null?"":`&cursor=${r}`,i=await j("GET",`orders?${e}&limit=${hl}${a}`);o.push(...i.orders),n(o.length),
r=i.next}while(r!==null);let s=new Date().toISOString().slice(0,10);Ut(`orders-${s}.csv`,"text/csv",Br(o))}var gl=1e3,yl=6e4,bl="since=1970-01-01T00:00:00Z";function Hr({query:e}){let[n,o]=v(null);if(U(()=>{let g=!1,y=async()=>{let $=e.includes("since=")?e:`${e}&${bl}`,
S=await j("GET",`report?${$}`).catch(()=>null);S!==null&&!g&&o({query:e,sums:S.total})},w=setTimeout(y,gl),k=setInterval(y,yl);return()=>{g=!0,clearTimeout(w),clearInterval(
k)}},[e]),n?.query!==e)return null;let{counts:r,volumeFiat:s,costBps:a,toPayoutMs:i,unpriced:l,...c}=n.sums,{swapCostFiat:u,affiliateCostFiat:d,payoutCostFiat:p,
networkFeeFiat:f}=c,m=[u,d,p,f],h=l.swaps+l.fees;return t("p",{class:"sums",role:"status",children:[t("b",{children:"All of this filter:"}),t("span",{children:Object.
entries(r).map(([g,y])=>`${y} ${g}`).join(", ")||"no order"}),t("span",{children:[t(G,{fiat:s})," moved"]}),t("span",{children:[t(G,{fiat:m.reduce((g,y)=>g+Number(
y),0).toFixed(6)})," cost",a===null?"":`, ${a} bps`]}),i===null?null:t("span",{children:["paid out in ",H(i.median)," (median)"]}),h===0?null:t("span",{children:[
"▲ without ",h," that have no price"]})]})}var wl=["quoted","ordered","verified","signed"],vl={deposit:"deposited",voucher:"solver deposited",payout:"paid out"},_l={quoting:0,creating:1,verifying:2,"awai\
ting-approval":3,allowing:3,"gasless-signing":3,"deposit-planning":3,"deposit-signing":3,"deposit-sending":4,"gasless-submitting":4,"deposit-confirming":4,"gasl\
ess-confirming":4,funded:5,revealing:6,revealed:6,"redeem-reported":6,completed:7};function Wr(e){let{state:n,deposited:o,parts:r=vl}=e,s=[...wl,r.deposit,r.voucher,
r.payout],a=_l[n]??(o?5:3),i=["completed","refunded","rejected","abandoned"].includes(n),l=Fe(n),c=s[a];return t("svg",{class:`steps ${l}`,viewBox:"0 0 69 6",role:"\
img","aria-label":i||c===void 0?`${a} of ${s.length} stages`:`${a} of ${s.length} stages, next: ${c}`,children:s.map((u,d)=>t("rect",{class:d<a?"passed":d===a&&
!i?"next":"track",x:d*10,width:"9",height:"6",rx:"1"},u))})}var kl=[{name:"all",query:""},{name:"needs you",query:"state=awaiting-approval"},{name:"open",query:"open=true"},{name:"held",query:"state=held"},{name:"complet\
ed",query:"state=completed"},{name:"refunded",query:"state=refunded"},{name:"rejected",query:"state=rejected"}],Vr={"24 h":1,"7 days":7,"30 days":30,"1 year":365},
Sl=864e5,Kr=50,qe="",xl=60,$l={state:"",rule:qe,pair:qe,service:qe,since:qe,text:""};function jr({overview:e}){let[n,o]=v($l),[r,s]=v([]),a=qr(n),i=r.at(-1),l=C(
`orders?${a}&limit=${Kr}${i===void 0?"":`&cursor=${i}`}`),c=ne(null);c.current=l.value??c.current;let u={...l,value:c.current};return t(b,{children:[t(X,{children:"\
Orders"}),t(Ol,{filter:n,onChange:p=>{o(f=>({...f,...p})),s([])},overview:e.value,rows:c.current?.orders??[]}),t(D,{live:u,children:({orders:p,next:f})=>t("sect\
ion",{class:"card",children:[a===""?null:t(Hr,{query:a}),t(Vn,{orders:p.map(m=>({...m,since:m.updatedAt,left:null})),none:a===""?t(Ke,{what:"No order yet",overview:e.
value}):"No order matches."}),t(Tl,{first:r.length*Kr,count:p.length,onNewer:r.length===0?null:()=>s(r.slice(0,-1)),onOlder:f===null?null:()=>s([...r,f])})]})})]})}
function qr({state:e,rule:n,pair:o,service:r,since:s,text:a}){let[i="",l=""]=o.split(" "),c=Vr[s],u={rule:n,from:i,to:l,service:r,since:c===void 0?"":`${new Date(
Date.now()-c*Sl).toISOString().slice(0,16)}:00Z`,text:a.trim().toLowerCase()};return[...e===""?[]:[e],...Object.entries(u).filter(([,d])=>d!=="").map(([d,p])=>`${d}\
=${encodeURIComponent(p)}`)].join("&")}function Ol(e){let{filter:n,onChange:o,overview:r,rows:s}=e,a=C("flows",6e4).value,i=[...(r?.rules??[]).map(({id:u})=>u),
...(a?.rules??[]).map(({name:u})=>u),...s.map(({rule:u})=>u)],l=[...a?.pairs??[],...s].map(({from:u,to:d})=>`${u} ${d}`),c=[...(r?.services??[]).map(({name:u})=>u),
...(a?.services??[]).map(({name:u})=>u).filter(u=>u!=="none yet"),...s.flatMap(({service:u})=>u??[])];return t("div",{class:"filters",children:[t("fieldset",{class:"\
segments",children:[t("legend",{class:"hidden",children:"Show"}),kl.map(({name:u,query:d},p)=>t("button",{type:"button","data-key":p===0?"filter":void 0,"aria-p\
ressed":d===n.state,onClick:()=>o({state:d}),children:u},u))]}),t(Ht,{name:"Any time",value:n.since,values:Object.keys(Vr),isSorted:!0,onChange:u=>o({since:u})}),
t(Ht,{name:"Every rule",value:n.rule,values:i,onChange:u=>o({rule:u})}),t(Ht,{name:"Every pair",value:n.pair,values:l,say:Ml,onChange:u=>o({pair:u})}),t(Ht,{name:"\
Every service or route",value:n.service,values:c,onChange:u=>o({service:u})}),t(Cl,{onChange:u=>o({text:u})}),t(El,{query:qr(n)})]})}function Cl({onChange:e}){let n=ne(
0);return t("label",{children:[t("span",{class:"hidden",children:"Search by order, rule or asset"}),t("input",{type:"search",placeholder:"Order, rule or asset",
onInput:({currentTarget:{value:o}})=>{clearTimeout(n.current),n.current=window.setTimeout(()=>e(o),xl)}})]})}function El({query:e}){let[n,o]=v("Export CSV");return t(
"button",{type:"button","data-key":"export",onClick:()=>{Ur(e,s=>o(`${s} orders…`)).then(()=>o("Export CSV"),s=>o(s instanceof P?s.message:"The export failed"))},
children:n})}function Tl(e){let{first:n,count:o,onNewer:r,onOlder:s}=e;return t("p",{class:"pages",children:[t("span",{class:"quiet keys",children:[t("kbd",{children:"\
j"})," ",t("kbd",{children:"k"})," move ",t("kbd",{children:"o"})," open ",t("kbd",{children:"f"})," filter ",t("kbd",{children:"e"})," export"]}),t("span",{class:"\
quiet",children:o===0?"":`${n+1}–${n+o}`}),t("button",{type:"button",disabled:r===null,onClick:()=>r?.(),children:"Newer"}),t("button",{type:"button",disabled:s===
null,onClick:()=>s?.(),children:"Older"})]})}function Ml(e){let[n,o]=e.split(" ").map(O);return`${n?.symbol} ${n?.chain} → ${o?.symbol} ${o?.chain}`}function Ht(e){
let{name:n,value:o,values:r,isSorted:s=!1,say:a=c=>c,onChange:i}=e,l=[...new Set([...o===qe?[]:[o],...r])];return t("label",{children:[t("span",{class:"hidden",
children:n}),t("select",{value:o,onChange:c=>i(c.currentTarget.value),children:[t("option",{value:qe,children:n}),(s?r:l.toSorted()).map(c=>t("option",{value:c,
children:a(c)},c))]})]})}var Al=["Opened","Order","Sends","From → to","Receives","Value","Cost","Stage","State","Took","Rule"];function Vn({orders:e,none:n}){
return e.length===0?t(B,{children:n}):t("table",{class:"orders",children:[t("caption",{class:"hidden",children:"Orders"}),t("thead",{children:t("tr",{children:Al.
map(o=>t("th",{scope:"col",children:o},o))})}),t("tbody",{children:e.map(o=>t(Rl,{order:o},o.id))})]})}function Rl({order:e}){let{id:n,from:o,to:r,state:s,fiat:a,
costFiat:i=null,costBps:l=null}=e;return t("tr",{children:[t("td",{children:t(M,{at:e.createdAt})}),t("td",{children:t("a",{href:`#/orders/${n}`,class:"id","dat\
a-row":!0,children:n.slice(0,8)})}),t("td",{class:"number",children:t(V,{amount:e.amount,asset:o,chain:!1})}),t("td",{children:[t(Z,{id:o})," ",t("span",{class:"\
quiet",children:"→"})," ",t(Z,{id:r})]}),t("td",{class:"number",children:e.destinationAmount===null?"–":t(V,{amount:e.destinationAmount,asset:r,chain:!1})}),
t("td",{class:"number",title:a??void 0,"data-exact":a??void 0,children:a===null?"–":_(a)}),t("td",{class:"number",title:i===null?void 0:`${i} usd`,children:l===
null?"–":`${l} bps`}),t("td",{children:[t(Wr,{state:s,deposited:e.deposited,parts:e.route}),e.route===void 0?null:t("small",{class:"block",children:Bt(e.route)})]}),
t("td",{title:e.money,children:[t(Mt,{state:s}),e.left===null?null:t("small",{class:"block",children:[e.left," left"]})]}),t("td",{children:t(Pl,{order:e})}),t(
"td",{class:"rule",children:e.rule})]})}function Pl({order:{createdAt:e,since:n,outcome:o}}){let r=K(),s=o!=null,a=s?Date.parse(n):r;return t("time",{dateTime:e,
title:s?`${e} to ${n}`:`since ${e}`,children:H(Math.max(0,a-Date.parse(e)))})}var Dl="Nothing is ordered before you have seen the quote and typed the amount.";function Yr(e){let n=(e.overview.value?.treasury??[]).map(({asset:y})=>y),[o,r]=v(
""),[s,a]=v(""),[i,l]=v(""),[c,u]=v(null),[d,p]=v(null),[f,m]=v(!1);function h(y){y(),u(null)}async function g(y){y.preventDefault(),m(!0),u(null),p(null);try{u(
await Nl({from:o,to:s,amount:i}))}catch(w){p(w instanceof P?w.message:"The page failed")}m(!1)}return t(b,{children:[t(X,{note:Dl,children:"New swap"}),t("div",
{class:"grid even",children:[t(x,{title:"Request",children:[t("form",{class:"fields",onSubmit:g,children:[t(Gr,{label:"Send",id:"swap-from",value:o,assets:n,onChoose:y=>h(
()=>r(y))}),t(Ll,{asset:o,value:i,onType:y=>h(()=>l(y))}),t(Gr,{label:"Receive",id:"swap-to",value:s,assets:n,onChoose:y=>h(()=>a(y))}),t("button",{type:"submit",
class:"main",disabled:o===""||s===""||i===""||f,children:f?"Asking…":"Get a quote"})]}),d===null?null:t("p",{class:"notice bad",role:"alert",children:d})]}),c===
null?null:t(Xl,{quote:c,desk:e})]})]})}async function Nl(e){return await j("GET",`quote?${new URLSearchParams(e)}`)}function Ll(e){let n=e.asset===""?"":`, in ${O(
e.asset).symbol}`;return t(b,{children:[t("label",{for:"swap-amount",children:["Amount",n]}),t("input",{id:"swap-amount",inputMode:"decimal",autocomplete:"off",
value:e.value,onInput:({currentTarget:o})=>e.onType(o.value.trim())})]})}function Gr(e){return t(b,{children:[t("label",{for:e.id,children:e.label}),t("select",
{id:e.id,value:e.value,onChange:n=>e.onChoose(n.currentTarget.value),children:[t("option",{value:"",children:"Choose an asset"}),e.assets.map(n=>t("option",{value:n,
children:[O(n).symbol," on ",O(n).chain]},n))]})]})}function Xl({quote:e,desk:n}){let o={title:"Order this swap?",word:e.amount,button:"Order the swap",path:"sw\
ap",body:{from:e.from,to:e.to,amount:e.amount},onDone:r=>{location.hash=`#/orders/${r.id}`},children:t(b,{children:[t("p",{children:["Send ",t(V,{amount:e.amount,
asset:e.from})," and receive about"," ",t(V,{amount:e.receive,asset:e.to}),"."]}),t(zr,{sentences:e.worstCase})]})};return t(x,{title:"Quote",note:e.refused.length===
0?t(I,{tone:"good",children:"the guards allow it"}):t(I,{tone:"bad",children:"refused"}),children:[t("p",{class:"big",children:t(V,{amount:e.receive,asset:e.to})}),
t(Fl,{quote:e}),t(zr,{sentences:e.worstCase}),t(se,{reasons:e.refused.map(r=>n.known.humane(r,e))}),t("div",{class:"actions",children:e.refused.length===0?t(ce,
{change:o,scope:"operate",scopes:n.scopes,main:!0}):null})]})}function Fl({quote:e}){return t("dl",{class:"pairs",children:[t("div",{children:[t("dt",{children:"\
Cost"}),t("dd",{children:[Q(e.costBps),e.sendsFiat===null||e.receivesFiat===null?"":`: ${_(e.sendsFiat)} for ${_(e.receivesFiat)}`]})]}),t("div",{children:[t("d\
t",{children:"Service and solver"}),t("dd",{children:[e.service??"none"," ",e.solver===null?null:t(ae,{hash:e.solver,what:"the solver's id"})]})]}),t("div",{children:[
t("dt",{children:"Network fees at most"}),t("dd",{children:e.fees===null?"cannot be estimated now":`${e.fees.deposit}; for a refund ${e.fees.refund}`})]}),t("di\
v",{children:[t("dt",{children:"Approval"}),t("dd",{children:e.needsApproval?"a person must approve the order":"not needed"})]})]})}function zr({sentences:e}){return t(
"div",{class:"notice warn",children:[t("b",{children:"The worst case"}),t("ul",{children:e.map(n=>t("li",{children:t(L,{text:n})},n))})]})}var Jl=1500,Qr="ballast.keys";function jn(){return localStorage.getItem(Qr)!=="off"}function Zr(e){localStorage.setItem(Qr,e?"on":"off")}function es(e){let n=ne(
e);n.current=e,U(()=>{let o="",r=0,s=a=>{if((a.ctrlKey||a.metaKey)&&a.key.toLowerCase()==="k"){a.preventDefault(),n.current["/"]?.();return}if(a.ctrlKey||a.metaKey||
a.altKey||!jn()||Il(a))return;let i=`${o} ${a.key}`,l=Date.now()-r<Jl&&i in n.current,c=n.current[l?i:a.key];o=l?"":a.key,r=Date.now(),c!==void 0&&c()!==!1&&a.preventDefault()};
return document.addEventListener("keydown",s),()=>document.removeEventListener("keydown",s)},[])}function Il({target:e}){return document.querySelector("dialog[o\
pen]")!==null?!0:e instanceof Element&&e.closest("input, select, textarea")!==null}function ut(e){let n=[...document.querySelectorAll("main [data-row]")],o=n.findIndex(
s=>s.matches(":focus")),r=n[o===-1?e===1?0:n.length-1:o+e];return r?.focus(),r?.scrollIntoView({block:"nearest"}),n.length>0}function Ce(e){let n=document.querySelector(
`[data-key="${e}"]`);return n?.focus(),n instanceof HTMLButtonElement&&n.click(),n!==null}function ts(){let{activeElement:e}=document;e instanceof HTMLElement&&
e.dataset.row!==void 0&&e.click()}function ns(e,n){let o=r=>Math.abs(Number(n(r)??0));return e.toSorted((r,s)=>+(s.level==="trouble")-+(r.level==="trouble")||o(s)-o(r)||(r.deadline??"~").localeCompare(
s.deadline??"~"))}function os({overview:e,summary:n}){let o=a=>Bl(n,a),r=ns(e.tasks,o),s=e.problems.filter(({needsPerson:a})=>!a);return r.length+s.length===0?t(x,{title:"Needs y\
ou",children:t("p",{class:"quiet",children:["✓ Nothing. ",e.verdict]})}):t(x,{title:r.length>0?"Needs you":"Worth knowing",note:r.length>1?"most at stake firs\
t":void 0,children:t("ul",{class:"plain tasks",children:[...r,...s].map(a=>t(Wl,{problem:a,stake:o(a),stops:Ul(a)&&e.pause===null},`${a.code} ${a.sentence}`))})})}
function Bl(e,{order:n,about:o,code:r}){return n!==null?e?.open.find(s=>s.order===n)?.fiat??null:r!==rs?null:e?.assets.find(({asset:s})=>s===o)?.unbookedFiat??null}
var rs="books.difference";function Ul({code:e,kind:n}){return e===rs||n==="theft"}var Hl={trouble:"✕",attention:"▲"};function Wl(e){let{problem:n,stake:o,stops:r}=e,
{level:s,sentence:a,meaning:i,todo:l,deadline:c,left:u,needsPerson:d}=n,p=d?Wt(n):null;return t("li",{class:s,children:[t("span",{class:"shape","aria-hidden":"t\
rue",children:Hl[s]}),t("div",{children:[t("p",{children:[t("b",{children:t(L,{text:a})}),o===null?null:t("span",{class:"stake",children:_(o)})]}),t("p",{class:"\
note",children:[i," ",t(L,{text:l}),d?null:" (ends by itself)"]}),t(qn,{problem:n})]}),c===null&&p===null&&!r?null:t("p",{class:"do",children:[c===null?null:t("\
span",{children:["Time left: ",t("b",{children:u})]}),r?t("button",{type:"button",class:"stop",onClick:()=>Ce("pause"),children:"Pause everything"}):null,p===null?
null:t("a",{class:r?"button":"button main",href:p.href,"data-row":!0,children:p.name})]})]})}function qn({problem:e}){let{command:n,needsPerson:o}=e;return n===
null||o&&Wt(e)!==null?null:t("details",{class:"small",children:[t("summary",{children:"On the daemon's machine"}),t("p",{class:"hash",children:[t("code",{children:n}),
t(it,{text:n,what:"the command"})]})]})}function Wt({order:e,kind:n,about:o}){return e!==null&&n==="approval"?{name:"Review",href:`#/orders/${e}/approve`}:e!==null?
{name:"Open the order",href:`#/orders/${e}`}:n==="rule"||n==="pause"&&o?.startsWith("rule ")===!0?{name:"Open the rules",href:"#/rules"}:n==="limit"?{name:"Open\
 the limits",href:"#/limits"}:n==="gas"?{name:"Open the treasury",href:"#/treasury"}:n==="books"?{name:"Open the books",href:"#/books"}:null}var Kl="An alarm is open as long as its cause lasts. A pause by an alarm ends when a person acknowledges it (Resume, on the overview).";function as({overview:e}){
let n=C("alerts?limit=100",1e4);return t(b,{children:[t(X,{note:Kl,children:"Alarms"}),t(D,{live:n,children:o=>{let r=o.alerts.filter(({closed:i})=>i===null),s=e.
value?.problems??[],a=o.alerts.filter(({closed:i})=>i!==null);return t(b,{children:[t(x,{title:r.length===0?"No alarm is open":`${r.length} open`,wide:!0,children:r.
length===0?t(B,{children:"Nothing needs you here."}):t(ss,{alerts:r,problems:s})}),a.length===0?null:t(x,{title:"Over",note:`${a.length} of the last 100`,wide:!0,
children:t(ss,{alerts:a})})]})}})]})}function ss({alerts:e,problems:n=[]}){return t("ul",{class:"plain alarms",children:e.map(({at:o,order:r,reason:s,closed:a})=>t(
"li",{children:[t("p",{children:[t(I,{tone:a===null?"bad":"calm",children:a===null?"open":`over after ${H(Date.parse(a)-Date.parse(o))}`})," ",t("b",{title:s.code,
children:t(L,{text:s.message})})]}),t("p",{class:"line quiet",children:[t("span",{title:o,children:T(o)}),t(M,{at:o}),r===null?null:t("a",{href:`#/orders/${r}`,
children:["Order ",r.slice(0,8)]})]}),t(Vl,{problem:n.find(i=>i.code===s.code&&i.order===r)})]},`${o} ${s.code} ${r}`))})}function Vl({problem:e}){if(e===void 0)
return null;let{meaning:n,todo:o}=e,r=Wt(e);return t(b,{children:[t("p",{children:[n," ",t(L,{text:o})]}),r===null?null:t("a",{class:"button",href:r.href,children:r.
name}),t(qn,{problem:e})]})}function Kt(e){return t("figure",{class:"calls",children:[t("svg",{viewBox:"0 0 144 12",role:"img","aria-label":e.words,children:e.marks.map(({kind:n,path:o,title:r},s)=>t(
"path",{class:n,d:o,transform:`translate(${s*6} 0)`,children:t("title",{children:r})},r))}),t("figcaption",{children:e.words})]})}function Gn(e){let n=e.reduce((a,i)=>a+i.failed,0),o=e.reduce((a,i)=>a+i.answered,n);if(o===0)return"no call in 24 h";let{fault:r=null}=e.findLast(a=>a.fault!==
null)??{},s=`${o} call${o===1?"":"s"}`;return n===0?`${s}, all answered`:`▲ ${s}, ${n} failed: ${r}`}var is=36e5,ls=24;function zn({hours:e}){let n=Math.floor(K()/is)-ls+1,o=Array.from({length:ls},(r,s)=>{let a=(n+s)*is,i=e.find(({at:c})=>Date.parse(c)===a),l=i===
void 0?"no call":Gn([i]);return{...jl(i),title:`${T(new Date(a).toISOString())}: ${l}`}});return t(Kt,{marks:o,words:Gn(e)})}function jl(e){return e===void 0?{kind:"\
none",path:"M0 11h5v1h-5z"}:e.failed===0?{kind:"well",path:"M0 0h5v12h-5z"}:{kind:"ill",path:"M0 6h5v6h-5z"}}function us({overview:e}){let n=C("settings",6e4);return t(b,{children:[t(X,{note:"What Ballast may still sell, and what it has used.",children:"Limits"}),t(D,{
live:e,children:({limits:o})=>{let r=({used:s,unit:a})=>Number(s)===0&&a.includes(":");return t("div",{class:"grid even",children:[o.filter(s=>!r(s)).toSorted((s,a)=>a.
percent-s.percent).map(s=>t(ql,{limit:s},s.name)),t(Gl,{limits:o.filter(r)})]})}}),t(D,{live:n,children:({guards:o})=>t(Yn,{guards:o})})]})}function ql({limit:e}){
let{name:n,used:o,max:r,left:s,unit:a,percent:i}=e,l=`${i}% used`;return t(x,{title:cs(n),note:i>=80?t(I,{tone:i>=100?"bad":"warn",children:l}):l,children:[t("p",
{class:"big",children:[Zn(s,a)," ",t("small",{children:"left"})," ",t(re,{amount:s,asset:a})]}),t(At,{percent:i,label:l}),t("p",{class:"note",children:[Qn(o,r,a),
" used"]})]})}function Gl({limits:e}){return e.length===0?null:t(x,{title:"Not used yet",children:t("dl",{class:"pairs",children:e.map(({name:n,left:o,unit:r})=>t(
"div",{children:[t("dt",{children:cs(n)}),t("dd",{children:[Zn(o,r)," left ",t(re,{amount:o,asset:r})]})]},n))})})}function Yn({guards:e}){return t(x,{title:"Ev\
ery guard",note:"as the configuration in force says",wide:!0,children:t("dl",{class:"pairs",children:e.map(({guard:n,means:o})=>t("div",{children:[t("dt",{children:t(
"code",{children:n})}),t("dd",{children:t(L,{text:zl(o)})})]},n))})})}function Qn(e,n,o){return o==="usd"?`${_(e)} of ${_(n)}`:`${E(e)} of ${Zn(n,o)}`}function Zn(e,n){
return n==="usd"?_(e):`${E(e)} ${n.includes(":")?O(n).symbol:n}`}function zl(e){let n=e.split(", ").map(s=>s.split(" ")),[[o=""]=[]]=n;return n.length>1&&n.every(
([s,a="",...i])=>s===o&&a.includes(":")&&i.length===0)?`${o} of each asset`:e}function cs(e){let[n=""]=e.split(" ");if(!n.includes(":"))return e.slice(0,1).toUpperCase()+
e.slice(1);let{symbol:o,chain:r}=O(n);return`${o} on ${r}${e.slice(n.length)}`}var to="ballast.looked",Yl=864e5;function ds({problems:e}){let n=K(),[o,r]=v(eu);U(()=>{let f=()=>localStorage.setItem(to,new Date().toISOString());return addEventListener(
"pagehide",f),()=>removeEventListener("pagehide",f)},[]);let{value:s}=C(`summary?since=${o}`,1e4);if(s===null)return t(x,{title:"Since you last looked",children:t(
"p",{class:"quiet",children:"Reading…"})});let{swaps:a,alarms:i,missed:l}=s,c=f=>a.counts[f]??0,u=c("rejected")+c("abandoned"),d=l.reduce((f,m)=>f+m.runs,0),p=()=>{
let f=new Date(n).toISOString();localStorage.setItem(to,f),r(f)};return t(x,{title:"Since you last looked",note:t(M,{at:o}),children:[t("dl",{class:"facts",children:[
t("div",{children:[t("dt",{children:"Orders"}),t("dd",{children:a.orders})]}),t("div",{children:[t("dt",{children:"Moved"}),t("dd",{children:_(a.volumeFiat)})]}),
t("div",{children:[t("dt",{children:"Cost"}),t("dd",{children:_(a.costFiat)})]})]}),t("ul",{class:"plain small",children:[t(eo,{count:c("refunded"),one:"order r\
efunded",many:"orders refunded"}),t(eo,{count:u,one:"order ended without a swap",many:"orders ended without a swap"}),t(eo,{count:d,one:"planned run came to no \
swap",many:"planned runs came to no swap"}),t(Zl,{alarms:i.filter(f=>!e.some(m=>Ql(m,f)))}),i.length+u+d+c("refunded")===0?t("li",{class:"quiet",children:"✓ No \
refund, no refusal, no missed run, no alarm"}):null]}),t("p",{class:"line",children:[t("button",{type:"button",onClick:p,children:"Mark as seen"}),t("a",{href:"\
#/alarms",children:["All alarms",i.length>3?` (${i.length})`:""]})]})]})}function Ql(e,{code:n,order:o}){return e.code===n&&e.order===o}function Zl({alarms:e}){
let n=K();return t(b,{children:e.slice(0,3).map(({at:o,sentence:r,order:s})=>t("li",{children:[t("span",{"aria-hidden":"true",children:"▲"})," ",s===null?t(L,
{text:r}):t("a",{href:`#/orders/${s}`,children:t(L,{text:r})})," ",t("small",{title:o,children:T(o,n)})]},`${o} ${r}`))})}function eo(e){return e.count===0?null:
t("li",{children:[t("span",{"aria-hidden":"true",children:"▲"})," ",e.count," ",e.count===1?e.one:e.many]})}function eu(){return localStorage.getItem(to)??new Date(
Date.now()-Yl).toISOString()}function hs({overview:e}){let{value:n}=C("summary",5e3);return t(D,{live:e,children:o=>t(b,{children:[t(su,{overview:o}),n===null?t(He,{}):t(gr,{overview:o,summary:n}),
t("div",{class:"grid",children:[t("div",{class:"column",children:[t(os,{overview:o,summary:n}),n===null?t(He,{}):t(It,{overview:o,summary:n})]}),t("div",{class:"\
column",children:[t(ds,{problems:o.problems}),t(tu,{}),t(au,{overview:o}),t(iu,{overview:o}),t(lu,{overview:o})]}),t(ou,{overview:o,summary:n})]})]})})}function tu(){
let[e,n]=v("24 h"),{value:o}=C(`flows?since=${Jn(e)}`,2e4);return t("section",{class:"card",children:[t("header",{children:[t("h2",{children:t("a",{href:"#/trea\
sury",children:"Flows"})}),t(In,{range:e,ranges:["24 h","7 d","30 d"],onChange:n})]}),o===null?t("p",{class:"quiet",children:"Reading…"}):t(nu,{flows:o})]})}function nu({
flows:{chains:e,total:n}}){return t(b,{children:[t(Xt,{chains:e}),e.length===0?null:t(b,{children:[t("p",{class:"note",children:[t(G,{fiat:n.volumeFiat})," in ",
n.completed," swap",n.completed===1?"":"s",n.costBps===null?"":`, ${n.costBps} bps`]}),t("details",{class:"small",children:[t("summary",{children:"The same as a\
 table"}),t(Ft,{chains:e})]})]})]})}var ms=6;function ou({overview:{orders:e},summary:n}){let o=e.slice(0,ms).map(r=>{let s=n?.open.find(a=>a.order===r.id);return{
...r,deposited:s?.deposited??!1,createdAt:s?.requestedAt??r.since,fiat:s?.fiat??null}});return t(x,{title:"Orders in flight",link:"#/orders",wide:!0,children:[t(
Vn,{orders:o,none:"No order is in flight."}),e.length<=ms?null:t("p",{class:"rest",children:t("a",{href:"#/orders",children:["All ",e.length," orders in flight"]})})]})}
var ru={ok:"All is well",attention:"Needs attention",trouble:"Trouble"};function su({overview:e}){let{level:n,mode:o,pause:r}=e;return t("section",{class:`verdi\
ct ${n}`,"aria-label":"Verdict",children:t("h1",{tabIndex:-1,children:[ru[n]," · ",o??"unknown"," mode",r===null?"":" · paused"]})})}function au({overview:e}){
return t(x,{title:"Next",link:"#/rules",children:[e.next.length===0?t(B,{children:"No rule is due."}):null,t("dl",{class:"pairs",children:e.next.slice(0,5).map(
({rule:n,at:o})=>t("div",{children:[t("dt",{children:t("a",{href:`#/decisions/${encodeURIComponent(n)}`,children:n})}),t("dd",{children:t(M,{at:o})})]},n))})]})}
var ps=80;function iu({overview:e}){let n=e.limits.toSorted((r,s)=>s.percent-r.percent),o=n.filter(({percent:r})=>r>=ps).slice(0,3);return t(x,{title:"Limits us\
ed",link:"#/limits",children:[o.length>0?null:t("p",{class:"quiet",children:["✓ None above ",ps," %; the fullest has ",n[0]?.percent??0," %."]}),o.map(({name:r,
used:s,max:a,unit:i,percent:l})=>t("div",{class:"limit",children:[t("p",{children:[t(L,{text:r})," ",t("span",{class:"quiet",children:Qn(s,a,i)})]}),t(At,{percent:l,
label:`${r}: ${l}%`})]},r))]})}var fs={good:"good",slow:"warn",degraded:"warn",resting:"warn",silent:"bad",failing:"bad",unknown:"calm"};function lu({overview:e}){
let{nodes:n,services:o}=e;return t(x,{title:"Nodes and services",children:t("dl",{class:"pairs",children:[n.map(({chain:r,state:s,lastAnswer:a,endpoints:i,needed:l})=>t(
"div",{children:[t("dt",{children:[J(r)," ",t("details",{class:"small",children:[t("summary",{children:[i.length," node",i.length===1?"":"s",", ",l," must agree"]}),
i.map(({host:c,hours:u})=>t("div",{children:[c,t(zn,{hours:u})]},c))]})]}),t("dd",{children:[t(M,{at:a})," ",t(I,{tone:fs[s]??"calm",children:s})]})]},r)),o.map(
({name:r,state:s,lastAnswer:a,inFlight:i,hours:l})=>t("div",{children:[t("dt",{children:["Service ",r," ",t("small",{children:[i," in flight"]}),t(zn,{hours:l})]}),
t("dd",{children:[t(M,{at:a})," ",t(I,{tone:fs[s]??"calm",children:s})]})]},r))]})})}var uu=2e4;function no({scope:e,paused:n,scopes:o,children:r}){let s=K(),[a,i]=v(null),[l,c]=v(null),u=Ue("operate",o),d=a===null?0:a+uu-s;async function p(f){try{
await Je(f,e),c(null),i(f==="pause"?Date.now():null),pe()}catch(m){m instanceof P&&c(m)}}return t("span",{class:"actions",children:[l===null?null:t("span",{class:"\
notice bad",role:"alert",children:l.message}),n&&d>0?t("button",{type:"button",onClick:()=>{p("resume")},children:["Undo (",Math.ceil(d/1e3)," s)"]}):n?r:t("but\
ton",{type:"button",class:"stop","data-key":e.rule===void 0?"pause":void 0,disabled:u!==null,title:u??"No new order and no new deposit. Orders that have deposit\
ed go on.",onClick:()=>{p("pause")},children:"Pause"})]})}function gs({overview:e,scopes:n}){return t(no,{scope:{},paused:e.pause!==null,scopes:n,children:null})}
function ys(e){let{overview:n,scopes:o}=e;if(n===null||n.pause===null)return null;let{by:r,at:s,reason:a}=n.pause;return t("section",{class:"notice warn pause-n\
ote","aria-label":"Paused",children:[t("p",{children:["▲ ",t("b",{children:"Paused"})," by ",r," ",t(M,{at:s}),a===null||r==="alarm"?".":`: ${a}.`," No new or\
der and no new deposit; orders under way go on."]}),t(cu,{overview:n,scopes:o})]})}function cu({overview:e,scopes:n}){let o=e.pause?.alarms??[],[r,s]=v([]),a={title:"\
Resume?",word:"resume",button:"Resume",path:"resume",body:{acknowledge:r},children:o.length===0?t("p",{children:"Rules make orders again at their next time."}):
t("fieldset",{children:[t("legend",{children:"Acknowledge each alarm that you have dealt with"}),o.map(({id:i,message:l})=>t("label",{class:"check",children:[t(
"input",{type:"checkbox",checked:r.includes(i),onChange:c=>{let u=r.filter(d=>d!==i);s(c.currentTarget.checked?[...u,i]:u)}}),l]},i))]})};return t(ce,{change:a,
scope:"operate",scopes:n})}function ct(e){return[...Map.groupBy(e,du).values()].flatMap(o=>o.slice(0,1).map(r=>[r,o.length]))}function du({outcome:e,refused:n,...o}){let{rules:r,from:s,to:a,
destination:i,kind:l,amount:c}=o,d=e!=null&&"order"in e?"order":e;return JSON.stringify({rules:r,from:s,to:a,destination:i,kind:l,amount:c,refused:n,result:d})}
function Vt(e){return e===1?"":`${e} times `}function bs(e){return[...Map.groupBy(e,({rule:o,verdict:r,reasons:s,proposals:a})=>JSON.stringify([o,r,s.map(({code:i})=>i),a.map(({from:i,to:l})=>[i,l])])).values()]}function jt(){let{value:e}=C("rules",6e4);return n=>oo(e?.rules.find(({id:o})=>o===n)??{})}function oo({from:e,to:n}){return typeof e=="string"&&typeof n=="stri\
ng"?{from:e,to:n}:null}var mu="Why did a rule do something, or nothing? The same outcome is one line; a rule's own list has each decision.",pu=100;function _s({detail:e,overview:n,known:o}){
let r=e===null?"":`rule=${encodeURIComponent(e)}&`,s=C(`decisions?${r}limit=${pu}`,1e4),a=jt();return t(b,{children:[t(X,{note:mu,children:e===null?"Decisions":
`Decisions of ${e}`}),t("nav",{class:"filters","aria-label":"Rules",children:[t("a",{class:"chip",href:"#/decisions","aria-current":e===null?"page":void 0,children:"\
all rules"}),(n.value?.rules??[]).map(({id:i})=>t("a",{class:"chip",href:`#/decisions/${encodeURIComponent(i)}`,"aria-current":i===e?"page":void 0,children:i},i))]}),
t(D,{live:s,children:i=>t("section",{class:"card",children:[i.decisions.length===0?t(B,{children:t(Ke,{what:"No decision yet",overview:n.value})}):null,e===null||
i.decisions.length===0?null:t(hu,{rule:e}),(e===null?bs(i.decisions):i.decisions.map(l=>[l])).map(l=>t(fu,{group:l,known:o,pairOf:a},l[0]?.id))]})})]})}function fu(e){
let[n,...o]=e.group;if(n===void 0)return null;let r=o.reduce((s,a)=>s+a.times,0);return t(b,{children:[t(ws,{decision:n,known:e.known,pairOf:e.pairOf}),o.length===
0?null:t("details",{class:"others",children:[t("summary",{children:[r," more like this, since ",T(o.at(-1)?.at??n.at)]}),o.map(s=>t(ws,{decision:s,known:e.known,
pairOf:e.pairOf},s.id))]})]})}function ws({decision:e,known:n,pairOf:o}){let{id:r,at:s,lastAt:a,times:i,rule:l,verdict:c,reasons:u,proposals:d,orders:p}=e,f=o(l)??
d[0]??null;return t("article",{class:"proposal",children:[t("p",{class:"line",children:[t("b",{title:s,children:T(s)}),t("a",{href:`#/decisions/${encodeURIComponent(
l)}`,children:l}),t(I,{tone:c==="proposed"?"good":"calm",children:c==="proposed"?"proposed":"did nothing"}),i>1?t("span",{class:"quiet",children:[i," times, las\
t ",t(M,{at:a})]}):null]}),ct(d).map(([m,h])=>t("p",{class:"line",children:[Vt(h),t(V,{amount:m.amount,asset:m.from}),t(re,{amount:m.amount,asset:m.from})," →",
" ",t(V,{amount:m.receive,asset:m.to}),m.cost===null?null:t("span",{class:"quiet",children:["cost ",_(m.cost)]})]},`${m.from} ${m.to} ${m.amount}`)),t(se,{reasons:u.
map(m=>n.humane(m,f))}),t("p",{class:"line quiet",children:p.map(m=>t("a",{href:`#/orders/${m}`,children:["Order ",m.slice(0,8)]},m))}),t(yu,{decision:r,known:n})]})}
function hu({rule:e}){let[n,o]=v(null);return t("div",{class:"proposal","aria-live":"polite",children:n===null||n==="asking"?t("button",{type:"button",disabled:n!==
null,onClick:()=>{o("asking"),j("GET",`rules/${encodeURIComponent(e)}/why`).catch(a=>a).then(o)},children:n===null?"Explain the last decision":"Reading the book\
s…"}):n instanceof P?t("p",{class:"notice bad",children:n.message}):t(gu,{decision:n.decisions[0]??null})})}function gu(e){let{proposals:n=[],changes:o=[]}=e.
decision??{},r=[...ct(n).flatMap(([{explained:s=[]}])=>s),...o.map(s=>`It proposes (more) when ${s}.`)];return r.length===0?t("p",{class:"quiet",children:"There\
 is no more to say than its reasons."}):t("ul",{class:"plain",children:r.map(s=>t("li",{children:t(L,{text:s})},s))})}function yu({decision:e,known:n}){let[o,r]=v(
null);return t(b,{children:[t("button",{type:"button",onClick:()=>{j("GET",`decisions/${encodeURIComponent(e)}/replay`).catch(i=>i).then(r)},"aria-label":`Repla\
y ${e}`,children:"Replay"}),t("div",{"aria-live":"polite",children:o===null?null:t(bu,{replay:o,known:n})})]})}function bu({replay:e,known:n}){if(e instanceof P)
return t("p",{class:"notice bad",children:e.message});let{same:o,again:r,stored:s}=e;return o?t("p",{class:"notice",children:[t(I,{tone:"good",children:"same de\
cision"})," The stored inputs give the stored result again."]}):t("div",{class:"notice bad",children:[t("p",{children:[t("b",{children:"Another decision."})," T\
he stored inputs give another result now."]}),t("div",{class:"grid even",children:[t(vs,{name:"Stored",of:s,known:n}),t(vs,{name:"Now",of:r,known:n})]})]})}function vs({
name:e,of:n,known:o}){let r=n.proposals,s=r[0]??null;return t("section",{"aria-label":e,children:[t("h3",{children:e}),r.map(({from:a,to:i,units:l})=>t("p",{children:[
"Sell ",t(V,{amount:o.amountOf(l,a),asset:a})," for ",t(L,{text:i})]},`${a} ${i} ${l}`)),t(se,{reasons:[...r.flatMap(({why:a})=>a),...n.reasons].map(a=>o.humane(
a,s)),none:"No reason."})]})}var wu="What the rules would do if every rule decided now. Looking at it changes nothing.";function ks({known:e}){let n=C("plan",15e3),o=jt();return t(b,{children:[
t(X,{note:wu,children:"Plan"}),t(D,{live:n,children:({at:r,proposals:s,declined:a,paused:i,plan:l,mode:c})=>t(b,{children:[(i??[]).map(u=>t("p",{class:"notice w\
arn",children:t(L,{text:u})},u)),c==="observe"?t("p",{class:"notice warn",children:"Observe mode: Ballast records decisions and makes no order."}):null,t(x,{title:s.
length===0?"Nothing to swap now":`${s.length} swap${s.length===1?"":"s"}`,note:t(b,{children:["computed ",t(M,{at:r}),l.cost===null||s.length===0?"":`, cost abo\
ut ${_(l.cost)}`]}),wide:!0,children:[s.length===0?t(B,{children:"Each rule says below why it asks for nothing."}):null,ct(s).map(([u,d])=>t(_u,{proposal:u,times:d,
known:e},vu(u)))]}),t("div",{class:"grid even",children:a.map(({rule:u,reasons:d})=>t(x,{title:u,link:`#/decisions/${encodeURIComponent(u)}`,children:t(se,{reasons:d.
map(p=>e.humane(p,o(u))),none:"It proposes a swap."})},u))})]})})]})}function vu({rules:e,from:n,to:o,amount:r}){return`${e.join()} ${n} ${o} ${r}`}function _u({
proposal:e,times:n,known:o}){let{amount:r,from:s,receive:a,to:i,rules:l,cost:c,why:u,refused:d,explained:p=[]}=e;return t("article",{class:"proposal",children:[
t("p",{class:"line",children:[Vt(n),t(V,{amount:r,asset:s})," ",t(re,{amount:r,asset:s})," →"," ",t(V,{amount:a,asset:i}),d.length===0?t(I,{tone:"good",children:"\
would be ordered"}):t(I,{tone:"bad",children:"refused"}),t("span",{class:"quiet",children:[l.join(", "),c===null?"":` · cost ${_(c)}${n>1?" each":""}`]})]}),p.
map(f=>t("p",{class:"quiet",children:f},f)),t(se,{reasons:[...u,...d].map(f=>o.humane(f,e))})]})}function Ss(e,n,o=Date.now()){let r=n.flatMap(({id:s,deadline:a,ends:i})=>a===null?[]:[{at:a,kind:"end",words:`${s.slice(0,8)}: ${i}`}]);return[...e.map(s=>({at:s,
kind:"run",words:"run"})),...r].filter(({at:s})=>Date.parse(s)>=o&&Date.parse(s)<=o+864e5).toSorted((s,a)=>Date.parse(s.at)-Date.parse(a.at))}var qt={swap:"swapped",nothing:"nothing to do",refused:"refused",missed:"missed"};function xs(e){let n=s=>e.filter(({outcome:a})=>s===null||a===s).reduce((a,{times:i})=>a+
i,0),r=Object.keys(qt).filter(s=>n(s)>0).map(s=>`${n(s)} ${qt[s]}`);return e.length===0?"no run yet":`Last ${n(null)} runs: ${r.join(", ")}`}var ku={swap:"M0 0h5v12h-5z",nothing:"M0 5h5v2h-5z",refused:"M2.5 1l2.5 10h-5z",missed:"M0 2l5 8m0 -8l-5 8"};function $s(e){let n=e.runs.map(o=>{let{at:r,lastAt:s,
times:a,outcome:i}=o,l=[`${T(s)}: ${qt[i]}`,...a>1?[`${a} times since ${T(r)}`]:[],...i==="swap"?[]:[e.whyOf(o)]];return{kind:i,path:ku[i],title:l.join(", ")}});
return t(Kt,{marks:n,words:xs(e.runs)})}var dt=16,Os=864e5,Su=3;function Cs({coming:e}){let[n,o]=Y(),r=K(),s=c=>Math.max(0,o*(c-r)/Os),a=e.slice(0,Su).map(({at:c,words:u})=>`${T(c)} ${u}`),i=e.length-
a.length,l=`Next 24 hours: ${a.join(", ")}${i>0?`, ${i} more`:""}`;return t("figure",{class:"chart upcoming",ref:n,children:[t("svg",{width:o,height:dt+16,role:"\
img","aria-label":l,children:[t("line",{class:"grid-line",x2:o,y1:dt,y2:dt}),e.map(({at:c,kind:u,words:d})=>t("path",{class:u==="run"?"run-tick":"mark out",d:u===
"run"?"M0 -12V0":"m0 -1 4 -8h-8z",transform:`translate(${s(Date.parse(c))} ${dt})`,children:t("title",{children:`${T(c)} ${d}`})},`${c} ${d}`)),Se(r,r+Os,Math.max(
2,Math.floor(o/80))).map(({ms:c,label:u})=>t("text",{x:s(c),y:dt+13,"text-anchor":"middle",children:u},c))]}),t("figcaption",{class:"note",children:l})]})}function Gt(e,n){let{kind:o}=e,r=l=>String(e[l]??""),s=l=>n.speak(r(l)),a=(l,c)=>{let u=l==null?null:n.amountOf(String(l),c);return u===null?"any":E(u)},i=typeof e.
everyMs=="number"?`looks each ${H(e.everyMs)}`:`runs at ${r("schedule")} (${r("timezone")})`;if(o==="recurring")return`Swaps ${xu(e.amount,c=>a(c,r("from")))} o\
f ${s("from")} to ${s("to")}; ${i}.`;if(o==="band"){let[l,c,u]=["minUnits","targetUnits","maxUnits"].map(f=>a(e[f],r("asset"))),d=ro(", bought with",e.sources,n)+
ro(", sold for",e.sinks,n),p=`between ${l} and ${u}, with ${c} as the target`;return`Keeps ${s("asset")} ${p}${d}; ${i}.`}if(o==="sweep"){let l=a(e.keepUnits,r(
"from"));return`Swaps all of ${s("from")} above ${l} to ${s("to")}; ${i}.`}if(o==="gas"){let l=`the network fees of ${r("days")} days and of ${r("orders")} orde\
rs`,c=ro(", bought with",e.sources,n);return`Keeps ${l} in ${s("asset")}${c}; ${i}.`}if(o==="weights"){let l=so(e.toleranceBps);return`Keeps ${$u(e.weights,n)} \
within ${l}; ${i}.`}return`A rule of the kind ${o}; ${i}.`}function xu(e,n){let o=e;return o?.kind==="share"?so(o.bps):o?.kind==="fiat"?`${_(String(Number(o.fiat)/
1e6))} worth`:n(o?.units)}function so(e){return`${Number(e)/100}%`}function ro(e,n,{speak:o}){let s=(Array.isArray(n)?n:[]).map(a=>typeof a=="string"?a:String(Es(
a)));return s.length===0?"":`${e} ${s.map(o).join(" or ")}`}function Es(e){return e?.asset}function $u(e,{speak:n}){return(Array.isArray(e)?e:[]).map(r=>{let{bps:s}=r;
return`${so(s)} in ${n(String(Es(r)))}`}).join(", ")}function Ts({overview:e,scopes:n,known:o}){let r=C("rules",3e4),s=C("flows",3e4);return t(b,{children:[t(X,{note:"Each rule with its last decision, and why it d\
ecided so.",children:"Rules"}),t(D,{live:e,children:({rules:a,orders:i})=>t("div",{class:"grid even",children:[a.map(l=>t(Ou,{rule:l,flights:i.filter(c=>c.rule===
l.id),scopes:n,fields:r.value?.rules.find(({id:c})=>c===l.id)??null,known:o,week:s.value?.rules.find(({name:c})=>c===l.id)??null},l.id)),a.length===0?t(B,{children:"\
The configuration has no rules."}):null]})})]})}function Ou({rule:e,flights:n,scopes:o,fields:r,known:s,week:a}){let{id:i,kind:l,paused:c,verdict:u,reasons:d}=e,
p=Ss(r?.upcoming??[],n),f={title:`Resume the rule ${i}?`,word:"resume",button:"Resume",path:"resume",body:{rule:i},children:t("p",{children:"The rule decides ag\
ain at its next time."})};return t(x,{title:i,note:ue(l),link:`#/decisions/${encodeURIComponent(i)}`,children:[r===null?null:t("p",{class:"sentence",children:Gt(
r,s)}),t(Cu,{rule:e,inFlight:n.length}),r===null?null:t($s,{runs:r.runs,whyOf:({reasons:m})=>m.map(h=>s.humane(h,oo(r)).message).join("; ")}),p.length===0||c?null:
t(Cs,{coming:p}),a===null?null:t("p",{class:"quiet",children:["In 7 days: ",a.completed," of ",a.orders," orders completed ·"," ",t(G,{fiat:a.volumeFiat})," mo\
ved · ",t(G,{fiat:a.costFiat})," cost",a.costBps===null?"":`, ${a.costBps} bps`]}),t("p",{children:u===null?t("span",{class:"quiet",children:"It has not decide\
d yet."}):u==="proposed"?t("b",{children:"It proposed a swap."}):t("b",{children:"It did nothing, because:"})}),t(se,{reasons:d}),t("div",{class:"actions",children:[
t(no,{scope:{rule:i},paused:c,scopes:o,children:t(ce,{change:f,scope:"operate",scopes:o})}),t("a",{class:"button",href:`#/decisions/${encodeURIComponent(i)}`,children:"\
All decisions"}),t("a",{class:"button",href:`#/simulate/${encodeURIComponent(i)}`,children:"Try a change"})]})]})}function Cu({rule:e,inFlight:n}){let{enabled:o,
paused:r,next:s,last:a}=e;return t("p",{class:"line",children:[o?r?t(I,{tone:"warn",children:"paused"}):t(I,{tone:"good",children:"on"}):t(I,{tone:"calm",children:"\
not enabled"}),t("span",{children:["Next: ",t(M,{at:s})]}),t("span",{children:["Last: ",t(M,{at:a})]}),n===0?null:t("span",{children:[n," in flight"]})]})}function Eu(e,n,o){if(!e)throw new Re({code:"bug.assertion",disposition:"bug",message:n,...o?{details:o}:{}})}function Ms(e,n){return Eu(e!=null,`${n} is missin\
g`),e}function Tu(e){let n=Rs(e);return{p5:mt(n,5),p50:mt(n,50),p95:mt(n,95)}}function As(e){let n=Rs(e);return{...Tu(n),p25:mt(n,25),p75:mt(n,75)}}function Rs(e){return e.
toSorted((n,o)=>n<o?-1:n>o?1:0)}function mt(e,n){let o=Math.max(0,Math.ceil(e.length*n/100)-1);return Ms(e[o],"a value")}var Ge=120,q=56,Ds=52,ft={high:Ge,left:q,right:Ds},ao=20,Qt=["as it is","changed"];function Zt(e,n,o,r){let s=e.subjects[n]??{points:[],bound:null},{bottom:a,top:i}=Mu(
e.subjects),l=r-Ds,c=Math.max(1,s.points.length-1),u=w=>Ee(q+(l-q)*w/c),d=w=>Ee(Math.max(0,Math.min(Ge,Ge-Ge*(w-a)/(i-a)))),p=w=>s.points.map((k,$)=>`${u($)} ${d(
w(k))}`),f=(w,k)=>`M${[...p($=>$[k]),...p($=>$[w]).toReversed()].join("L")}Z`,m=Math.min(...s.points.map(({p5:w})=>w)),h=Math.max(...s.points.map(({p95:w})=>w)),
g=e.asset.split(":")[1]?.toUpperCase()??"",y=fe(a,i,3);return{width:r,height:Ge+ao,words:`Simulated balance over ${ge(o)}, nine of ten runs: ${E(String(m))} to ${E(
String(h))} ${g}`,marks:[...Au(s.bound,d,l),...y.flatMap(w=>[ze("grid-line",d(w),l),he(q-6,d(w)+4,z(w,(y[1]??0)-(y[0]??0)),"end")]),...Ns(o,Ge,l),{tag:"path",tone:"\
fan",at:{d:f("p5","p95")}},{tag:"path",tone:"half",at:{d:f("p25","p75")}},{tag:"path",tone:"line-a",at:{d:`M${p(({p50:w})=>w).join("L")}`}}]}}function Mu(e){let n=e.
flatMap(({points:a,bound:i})=>[...a.flatMap(({p5:l,p95:c})=>[l,c]),...i===null?[]:[Number(i.min),Number(i.target)]]),o=Math.min(...n),r=Math.max(...n),s=(r-o)*.1||
r*.05||1;return{bottom:Math.max(0,o-s),top:r+s}}function Au(e,n,o){if(e===null)return[];let r=e.max===null?0:n(Number(e.max)),s=n(Number(e.min)),a=n(Number(e.target)),
i=Math.max(0,s-r);return[{tag:"rect",tone:"band-area",at:{x:q,y:r,width:o-q,height:i}},ze("edge",s,o),ze("goal",a,o),he(o+6,s+4,"min","start"),...s-a<12?[]:[he(
o+6,a+4,"target","start")],...r===0||a-r<12?[]:[ze("edge",r,o),he(o+6,r+4,"max","start")]]}var zt=30,pt=62,Ru=40;function en(e,n,o){let r=e.map(({costs:h})=>h.map(
g=>Number(g)/1e6)),s=Math.min(...r.flat()),a=Math.max(...r.flat()),i=a-s||1,l=o-14,c=h=>Ee(q+(l-q)*(h-s)/i),u=h=>Math.min(zt-1,Math.floor((h-s)/i*zt)),d=r.map(h=>Array.
from({length:zt},(g,y)=>h.filter(w=>u(w)===y).length)),p=Math.max(1,...d.flat()),f=r.map(h=>As(h).p50),m=(l-q)/zt;return{width:o,height:pt*r.length+ao,words:`Co\
st of ${ge(n)} in ${r[0]?.length??0} runs, the middle one: `+f.map((h,g)=>`${Qt[g]} ${Ps(h)}`).join(", "),marks:[...d.flatMap((h,g)=>{let y=pt*(g+1),w=f[g]??0,k=c(
w),$=k>(q+l)/2;return[...h.flatMap((S,A)=>{let le=Ee(Ru*S/p),N={x:Ee(q+A*m+.5),y:y-le},de={width:Ee(m-1),height:le},yt=g===0&&r.length>1?"bar-b":"bar-a";return S===
0?[]:[{tag:"rect",tone:yt,at:{...N,...de}}]}),ze("grid-line",y,l),he(0,y-4,Qt[g]??"","start"),{tag:"line",tone:"edge",at:{x1:k,x2:k,y1:y-pt+8,y2:y}},he(k+($?-5:
5),y-pt+17,`median ${Ps(w)}`,$?"end":"start")]}),...fe(s,a).map(h=>he(c(h),pt*r.length+15,`$${z(h)}`,"middle"))]}}var Yt=26;function tn(e,n,o){let r=o-14,s=Yt*e.
length;return{width:o,height:s+ao,words:`When the middle run would swap in ${ge(n)}: `+e.map(({swapDays:a},i)=>`${Qt[i]} ${a.length} times`).join(", "),marks:[...e.
flatMap(({swapDays:a},i)=>[ze("grid-line",Yt*(i+1),r),he(0,Yt*(i+1)-4,Qt[i]??"","start"),...a.map(l=>{let c=Ee(q+(r-q)*l/n),u=Yt*(i+1);return{tag:"line",tone:"r\
un-tick",at:{x1:c,x2:c,y1:u-16,y2:u}}})]),...Ns(n,s,r)]}}function Ns(e,n,o){return[0,.5,1].map(r=>he(q+(o-q)*r,n+15,`${Math.round(r*e*10)/10} d`,"middle"))}function ze(e,n,o){
return{tag:"line",tone:e,at:{x1:q,x2:o,y1:n,y2:n}}}function he(e,n,o,r){return{tag:"text",tone:"label",at:{x:Ee(e),y:n,"text-anchor":r},text:o}}function ge(e){return`${e}\
 day${e===1?"":"s"}`}function Ps(e){return _(e.toFixed(2))}function Ee(e){return Math.round(e*10)/10}function Xs({plots:e,subjects:n,days:o}){let r=e.filter(l=>l.subjects.some(({points:c})=>c.length>0)),s=n.length*(nn+Ne)-Ne,a=[...r.flatMap((l,c)=>n.map((u,d)=>({
title:l.asset,drawing:Zt(l,d,o,nn),x:d*(nn+Ne),y:c*on}))),{title:`Cost of ${ge(o)}: each column counts runs`,drawing:en(n,o,s),x:0,y:r.length*on},{title:"When i\
t would swap: the middle run",drawing:tn(n,o,s),x:0,y:(r.length+1)*on}];return[`<svg xmlns="http://www.w3.org/2000/svg" ${`width="${s+2*Ne}" height="${Ls+(r.length+
2)*on}"`} font-family="sans-serif" font-size="11">`,'<rect width="100%" height="100%" fill="#ffffff"/>',...n.map(({name:l},c)=>`<text x="${Ne+c*(nn+Ne)}" y="26"\
 font-weight="bold">${rn(l)}</text>`),...a.map(({title:l,drawing:c,x:u,y:d})=>`<g transform="translate(${u+Ne} ${d+Ls})"><text x="0" y="-10" ${Fs.label}>${rn(l)}\
</text>${Pu(c)}</g>`),`</svg>
`].join(`
`)}var nn=560,Ne=32,Ls=60,on=190,Fs={fan:'fill="#2456c9" fill-opacity="0.16"',half:'fill="#2456c9" fill-opacity="0.28"',"line-a":'fill="none" stroke="#2456c9" s\
troke-width="1.6" stroke-linejoin="round"',"band-area":'fill="#dceee9"',edge:'stroke="#3f8f7b"',goal:'stroke="#3f8f7b" stroke-dasharray="4 3"',"grid-line":'stro\
ke="#e5e8ec"',"bar-a":'fill="#2456c9"',"bar-b":'fill="#7d8997"',"run-tick":'stroke="#2456c9" stroke-width="1.6"',label:'fill="#4d5866"'};function Pu({words:e,marks:n}){
return`<title>${rn(e)}</title>${n.map(Du).join("")}`}function Du({tag:e,tone:n,at:o,text:r=""}){let s=Object.entries(o).map(([a,i])=>` ${a}="${i}"`);return`<${e}\
 class="${n}" ${Fs[n]}${s.join("")}>${rn(r)}</${e}>`}function rn(e){return e.replace(/[&<>"]/g,n=>`&#${n.charCodeAt(0)};`)}function ht(e){let[n,o]=Y(),{width:r,height:s,words:a,marks:i}=e.draw(o);return t("figure",{class:"chart",ref:n,children:[t("svg",{width:r,height:s,role:"img","\
aria-label":a,children:i.map(({tag:l,tone:c,at:u,text:d})=>ho(l,{key:JSON.stringify([l,c,u]),class:c,...u},d))}),e.over?.(r),t("figcaption",{class:"note",children:a})]})}function Js(e){let{plot:n,subject:o,days:r,title:s}=e,a=n.subjects[o]?.points??[],i=Math.max(1,a.length-1),{symbol:l}=O(n.asset),c=u=>{let d=a[u];if(d===void 0)
return"no run";let[p,f,m,h]=[d.p5,d.p25,d.p75,d.p95].map(y=>E(String(y)));return`day ${Math.round(10*r*u/i)/10} · half ${f} to ${m} · nine of ten ${p} to ${h}\
 ${l}`};return t(ht,{draw:u=>Zt(n,o,r,u),over:u=>t(xe,{of:"fan",label:`${s}: ${l} on a day`,last:i,high:ft.high,at:d=>({x:ft.left+(u-ft.left-ft.right)*d/i,words:c(
d)})})})}function sn({parts:e,shown:n,label:o}){return t("nav",{class:"filters tabs","aria-label":o,children:e.map(({id:r,name:s})=>t("a",{class:"chip",href:`#/${r}`,"ar\
ia-current":r===n?"page":void 0,children:s},r))})}var Nu={band:[["min","minUnits","Refill below","asset"],["target","targetUnits","Refill or drain to","asset"],["max","maxUnits","Drain above","asset"],["least",
"leastUnits","Smallest order","asset"]],sweep:[["keep","keepUnits","Keep","from"],["least","leastUnits","Smallest order","from"]]};function Is(e,n){let s=[...(Nu[e.
kind]??[]).map(([a,i,l,c])=>{let u=e[i]??null,d=u===null?null:n.amountOf(String(u),String(e[c]));return{key:a,label:l,text:d??""}}),...Lu(e,n)];return s.length===
0?[]:[...s,{key:"max_cost",label:"Highest cost",text:Xu(e.maxCost)}]}function Lu(e,n){return e.kind==="weights"?[{key:"tolerance",label:"Tolerance",text:Bs(e.toleranceBps)}]:
e.kind==="recurring"?[{key:"amount",label:"Amount",text:Fu(e.amount,String(e.from),n)}]:[]}function Xu(e){let n=e;return n?.kind==="share"?`${n.bps}bps`:n?.kind===
"fiat"?Us(n.fiat):""}function Fu(e,n,o){let r=e;return r?.kind==="share"?Bs(r.bps):r?.kind==="fiat"?Us(r.fiat):o.amountOf(String(r?.units??0),n)??""}function Bs(e){
return`${Number(e)/100}%`}function Us(e){return`${Pe(BigInt(String(e)),6)} usd`}function Hs(e){let[,n="",o=""]=/^(\d+(?:\.\d+)?)(.*)$/.exec(e)??[],r=Number(n);if(!(r>
0))return null;let s=Math.max(0,2-Math.floor(Math.log10(r))),a=i=>i.toFixed(s).replace(/\.?0+$/,s===0?"$&":"");return{most:2*r,step:10**-s,textOf:i=>`${a(i)}${o}`}}
function Ws(e,n){return Vs(e,n).map(({key:o,text:r})=>`${o}=${r}`).join(",")}function Ks(e,n,o){let r=Vs(n,o).map(({key:s,text:a})=>`    ${s}: "${a}"`);return[`\
  - id: ${e}`,...r].join(`
`)}function Vs(e,n){return e.flatMap(({key:o,text:r})=>{let s=n[o]?.trim()??"";return s===""||s===r?[]:[{key:o,text:s}]})}var Ye=1e6;function js(e,n,o){let[r,s]=e.subjects.map(({summary:u})=>u);if(r===void 0||s===void 0)return[];let a=(u,d,p)=>{let f=d(r),m=d(s);return{name:u,now:p(
f),changed:p(m),difference:Iu(m-f,p)}},i=u=>_(u.toFixed(2)),l=r.rules.some(u=>u.rule===n),c=a("Time off its goal",u=>lo(u,n),Q);return[a("Swaps",({moves:u})=>u.
p50,String),a("Moved",({volumeFiat:u})=>Number(u.p50)/Ye,i),a("Cost",({feesFiat:u})=>Number(u.p50)/Ye,i),a("Of it network fees",({networkFeesFiat:u})=>Number(u.
p50)/Ye,i),a("Cost of what moved",({feesHundredthBps:u})=>Number(u.p50)/100,u=>`${u.toFixed(1)} bps`),a("Refunded",({refunded:u})=>u.p50,String),...l?[c]:[],...e.
plots.map(({asset:u})=>a(`Mean value of ${O(u).symbol} held`,d=>io(d,u)/Ye,i)),...e.plots.map(({asset:u})=>a(`Lowest ${O(u).symbol}, 19 of 20 runs`,({assets:d})=>{
let p=d.find(f=>f.asset===u)?.lowestUnits.p5??"0";return Number(o.amountOf(p,u))},d=>E(String(d))))]}function qs(e,n,o){let[r,s]=e.subjects.map(({summary:w})=>w);
if(r===void 0||s===void 0)return"The change was not simulated.";let a=s.moves.p50-r.moves.p50,i=(Number(s.feesFiat.p50)-Number(r.feesFiat.p50))/Ye,l=a===0?"As m\
any swaps":`${Math.abs(a)} ${a<0?"fewer":"more"} swap${Math.abs(a)===1?"":"s"}`,c=Math.abs(i)<.005?"the same cost":`${_(Math.abs(i).toFixed(2))} ${i<0?"less":"m\
ore"} cost`,u=e.plots.reduce((w,{asset:k})=>w+io(s,k)-io(r,k),0),d=Q(lo(r,n)),p=Q(lo(s,n)),f=r.rules.every(w=>w.rule!==n)?"":`; the rule is off its goal ${p} of\
 the time`+(d===p?", as now":` instead of ${d}`),m=e.comparison?.cheaper===null&&Math.abs(i)>=.005?" The runs do not agree which is cheaper.":"",{days:h}=e.scenario,
g=ge(h),y=h<o?` The rules look too often to simulate ${o} days within a minute, so this is of ${g}.`:"";return`${l} and ${c} in ${g}${Ju(u/Ye)}${f}.${m}${y}`}function Ju(e){
return Math.abs(e)<.01?"":`, ${_(Math.abs(e).toFixed(2))} ${e<0?"less":"more"} held`}function io({assets:e},n){return Number(e.find(o=>o.asset===n)?.meanFiat.p50??
0)}function lo({rules:e},n){return e.find(o=>o.rule===n)?.outsideBps.p50??0}function Iu(e,n){let o=n(Math.abs(e));return o===n(0)?"same":`${e<0?"▾":"▴"} ${o}`}var Bu="Runs the rules with and without a change in the same random markets. Nothing is changed: the file is yours to edit.",Uu=[7,30,90],Hu=20;function zs({detail:e,
known:n}){let o=C("rules",6e4);return t(b,{children:[t(X,{note:Bu,children:["Simulate",e===null?"":` ${e}`]}),t(D,{live:o,children:({rules:r})=>{let s=r.map(i=>({
rule:i,keys:Is(i,n)})).filter(({keys:i})=>i.length>0),a=e===null?s[0]:s.find(({rule:i})=>i.id===e);return t(b,{children:[t(sn,{parts:s.map(({rule:{id:i}})=>({id:Gs(
i),name:i})),shown:Gs(a?.rule.id??""),label:"Rule"}),a===void 0?t(B,{children:"This page cannot try a change of such a rule."}):t(Wu,{id:a.rule.id,sentence:Gt(a.
rule,n),keys:a.keys,known:n},a.rule.id)]})}})]})}function Gs(e){return`simulate/${encodeURIComponent(e)}`}function Wu(e){let{id:n,sentence:o,keys:r,known:s}=e,[
a,i]=v({}),[l,c]=v(30),[u,d]=v(null),p=Ws(r,a),f=async h=>{h.preventDefault(),d("asking"),d(await Vu(n,p,l,Ks(n,r,a)))},m=u===null||u==="asking"||u instanceof P?
null:u;return t(b,{children:[t("div",{class:"grid","aria-live":"polite",children:m===null?null:t(ju,{id:n,result:m,isOld:m.change!==p})}),t(x,{title:"The change",
wide:!0,children:[t("p",{class:"sentence",children:o}),t("form",{class:"fields trial",onSubmit:f,children:[r.map(h=>t(Ku,{of:h,value:a[h.key]??h.text,onValue:g=>i(
{...a,[h.key]:g})},h.key)),t("div",{class:"line",children:[Uu.map(h=>t("button",{type:"button",class:"chip","aria-pressed":h===l,onClick:()=>c(h),children:[h," \
days"]},h)),t("button",{type:"submit",class:"main",disabled:p===""||u==="asking",children:u==="asking"?"Simulating…":"Simulate"})]})]}),u instanceof P?t("p",{
class:"notice bad",role:"alert",children:u.message}):null]}),m===null?null:t(Gu,{id:n,result:m,known:s})]})}function Ku(e){let{of:{key:n,label:o,text:r},value:s,
onValue:a}=e,i=Hs(r),l=r===""?"not set":r;return t("div",{children:[t("label",{for:`try-${n}`,children:[o," ",t("span",{class:"quiet",children:[s===r?r===""?l:`\
now ${r}`:`${l} → `,s===r?null:t("b",{children:s})]})]}),t("input",{id:`try-${n}`,autocomplete:"off",value:s,onInput:({currentTarget:c})=>a(c.value)}),i===null?
null:t("input",{type:"range","aria-label":`Slider: ${o}`,min:"0",max:i.most,step:i.step,value:Number.parseFloat(s),onInput:({currentTarget:c})=>a(i.textOf(c.valueAsNumber))})]})}
async function Vu(e,n,o,r){let s=new URLSearchParams({rule:e,change:n,days:String(o),seeds:String(Hu)});try{let a=await j("GET",`simulate?${s}`);return{change:n,
text:r,askedDays:o,found:a}}catch(a){if(a instanceof P)return a;throw a}}function ju(e){let{id:n,result:o,isOld:r}=e,{found:s,askedDays:a}=o;return t("section",
{class:"card wide","aria-label":"What the change would do",children:[r?t("p",{class:"notice warn",children:"This is of the change before; simulate again."}):null,
t("div",{class:"verdict-line",children:[t("p",{class:"sentence",children:t("b",{children:qs(s,n,a)})}),t("button",{type:"button","data-key":"export",onClick:()=>qu(
n,s),children:"Export SVG"})]}),t("p",{class:"note",children:[s.seeds.count," runs in random markets, the same for both. The real one is another."]})]})}function qu(e,{
plots:n,subjects:o,scenario:{days:r}}){Ut(`simulate-${e}.svg`,"image/svg+xml",Xs({plots:n,subjects:o,days:r}))}function Gu(e){let{id:n,result:o,known:r}=e,{found:s,
text:a}=o,{days:i}=s.scenario,{subjects:l}=s;return t("div",{class:"grid halves",children:[s.plots.flatMap(c=>["As it is","With the change"].map((u,d)=>t(x,{title:u,
note:`${O(c.asset).symbol} · half, and nine of ten runs`,children:t(Js,{plot:c,subject:d,days:i,title:u})},`${c.asset} ${u}`))),t(x,{title:`Cost of ${ge(i)}`,note:"\
each column counts runs",children:[t(ht,{draw:c=>en(l,i,c)}),t("h3",{children:"When it would swap"}),t(ht,{draw:c=>tn(l,i,c)})]}),t(x,{title:"Side by side",note:"\
the middle run",children:t(zu,{compared:js(s,n,r)})}),t(x,{title:"For the file",note:t(it,{text:a,what:"the change"}),wide:!0,children:[t("pre",{class:"file",children:a}),
t("p",{class:"note",children:["Then ",t("code",{children:"ballast check"})," and ",t("code",{children:"ballast reload"}),"."]})]})]})}function zu({compared:e}){
return t(ee,{caption:"The rules as they are and with the change",figures:!0,columns:["","As it is","Changed","Difference"],rows:e.map(({name:n,now:o,changed:r,difference:s})=>({
key:n,cells:[n,o,r,s]}))})}var Yu="The configuration that the daemon has in force now. To change it, edit the file and reload; no secret is shown here.";function Ys({overview:e}){let n=C(
"settings",6e4);return t(b,{children:[t(X,{note:Yu,children:"Settings"}),t(D,{live:n,children:o=>t("div",{class:"grid even",children:[t(x,{title:"Daemon",children:t(
We,{pairs:[["treasury",o.treasury],["version",e.value?.daemon.version??"unknown"],["configuration",t(ae,{hash:o.configHash,what:"the hash of the configuration"},
"hash")],...o.settings.map(({name:r,means:s})=>[r,s])]})}),t(x,{title:"Chains",children:t(We,{pairs:o.chains.map(({chain:r,family:s,nativeCoin:a,endpoints:i,agree:l})=>[
J(r),`${s}, coin ${a.symbol}, ${i} node${i===1?"":"s"} of which ${l} must agree`])})}),t(x,{title:"Services and access",children:t(We,{pairs:[...o.services.map(
({name:r,host:s})=>[`service ${r}`,s]),...o.tokens.map(({name:r,scopes:s})=>[`token ${r}`,s.join(", ")])]})}),t(Yn,{guards:o.guards})]})})]})}var Qu=[["g h","Overview"],["g t","Treasury"],["g o","Orders"],["g r","Rules"],["g s","Simulate"],["g ,","Settings"],["/ or Ctrl K","Find or do"],["j k, ↓ ↑",
"Next and previous line of a list, or task"],["o, Enter","Open it"],["a","Approve; elsewhere, the most urgent approval"],["f","Filter"],["e","Export"],["p p","P\
ause everything"],[".","Times as clock times, or as ages"],["?","This list"]];function Qs({onClose:e}){let[n,o]=v(jn);return t(Oe,{labelledBy:"key-help",onClose:e,
children:[t("h2",{id:"key-help",children:"Keys"}),t("dl",{class:"pairs",children:Qu.map(([r,s])=>t("div",{children:[t("dt",{children:t("kbd",{children:r})}),t("\
dd",{children:s})]},r))}),t("label",{class:"check",children:[t("input",{type:"checkbox",checked:n,onChange:({currentTarget:{checked:r}})=>{Zr(r),o(r)}}),"Single\
 keys act outside of fields"]}),t("footer",{children:t("button",{type:"button",onClick:e,children:"Close"})})]})}function Zs(e,n,o){let r=n.toLowerCase().split(/\s+/),s=e.filter(({name:l})=>r.every(c=>l.toLowerCase().includes(c))),[a=""]=/^[0-9a-f]{32}$/.exec(n.trim())??[],
i={name:`Order ${a}`,act:()=>o(a)};return(a===""?s:[i,...s]).slice(0,9)}function ea(e){let{commands:n,onClose:o}=e,r=ke(),[s,a]=v(""),[i,l]=v(0),c=Zs(n,s,e.onOrder),u=p=>{p!==void 0&&(o(),p.act())},d=p=>{let f={ArrowDown:1,ArrowUp:-1}[p.
key];f!==void 0&&(p.preventDefault(),l((i+f+c.length)%Math.max(c.length,1))),p.key==="Enter"&&(p.preventDefault(),u(c[i]))};return t(Oe,{class:"palette",label:"\
Find or do",onClose:o,children:[t("input",{type:"text",role:"combobox","aria-label":"Find or do","aria-expanded":"true","aria-controls":r,"aria-activedescendant":c.
length===0?void 0:`${r}-${i}`,placeholder:"A view, an order, a rule, an act",value:s,autocomplete:"off",spellcheck:!1,onInput:p=>{a(p.currentTarget.value),l(0)},
onKeyDown:d}),t("div",{id:r,role:"listbox","aria-label":"Found",children:c.map((p,f)=>t("button",{type:"button",id:`${r}-${f}`,role:"option",tabIndex:-1,"aria-s\
elected":f===i,onClick:()=>u(p),children:[p.name,p.keys===void 0?null:t("kbd",{children:p.keys})]},p.name))}),c.length===0?t("p",{class:"empty",children:"Nothin\
g has these words."}):null]})}var Zu={overview:"M2.5 7.5 8 3l5.5 4.5M4 7v6h3v-3.5h2V13h3V7",orders:"M2 5.5h10m-2.5-3 3 3-3 3M14 10.5H4m2.5-3-3 3 3 3",treasury:"M2.5 3h11v9h-11zM4 12v1.5M12 1\
2v1.5M8 5.5a2 2 0 1 0 .01 0",rules:"M2 4.5h3m3 0h6M6.5 3v3M2 11.5h6m3 0h3M9.5 10v3",simulate:"M2.5 2.5v11h11M5 10.5l2.5-3 2 1.5 3.5-5",settings:"M8 5.5a2.5 2.5 \
0 1 0 .01 0M8 1.5v2m0 9v2m6.5-6.5h-2m-9 0h-2M12.6 3.4l-1.4 1.4m-6.4 6.4-1.4 1.4m0-9.2 1.4 1.4m6.4 6.4 1.4 1.4",find:"M7 2.5a4.5 4.5 0 1 0 .01 0M10.3 10.3 14 14",
pause:"M5.5 3v10M10.5 3v10"};function an({name:e}){return t("svg",{class:"icon",viewBox:"0 0 16 16","aria-hidden":"true",children:t("path",{d:Zu[e]})})}function ta(e){let{overview:n}=e,o={"":n?.tasks.length,orders:n?.orders.length};return t("nav",{class:"side","aria-label":"Views",children:t("div",{class:"rail",
children:[t("a",{class:"brand",href:"#/",children:[t("img",{src:"/icon.svg",alt:"",width:"26",height:"26"}),t("span",{children:["Ballast",t("small",{children:e.
treasury??""})]})]}),t("ul",{children:e.entries.map(({id:r,name:s,icon:a})=>t("li",{children:t("a",{href:`#/${r}`,"aria-current":r===e.shown?"page":void 0,children:[
t(an,{name:a}),s,o[r]?t("span",{class:r===""?"count tasks":"count",children:o[r]}):null]})},r))}),n===null?null:t(ec,{overview:n})]})})}function ec({overview:{services:e,
nodes:n}}){let o=n.filter(({state:r})=>r!=="good");return t("dl",{class:"pulse",children:[e.map(({name:r,state:s})=>t("div",{children:[t("dt",{children:["Servic\
e ",r]}),t("dd",{children:s==="good"?"✓ good":`▲ ${s}`})]},r)),t("div",{title:o.map(({chain:r,state:s})=>`${J(r)} ${s}`).join(", "),children:[t("dt",{children:"\
Chains"}),t("dd",{children:[o.length===0?"✓":"▲"," ",n.length-o.length," of ",n.length," good"]})]})]})}function na(e){let{account:n,overview:o}=e,r=()=>{qo().
then(e.onLeave)};return t("header",{class:"top",children:[t("p",{class:"state",children:o===null?null:t(b,{children:[t("span",{class:`dot ${o.level}`}),o.pause===
null?`${o.mode??"unknown"} mode`:"paused"]})}),t("button",{type:"button",class:"find",onClick:e.onFind,"aria-label":"Find or do","aria-keyshortcuts":"/ Control+\
K",children:[t(an,{name:"find"}),t("span",{children:"Find or do…"}),t("kbd",{children:"/"})]}),t("a",{class:"button",href:"#/swap",children:"New swap"}),o===null?
null:t(gs,{overview:o,scopes:n.scopes}),t("a",{class:"button gear",href:"#/settings","aria-label":"Settings",children:t(an,{name:"settings"})}),t(tc,{}),n.csrf===
null?null:t("button",{type:"button",onClick:r,title:`Logged in with the token ${n.name}: ${n.scopes.join(", ")}`,children:"Log out"})]})}function tc(){let[e,n]=v(
localStorage.getItem("ballast.theme")??"system");U(()=>{e==="system"?delete document.documentElement.dataset.theme:document.documentElement.dataset.theme=e,localStorage.
setItem("ballast.theme",e)},[e]);let o={light:"Light",dark:"Dark"}[e]??"Auto",r={system:"light",light:"dark",dark:"system"}[e]??"system";return t("button",{type:"\
button",class:"theme",onClick:()=>n(r),"aria-label":`${o} colours. Change to ${r}`,children:o})}var gt=[{id:"",name:"Overview",icon:"overview",show:hs},{id:"treasury",name:"Treasury",icon:"treasury",show:xr},{id:"books",name:"Books",icon:"treasury",of:"tre\
asury",show:tr},{id:"orders",name:"Orders",icon:"orders",show:jr},{id:"rules",name:"Rules",icon:"rules",show:Ts},{id:"plan",name:"Plan",icon:"rules",of:"rules",
show:ks},{id:"decisions",name:"Decisions",icon:"rules",of:"rules",show:_s},{id:"limits",name:"Limits",icon:"rules",of:"rules",show:us},{id:"simulate",name:"Simu\
late",icon:"simulate",show:zs},{id:"settings",name:"Settings",icon:"settings",show:Ys},{id:"alarms",name:"Alarms",icon:"settings",of:"settings",show:as}];function oa(){
let[e,n]=v("asking"),[o,r]=v(0);return U(()=>{Vo().then(n,()=>setTimeout(()=>r(a=>a+1),2e3))},[o]),e==="asking"?t("main",{class:"login",children:t("p",{class:"q\
uiet",children:o===0?"Reading…":"The daemon does not answer. The page tries again every two seconds."})}):e===null?t(Zo,{onLogin:n}):t(nc,{account:e,onLeave:()=>{
zo(),oe.loggedOut=!1,n(null)}})}function nc({account:e,onLeave:n}){let o=C("overview",3e3),r=C("settings",6e4),[s="",a=null,i=null]=Qo(),l=ne(!1);U(()=>{let A=new AbortController;
return Yo(A.signal),document.addEventListener("copy",uc,{signal:A.signal}),()=>A.abort()},[]);let c=oe.loggedOut;U(()=>{c&&n()},[c]);let u=gt.find(({id:A})=>A===
s),d=s==="swap"?"New swap":u?.name??"Not found";U(()=>{document.title=`${d} · Ballast`,l.current&&document.querySelector("h1")?.focus({preventScroll:!0}),l.current=
!0,scrollTo(0,0)},[s,a]);let p=oc(),f={overview:o,known:Et(r.value),scopes:e.scopes,detail:a},m=mc()&&o.value!==null,[h,g]=v(!1),[y,w]=v(null);return es(ac({find:()=>w(
"palette"),help:()=>w("help"),swapTimes:()=>g(A=>!A)},o.value)),t(rc,{known:f.known,prices:p,isStale:m,asClock:h,children:[t("div",{class:"frame",children:[t("b\
utton",{type:"button",class:"skip",onClick:cc,children:"Skip to the content"}),t(ta,{entries:gt.filter(({of:A})=>A===void 0),shown:u?.of??s,overview:o.value,treasury:r.
value?.treasury??null}),t("div",{class:"body",children:[t(na,{account:e,overview:o.value,onFind:()=>w("palette"),onLeave:n}),t(pc,{overview:o.value,isStale:m}),
t(ys,{overview:o.value,scopes:e.scopes}),t("main",{id:"content",tabIndex:-1,children:t(lc,{view:s,detail:a,part:i,desk:f},`${s}/${a}`)})]})]}),y==="palette"?t(ea,
{commands:ic(o.value,()=>w("help")),onOrder:A=>ie(`orders/${A}`),onClose:()=>w(null)}):null,y==="help"?t(Qs,{onClose:()=>w(null)}):null]})}function oc(){let{value:e}=C(
"summary",3e4);return new Map((e?.assets??[]).flatMap(({asset:n,price:o})=>o===null?[]:[[n,o]]))}function rc(e){return t(Mn.Provider,{value:e.known.speak,children:t(
at.Provider,{value:e.known.chains,children:t(An.Provider,{value:e.isStale,children:t(Dn.Provider,{value:e.asClock,children:t(Pn.Provider,{value:e.prices,children:e.
children})})})})})}function sc(e){let[n]=(e?.tasks??[]).filter(({kind:o,order:r})=>o==="approval"&&r!==null).toSorted((o,r)=>(o.deadline??"~").localeCompare(r.deadline??
"~"));return n===void 0?"":`orders/${n.order}/approve`}function ie(e){location.hash=`#/${e}`}function ac(e,n){return{"g h":()=>ie(""),"g t":()=>ie("treasury"),"\
g o":()=>ie("orders"),"g r":()=>ie("rules"),"g s":()=>ie("simulate"),"g ,":()=>ie("settings"),"p p":()=>Ce("pause"),"/":e.find,"?":e.help,".":e.swapTimes,j:()=>ut(
1),k:()=>ut(-1),ArrowDown:()=>ut(1),ArrowUp:()=>ut(-1),o:ts,a:()=>Ce("approve")||ie(sc(n)),f:()=>Ce("filter"),e:()=>Ce("export")}}function ic(e,n){let o={"":"g \
h",treasury:"g t",orders:"g o",rules:"g r",simulate:"g s",settings:"g ,"};return[...gt.map(({id:r,name:s})=>({name:s,keys:o[r],act:()=>ie(r)})),{name:"New swap",
act:()=>ie("swap")},{name:"Pause everything",keys:"p p",act:()=>Ce("pause")},{name:"Keys",keys:"?",act:n},...(e?.orders??[]).map(({id:r,from:s,to:a})=>({name:`O\
rder ${r.slice(0,8)} ${s} → ${a}`,act:()=>ie(`orders/${r}`)})),...(e?.rules??[]).map(({id:r})=>({name:`Rule ${r}`,act:()=>ie(`decisions/${encodeURIComponent(r)}`)}))]}
function lc({view:e,detail:n,part:o,desk:r}){if(e==="orders"&&n!==null)return t(Jr,{...r,detail:n,opens:o==="approve"});if(e==="swap")return t(Yr,{...r});let s=gt.
find(({id:l})=>l===e);if(s===void 0)return t("h1",{tabIndex:-1,children:"There is no such view"});let a=s.of??s.id,i=gt.filter(({id:l,of:c})=>l===a||c===a);return t(
b,{children:[i.length<2?null:t(sn,{parts:i,shown:e,label:"Parts of this view"}),t(s.show,{...r})]})}function uc(e){let n=getSelection(),[o,r]=[n?.anchorNode,n?.
focusNode].map(s=>s?.parentElement?.closest("[data-exact]")??null);o==null||o!==r||(e.clipboardData?.setData("text/plain",o.dataset.exact??""),e.preventDefault())}
function cc(){document.querySelector("#content")?.focus()}var dc=1e4;function mc(){let[e,n]=v(!1);return U(()=>{let o=setInterval(()=>n(oe.failing||Date.now()-oe.
lastMs>dc),500);return()=>clearInterval(o)},[]),e}function pc(e){let{overview:n,isStale:o}=e,r=K();return Ot(()=>{document.body.classList.toggle("old",o)},[o]),
t("div",{role:"status",children:o&&n!==null?t("p",{class:"notice bad stale",children:[t("b",{children:"This is not live."})," The daemon last answered"," ",Ct(new Date(
oe.lastMs).toISOString(),r),". You see the state of"," ",T(n.at,r),"."," ",t("button",{type:"button",onClick:pe,children:"Try now"})]}):null})}var ra=document.querySelector("#app");ra!==null&&ko(t(oa,{}),ra);
