/*! Ballast's dashboard, made from web/ by `npm run generate`. It contains Preact (MIT), (c) 2015-present Jason Miller. */
var R,lo,oa,ye,sn,_t,uo,bt,co,un,an,mo,Qe=Symbol.for("pv"),kt={},St=[],ra=/^m(i|n|o|s|text|space)$/,cn=Array.isArray,dn=St.slice,Me=Object.assign;function Te(e){
e&&e.parentNode&&e.remove()}function po(e,n,o){var r,s,a,i={},l=arguments.length;for(a in n)a=="key"?r=n[a]:a=="ref"&&typeof e!="function"?s=n[a]:i[a]=n[a];return l>
2&&(i.children=l>3?dn.call(arguments,2):o),Ye(e,i,r,s,null)}function Ye(e,n,o,r,s){var a={type:e,props:n,key:o,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Qe,__v:s||++lo,__i:-1,__u:0};return!s&&R.vnode&&R.
vnode(a),a}function b(e){return e.children}function wt(e,n){this.props=e,this.context=n,this.__g=0}function be(e,n){if(n==null)return e.__&&be(e.__,e.__i+1);for(var o;n<e.
__k.length;n++)if((o=e.__k[n])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:be(e)}function sa(e){var n,o=e.__v,r=o.__e,s=[],a=[],i=e.__P;
i&&((n=Me({constructor:Qe},o)).__v=o.__v+1,R.vnode&&R.vnode(n),mn(i,n,o,e.__n,i.namespaceURI,32&o.__u?[r]:null,s,r||be(o),32&o.__u,a),n.__v=o.__v,n.__.__k[n.__i]=
n,wo(s,n,a),o.__=o.__e=null,n.__e!=r&&fo(n))}function fo(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(n){return n&&(e.__e=n.__e)}),
fo(e)}function ln(e){(8&e.__g||(e.__g|=8,ye.push(e),_t++))&&sn==R.debounceRendering||((sn=R.debounceRendering)||queueMicrotask)(ho)}function ho(){try{for(var e,
n=1;ye.length;)ye.length>n&&ye.sort(uo),e=ye.shift(),n=ye.length,8&e.__g&&sa(e)}finally{(_t=ye.length)&&(sn||queueMicrotask)(ho)}}function go(e,n,o,r,s,a,i,l,c,u,d){
var p,f,m,h,g,y,w=r.__k||St,k=n.length;for(c=aa(o,n,w,c,k),p=0;p<k;p++)(m=o.__k[p])!=null&&(f=~m.__i&&w[m.__i]||kt,m.__i=p,y=mn(e,m,f,s,a,i,l,c,u,d),h=m.__e,(f.
ref!=m.ref||8&f.__u)&&(f.ref&&pn(f.ref,null,m,f),m.ref&&d.push(m.ref,m.__c||h,m)),g=g||h,4&m.__u?(c=yo(m,c,e,!f.__v),f.__e&&(f.__e=null)):typeof m.type=="functi\
on"&&y!==void 0?c=y:h&&(c=h.nextSibling),m.__u&=-21);return o.__e=g,c}function aa(e,n,o,r,s){var a,i,l,c,u,d,p,f,m,h=o.length,g=h,y=0,w=0,k=e.__k=Array(s);for(a=
0;a<s;a++)(i=n[a])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=k[a]=Ye(null,i):cn(i)?i=k[a]=Ye(b,{children:i}):
i.constructor===Qe&&i.__b?i=k[a]=Ye(i.type,i.props,i.key,i.ref,i.__v):k[a]=i,c=a+y,i.__=e,i.__b=e.__b+1,l=null,~(u=i.__i=ia(i,o,c,g))&&(g--,(l=o[u])&&(l.__u|=2)),
l&&l.__v?(i.__u|=16,u==c-1?y--:u==c+1?y++:u!=c&&(u>c?y--:y++,w=1)):(~u||(s>h?y--:s<h&&y++),typeof i.type!="function"&&(i.__u|=4))):k[a]=null;if(w){for(d=[],p=[],
a=0;a<s;a++)if((i=k[a])&&16&i.__u){for(y=0,f=d.length;y<f;)d[m=y+f>>1]<i.__i?y=m+1:f=m;d[y]=i.__i,p[a]=y+1}for(y=d.length;a--;)p[a]&&(p[a]==y?y--:k[a].__u|=4)}if(g)
for(a=0;a<h;a++)!(l=o[a])||2&l.__u||(l.__e==r&&(r=be(l)),fn(l,l));return r}function yo(e,n,o,r){var s,a,i,l;if(typeof e.type=="function"){if(e.props.__P)return n;
if(s=e.__k)for(a=0;a<s.length;a++)s[a]&&(s[a].__=e,n=yo(s[a],n,o,!1));return n}for(n&&!n.parentNode&&(n=be(e))&&!n.parentNode&&(n=null),i=e.__e,l=n;l&&l.nodeType==
8;)l=l.nextSibling;for(i!=l&&(!r&&o.moveBefore&&i.parentNode?o.moveBefore(i,n):o.insertBefore(i,n||null)),n=i;(n=n&&n.nextSibling)&&n.nodeType==8&&!n.data.startsWith(
"$s"););return n}function ia(e,n,o,r){var s,a=e.key,i=e.type,l=n[o],c=l&&!(2&l.__u);if(l===null&&a==null||c&&a==l.key&&i==l.type)return o;if(r>(c?1:0)){for(s=o-1;s>=0;s--)if((l=
n[s])&&!(2&l.__u)&&a==l.key&&i==l.type)return s;for(s=o+1;s<n.length;s++)if((l=n[s])&&!(2&l.__u)&&a==l.key&&i==l.type)return s}return-1}function io(e,n,o){o==null&&
(o=""),n[0]=="-"?e.setProperty(n,o):e[n]=o}function yt(e,n,o,r,s){var a,i;if(n=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof r=="string"&&(e.style.
cssText=r=""),r)for(n in r)o&&n in o||io(e.style,n);if(o)for(n in o)r&&o[n]==r[n]||io(e.style,n,o[n])}else if(n[0]=="o"&&n[1]=="n")typeof o!="function"&&(o=null),
typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[n]=o,o&&r||(i=an[n]||(an[n]=la(n)),(e.__a||(e.__a={}))[n]=un,a=n!=(n=n.replace(co,"$1")),(n=n.slice(2))[0]<"a"&&
(n=n.toLowerCase()),o?e.addEventListener(n,i,a):e.removeEventListener(n,i,a));else{if(s=="http://www.w3.org/2000/svg")n=n.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(n!="width"&&n!="height"&&n!="href"&&n!="list"&&n!="form"&&n!="tabIndex"&&n!="download"&&n!="rowSpan"&&n!="colSpan"&&n!="role"&&n!="popover"&&n in e)
try{return void(e[n]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&n[4]!="-"?e.removeAttribute(n):e.setAttribute(n,n=="popover"&&o==1?"":o)}}function la(e){
return function(n){var o=this.__e;if(o){if(o=o[e],n[bt]==null)n[bt]=un++;else if(n[bt]<this.__a[e])return;return o(R.event?R.event(n):n)}}}function mn(e,n,o,r,s,a,i,l,c,u){
var d,p,f,m,h,g,y,w,k,$,S,A,le,N,de,gt,ge,Ee,me=n.type;if(n.constructor!==Qe)return null;128&o.__u&&(c=32&o.__u,d=o.__c.__z)&&(n.__u|=c,p=a=[],d.nodeType==8?l=vt(
d,a):a.push(d),l=a[0]||l),(d=R.__b)&&d(n);e:if(typeof me=="function"){f=i.length;try{if(w=n.props,k=(d=me.prototype)&&d.render,$=(d=me.contextType)&&r[d.__c],S=
d?$?$.props.value:d.__:r,(m=o.__c)?(n.__c=m,2&m.__g&&(m.__g|=1)):(k?n.__c=m=new me(w,S):(n.__c=m=new wt(w,S),m.constructor=me,m.render=ca),$&&$.sub(m),m.state||
(m.state={}),m.__n=r,m.__g|=8,m.__h=[],m.__k=[]),k&&(m.__s||(m.__s=m.state),me.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=Me({},m.__s)),Me(m.__s,me.getDerivedStateFromProps(
w,m.__s)))),h=m.props,g=m.state,m.__v=n,o.__c){if(w!==h&&k&&!me.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(w,S),n.__v==o.
__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(w,m.__s,S)===!1){n.__v!=o.__v&&(m.props=w,m.state=m.__s,m.__g&=-9),n.__e=o.__e,n.__k=
o.__k,n.__k.some(function(te){te&&(te.__=n)}),St.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&i.push(m),l=be(o);break e}m.componentWillUpdate&&m.componentWillUpdate(
w,m.__s,S),k&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(h,g,y)})}else k&&!me.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),
k&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=S,m.props=w,m.__P=e,m.__g&=-5,A=R.__r,le=k?25:0;do m.__g&=-9,A&&A(n),d=m.render(m.props,m.state=
m.__s,m.context);while(8&m.__g&&++le<25);k&&(St.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(r=Me({},r,m.getChildContext())),k&&o.__c&&m.
getSnapshotBeforeUpdate&&(y=m.getSnapshotBeforeUpdate(h,g)),N=d&&d.type===b&&d.key==null?d.props.children:d,w.__P&&(d=l,s=(e=w.__P).namespaceURI,c=a=null,o.props&&
o.props.__P!=e&&(o.__k.some(function(te){te&&fn(te,te)}),o.__k=null),l=o.__k?be(o,0):null),l=go(e,cn(N)?N:[N],n,o,r,s,a,i,l,c,u),w.__P&&(n.__e=null,l=d),n.__u&=
-161,p&&p.some(Te),m.__h.length&&i.push(m),1&m.__g&&(m.__g&=-4)}catch(te){if(i.length=f,n.__v=null,c||a)if(te&&te.then){if(n.__u|=128|c,a){for(~(ge=a.indexOf(l||
void 0))||(ge=a.length);(Ee=a[ge-1])&&Ee.nodeType==8;)ge--;for(;ge<a.length;ge++)if(Ee=a[ge])if(a[ge]=null,de){if(Ee==gt)break}else{if(Ee.nodeType!=8)break;Ee.data.
startsWith("$s")&&(gt=vt(de=Ee))}}if(!de){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;de=l}(d=vt(de=n.__c.__z||(n.__c.__z=de)))?(n.__e=de,l=d):n.__e=l,
l=l&&l.nextSibling}else a&&a.some(Te);else n.__e=o.__e;n.__k||(n.__k=o.__k||[]),te&&te.then||bo(n),R.__e(te,n,o)}}else l=n.__e=ua(o.__e,n,o,r,s,a,i,c,u,e);return(d=
R.diffed)&&d(n),l}function vt(e,n){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.
data.startsWith("/$s")&&!--o)return e}n&&n.push(e)}}function bo(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(bo))}function wo(e,n,o){for(var r=0;r<o.length;)pn(
o[r++],o[r++],o[r++]);R.__c&&R.__c(n,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(a){a.call(s)})}catch(a){R.__e(a,s.__v)}})}function ua(e,n,o,r,s,a,i,l,c,u){
var d,p,f,m,h,g,y,w,k=o.props||kt,$=n.props,S=n.type;if(S=="svg"?s="http://www.w3.org/2000/svg":S=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://w\
ww.w3.org/1999/xhtml"),a){for(d=0;d<a.length;d++)if((h=a[d])&&(S?h.localName==S:h.nodeType==3)){e=h,a[d]=null;break}}if(!e){if(w=u.ownerDocument||document,!S)return w.
createTextNode($);e=w.createElementNS(s,S,$.is?$:u),l&&(R.__m&&R.__m(n,a),l=!1),a=null}if(S){if(u=S=="template"&&e.content||e,a=S=="textarea"&&$.defaultValue!=null?
null:a&&dn.call(u.childNodes),!l&&a)for(k={},d=0;d<e.attributes.length;d++)k[(h=e.attributes[d]).name]=h.value;for(d in k)h=k[d],d=="dangerouslySetInnerHTML"?f=
h:d=="children"||d in $||d=="value"&&"defaultValue"in $||d=="checked"&&"defaultChecked"in $||yt(e,d,null,h,s);for(d in $)h=$[d],d=="children"?m=h:d=="dangerousl\
ySetInnerHTML"?p=h:d=="value"?g=h:d=="checked"?y=h:l&&typeof h!="function"||k[d]===h||yt(e,d,h,k[d],s);p?(l||f&&(p.__html==f.__html||p.__html==e.innerHTML)||(e.
innerHTML=p.__html),n.__k=[]):(f&&(e.textContent=""),(S=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&ra.test(S))&&(s="http://www.w3.org/1999/xhtml"),
go(u,cn(m)?m:[m],n,o,r,s,a,i,a?a[0]:o.__k&&be(o,0),l,c),a&&a.some(Te)),l&&S!="textarea"||(d="value",S=="progress"&&g==null?e.removeAttribute(d):g==null||g===e[d]&&
(S!="progress"||g)||yt(e,d,g,k[d],s),d="checked",y!=null&&y!=e[d]&&yt(e,d,y,k[d],s))}else k===$||l&&e.data==$||(e.data=$);return e}function pn(e,n,o,r){try{typeof e==
"function"?n?n.__x=e(n)||1:r&&(r=r.__c||r.__e)&&(n=r.__x)&&(r.__x=null,typeof n=="function"?n():e(null)):e.current=n}catch(s){R.__e(s,o)}}function fn(e,n,o){var r,
s,a,i;if(R.unmount&&R.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||pn(r,null,n,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(l){
R.__e(l,n)}r.__P=r.__n=null}if(r=e.__k)for(i=0;i<r.length;i++)r[i]&&fn(r[i],n,typeof e.type!="function"||o&&!e.props.__P);!o&&(r=e.__c)&&(r=r.__z)&&(s=vt(r,a=[]))&&
(r==e.__e&&a.some(Te),Te(s),Te(r)),o||Te(e.__e),e.__e=e.__c=e.__=null}function ca(e,n,o){return this.constructor(e,o)}function vo(e,n){var o,r,s,a;R.__&&R.__(e,
n),n.nodeType==9&&(n=n.documentElement),r=(o=e&&32&e.__u)?null:n.__k,n.__k=Ye(b,{children:[e]}),s=[],a=[],mn(n,n.__k,r||kt,kt,n.namespaceURI,r?null:n.firstChild?
dn.call(n.childNodes):null,s,r?r.__e:n.firstChild,o,a),wo(s,n.__k,a),n.__k.props.children=null}function Ne(e){function n(o){var r,s;return this.getChildContext||(r=new Set,(s={})[n.__c]=this,this.getChildContext=function(){return s},this.shouldComponentUpdate=
function(a){this.props.value!=a.value&&r.forEach(function(i){i.__g|=4,ln(i)})},this.sub=function(a){r.add(a);var i=a.componentWillUnmount;a.componentWillUnmount=
function(){r.delete(a),i&&i.call(a)}}),o.children}return n.__c="__cC"+mo++,n.__=e,n.Provider=(n.Consumer=function(o,r){return o.children(r)}).contextType=n,n}R={__e:function(e,n,o,r){for(var s,a,i;n=n.__;)if((s=n.__c)&&!(1&s.__g)){s.__g|=4;try{if((i=(a=s.constructor)&&a.getDerivedStateFromError)&&s.setState(a.getDerivedStateFromError(
e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),i=1),i&&8&s.__g)return void(s.__g|=2)}catch(l){e=l}}throw _t=0,e}},lo=0,oa=function(e){return e!=null&&e.
constructor===Qe},wt.prototype.setState=function(e,n){var o=this.__s;o&&o!=this.state||(o=this.__s=Me({},this.state)),typeof e=="function"&&(e=e(Me({},o),this.props)),
e&&(Me(o,e),this.__v&&(n&&this.__k.push(n),ln(this)))},wt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),ln(this))},wt.prototype.render=
b,ye=[],_t=0,uo=function(e,n){return e.__v.__b-n.__v.__b},bt=Symbol(),co=/(PointerCapture)$|Capture$/i,un=0,an={},mo=0;var we,F,hn,_o,gn=Object.is,xt=0,Mo=[],yn=[],W=R,ko=W.__b,So=W.__r,xo=W.diffed,$o=W.__c,Oo=W.unmount,Co=W.__;function Xe(e,n){W.__h&&W.__h(F,e,xt||n),xt=0;var o=F.
__H||(F.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function v(e){return xt=1,da(Ro,e)}function da(e,n,o){var r=Xe(we++,2);if(r.t=e,!r.__c&&
(r.__=[o?o(n):Ro(void 0,n),function(a){var i=(r.__N||r.__)[0],l=r.t(i,a);gn(i,l)||(r.__N=[l,r.__[1]],r.__c.setState({}))}],r.__c=F,!F.__f)){F.__f=!0;var s=F.shouldComponentUpdate;
F.shouldComponentUpdate=function(a,i,l){var c=this.__H;if(!c)return!0;var u=!1,d=this.props!=a;if(c.__.some(function(f){f.__N&&(u=!0,gn(f.__[0],f.__N[0])||(d=!0))}),
s){var p=s.call(this,a,i,l);return u?p||d:p}return!u||d}}return r.__}function J(e,n){var o=Xe(we++,3);!W.__s&&wn(o.__H,n)&&(o.__P=!0,o.__=e,o.u=n,F.__H.__h.push(
o))}function Ao(e,n){var o=Xe(we++,4);!W.__s&&wn(o.__H,n)&&(o.__P=!1,o.__=e,o.u=n,F.__h.push(o))}function ne(e){return xt=5,ma(function(){return{current:e}},[])}function ma(e,n){var o=Xe(we++,7);return wn(o.__H,n)&&(o.__=e(),o.__H=n),o.__}function ve(e){var n=F.context[e.__c],o=Xe(we++,9);return o.c=e,n?(o.__==null&&(o.__=!0,n.sub(F)),n.props.value):e.__}function _e(){var e=Xe(we++,11);if(!e.__){for(var n=F.__v;!n.__m&&n.__;)n=n.__;var o=n.__m||(n.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function pa(){var e;
do{for(;e=yn.shift();)try{Ze(e)}catch(o){W.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=Mo.shift();){var n=e.__H;if(e.__P&&n)try{n.__h.some(Ze),n.__h.some(bn),n.__h=[]}catch(o){
n.__h=[],W.__e(o,e.__v)}}}while(yn.length)}W.__b=function(e){F=null,ko&&ko(e)},W.__=function(e,n){e&&n.__k&&n.__k.__m&&(e.__m=n.__k.__m),Co&&Co(e,n)},W.__r=function(e){
So&&So(e),we=0;var n=(F=e.__c).__H;n&&(hn==F?F.__h=[]:(n.__h.some(Ze),n.__h.some(bn),we=0),n.__h=[],n.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),
hn=F},W.diffed=function(e){xo&&xo(e);var n=e.__c;n&&n.__H&&(n.__H.__h.length&&To(Mo.push(n)),n.__H.__.some(function(o){o.u&&(o.__H=o.u)})),hn=F=null},W.__c=function(e,n){
n.some(function(o){try{o.__h.some(Ze),o.__h=o.__h.filter(function(r){return!r.__||bn(r)})}catch(r){o.__h=[function(){throw r}]}}),$o&&$o(e,n)},W.unmount=function(e){
Oo&&Oo(e);var n,o,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}s.__P=o,
To(yn.push(s))}else Ze(s)}catch(a){n=a}}),r.__H=void 0,n&&W.__e(n,r.__v))};var Eo=typeof requestAnimationFrame=="function";function fa(e){var n,o=function(){clearTimeout(
r),Eo&&cancelAnimationFrame(n),setTimeout(e)},r=setTimeout(o,35);Eo&&(n=requestAnimationFrame(o))}function To(e){e!=1&&_o==W.requestAnimationFrame||((_o=W.requestAnimationFrame)||
fa)(pa)}function Ze(e){var n=F,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),F=n}function bn(e){var n=F;e.__c=e.__(),F=n}function wn(e,n){return!e||e.length!=
n.length||n.some(function(o,r){return!gn(o,e[r])})}function Ro(e,n){return typeof n=="function"?n(e):n}var Ae=class extends Error{name="AppError";code;disposition;details;constructor(n){super(n.message,n.cause===void 0?void 0:{cause:n.cause}),this.code=n.code,this.
disposition=n.disposition,this.details=n.details??{}}};function Po(e,n){let o=e.length;for(;o>0&&e[o-1]===n;)o--;return e.slice(0,o)}function Re(e,n){let o=e<0n?"-":"",r=(e<0n?-e:e).toString().padStart(n+1,"0"),s=r.slice(0,r.length-n),a=Po(r.slice(r.length-n),"0");return`${o}${s}${a===""?"":`\
.${a}`}`}function E(e){let n=e.startsWith("-")?"−":"",[o="0",r=""]=e.replace("-","").split(".");if(o.length>Do)return`${n}${E(`${o.slice(0,-6)}.${o.slice(-6)}`)} M`;let s=o===
"0"?/^0*/.exec(r)?.[0].length??0:-o.length,a=r.slice(0,Do+s).replace(/0+$/,""),i=o.replace(/\B(?=(\d{3})+$)/g," ");return`${n}${i}${a===""?"":`.${a}`}`}var Do=6;
function _(e){if(e===null)return"unknown";let n=Math.abs(Number(e));if(n>=1e6)return`${No(e)}$${E(String(Math.trunc(n)))}`;let o=n>=1e3?0:n!==0&&n<.01?4:2,r=n.toLocaleString(
"en-US",{minimumFractionDigits:o,maximumFractionDigits:o});return`${No(e)}$${r}`}function No(e){return e.startsWith("-")&&Number(e)!==0?"−":""}function H(e){if(e<6e4)return`${Math.max(0,Math.floor(e/1e3))} s`;if(e<36e5)return`${Math.floor(e/6e4)} min`;if(e>=2*864e5)return`${Math.floor(e/864e5)} d`;let n=Math.
floor(e%36e5/6e4);return`${Math.floor(e/36e5)} h${n===0?"":` ${n} min`}`}function Xo(e){return Number.isFinite(e)?`${new Date(e).toISOString().slice(0,16).replace(
"T"," ")} UTC`:"an unknown time"}function O(e){let[n="",o=""]=e.split(":");return{symbol:o.toUpperCase(),chain:I(n)}}function I(e){return e.replace(/(^|_)([a-z])/g,(n,o,r)=>(o?" ":"")+r.toUpperCase())}
var ha=/(?<![\w.:-])\d+\.\d+(?!\w|[:-]|\.\d)/g;function Lo(e){return e.replace(ha,E)}function et(e){return Number(e)>0?`+${_(e)}`:_(e)}function tt(e,n){let o=Number(
n)===0?0:100*Number(e)/Number(n);return`${o<0?"−":""}${Math.abs(o).toFixed(Math.abs(o)<10?2:1)}%`}function Q(e){return e===null?"unknown":`${(e/100).toFixed(2)}\
%`}function $t(e,n){let o=Date.parse(e)-n;return Number.isNaN(o)?e:Math.abs(o)<1500?"now":o>0?`in ${H(o)}`:`${H(-o)} ago`}function T(e,n=Date.now()){let o=new Date(
e),r=o.toLocaleTimeString("en-GB");return o.toDateString()===new Date(n).toDateString()?r:`${o.toLocaleDateString("en-GB",{day:"numeric",month:"short"})}, ${r}`}
function ue(e){return e.replace(/[-_]/g," ")}function vn(e){return e.length<=18?e:`${e.slice(0,8)}…${e.slice(-6)}`}function Le(e){return e==="completed"?"good":
e==="held"?"bad":e==="awaiting-approval"||e.startsWith("refund")?"warn":e==="rejected"||e==="abandoned"?"calm":"busy"}function Fo(e){return e===null?n=>n:(n,o=null)=>{let[,r=null]=ya.exec(n)??[],[,s=null]=ba.exec(n)??[],a=(r===null?null:_n(e,`${r}:native`))??_n(e,s)??_n(e,o);if(a===
null)return n;let i=l=>`${Re(BigInt(l),a.decimals)} ${a.name}`;return n.replace(xa,(l,c)=>`within ${H(Number(c)*1e3)}`).replace(va,(l,c,u)=>`(${i(c)}, at most ${i(
u)})`).replace(Sa,(l,c,u)=>`within the range of ${i(c)} to ${i(u)}`).replace(ka,(l,c,u)=>`(${c} usd, at most ${u} usd)`).replace(wa,(l,c)=>i(c)).replace($a,l=>a.
decimals<Oa?l:i(l))}}function Jo(e,n,o){let r=n.asset??(ga.includes(n.code)?o?.to:o?.from)??null;return{...n,message:e(n.message,r)}}var ga=["alarm.payout_short",
"quote.too_good","quote.unproven"],Io="[a-z0-9_]+:[a-z0-9._-]+",ya=/units of (?:the coin|the native coin) of ([a-z0-9_]+)/i,ba=new RegExp(`\\d (?:smallest )?(?:u\
nits of )?(${Io})`,"i"),wa=new RegExp(`(?<![\\w.])(\\d+) (?:smallest )?units(?: of the coin of [a-z0-9_]+| of ${Io})?`,"gi"),va=/(?<=larger than one order may be |would sell more than allowed )\((\d+), at most (\d+)\)/g,
_a=["worth more than one order may be","would be worth more than allowed","would cost more than allowed"],ka=new RegExp(`(?<=(?:${_a.join("|")}) )\\(([\\d.]+), at\
 most ([\\d.]+)\\)`,"g"),Sa=/within the range of (\d{1,40}) to (\d{1,40})(?![\d.])/gi,xa=/(?<=Orders |orders )within (\d+) s\b/g,$a=/(?<![\w.:-])\d{10,}(?![\w.:])(?!\s(?:units|smallest))/g,
Oa=6;function _n({assets:e,chains:n},o){let r=e.find(a=>a.id===o);if(r!==void 0)return{decimals:r.decimals,name:r.id};let s=n.find(({chain:a})=>`${a}:native`===
o)?.nativeCoin;return s===void 0?null:{decimals:s.decimals,name:s.symbol}}function kn(e){if(!/^[a-z0-9_-]+:[a-z0-9_.-]+$/.test(e)){let n="<chain>:<asset>, for example base_sepolia:wbtc";throw new Ae({code:"domain.asset_id",disposition:"\
refused",message:`"${e}" is not an asset id; expected ${n}`,details:{text:e}})}return e}function Ca(e){return e.slice(0,e.indexOf(":"))}function Bo(e){return Ca(
kn(`${e}:x`))}function Ho(e,n){return Uo(e)===Uo(n)}function Uo(e){return e.startsWith("0x")?e.toLowerCase().replace(/^0x0*/,"0x"):e}function Ot(e){let n=Fo(e===null?null:{assets:e.assets.map(({id:s,decimals:a})=>({id:kn(s),decimals:a})),chains:e.chains.map(({chain:s,nativeCoin:a})=>({chain:Bo(
s),nativeCoin:{...a,token:null}}))}),o=new Set(e?.assets.map(({id:s})=>s)),r=new Set(e?.chains.map(({chain:s})=>s));return{chains:[...r],linkOf:(s,a)=>{let l=(e?.
chains.find(c=>c.chain===s)?.explorer??null)?.tx.replace("{tx}",encodeURIComponent(a))??null;return l?.startsWith("https://")===!0?l:null},amountOf:(s,a)=>{let i=e?.
assets.find(({id:l})=>l===a)?.decimals;return i===void 0?null:Re(BigInt(s),i)},payeeOf:s=>e?.payees.find(a=>Ho(a.address,s))?.name??null,humane:(s,a=null)=>Jo(n,
s,a),speak:s=>s.replace(Ea,a=>o.has(a)?Ra(a):a).replace(Ta,a=>r.has(a)?I(a):a).replace(Ma,"").replace(Aa,a=>T(a))}}var Ea=/\b[a-z0-9_]+:[a-z0-9._-]*[a-z0-9]/g,Ta=/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g,
Ma=/ \[[a-z_]+(?:\.[a-z_]+)+\]/g,Aa=/\b\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g;function Ra(e){let{symbol:n,chain:o}=O(e);return`${n} on ${o}`}function Wo(e,n){return n==="request.key_in_flight"?!0:e===0||e>=500&&n!=="cluster.standby"}var P=class extends Error{status;reasons;constructor(n,o){super(o.map(({message:r})=>r).join(" ")),this.status=n,this.reasons=o}},Ct="ballast.csrf";async function Ko(){
try{return{...await j("GET","session"),csrf:localStorage.getItem(Ct)}}catch(e){if(e instanceof P&&e.status===401)return null;throw e}}async function Vo(e){let n=await j(
"POST","session",{token:e});return localStorage.setItem(Ct,n.csrf),n}async function jo(){await j("DELETE","session").catch(()=>{}),localStorage.removeItem(Ct)}var Pa=5e3,
Da=200;function nt(){return crypto.getRandomValues(new BigUint64Array(2)).join("-")}async function Fe(e,n,o=nt()){let r=performance.now()+Pa;for(let s=Da;;s*=2){
try{return await j("POST",e,n,{"idempotency-key":o})}catch(a){if(!(a instanceof P)||!Wo(a.status,a.reasons[0]?.code))throw a;if(performance.now()+s>r)throw new P(
a.status,[Na])}await new Promise(a=>setTimeout(a,s))}}var Na={code:"page.uncertain",message:"No answer came, so it may be done or not. Press again: it is done o\
nce."};async function j(e,n,o,r={}){let s=await Sn(e,n,{body:o,headers:r}).catch(()=>{throw new P(0,[{code:"page.silent",message:"The daemon does not answer."}])}),
a=await s.json().catch(()=>null);if(s.ok)return a;let{reasons:i}=a??{};throw new P(s.status,i??[{code:"page.answer",message:`The daemon answered ${s.status}.`}])}
function Sn(e,n,{body:o,headers:r={},signal:s}={}){return fetch(`/api/v1/${n}`,{method:e,headers:{...r,"x-ballast-csrf":localStorage.getItem(Ct)??"",...o===void 0?
{}:{"content-type":"application/json"}},...o===void 0?{}:{body:JSON.stringify(o)},...s===void 0?{}:{signal:s}})}var oe={lastMs:Date.now(),failing:!1,loggedOut:!1,streaming:!1},$n=new Map,On=new Set;function C(e,n=5e3){let[,o]=v(0),[r,s]=v(null),[a,i]=v(0);return J(()=>{if(e===
null)return;let c=!1;async function u(){if(!(e===null||document.hidden))try{if($n.set(e,await Xa(e)),c)return;oe.lastMs=Date.now(),oe.failing=!1,s(null),o(f=>f+
1)}catch(f){if(c||!(f instanceof P))return;f.status===401&&(oe.loggedOut=!0),f.status===0&&(oe.failing=!0),s(f)}}let d=()=>{u()};u();let p=setInterval(d,n);return On.
add(d),document.addEventListener("visibilitychange",d),()=>{c=!0,clearInterval(p),On.delete(d),document.removeEventListener("visibilitychange",d)}},[e,n,a]),{value:e===
null?null:$n.get(e)??null,error:r,refresh:()=>i(c=>c+1)}}var xn=new Map;function Xa(e){let n=xn.get(e);if(n!==void 0)return n;let o=j("GET",e).finally(()=>xn.delete(
e));return xn.set(e,o),o}function pe(){for(let e of On)e()}function Go(){$n.clear()}var La=700,qo=4e4;async function zo(e){let n=0,o=()=>{n===0&&(n=window.setTimeout(
()=>{n=0,pe()},La))};for(;!e.aborted;)await Fa(e,o).catch(()=>{}),oe.streaming=!1,await new Promise(r=>setTimeout(r,2e3))}async function Fa(e,n){let o=new AbortController,
r=setTimeout(()=>o.abort(),qo),s=await Sn("GET","events",{signal:AbortSignal.any([e,o.signal])});if(!s.ok||s.body===null)return;oe.streaming=!0;let a=s.body.pipeThrough(
new TextDecoderStream).getReader();for(let i=await a.read();!i.done;i=await a.read())clearTimeout(r),r=setTimeout(()=>o.abort(),qo),i.value.includes("data:")&&n();
clearTimeout(r)}function K(){let[e,n]=v(Date.now());return J(()=>{let o=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(o)},[]),e}function Yo(){let[e,
n]=v(location.hash);return J(()=>{let o=()=>n(location.hash);return addEventListener("hashchange",o),()=>removeEventListener("hashchange",o)},[]),e.replace(/^#\/?/,
"").split("/").map(o=>decodeURIComponent(o))}var Ja=Symbol.for("pv"),Ia=0;function t(e,n,o,r,s,a){n||(n={});var i,l,c=n;if("ref"in c&&typeof e!="function")for(l in c={},n)l=="ref"?i=n[l]:c[l]=n[l];var u={type:e,props:c,key:o,ref:i,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:Ja,__v:--Ia,__i:-1,__u:0};return(s||a)&&(u.__source=s,u.__self=a),R.vnode&&R.vnode(u),u}function Qo({onLogin:e}){let[n,o]=v(""),[r,s]=v(!1),[a,i]=v(null);async function l(c){c.preventDefault(),s(!0);try{e(await Vo(n.trim()))}catch(u){i(u instanceof
P?u.message:"The page failed"),s(!1)}}return t("main",{class:"login",children:t("form",{class:"card",onSubmit:l,children:[t("img",{src:"/icon.svg",alt:"",width:"\
44",height:"44"}),t("h1",{children:"Ballast"}),t("p",{class:"note",children:["Log in with one of the tokens of ",t("code",{children:"ops.token"})," or ",t("code",
{children:"ops.tokens"}),". What you can do here is what the token's scopes allow."]}),t("label",{for:"token",children:"Token"}),t("input",{id:"token",type:"pas\
sword",autocomplete:"current-password",value:n,onInput:c=>o(c.currentTarget.value)}),a===null?null:t("p",{class:"notice bad",role:"alert",children:a}),t("button",
{type:"submit",class:"main",disabled:n===""||r,children:"Log in"})]})})}function fe(e,n,o=3){let r=Math.max(Math.abs(e),Math.abs(n)),s=10**(Math.floor(Math.log10(r))-5),a=Math.max((n-e)/o,s);if(!(n>e))return[e];let i=10**Math.floor(
Math.log10(a*(1+1e-9))),l=i>5*s?[1,2,2.5,5,10]:[1,2,5,10],c=i*(l.find(p=>p*i>=a*(1-1e-9))??10),u=Math.ceil(e/c-1e-9),d=Math.floor(n/c+1e-9);return Array.from({length:d-
u+1},(p,f)=>Number(((u+f)*c).toPrecision(12)))}var Ba=[[1e9,"G"],[1e6,"M"],[1e3,"k"]];function z(e,n=e){let[o,r]=Ba.find(([a])=>Math.abs(e)>=a)??[1,""],s=n===0?
4:Math.ceil(Math.log10(Math.abs(e/n)||1))+3;return`${Number((e/o).toPrecision(Math.max(4,Math.min(12,s))))}${r}`}function ke(e,n,o=5){let r=Ua.find(l=>(n-e)/l<=o)??31536e6,s=new Date(e).getTimezoneOffset()*6e4,a=Math.ceil((e-s)/r)*r+s;return Array.from({length:Math.max(0,Math.
floor((n-a)/r)+1)},(l,c)=>a+c*r).map(l=>({ms:l,label:Ha(l,r,n-e)}))}var Ua=[...[1/60,1/12,1/4,1,3,6,12].map(e=>e*36e5),...[1,2,7,14,30,91].map(e=>e*864e5)];function Ha(e,n,o){
let r=new Date(e);return n<864e5?r.toLocaleTimeString("en-GB",{hour:"2-digit",minute:"2-digit"}):o<=8*864e5?r.toLocaleDateString("en-GB",{weekday:"short"}):r.toLocaleDateString(
"en-GB",{day:"2-digit",month:"short"})}function Se(e){let{of:n,label:o,last:r,high:s,at:a}=e,[i,l]=v(null),{x:c,words:u}=a(Math.min(r,i??r)),d=p=>{let f=p.currentTarget instanceof Element?p.currentTarget.
getBoundingClientRect():null;if(f===null||f.width===0)return;let m=(p.clientX-f.left)/f.width;l(Math.round(r*Math.max(0,Math.min(1,m))))};return t(b,{children:[
t("input",{type:"range",class:`scrub of-${n}`,min:"0",max:r,value:i??r,"aria-label":o,"aria-valuetext":u,onInput:p=>l(Number(p.currentTarget.value)),onPointerMove:d,
onPointerLeave:()=>l(null),onBlur:()=>l(null)}),i===null?null:t(b,{children:[t("svg",{class:`cross of-${n}`,width:c+1,height:s,"aria-hidden":"true",children:t("\
line",{x1:c,x2:c,y2:s})}),t("output",{class:"tip",children:u})]})]})}function Y(){let[e,n]=v(null),[o,r]=v(0);return J(()=>{if(e===null)return;let s=new ResizeObserver(([a])=>r(Math.floor(a?.contentRect.width??0)));return s.observe(
e),()=>s.disconnect()},[e]),[n,o]}var rt=132,ot=48,Wa=8,Ka=64,Va=20;function Je(e){let{title:n,steps:o,series:r,as:s,show:a,limit:i=null}=e,[l,c]=Y(),u=k=>r.map(({of:$})=>$(k)??0),d=k=>s==="bars"?
u(k).reduce(($,S)=>$+S,0):Math.max(...u(k)),p=Math.max(...o.map(d),i?.value??0),f=p===0?1:p*1.08,m=Date.parse(o[0]?.from??""),h=Date.parse(o.at(-1)?.to??""),g=s===
"lines"&&r.length>1?Ka:Wa,y=k=>ot+(c-ot-g)*(k-m)/Math.max(1,h-m),w=k=>8+rt-rt*k/f;return t("figure",{class:"chart",ref:l,children:[t("svg",{width:c,height:8+rt+
Va,role:"img","aria-label":ja(e,p),children:[fe(0,f).map(k=>t("g",{children:[t("line",{class:"grid-line",x1:ot,x2:c-g,y1:w(k),y2:w(k)}),t("text",{x:ot-6,y:w(k)+
4,"text-anchor":"end",children:a(k)})]},k)),ke(m,h,Math.max(2,Math.floor(c/60))).map(({ms:k,label:$})=>t("text",{x:y(k),y:8+rt+15,"text-anchor":"middle",children:$},
k)),s==="bars"?t(qa,{steps:o,series:r,x:y,y:w,show:a}):t(Ga,{steps:o,series:r,x:y,y:w}),i===null?null:t(b,{children:[t("line",{class:"limit-line",x1:ot,x2:c-g,y1:w(
i.value),y2:w(i.value)}),t("text",{x:c-g,y:w(i.value)-4,"text-anchor":"end",children:i.name})]})]}),o.length<2?null:t(Qa,{...e,x:y}),t(ei,{title:n,steps:o,series:r,
show:a})]})}function ja({title:e,steps:n,show:o},r){return`${e}: ${n.length} steps from ${n[0]?.from??""}, at most ${o(r)}`}function qa(e){let{steps:n,series:o,
x:r,y:s,show:a}=e,i=Date.now();return t(b,{children:n.map(l=>{let c=r(Date.parse(l.from)),u=r(Date.parse(l.to)),d=Date.parse(l.to)<=i,p=0;return o.map(({name:f,
of:m,tone:h})=>{let g=m(l)??0;return p+=g,t("rect",{class:`bar-${h} ${d?"":"part"}`,x:c+(u-c)*.14,width:Math.max(1,(u-c)*.72),y:s(p),height:Math.max(0,s(0)-s(g)),
children:t("title",{children:`${Cn(l)}, ${f}: ${a(g)}${d?"":" so far"}`})},`${l.from} ${f}`)})})})}function Ga({steps:e,series:n,x:o,y:r}){let s=l=>o((Date.parse(
l.from)+Date.parse(l.to))/2),a=Date.now(),i=n.length>1?Ya(e,n,r):[];return t(b,{children:[i.map(({name:l,ms:c,labelY:u})=>t("text",{x:o(c)+7,y:u,children:l},l)),
n.map(({name:l,of:c,tone:u})=>{let d=e.map(f=>({step:f,value:c(f)})),p=d.map(({step:f,value:m},h)=>m===null?"":`${h===0||d[h-1]?.value===null?"M":"L"}${s(f)} ${r(
m)}`).join("");return t("g",{children:[t("path",{class:`line-${u}`,d:p}),d.map(({step:f,value:m})=>m===null?null:t("circle",{class:`dot-${u} ${Date.parse(f.to)<=
a?"":"part"}`,cx:s(f),cy:r(m),r:"2.2"},f.from))]},l)})]})}var za=12;function Ya(e,n,o){let r=n.flatMap(({name:a,of:i})=>{let l=e.findLast(u=>i(u)!==null);if(l===
void 0)return[];let c=(Date.parse(l.from)+Date.parse(l.to))/2;return[{name:a,ms:c,labelY:o(i(l)??0)+4}]}),s=Number.NEGATIVE_INFINITY;return r.toSorted((a,i)=>a.
labelY-i.labelY).map(a=>(s=Math.max(a.labelY,s+za),{...a,labelY:s}))}function Cn({from:e,to:n}){return Date.parse(n)-Date.parse(e)<24*36e5?`${e.slice(0,10)} ${e.
slice(11,16)} UTC`:e.slice(0,10)}function Qa(e){let{title:n,steps:o,series:r,show:s,x:a}=e,i=u=>{let d=o[u];if(d===void 0)return{x:0,words:"no step"};let p=(Date.
parse(d.from)+Date.parse(d.to))/2;return{x:a(p),words:Za(d,r,s)}},l=`${n} at a time`,c=e.as==="lines"&&r.length>1?"named":"steps";return t(Se,{of:c,label:l,last:o.
length-1,high:8+rt,at:i})}function Za(e,n,o){let r=Date.parse(e.to)<=Date.now(),s=n.map(({name:a,of:i})=>{let l=i(e);return`${a} ${l===null?"none":o(l)}`});return`${Cn(
e)} · ${s.join(" · ")}${r?"":" · so far"}`}function ei(e){let{title:n,steps:o,series:r,show:s}=e;return t("div",{class:"hidden",children:t("table",{children:[
t("caption",{children:n}),t("thead",{children:t("tr",{children:[t("th",{scope:"col",children:"Time"}),r.map(({name:a})=>t("th",{scope:"col",children:a},a))]})}),
t("tbody",{children:o.map(a=>t("tr",{children:[t("th",{scope:"row",children:Cn(a)}),r.map(({name:i,of:l})=>{let c=l(a);return t("td",{children:c===null?"none":s(
c)},i)})]},a.from))})]})})}var En=Ne(e=>e);function X({text:e}){let n=ve(En)(e),o=Lo(n);return o!==n?t("span",{title:n,children:o}):t(b,{children:n})}var st=Ne([]),ti=10;function Ie(){let e=ve(
st);return n=>{let o=e.indexOf(n.split(":")[0]??"");return o===-1?"chain-none":`chain-${o%ti}`}}function Z({id:e}){let n=Ie();return t("span",{class:"chain-name",
children:[t("i",{class:n(e)}),I(e.split(":")[0]??"")]})}var Tn=Ne(!1);function Be(e,n){return ve(Tn)?"The daemon does not answer, so nothing can be changed":n.includes(
e)?null:`Your token lacks the scope ${e}`}function B({tone:e,children:n}){return t("span",{class:`pill ${e}`,children:n})}function Et({state:e}){return e==="com\
pleted"?t(b,{children:"✓ completed"}):t(B,{tone:Le(e),children:ue(e)})}function Mn({tone:e}){return t("svg",{class:"swatch",viewBox:"0 0 10 10","aria-hidden":"\
true",children:t("rect",{class:e,width:"10",height:"10"})})}function x(e){return t("section",{class:e.wide?"card wide":"card",children:[t("header",{children:[t(
"h2",{children:e.link===void 0?e.title:t("a",{href:e.link,children:e.title})}),e.note===void 0?null:t("span",{class:"note",children:e.note})]}),e.children]})}function L({
children:e,note:n}){return t("header",{class:"title",children:[t("h1",{tabIndex:-1,children:e}),n===void 0?null:t("p",{class:"note",children:n})]})}function V({
amount:e,asset:n,chain:o=!0,symbol:r=!0}){let s=O(n);return t("span",{class:"amount",title:`${e??"no reading"} ${n}`,"data-exact":e??void 0,children:[t("b",{children:e===
null?"no reading":E(e)}),r?` ${s.symbol}`:null,o?t("small",{children:[" ",s.chain]}):null]})}var An=Ne(new Map);function re({amount:e,asset:n}){let o=ve(An).get(
n);return o===void 0?null:t("small",{class:"worth",children:_(String(Number(e)*Number(o)))})}var Rn=Ne(!1);function G({fiat:e}){return t("span",{title:`${e} usd`,
"data-exact":e,children:_(e)})}function M({at:e,clock:n=!1}){let o=K(),r=ve(Rn)||n;return e===null?t("span",{class:"quiet",children:"never"}):t("time",{dateTime:e,
title:e,children:r?T(e,o):$t(e,o)})}function se({reasons:e,none:n=null}){let o=[...new Map(e.map(r=>[r.message,r])).values()];return o.length===0?n===null?null:
t("p",{class:"quiet",children:n}):t("ul",{class:"reasons",children:o.map(({code:r,message:s})=>t("li",{title:r,children:t(X,{text:s})},s))})}function ae({hash:e,
link:n=null,what:o}){return t("span",{class:"hash",children:[n===null?t("code",{title:e,children:vn(e)}):t("a",{href:n,target:"_blank",rel:"noopener noreferrer",
title:e,children:[t("code",{children:vn(e)}),t("span",{class:"hidden",children:" (opens the explorer)"})]}),t(at,{text:e,what:o})]})}function at({text:e,what:n}){
let[o,r]=v(!1);return t("button",{type:"button",class:"copy",onClick:()=>{navigator.clipboard?.writeText(e).then(()=>{r(!0),setTimeout(()=>r(!1),1500)})},"aria-\
label":`Copy ${n}`,children:o?"copied":"copy"})}function D({live:e,children:n}){return e.value!==null?t(b,{children:n(e.value)}):e.error===null?t(Ue,{}):t("p",{
class:"notice bad",children:e.error.message})}function Ue(){return t("div",{class:"card skeleton",role:"status",children:[t("span",{class:"hidden",children:"Rea\
ding…"}),t("i",{}),t("i",{}),t("i",{})]})}function U({children:e}){return t("p",{class:"empty",children:e})}function ee(e){return t("table",{class:e.figures?"\
figures":void 0,children:[t("caption",{class:"hidden",children:e.caption}),t("thead",{children:t("tr",{children:e.columns.map(n=>t("th",{scope:"col",children:n},
n))})}),t("tbody",{children:e.rows.map(({key:n,cells:o})=>t("tr",{children:o.map((r,s)=>t("td",{"data-label":e.columns[s],children:t("div",{children:r})},e.columns[s]))},
n))})]})}function Tt({percent:e,label:n}){let o=e>=100?"bad":e>=80?"warn":"good";return t("svg",{class:`meter ${o}`,viewBox:"0 0 100 6",preserveAspectRatio:"non\
e",role:"img","aria-label":n,children:[t("rect",{class:"track",width:"100",height:"6"}),t("rect",{class:"fill",width:Math.max(0,Math.min(100,e)),height:"6"})]})}
function He({pairs:e}){return t("dl",{class:"pairs",children:e.map(([n,o])=>t("div",{children:[t("dt",{children:n}),t("dd",{children:o})]},n))})}function We(e){let{what:n,overview:o}=e,[r]=o?.next??[];return r===void 0?t(b,{children:[n,". A rule or a new swap makes the first one."]}):t(b,{children:[n,". \
The rule ",r.rule," decides ",t(M,{at:r.at}),";"," ",t("a",{href:`#/simulate/${encodeURIComponent(r.rule)}`,children:"simulate it"})," now."]})}function Zo({overview:e}){let n=C("books",2e4);return t(b,{children:[t(L,{note:"Swaps of the last 52 weeks, by the ledger. A week begins on Monday, 00:00 UTC.",
children:"Books"}),t(D,{live:n,children:({weeks:o,rules:r,total:s,at:a})=>t(b,{children:[t("div",{class:"grid thirds",children:[t(Pn,{name:"Volume",value:_(s.volume),
note:`${s.orders} orders`}),t(Pn,{name:"Cost of swaps",value:_(s.swapCost),note:`${Q(s.costBps)} of the volume, network fees included`}),t(Pn,{name:"Network fee\
s",value:_(s.networkFees),note:s.unpriced===0?"all priced":`${s.unpriced} without a price are not in it`})]}),t("div",{class:"grid thirds",children:[t(Dn,{title:"\
Volume by week",weeks:o,of:({volume:i})=>i}),t(Dn,{title:"Cost by week",weeks:o,of:({swapCost:i})=>i}),t(Dn,{title:"Network fees by week",weeks:o,of:i=>i.networkFees})]}),
t(x,{title:"By rule",note:t(M,{at:a}),wide:!0,children:r.length===0?t(U,{children:t(We,{what:"No order in these weeks",overview:e.value})}):t(oi,{lines:[...r,s]})})]})})]})}
function Pn({name:e,value:n,note:o}){return t("section",{class:"card figure",children:[t("h2",{children:e}),t("p",{class:"big",children:n}),t("p",{class:"note",
children:o})]})}var ni=7*864e5;function Dn(e){let n=e.weeks.map(o=>{let r=Date.parse(`${o.group}T00:00:00Z`),[s,a]=[r,r+ni].map(i=>new Date(i).toISOString());return{
from:s??"",to:a??"",value:Number(e.of(o))}});return t(x,{title:e.title,note:"usd",children:t(Je,{title:e.title,steps:n,as:"bars",show:o=>`$${z(o)}`,series:[{name:"\
usd",of:({value:o})=>o,tone:"a"}]})})}function oi({lines:e}){let n=e.map(o=>({key:o.group,cells:[t("b",{children:o.group},"group"),Object.entries(o.counts).map(
([r,s])=>`${s} ${ue(r)}`).join(", "),_(o.volume),_(o.swapCost),_(o.networkFees),Q(o.costBps)]}));return t(ee,{caption:"Swaps by rule",columns:["Rule","Orders","\
Volume","Cost","Network fees","Cost of volume"],rows:n})}function Mt(e,n,o,r){return e.map(({at:a,amount:i},l)=>{if(i===null)return"";let c=e[l-1]?.amount??null,u=o(e[l+1]?.at??n);return`${c===null?`M${o(a)} ${r(Number(
i))}`:`V${r(Number(i))}`}H${u}`}).join("")}function At(e,n){return e.flatMap(({at:o,amount:r},s)=>r===null?[{start:o,end:e[s+1]?.at??n}]:[])}function Rt(e,n){return e.
findLast(({at:o})=>Date.parse(o)<=n)?.amount??null}function er(e,n,o){return e.flatMap(({from:r,bound:s},a)=>{let i=e[a+1],l={startMs:Math.max(n,Date.parse(r)),
endMs:Math.min(o,i===void 0?o:Date.parse(i.from))};return s===null||l.startMs>=l.endMs?[]:[{bound:s,...l}]})}var xe=92,Pt=44,or=44,Nn=16,ri=18;function rr(e){let{asset:n,since:o,bound:r}=e,{value:s}=C(`series/${encodeURIComponent(n)}?since=${o}`,3e4);if(s===null)return null;
let a=s.points.flatMap(({amount:i})=>i===null?[]:[Number(i)]);return a.length===0?t("p",{class:"note",children:"No reading in this time."}):t(si,{...e,series:s,
known:a,bound:r})}function si(e){let{series:n,known:o,bound:r,marks:s,price:a}=e,[i,l]=Y(),{from:c,to:u,points:d}=n,p=d[0]?.at??c,f=Date.parse(p),m=Date.parse(u),
{low:h,high:g,bottom:y,top:w,y:k}=ai(o,r),$=N=>Pt+(l-Pt-or)*(N-f)/Math.max(1,m-f),S=N=>$(Date.parse(N)),{symbol:A}=O(n.asset),le=tr(String(h),String(g));return t(
"figure",{class:"chart history",ref:i,children:[t("svg",{width:l,height:xe+Nn+ri,role:"img","aria-label":`Readings from ${T(p)}: ${le} ${A}`,children:[t(li,{bands:n.
bands,startMs:f,endMs:m,x:$,y:k}),t(ii,{x:$,y:k,low:y,high:w,startMs:f,endMs:m,width:l}),At(d,u).map(N=>t("rect",{class:"gap",x:S(N.start),width:S(N.end)-S(N.start),
height:xe},N.start)),t("path",{class:"line-a",d:Mt(d,u,S,k)}),t(ui,{points:d,x:$(m),y:k}),s.filter(({at:N})=>N>=p).map(N=>t(di,{mark:N,x:S(N.at),symbol:A},`${N.
at} ${N.kind} ${N.order}`))]}),t(mi,{series:n,startMs:f,x:$,price:a}),t("figcaption",{class:"note",children:["Since ",t("span",{title:p,children:T(p)}),": ",le,
" ",A,r===null?"":` · band ${tr(r.min,r.max)}, target ${E(r.target)}`]})]})}function ai(e,n){let o=Math.min(...e),r=Math.max(...e),s=Math.min(o,n===null?o:Number(
n.min)),a=Math.max(r,n===null?r:Number(n.target)),i=(a-s)*.12||a*.05||1,l=s-i,c=a+i;return{low:o,high:r,bottom:l,top:c,y:d=>Math.max(0,Math.min(xe,xe-xe*(d-l)/(c-
l)))}}function tr(e,n){return n===null?`${E(e)} to any`:e===n?E(e):`${E(e)} to ${E(n)}`}function ii(e){let{x:n,y:o,low:r,high:s,startMs:a,endMs:i,width:l}=e,c=fe(
r,s,2);return t(b,{children:[c.map(u=>t("g",{children:[t("line",{class:"grid-line",x1:Pt,x2:l-or,y1:o(u),y2:o(u)}),t("text",{x:Pt-6,y:o(u)+4,"text-anchor":"end",
children:z(u,(c[1]??0)-(c[0]??0))})]},u)),ke(a,i,Math.max(2,Math.floor(l/70))).map(({ms:u,label:d})=>t("text",{x:n(u),y:xe+Nn+14,"text-anchor":"middle",children:d},
u))]})}function li(e){let{x:n,y:o}=e,r=er(e.bands,e.startMs,e.endMs),s=r.at(-1)?.endMs===e.endMs?r.at(-1):void 0,a=n(e.endMs)+6;return t(b,{children:[r.map(({bound:i,
startMs:l,endMs:c})=>{let u=i.max===null?0:o(Number(i.max)),d=o(Number(i.min)),p=o(Number(i.target)),f=n(l),m=n(c);return t("g",{children:[t("rect",{class:"band\
-area",x:f,y:u,width:Math.max(0,m-f),height:Math.max(0,d-u)}),t("line",{class:"edge",x1:f,x2:m,y1:d,y2:d}),u===0?null:t("line",{class:"edge",x1:f,x2:m,y1:u,y2:u}),
t("line",{class:"goal",x1:f,x2:m,y1:p,y2:p})]},l)}),s===void 0?null:t("text",{x:a,y:o(Number(s.bound.min))+4,children:"min"}),s===void 0||s.bound.max===null||o(
Number(s.bound.max))===0?null:t("text",{x:a,y:o(Number(s.bound.max))+4,children:"max"}),s===void 0||o(Number(s.bound.min))-o(Number(s.bound.target))<12?null:t("\
text",{x:a,y:o(Number(s.bound.target))+4,children:"target"})]})}function ui(e){let n=e.points.at(-1)?.amount??null;return n===null?null:t("circle",{class:"dot-n\
ow",cx:e.x,cy:e.y(Number(n)),r:"3"})}var ci={in:{path:"m0 -5 4 8h-8z",word:"arrived"},out:{path:"m0 3 4 -8h-8z",word:"left"},outside:{path:"m0 -5 4.5 4.5-4.5 4.\
5-4.5 -4.5z",word:"from outside"},alarm:{path:"m-3.5 -4.5 7 7m0 -7-7 7",word:"alarm"},configuration:{path:"m-3 4v-10h7l-2 2.5 2 2.5h-7",word:"another configurat\
ion in force"}};function di({mark:e,x:n,symbol:o}){let{kind:r,at:s,amount:a,order:i}=e,{path:l,word:c}=ci[r],u=a===null?c:`${E(a)} ${o} ${c}`,d=i===null?"":`, o\
rder ${i.slice(0,8)}`;return t("path",{class:`mark ${r}`,d:l,transform:`translate(${n} ${xe+Nn/2+1})`,children:t("title",{children:`${T(s)}: ${u}${d}`})})}var nr=240;
function mi(e){let{series:n,startMs:o,x:r,price:s}=e,{symbol:a}=O(n.asset),i=c=>{let u=o+(Date.parse(n.to)-o)*c/nr,d=Rt(n.points,u),p=[T(new Date(u).toISOString()),
d===null?"no reading":`${E(d)} ${a}`,...d===null||s===null?[]:[_(String(Number(d)*Number(s)))]].join(" · ");return{x:r(u),words:p}},l=`Reading of ${a} at a tim\
e`;return t(Se,{of:"balance",label:l,last:nr,high:xe,at:i})}var pi="others";function ar(e,n,o=220,r=8){let s=fi(e.filter(({value:g})=>g>0),r),a=s.reduce((g,{value:y})=>g+y,0),i=a===0?0:o/a,l=sr(s,"from",n,i),c=sr(s,"to",n,i),u={from:new Map,
to:new Map},d=(g,y,w)=>{let k=y.find(({chain:S})=>S===w[g])?.y??0,$=u[g].get(w[g])??0;return u[g].set(w[g],$+w.value*i),k+$},p=ir(n),m=s.toSorted((g,y)=>p(g.from)-
p(y.from)||p(g.to)-p(y.to)).map(g=>({...g,top:d("from",l,g),bottom:d("to",c,g),height:Math.max(2,g.value*i)})),h=g=>{let y=g.at(-1);return y===void 0?0:Math.max(
y.y+y.height,y.y+34)};return{left:l,right:c,ribbons:m,height:Math.max(h(l),h(c))}}function fi(e,n){let o=new Map;for(let{from:i,to:l,value:c}of e)for(let u of new Set(
[i,l]))o.set(u,(o.get(u)??0)+c);let r=new Set([...o].toSorted(([,i],[,l])=>l-i).slice(0,o.size>n?n-1:n).map(([i])=>i)),s=i=>r.has(i)?i:pi,a=new Map;for(let{from:i,
to:l,value:c}of e){let u={from:s(i),to:s(l)},d=`${u.from} ${u.to}`;a.set(d,{...u,value:(a.get(d)?.value??0)+c})}return[...a.values()]}function ir(e){return n=>e.
includes(n)?e.indexOf(n):e.length}function sr(e,n,o,r){let s=new Map;for(let l of e)s.set(l[n],(s.get(l[n])??0)+l.value);let a=ir(o),i=[];for(let[l,c]of[...s].toSorted(
([u],[d])=>a(u)-a(d))){let u=i.at(-1),d=u===void 0?0:Math.max(u.y+u.height+10,u.y+34);i.push({chain:l,value:c,y:d,height:Math.max(2,c*r)})}return i}var Dt=7;function Nt({chains:e}){let n=ve(st),[o,r]=Y(),s=e.map(({from:p,to:f,volumeFiat:m})=>({from:p,to:f,value:Number(m)})),{left:a,right:i,ribbons:l,height:c}=ar(
s,n);if(l.length===0)return t(U,{children:"No swap was paid out in this time."});let u=Math.min(150,r*.3),d=l.map(({from:p,to:f,value:m})=>`${I(p)} to ${I(f)} ${_(
String(m))}`).join(", ");return t("figure",{class:"chart",ref:o,children:t("svg",{width:r,height:c+8,role:"img","aria-label":`Moved: ${d}`,children:[l.map(p=>t(
hi,{ribbon:p,x1:u,x2:r-u},`${p.from} ${p.to}`)),a.map(p=>t(lr,{of:p,x:u-Dt,labelX:u-Dt-8,isLeft:!0},p.chain)),i.map(p=>t(lr,{of:p,x:r-u,labelX:r-u+Dt+8},p.chain))]})})}
function hi({ribbon:e,x1:n,x2:o}){let r=Ie(),{from:s,to:a,value:i,top:l,bottom:c,height:u}=e,d=(n+o)/2,p=`M${n} ${l}C${d} ${l} ${d} ${c} ${o} ${c}V${c+u}C${d} ${c+
u} ${d} ${l+u} ${n} ${l+u}Z`;return t("path",{class:`flow ${r(s)}`,d:p,children:t("title",{children:`${I(s)} → ${I(a)}: ${_(String(i))}`})})}function lr(e){let n=Ie(),
{of:o,x:r,labelX:s,isLeft:a=!1}=e,i=a?"end":"start",l=o.y+Math.max(11,o.height/2-3);return t(b,{children:[t("rect",{class:`node ${n(o.chain)}`,x:r,y:o.y,width:Dt,
height:o.height}),t("text",{class:"strong",x:s,y:l,"text-anchor":i,children:I(o.chain)}),t("text",{x:s,y:l+14,"text-anchor":i,children:["$",z(o.value)]})]})}function Xt({
chains:e}){return t(ee,{figures:!0,caption:"Own moves between chains",columns:["From → to","Orders","Moved","Cost","bps"],rows:e.map(({from:n,to:o,orders:r,volumeFiat:s,
costFiat:a,costBps:i})=>({key:`${n} ${o}`,cells:[t("span",{children:[t(Z,{id:n})," → ",t(Z,{id:o})]},"pair"),r,t(G,{fiat:s},"moved"),t(G,{fiat:a},"cost"),i??"\
–"]}))})}var gi={below:{tone:"bad",word:"below its band"},above:{tone:"warn",word:"above its band"},within:{tone:"good",word:"in its band"},unknown:{tone:"calm",word:"no\
t read yet"}};function ur(e){let{amount:n,bound:o,asset:r}=e,s=Number(e.incoming),a=Number(o.min),i=Number(o.target),l=o.max===null?null:Number(o.max),c=n===null?
null:Number(n),u=1.15*Math.max(l??0,i*1.5,a,(c??0)+s,Number.MIN_VALUE),d=h=>100*h/u,{tone:p,word:f}=gi[o.place],m=`${f}: from ${E(o.min)} to ${o.max===null?"any":
E(o.max)}, target ${E(o.target)} ${O(r).symbol}`+(s>0?`; ${E(e.incoming)} on its way in`:"");return t("svg",{class:`band ${p}`,viewBox:"0 0 100 10",preserveAspectRatio:"\
none",role:"img","aria-label":m,children:[t("title",{children:m}),t("rect",{class:"track",y:"3",width:"100",height:"4"}),t("rect",{class:"range",x:d(a),y:"1",width:Math.
max(.5,(l===null?100:d(l))-d(a)),height:"8"}),c===null?null:t("rect",{class:"fill",y:"3",width:d(c),height:"4"}),s>0?t("rect",{class:"coming",x:d(c??0),y:"3",width:Math.
max(1,d(s)),height:"4"}):null,t("rect",{class:"target",x:d(i)-.2,width:"0.5",height:"10"})]})}var Ke=66,Xn=56;function cr(){let{value:e}=C("series/total",6e4),n=(e?.points??[]).flatMap(({amount:r})=>r===null?[]:[Number(r)]),[o]=e?.points??[];return e===null||
o===void 0||n.length===0?null:t("figure",{class:"total-plot",children:[t("h2",{children:["Total, ",T(o.at)," to now"]}),t(yi,{series:e,known:n,startAt:o.at}),e.
joined.length===0?null:t("p",{class:"note",children:e.joined.slice(0,2).map(dr).join("; ")})]})}function yi(e){let{series:n,known:o,startAt:r}=e,{points:s,to:a}=n,
[i,l]=Y(),c=Math.min(...o),u=Math.max(...o),d=(u-c)*.1||u*.01||1,p=Date.parse(r),f=Date.parse(a),m=S=>(l-Xn)*(S-p)/Math.max(1,f-p),h=S=>m(Date.parse(S)),g=S=>4+
(Ke-4)*(u+d-S)/(u-c+2*d),y=fe(c-d,u+d,2),w=s.at(-1)?.amount??null,k=`${_(String(c))} to ${_(String(u))}`;return t("div",{class:"chart",ref:i,children:[t("svg",{
width:l,height:Ke+20,role:"img","aria-label":`Total in usd: ${k}`,children:[y.map(S=>t("g",{children:[t("line",{class:"grid-line",x2:l-Xn,y1:g(S),y2:g(S)}),t("t\
ext",{x:l-Xn+6,y:g(S)+4,children:["$",z(S,(y[1]??0)-(y[0]??0))]})]},S)),ke(p,f,4).map(({ms:S,label:A})=>t("text",{x:m(S),y:Ke+16,"text-anchor":"middle",children:A},
S)),At(s,a).map(({start:S,end:A})=>t("rect",{class:"gap",x:h(S),width:h(A)-h(S),height:Ke},S)),t("path",{class:"line-a",d:Mt(s,a,h,g)}),w===null?null:t("circle",
{class:"dot-now",cx:m(f),cy:g(Number(w)),r:"3"}),n.joined.map(S=>t("path",{class:"mark configuration",d:"m-3 0v-10h7l-2 2.5 2 2.5h-7",transform:`translate(${h(S.
at)} ${Ke})`,children:t("title",{children:dr(S)})},`${S.asset} ${S.by}`))]}),t(Se,{of:"total",label:"Total at a time",last:120,high:Ke,at:$})]});function $(S){let A=p+
(f-p)*S/120,le=Rt(s,A),N=le===null?"no reading":_(le);return{x:m(A),words:`${T(new Date(A).toISOString())} · ${N}`}}}function dr({at:e,asset:n,by:o}){let{symbol:r,
chain:s}=O(n),a=T(e);return o==="price"?`⚑ ${r} on ${s}: before ${a} at its first price`:`⚑ ${r} on ${s}: from ${a} on`}function fr({overview:e,summary:n}){let{totalFiat:o,change:r,swaps:s,inFlight:a}=n;return t("section",{class:"card money-first","aria-label":"Money",children:[t(
"div",{children:[t("h2",{children:"Treasury"}),t("p",{class:"total",title:`${o} usd`,"data-exact":o,children:_(o)}),t(wi,{change:r,total:o}),t(bi,{summary:n})]}),
t(cr,{}),t("dl",{class:"facts",children:[t(Pe,{name:"Moved in 24 h",value:_(s.volumeFiat),exact:s.volumeFiat,children:mr(s.orders)}),t(Pe,{name:"Cost in 24 h",value:_(
s.costFiat),exact:s.costFiat,children:s.costBps===null?"no swap yet":`${s.costBps} bps`}),t(Pe,{name:"In flight",value:_(a.fiat),exact:a.fiat,children:mr(a.orders)}),
t(Pe,{name:"Half done within",value:pr(s.medianMs),children:s.p90Ms===null?"":`nine of ten ${pr(s.p90Ms)}`}),t(vi,{gas:e.gas}),t(_i,{overview:e})]})]})}function bi({
summary:e}){let{unpriced:n,unread:o,assets:r}=e,s=l=>o.includes(l)?"no reading":hr(r.find(({asset:c})=>c===l)?.priceAt??null),a=[...new Set([...o,...n])].map(l=>[
O(l).symbol,s(l)]);if(a.length===0)return null;let i=[...Map.groupBy(a,([,l])=>l)].map(([l,c])=>`${[...new Set(c.map(([u])=>u))].join(", ")}: ${l}`);return t("p",
{class:"note",title:[...o,...n].join(", "),children:["without ",i.join("; ")]})}function hr(e){return e===null?"no price yet":`no price since ${T(e)}`}function Pe(e){
return t("div",{children:[t("dt",{children:e.name}),t("dd",{class:e.tone,children:[t("span",{title:e.exact,"data-exact":e.exact,children:e.value})," ",t("small",
{children:e.children})]})]})}function wi({change:e,total:n}){let o=K();if(e===null)return t("p",{class:"note",children:"No older reading to compare with yet."});
let{from:r,totalFiat:s,pricesFiat:a,outsideFiat:i,swapsFiat:l}=e;return t(b,{children:[t("p",{children:[t("b",{title:s,children:[et(s)," (",tt(s,n),")"]})," ",t(
"span",{class:"quiet",children:["since ",t("span",{title:r,children:T(r,o)})]})]}),t("p",{class:"note parts",children:[t("span",{title:a,children:["prices ",et(
a)]}),t("span",{title:i,children:["paid in and out ",et(i)]}),t("span",{title:l,children:["swaps and fees ",et(l)]})]})]})}function mr(e){return`${e} order${e===
1?"":"s"}`}function pr(e){return e===null?"–":H(e)}function vi({gas:e}){let n=({amount:s,needed:a})=>s!==null&&Number(s)<Number(a),[o]=e.toSorted((s,a)=>Number(
n(a))-Number(n(s))||(s.daysLeft??Number.MAX_VALUE)-(a.daysLeft??Number.MAX_VALUE));if(o===void 0)return t(Pe,{name:"Runs dry first",value:"–"});let r=n(o);return t(
Pe,{name:"Runs dry first",value:r?"▲ too little":gr(o.daysLeft),tone:r||(o.daysLeft??99)<7?"warn":"",children:`${o.coin}, ${I(o.chain)}`})}function gr(e){return e===
null?"no use yet":e>365?"over a year":`${e} days`}function _i({overview:{services:e,nodes:n}}){let o=[...e.filter(({state:r})=>r!=="good").map(({name:r,state:s})=>`${r}\
 ${s}`),...n.filter(({state:r})=>r!=="good").map(({chain:r,state:s})=>`${I(r)} ${s}`)];return t(Pe,{name:"Service and nodes",value:o.length===0?"✓ well":`▲ ${o[0]??
""}`,tone:o.length===0?"":"warn",children:o.length===0?`${e.length+n.length} answer`:o.length===1?"":`and ${o.length-1} more`})}function Ft({overview:e,summary:n}){
let{treasury:o,gas:r}=e,s=[...new Set(o.map(({asset:a})=>a.split(":")[0]??""))];return t(x,{title:"Where the money is",link:"#/treasury",note:"bar from 0: band,\
 target, balance",children:t("table",{class:"places",children:[t("caption",{class:"hidden",children:"Balances by chain and asset"}),t("thead",{children:t("tr",{
children:["Asset","Balance","Band","Value","In 24 h","On its way","State"].map(a=>t("th",{scope:"col",children:a},a))})}),s.map(a=>t("tbody",{children:[t(Si,{chain:a,
holdings:o.filter(({asset:i})=>i.startsWith(`${a}:`)),summary:n,source:e.nodes.find(i=>i.chain===a)??null}),o.filter(({asset:i})=>i.startsWith(`${a}:`)).map(i=>t(
$i,{holding:i,valued:n.assets.find(({asset:l})=>l===i.asset)??null,gas:r.find(l=>l.chain===a)??null},i.asset))]},a))]})})}var ki=15*6e4;function Si(e){let{chain:n,
summary:o,source:r}=e,s=o.assets.filter(({asset:d})=>d.startsWith(`${n}:`)).reduce((d,p)=>d+Number(p.fiat??0),0),[a]=e.holdings.map(({readAt:d})=>d??"").sort(),
l=K()-Date.parse(a||"1970-01-01")>ki&&r?.state!=="good",c=r?.endpoints.find(({error:d})=>d!==null)?.error??null,u=e.holdings.flatMap(({bounds:d})=>d.map(({rule:p})=>p));
return t("tr",{class:l?"chain late":"chain",children:[t("th",{scope:"rowgroup",colSpan:3,children:[t(Z,{id:n})," ",t("small",{children:[tt(String(s),o.totalFiat),
" of the total"]})]}),t("td",{children:_(String(s))}),t("td",{colSpan:3,children:t("small",{children:[l?"▲ last read":"read"," ",t(M,{at:a||null}),l&&c!==null?
`, ${c}`:"",l&&u.length>0?`; waiting: ${[...new Set(u)].join(", ")}`:""]})})]})}var xi={below:"▼ below its band",above:"▲ above its band",within:"✓ in band",
unknown:"no reading"};function $i(e){let{holding:n,valued:o,gas:r}=e,{asset:s,amount:a,bounds:i}=n,{symbol:l}=O(s),c=r!==null&&r.coin.toUpperCase()===l,[u]=i;return t(
"tr",{children:[t("th",{scope:"row",children:l}),t("td",{children:t(V,{amount:a,asset:s,chain:!1,symbol:!1})}),t("td",{class:"band-cell",children:u===void 0?t("\
small",{children:c?"coin for fees":"no band"}):t(ur,{amount:a,bound:u,asset:s,incoming:o?.incoming??"0"})}),t("td",{title:o?.fiat??void 0,"data-exact":o?.fiat??
void 0,children:t(Oi,{valued:o})}),t("td",{title:o?.change??void 0,children:o?.change==null||Number(o.change)===0?"=":`${Number(o.change)>0?"+":""}${E(o.change)}`}),
t("td",{class:yr(o)?"some":"",children:t(Ei,{valued:o,asset:s})}),t("td",{children:u===void 0?c?gr(r.daysLeft):"":t("span",{class:u.place,children:xi[u.place]})})]})}
function Oi({valued:e}){let n=K();if(e===null||e.fiat===null&&e.price!==null)return t(b,{children:"–"});let{fiat:o,priceAt:r}=e;if(o===null)return t("small",{
title:r??void 0,children:hr(r)});let s=r!==null&&n-Date.parse(r)>Ci;return t(b,{children:[_(o),s?t("small",{class:"block",children:["price ",t(M,{at:r})]}):null]})}
var Ci=2*36e5;function Lt(e){return Number(e)!==0}function yr(e){return e!==null&&(Lt(e.incoming)||Lt(e.outgoing))}function Ei(e){let{valued:n,asset:o}=e;return n===
null||!yr(n)?t(b,{children:"–"}):t(b,{children:[Lt(n.incoming)?t("span",{class:"block",title:n.incoming,children:["↓ in ",E(n.incoming)," ",t(re,{amount:n.incoming,
asset:o})]}):null,Lt(n.outgoing)?t("span",{class:"block",title:n.outgoing,children:["↑ out ",E(n.outgoing)," ",t(re,{amount:n.outgoing,asset:o})]}):null]})}function wr({flows:e,span:n}){let{steps:o,total:r,maxCostBps:s}=e,a=i=>`$${z(i)}`;return t("div",{class:"grid thirds",children:[t(x,{title:`Cost, ${n}`,note:t(Ti,
{}),children:[t("p",{children:[t("b",{title:r.costFiat,children:_(r.costFiat)})," ",t("span",{class:"quiet",children:["for ",t("b",{title:r.volumeFiat,children:_(
r.volumeFiat)})," in ",r.completed," swaps"]})]}),t(Je,{title:"Cost in usd",steps:o,as:"bars",show:a,series:[{name:"swaps",of:i=>Number(i.costFiat)-Number(i.feesFiat),
tone:"a"},{name:"network",of:i=>Number(i.feesFiat),tone:"b"}]})]}),t(x,{title:"Cost of what moved",note:"bps",children:[t("p",{children:[t("b",{children:r.costBps===
null?"–":`${r.costBps} bps`})," ",t("span",{class:"quiet",children:"network fees included"})]}),t(Je,{title:"Cost in bps of what moved",steps:o,as:"lines",show:i=>z(
i),limit:s===null?null:{value:s,name:`limit ${s} bps`},series:[{name:"bps",of:({costBps:i})=>i,tone:"a"}]})]}),t(x,{title:"Time to completion",children:[t("p",{
children:[t("span",{class:"quiet",children:"half within"})," ",t("b",{children:it(r.medianMs)}),t("span",{class:"quiet",children:", 95 of 100 within"})," ",t("b",
{children:it(r.p95Ms)})]}),t(Je,{title:"Time to completion",steps:o,as:"lines",show:it,series:[{name:"half",of:({medianMs:i})=>i,tone:"a"},{name:"95 of 100",of:({
p95Ms:i})=>i,tone:"b"}]})]})]})}function Ti(){return t(b,{children:[t(Mn,{tone:"bar-a"})," swaps ",t(Mn,{tone:"bar-b"})," network, usd"]})}var Mi=["Rule","Pair",
"Service","Time"];function vr({flows:e,span:n}){let[o,r]=v("Rule"),s=Ai(e,o);return t("section",{class:"card",children:[t("header",{children:[t("h2",{children:[
"Volume, cost and time, ",n]}),t("fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"By"}),Mi.map(a=>t("button",{type:"button","aria-pre\
ssed":a===o,onClick:()=>r(a),children:a},a))]})]}),s.length===0?t(U,{children:"No order in this time."}):null,t(ee,{figures:!0,caption:`Volume, cost and time by\
 ${o.toLowerCase()}`,columns:[o,"Orders","Moved","Cost","Of it network","bps","Half within","95 of 100"],rows:[...s,{name:"Total",line:e.total}].map(({name:a,line:i})=>({
key:a,cells:Ri(a,i)}))}),e.total.unpriced===0?null:t("p",{class:"note",children:[e.total.unpriced," amounts without a price are in no sum."]})]})}function Ai({rules:e,
services:n,pairs:o,steps:r},s){return s==="Rule"?e.map(a=>({name:a.name,line:a})):s==="Service"?n.map(a=>({name:a.name,line:a})):s==="Pair"?o.map(a=>({name:`${br(
a.from)} → ${br(a.to)}`,line:a})):r.filter(({orders:a})=>a>0).toReversed().map(a=>({name:a.from.replace("T00:00:00.000Z","").replace(":00.000Z","Z"),line:a}))}
function br(e){let{symbol:n,chain:o}=O(e);return`${n} ${o}`}function Ri(e,n){return[t("b",{children:e},"name"),n.orders,t(G,{fiat:n.volumeFiat},"moved"),t(G,{fiat:n.
costFiat},"cost"),t(G,{fiat:n.feesFiat},"fees"),n.costBps??"–",it(n.medianMs),it(n.p95Ms)]}function it(e){return e===null?"–":H(e)}var _r={"24 h":1,"7 d":7,"30 d":30,"1 y":365},Pi=864e5;function kr({overview:e}){let[n,o]=v("7 d"),r=Ln(n),{value:s}=C("summary",1e4),a=C(`flows?since=${r}`,2e4);
return t(D,{live:e,children:i=>t(b,{children:[t(L,{children:"Treasury"}),s===null?t(Ue,{}):t(b,{children:[t(Di,{overview:i,summary:s}),t("div",{class:"stack",children:t(
Ft,{overview:i,summary:s})})]}),t(Fn,{range:n,onChange:o,ranges:Object.keys(_r)}),t(Ni,{treasury:i.treasury,summary:s,since:r,marks:a.value?.marks??[]}),t(D,{live:a,
children:l=>t(Xi,{flows:l,range:n})}),t(Fi,{gas:i.gas})]})})}function Ln(e){let[n]=v(Date.now);return new Date(n-_r[e]*Pi).toISOString()}function Fn(e){return t(
"fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"Range of the plots"}),e.ranges.map(n=>t("button",{type:"button","aria-pressed":n===e.
range,onClick:()=>e.onChange(n),children:n},n))]})}function Di({overview:e,summary:n}){let o=Ie(),s=[...new Set(e.treasury.map(({asset:l})=>l.split(":")[0]??""))].
map(l=>({chain:l,fiat:n.assets.filter(({asset:c})=>c.startsWith(`${l}:`)).reduce((c,{fiat:u})=>c+Number(u??0),0)})),a=Math.max(s.reduce((l,{fiat:c})=>l+c,0),Number.
MIN_VALUE),i=0;return t("section",{class:"card shares","aria-label":"Shares of the chains",children:[t("p",{class:"total",title:`${n.totalFiat} usd`,"data-exact":n.
totalFiat,children:_(n.totalFiat)}),t("svg",{viewBox:"0 0 1000 10",preserveAspectRatio:"none","aria-hidden":"true",children:s.map(({chain:l,fiat:c})=>{let u=i;return i+=
1e3*c/a,t("rect",{class:`node ${o(l)}`,x:u,width:Math.max(0,i-u-2),height:"10"},l)})}),t("ul",{children:[s.map(({chain:l,fiat:c})=>t("li",{children:[t(Z,{id:l}),
" ",t("b",{children:_(String(c))})," ",t("small",{children:tt(String(c),n.totalFiat)})]},l)),t("li",{children:["In flight ",t("b",{title:n.inFlight.fiat,children:_(
n.inFlight.fiat)})]})]})]})}function Ni(e){let{treasury:n,summary:o,since:r,marks:s}=e;return n.length===0?t(U,{children:"The configuration lists no asset."}):t(
x,{title:"Balance against its band",note:"▲ arrived ▼ left ◆ outside ✕ alarm ⚑ configuration · hatched: no reading of our nodes",children:t("div",{class:"\
multiples",children:n.map(({asset:a,amount:i,bounds:l,shares:c})=>{let u=o?.assets.find(d=>d.asset===a)??null;return t("section",{"aria-label":`${O(a).symbol} o\
n ${O(a).chain}`,children:[t("p",{class:"head",children:[t("span",{children:[t("b",{children:O(a).symbol})," ",t(Z,{id:a})]}),t("span",{children:[t(V,{amount:i,
asset:a,chain:!1,symbol:!1})," ",u?.fiat==null?null:t("small",{title:u.fiat,children:_(u.fiat)})]})]}),t(rr,{asset:a,since:r,bound:l[0]??null,marks:s.filter(d=>d.
asset===a||d.asset===null),price:u?.price??null}),c.map(({rule:d,percent:p})=>t("p",{class:"note",children:["Target of ",d,": ",p," of the treasury"]},d))]},a)})})})}
function Xi({flows:e,range:n}){let{chains:o,total:r,outside:s}=e,a=n==="1 y"?"31 d":n;return t(b,{children:[t("div",{class:"grid",children:[t(x,{title:`Flows, ${a}`,
note:t("b",{title:r.volumeFiat,children:_(r.volumeFiat)}),children:t(Nt,{chains:o})}),t("div",{class:"column",children:[t(x,{title:"The same as a table",children:t(
Xt,{chains:o})}),t(x,{title:`Money from outside, ${a}`,note:"not part of the flows",children:s.length===0?t(U,{children:"Nothing was paid in or taken out."}):t(
Li,{outside:s})})]})]}),t(wr,{flows:e,span:a}),t(vr,{flows:e,span:a})]})}function Li({outside:e}){let n=(o,r)=>Number(o)===0?"–":t("span",{title:`${o}, ${r??"\
no price"}`,children:[E(o)," ",t("small",{children:r===null?"no price":_(r)})]});return t(ee,{caption:"Money from outside",columns:["Asset","Paid in","Taken out"],
rows:e.map(o=>({key:o.asset,cells:[t("span",{children:[O(o.asset).symbol," ",t(Z,{id:o.asset})]},"asset"),n(o.in,o.inFiat),n(o.out,o.outFiat)]}))})}function Fi({
gas:e}){return t(x,{title:"Coin for fees",wide:!0,children:t(ee,{caption:"Coin for fees",columns:["Chain","Balance","Must stay","Lasts"],rows:e.map(({chain:n,coin:o,
amount:r,needed:s,daysLeft:a})=>{let i=r!==null&&Number(r)<Number(s);return{key:n,cells:[t(Z,{id:n},"chain"),r===null?"not read yet":t("span",{children:[E(r)," ",
o," ",t(re,{amount:r,asset:`${n}:${o.toLowerCase()}`})]},"balance"),E(s),i?t("b",{class:"below",children:"▼ too little"},"low"):a===null?"no use yet":a>365?"o\
ver a year":`about ${a} days`]}})})})}function Sr({payoutDeadline:e},n){if(e===void 0)return null;let{at:o,height:r}=e,s=Ji(e);if(o===null)return`before its lock ends, at an unknown time; ${s}`;let a=Date.
parse(o)-(n??0),i=a>0?`${H(a)} left`:`over since ${H(-a)}`,l=[`height ${r??"unknown"}`,...n===null?[]:[i],"estimated"];return`before ${Xo(Date.parse(o))} (${l.join(
", ")}); ${s}`}function Ji({offerUnits:e,capUnits:n}){let o=n===null?"":`, and one may offer up to ${n}`;return e===null?`no redemption of ours is signed yet${o}${o===
""?"":" of the coin's smallest units"}`:`our newest redemption offers at most ${e}${o} of the coin's smallest units`}function xr({secret:e,ownSecret:n}){if(n===void 0)return e==="service"?"chosen by the service":"not chosen yet";let{status:o,revealedAt:r}=n,s=r===null?"":` at ${r}`;
return{unknown:"our own, told to no other party",revealed:`our own, revealed${s}`,withheld:"our own, withheld for ever",lost:`our own, revealed${s}, and the pay\
out went back to the solver`}[o]}function $r(e,n){let{usual:o,seen:r,createdAt:s,outcome:a,updatedAt:i}=e;if(o===null||a!==null&&a!=="completed")return[];let l=f=>f==null?null:Date.parse(f)-Date.
parse(s),c=[["To the deposit",l(r.sourceInitiated?.at),o.depositMs],["To the payout",l(r.destinationRedeemed?.at),o.payoutMs],["To the end",a===null?null:l(i),o.
endMs]],u=n-Date.parse(s),d=0,p=!1;return c.map(([f,m,h])=>{let g=d,w=m===null&&!p?Math.max(0,u-g):null;return p||=m===null,d=m??g+Math.max(h,w??0),{name:f,startMs:g,
tookMs:m===null?null:m-g,runsMs:w,usualMs:h}})}function Ve(e){return e<1e4?`${(e/1e3).toFixed(1)} s`:H(e)}function $e(e){let n=ne(null),o=ne(e.onClose);o.current=e.onClose,Ao(()=>{let s=n.current,a=new AbortController;return s?.addEventListener("close",()=>o.current(),
{signal:a.signal}),s?.showModal(),()=>{a.abort(),s?.close()}},[]);let r=s=>{s.key==="Escape"&&(s.preventDefault(),e.onClose())};return t("dialog",{ref:n,class:e.
class,"aria-label":e.label,"aria-labelledby":e.labelledBy,onKeyDown:r,children:e.children})}function Jn({change:e,onClose:n}){let[o]=v(nt),[r,s]=v(""),[a,i]=v(!1),[l,c]=v(null),u=_e(),d=_e(),p=r.trim()===e.word;async function f(m){if(m.preventDefault(),
!(!p||a)){i(!0);try{let h=await Fe(e.path,e.body,o);pe(),n(),e.onDone?.(h)}catch(h){h instanceof P&&c(h),i(!1)}}}return t($e,{labelledBy:u,onClose:n,children:t(
"form",{onSubmit:f,children:[t("h2",{id:u,children:e.title}),e.children,t("label",{for:d,children:["Type ",t("code",{class:"word",children:e.word})," to confirm"]}),
t("input",{id:d,value:r,autocomplete:"off",spellcheck:!1,onInput:m=>s(m.currentTarget.value)}),l===null?null:t("p",{class:"notice bad",role:"alert",children:l.message}),
t("footer",{children:[t("button",{type:"button",onClick:n,children:"Cancel"}),t("button",{type:"submit",class:e.danger?"main danger":"main",disabled:!p||a,children:a?
"Sending…":e.button})]})]})})}function ce(e){let[n,o]=v(!1),r=Be(e.scope,e.scopes);return t(b,{children:[t("button",{type:"button",class:e.change.danger?"dang\
er":e.main?"main":"",disabled:r!==null,title:r??void 0,onClick:()=>o(!0),children:e.change.button}),n?t(Jn,{change:e.change,onClose:()=>o(!1)}):null]})}function Or({asset:e,source:n,price:o,agreed:r,deviationBps:s}){let a=s<0?"below":"above";return`The price source ${n} gives ${o} for ${e}, ${Math.abs(s)/100} %\
 ${a} the ${r} of the others, and does not count`}function Cr({reference:e}){if(e===void 0)return[];let{costBps:n,outliers:o}=e,r=(n??0)<0?"more":"less",a=`By our own prices the quote pays ${Math.abs(n??0)/100}\
 % ${r} than it takes`;return[...n===null?[]:[a],...o.map(Or)]}var Ii=1e3,In=4;function Er({order:e,scopes:n,opens:o}){let r=Be("approve",n),[s,a]=v(o&&r===null?"drawer":null),i=()=>a(null);return t(b,{children:[t("button",
{type:"button",class:"main","data-key":"approve",disabled:r!==null,title:r??void 0,onClick:()=>a("drawer"),children:"Approve or reject"}),s==="drawer"?t(Ui,{order:e,
onReject:()=>a("reject"),onClose:i}):null,s==="reject"?t(Jn,{change:Bi(e),onClose:i}):null]})}function Bi({id:e,amount:n,from:o}){let r=`${n} ${O(o).symbol}`;return{
title:"Reject this order?",word:"reject",button:"Reject",path:`orders/${e}/reject`,body:{},danger:!0,children:t("p",{children:["Nothing was deposited. The order\
 ends, and ",r," stay in the wallet."]})}}function Ui({order:e,onReject:n,onClose:o}){let r=_e(),[s]=v(nt),[a,i]=v(""),[l,c]=v(null),u=zi(e),d=u&&(e.payee?.uses??
0)>0,p=d||a.trim()===e.destinationOwner.slice(-In);async function f(){try{await Fe(`orders/${e.id}/approve`,{intent:e.intent},s),pe(),o()}catch(m){m instanceof P&&
c(m)}}return t($e,{class:"approve",labelledBy:r,onClose:o,children:[t("header",{children:[t("small",{children:["ends ",t(M,{at:e.approveBefore})]}),t("h2",{id:r,
tabIndex:-1,children:["Approve ",e.fiat===null?"this order":_(e.fiat),"?"]}),t("button",{type:"button",onClick:o,children:"Later"})]}),t(Wi,{order:e,isOurs:u,isFamiliar:d}),
t(Vi,{order:e}),t("details",{children:[t("summary",{children:"All fields that are signed"}),t("dl",{class:"pairs small",children:Object.entries(e.intentFields??
{}).map(([m,h])=>t("div",{children:[t("dt",{children:m}),t("dd",{children:t("code",{children:h})})]},m))})]}),d?null:t(Hi,{typed:a,onType:i}),l===null?null:t("p",
{class:"notice bad",role:"alert",children:l.message}),t("footer",{children:[t("button",{type:"button",class:"danger",onClick:n,children:"Reject"}),t(Gi,{disabled:!p,
onHeld:()=>{f()}})]})]})}function Hi(e){let n=_e();return t(b,{children:[t("label",{for:n,children:["Type the last ",In," characters of the address"]}),t("input",
{id:n,value:e.typed,maxLength:In,autocomplete:"off",spellcheck:!1,onInput:o=>e.onType(o.currentTarget.value)})]})}function Wi(e){let{order:n,isOurs:o,isFamiliar:r}=e,
{destinationOwner:s,payee:a}=n,{value:i}=C("settings",6e4),l=Ot(i).payeeOf(s);return t("p",{class:r?"payee":"payee unfamiliar",children:[r?"":"▲ ",o?"Pays our\
 own wallet":"Pays an address that is not this daemon's wallet",l===null?"":`: ${l}`,a===void 0?null:t("small",{children:[" · ",Ki(a)]}),t("code",{children:s.match(
/.{1,4}/g)?.join(" ")})]})}function Ki({uses:e,of:n,since:o}){return e>0&&o!==null?`used ${e===1?"once":`${e} times`} since ${T(o)}`:n===0?"new payee":`new paye\
e: not among the last ${n} payouts`}function Vi({order:e}){let n=O(e.from),o=O(e.to),{route:r}=e,s=e.costParts.refundAtMostFiat;return t("dl",{class:"pairs",children:[
t("div",{children:[t("dt",{children:"Sends"}),t("dd",{children:[t("b",{children:e.amount})," ",n.symbol,", ",n.chain]})]}),t("div",{children:[t("dt",{children:"\
Receives"}),t("dd",{children:[t("b",{children:e.destinationAmount})," ",o.symbol,", ",o.chain]})]}),t("div",{children:[t("dt",{children:"Costs"}),t("dd",{children:[
e.costFiat===null?"unknown":_(e.costFiat)," (",Q(e.costBps),")"]})]}),t(ji,{order:e}),t("div",{children:[t("dt",{children:"Why it asks"}),t("dd",{children:[e.askedBy??
e.rule," wants more than one order may send without a person"]})]}),t("div",{children:[t("dt",{children:"At worst"}),t("dd",{children:[r===void 0?"the deposit c\
omes back after its timelock":r.trust,r!==void 0||s===null?"":`, for a fee of up to ${_(s)}`]})]}),t(qi,{order:e})]})}function ji({order:e}){let n=Cr(e),o=(e.reference?.
outliers.length??0)>0;return n.length===0?null:t("div",{children:[t("dt",{children:o?"▲ Reference":"Reference"}),t("dd",{children:n.map(r=>t("span",{class:"bl\
ock",children:t(X,{text:r})},r))})]})}function qi({order:{people:e,askedBy:n}}){let o=e?.needed??1,r=e?.approved??[];return t("div",{children:[t("dt",{children:"\
People"}),t("dd",{children:[r.length," of ",o," approved",r.map(({by:s,at:a})=>t("span",{class:"block",title:a,children:["✓ ",s," ",t(M,{at:a})]},s)),n===void 0?
null:t("small",{class:"block",children:[n," asked, and may not approve"]})]})]})}function Gi(e){let n=ne(0),[o,r]=v(!1),s=()=>{e.disabled||n.current!==0||(r(!0),
n.current=window.setTimeout(()=>{a(),e.onHeld()},Ii))},a=()=>{clearTimeout(n.current),n.current=0,r(!1)};J(()=>a,[]);let i=({key:l})=>l==="Enter"||l===" ";return t(
"button",{type:"button",class:o?"main hold holding":"main hold",disabled:e.disabled,onPointerDown:s,onPointerUp:a,onPointerLeave:a,onKeyDown:l=>i(l)?s():void 0,
onKeyUp:a,onBlur:a,onContextMenu:l=>l.preventDefault(),children:"Hold to approve"})}function zi({to:e,destinationOwner:n}){let{value:o}=C("status",6e4),r=e.split(
":")[0];return o?.chains.some(s=>s.chain===r&&s.account===n)??!1}function Tr({order:e,scopes:n,opens:o}){if(e.state==="awaiting-approval")return t(Qi,{order:e,scopes:n,opens:o});if(!e.held&&e.state!=="disarmed")return null;let r=(a,i)=>{
let l=a.slice(0,1).toUpperCase()+a.slice(1);return{title:`${l} this order?`,word:a,button:l,path:`orders/${e.id}/${a}`,body:{},danger:a==="abandon",children:t("\
p",{children:i})}},s=r("abandon","You answer for the end of this order: Ballast ends it once no deposit can land.");return t("div",{class:"actions",children:[e.
held?t(b,{children:[t(ce,{change:r("retry","Ballast goes on from where the order was held."),scope:"operate",scopes:n,main:!0}),t(ce,{change:r("refund","Ballast\
 takes the deposit back as soon as the HTLC allows it."),scope:"operate",scopes:n})]}):null,t(ce,{change:s,scope:"operate",scopes:n})]})}function Yi({people:e}){
if(e===void 0)return"";let n=e.approved.map(({by:r})=>r).join(", "),o=e.needed-e.approved.length;return` · approved by ${n===""?"none":n}; ${o} more must appro\
ve`}function Qi({order:e,scopes:n,opens:o}){return t("div",{class:"actions",children:[t(Er,{order:e,scopes:n,opens:o}),t("span",{class:"note",children:["Approve\
 before ",t(M,{at:e.approveBefore,clock:!0})," (",t(M,{at:e.approveBefore}),")",Yi(e)]})]})}function Mr({events:e,seen:n,outcome:o,state:r,approval:s,updatedAt:a,createdAt:i,route:l}){let c=(...h)=>e.find(({type:g})=>h.includes(g))?.at??null,u=r==="awa\
iting-approval"||s!==null,d=n.sourceRefunded!=null||r.startsWith("refund")||o==="refunded",p=[{name:"Requested",at:i},{name:"Quoted",at:c("quote.accepted")},{name:"\
Ordered",at:c("order.created")},{name:"Verified",at:c("deposit.verified")},...u?[{name:"Approved",at:s?.at??null}]:[],{name:Pr(l?.deposit,"Deposited"),at:n.sourceInitiated?.
at??null},...d?[{name:"Refunded",at:n.sourceRefunded?.at??null}]:Zi(l,n),{name:o===null?"Final":Bn(o),at:o===null?null:a}],f=p.findLastIndex(({at:h,passed:g=!1})=>h!==
null||g),m=o==="rejected"||o==="abandoned";return p.map((h,g)=>{if(m&&g===p.length-1)return{...h,state:"failed"};if(g<=f&&!(m&&h.at===null))return{...h,state:"d\
one"};let y=g===f+1;return{...h,state:y&&o===null?r==="held"?"failed":"now":"open"}}).filter(({at:h,state:g})=>!(o!==null&&h===null&&g==="open"))}function Zi(e,n){
return[e===void 0?{name:"Solver deposited",at:n.destinationInitiated?.at??null}:{name:Bn(e.voucher),at:null,passed:e.nonce!==null},{name:Pr(e?.payout,"Paid out"),
at:n.destinationRedeemed?.at??null}]}function Ar(e){let n=e.from.split(":")[0]??"",o=e.to.split(":")[0]??"",r=(a,i,l)=>({what:i,chain:l,service:e.reportedTxs[a],
seen:e.seen[a]??null}),{route:s}=e;return s!==void 0?[r("sourceInitiated",`Our ${s.deposit}`,n),r("destinationRedeemed",`The ${s.payout} to us`,o)]:[r("sourceIn\
itiated","Our deposit",n),r("destinationInitiated","The solver's deposit",o),r("destinationRedeemed","The payout to us",o),r("sourceRedeemed","The solver takes \
our deposit",n),r("sourceRefunded","The refund to us",n)]}function Rr({service:e,seen:n},o){return n!==null&&e.includes(n.tx)?{tone:"good",says:"agree"}:n!==null&&
e.length>0?{tone:"warn",says:"another transaction"}:n!==null?{tone:"good",says:"proven"}:e.length>0?{tone:o?"calm":"warn",says:"only reported"}:{tone:"calm",says:"\
not yet"}}function Jt(e){return`${e.kind}: ${e.deposit}, ${e.voucher}, ${e.payout}`}function Pr(e,n){return e===void 0?n:Bn(e)}function Bn(e){return e.slice(0,1).
toUpperCase()+ue(e).slice(1)}function Dr(e){let[n]=Object.entries(el).filter(([r])=>r===e);return n!==void 0?{who:n[1][0],says:n[1][1]}:{who:e.startsWith("opera\
tor.")?"operator":"Ballast",says:e.replaceAll(/[._]/g," ")}}var el={"order.opened":["Ballast","opens the order"],"work.deferred":["Ballast","waits and looks aga\
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
LCs"],"order.unfunded":["chain","proves that the HTLC never had the deposit"]};var Un=22,Hn=104;function Nr({order:e}){let[n,o]=Y(),r=$r(e,K());if(r.length===0)return null;let s=Math.max(1,...r.map(l=>l.startMs+tl(l))),a=l=>l/s*Math.max(0,
o-Hn-2),i=r.map(l=>`${l.name}: ${nl(l)}`).join("; ");return t("figure",{class:"chart spans",ref:n,children:[t("svg",{width:o,height:r.length*Un,role:"img","aria\
-label":i,children:r.map(({name:l,startMs:c,tookMs:u,runsMs:d,usualMs:p},f)=>t("g",{transform:`translate(0 ${f*Un})`,children:[t("text",{y:Un-8,children:l}),t("\
rect",{class:u===null?"runs":"took",x:Hn+a(c),y:"6",width:Math.max(u===null&&d===null?0:1,a(u??d??0)),height:"10"}),t("rect",{class:"usual",x:Hn+a(c),y:"3",width:Math.
max(1,a(p)),height:"16"})]},l))}),t("figcaption",{class:"note",children:i})]})}function tl({tookMs:e,runsMs:n,usualMs:o}){return Math.max(o,e??n??0)}function nl({
tookMs:e,runsMs:n,usualMs:o}){let r=`usually ${Ve(o)}`;return e!==null?`${Ve(e)}, ${r}`:n===null?r:`${Ve(n)} so far, ${r}`}function Lr(e){let n=C(`orders/${encodeURIComponent(e.detail)}`,3e3);return t(D,{live:n,children:o=>t(ol,{order:o,desk:e,opens:e.opens})})}function ol(e){let{order:n,
desk:o,opens:r}=e,s=`#/decisions/${encodeURIComponent(n.rule)}`,a=o.overview.value?.orders.find(({id:i})=>i===n.id)??null;return t(b,{children:[t(L,{note:t(b,{children:[
"Order ",t("code",{children:n.id.slice(0,8)})," of rule ",t("a",{href:s,children:n.rule}),", requested ",t(M,{at:n.createdAt})]}),children:[t(V,{amount:n.amount,
asset:n.from})," →"," ",t(V,{amount:n.destinationAmount,asset:n.to})]}),t("section",{class:`card wide place ${Le(n.state)}`,children:[t("p",{children:t(Et,{state:n.
state})}),t("p",{class:"money",children:[t("span",{class:"quiet",children:"Where is the money?"})," ",t("b",{children:n.money})]}),a?.left==null?null:t("p",{children:[
t("b",{children:a.left})," left",a.ends===null?"":`: ${a.ends}`]}),t(se,{reasons:n.reasons.map(i=>o.known.humane(i,n))}),t(Tr,{order:n,scopes:o.scopes,opens:r})]}),
n.explained===void 0||n.explained.length===0?null:t(x,{title:"Why this way",note:`rule ${n.rule}`,wide:!0,children:n.explained.map(i=>t("p",{children:t(X,{text:i})},
i))}),t(x,{title:"The way of the order",wide:!0,children:[t(rl,{stages:Mr(n)}),t(Nr,{order:n})]}),t(x,{title:n.route===void 0?"The service's word and the chain'\
s word":"The chains",note:"Ballast believes only the chain.",wide:!0,children:t(sl,{order:n,desk:o})}),t("div",{class:"grid even",children:[t(x,{title:"Transact\
ions",children:t(il,{order:n,desk:o})}),t(x,{title:"Terms",children:t(ll,{order:n})})]}),t(x,{title:"Everything that happened",note:`${n.events.length} events`,
wide:!0,children:t(cl,{order:n})})]})}function rl({stages:e}){return t("ol",{class:"stages",children:e.map(({name:n,at:o,state:r},s)=>{let a=e.slice(0,s).findLast(
l=>l.at!==null)?.at??null,i=o===null||a===null?null:Date.parse(o)-Date.parse(a);return t("li",{class:r,"aria-current":r==="now"?"step":void 0,children:[t("span",
{class:"mark","aria-hidden":"true"}),t("b",{children:n}),o===null?t("small",{children:r==="now"?"next":r==="done"?"passed":"not yet"}):t("small",{title:o,children:[
T(o),i===null||i<0?"":` · +${Ve(i)}`]})]},n)})})}function sl({order:e,desk:n}){let o=Ar(e).filter(({what:r,service:s,seen:a})=>s.length>0||a!==null||r!=="The r\
efund to us").map(({what:r,chain:s,service:a,seen:i})=>{let{tone:l,says:c}=Rr({service:a,seen:i},e.outcome!==null),u=[t("span",{children:[t("b",{children:r}),t(
"small",{class:"block",children:["on ",I(s)]})]},"what"),t(al,{chain:s,txs:a,desk:n},"service"),i===null?t("span",{class:"quiet",children:"shows nothing"},"seen"):
t("span",{children:[t(ae,{hash:i.tx,link:n.known.linkOf(s,i.tx),what:"the transaction"}),t("small",{class:"block",children:[T(i.at),", ",i.final?"final":"not fi\
nal yet"]})]},"seen"),t(B,{tone:l,children:c},"judgement")];return{key:r,cells:u}});return t(ee,{caption:"The service's word and the chain's word",columns:["Abo\
ut","The service says","Our own node shows","Together"],rows:o})}var Xr=3;function al({chain:e,txs:n,desk:o}){if(n.length===0)return t("span",{class:"quiet",children:"\
says nothing"});let r=n.length-Xr;return t("span",{children:[n.slice(0,Xr).map(s=>t("span",{class:"block",children:t(ae,{hash:s,link:o.known.linkOf(e,s),what:"t\
he transaction"})},s)),r>0?t("small",{class:"block",children:["and ",r," more"]}):null]})}function il({order:e,desk:n}){let o=e.from.split(":")[0]??"";return e.
transactions.length===0?t("p",{class:"empty",children:e.deposit==="gasless"&&e.depositTx!==null?"Ballast signed no transaction of its own: the relay made the de\
posit and paid its fee.":"Ballast has signed no transaction for this order."}):t("ul",{class:"plain",children:e.transactions.map(({purpose:r,attempt:s,tx:a})=>t(
"li",{children:[t("b",{children:r})," ",t("small",{children:s>0?`attempt ${s+1}`:`on ${I(o)}`}),t(ae,{hash:a,link:n.known.linkOf(o,a),what:"the transaction"})]},
a))})}function ll({order:e}){let n=O(e.to).symbol,o=Sr(e,null),r=[["Order",t(ae,{hash:e.id,what:"the order's id"},"id")],["Order at the service",e.serviceOrderId===
null?"none":t(ae,{hash:e.serviceOrderId,what:"the service's id"},"s")],["Service",e.service??"none yet"],["Solver",e.solver===null?"none yet":t(ae,{hash:e.solver,
what:"the solver's id"},"solver")],...ul(e),...o===null?[]:[["Payout must be redeemed",o]],["Value",e.fiat===null?"unknown":_(e.fiat)],["Cost, network fees so f\
ar included",`${_(e.costFiat)} (quote: ${Q(e.costBps)})`],["Deposit",e.deposit==="gasless"?"by a relay, without a fee of ours":"by our own transaction"],["Pays \
to",t(ae,{hash:e.destinationOwner,what:"the address"},"d")],["Fee that the payout may lose",e.payoutFee===null?"unknown":`${E(e.payoutFee)} ${n}`],["Approved",e.
approval===null?"no approval was needed or given":`by ${e.approval.by}, ${T(e.approval.at)}`],["Acts next",e.who]];return t(b,{children:[t(He,{pairs:r}),e.calls.
length===0?null:t(b,{children:[t("h3",{children:"Asked by people"}),t("ul",{class:"plain",children:e.calls.map(({at:s,caller:a,source:i,action:l})=>t("li",{children:[
t("b",{children:l})," by ",a," from ",i,", ",t(M,{at:s})]},`${s} ${l}`))})]})]})}function ul(e){let{route:n,refundableAtHeight:o}=e;return n!==void 0?[["Route",
Jt(n)],["Depends on",n.trust]]:[["Route","two HTLCs of a swap service"],["Secret",xr(e)],["Refund possible at height",o??"not known yet"]]}function cl({order:e}){
let[n,o]=v(!1),r=n?e.events:e.events.slice(-40);return t(b,{children:[e.events.length>r.length?t("button",{type:"button",onClick:()=>o(!0),children:["Show the ",
e.events.length-r.length," earlier events"]}):null,t("ol",{class:"events",children:r.map(({at:s,type:a,state:i},l)=>{let{who:c,says:u}=Dr(a);return t("li",{class:c,
children:[t("time",{dateTime:s,title:s,children:T(s)}),t("span",{class:"who",children:c}),t("span",{children:[u," ",t("small",{children:["→ ",ue(i)]})]})]},`${s}\
 ${l}`)})})]})}function It(e,n,o){let r=URL.createObjectURL(new Blob([o],{type:n})),s=document.createElement("a");s.href=r,s.download=e,s.click(),URL.revokeObjectURL(r)}var Fr={id:({id:e})=>e,requested:({createdAt:e})=>e,changed:({updatedAt:e})=>e,state:({state:e})=>e,rule:({rule:e})=>e,service:({service:e})=>e,sent:({amount:e})=>e,
sent_asset:({from:e})=>e,received:({destinationAmount:e})=>e,received_asset:({to:e})=>e,value_usd:({fiat:e})=>e,cost_usd:({costFiat:e})=>e,cost_bps:({costBps:e})=>e,
deposit_tx:({depositTx:e})=>e,payout_tx:({destinationTx:e})=>e};function Jr(e){return[Object.keys(Fr),...e.map(o=>Object.values(Fr).map(r=>String(r(o)??"")))].map(
o=>`${o.map(dl).join(",")}\r
`).join("")}function dl(e){let n=/^[=+@\t\r]|^-(?![\d.])/.test(e)?`'${e}`:e;return/[",\r\n]/.test(n)?`"${n.replaceAll('"','""')}"`:n}var ml=1e3;async function Ir(e,n){let o=[],r=null;do{let a=r===null?"":`&cursor=${r}`,i=await j("GET",`orders?${e}&limit=${ml}${a}`);o.push(...i.orders),n(o.length),
r=i.next}while(r!==null);let s=new Date().toISOString().slice(0,10);It(`orders-${s}.csv`,"text/csv",Jr(o))}var pl=1e3,fl=6e4,hl="since=1970-01-01T00:00:00Z";function Br({query:e}){let[n,o]=v(null);if(J(()=>{let g=!1,y=async()=>{let $=e.includes("since=")?e:`${e}&${hl}`,
S=await j("GET",`report?${$}`).catch(()=>null);S!==null&&!g&&o({query:e,sums:S.total})},w=setTimeout(y,pl),k=setInterval(y,fl);return()=>{g=!0,clearTimeout(w),clearInterval(
k)}},[e]),n?.query!==e)return null;let{counts:r,volumeFiat:s,costBps:a,toPayoutMs:i,unpriced:l,...c}=n.sums,{swapCostFiat:u,affiliateCostFiat:d,payoutCostFiat:p,
networkFeeFiat:f}=c,m=[u,d,p,f],h=l.swaps+l.fees;return t("p",{class:"sums",role:"status",children:[t("b",{children:"All of this filter:"}),t("span",{children:Object.
entries(r).map(([g,y])=>`${y} ${g}`).join(", ")||"no order"}),t("span",{children:[t(G,{fiat:s})," moved"]}),t("span",{children:[t(G,{fiat:m.reduce((g,y)=>g+Number(
y),0).toFixed(6)})," cost",a===null?"":`, ${a} bps`]}),i===null?null:t("span",{children:["paid out in ",H(i.median)," (median)"]}),h===0?null:t("span",{children:[
"▲ without ",h," that have no price"]})]})}var gl=["quoted","ordered","verified","signed"],yl={deposit:"deposited",voucher:"solver deposited",payout:"paid out"},bl={quoting:0,creating:1,verifying:2,"awai\
ting-approval":3,allowing:3,"gasless-signing":3,"deposit-planning":3,"deposit-signing":3,"deposit-sending":4,"gasless-submitting":4,"deposit-confirming":4,"gasl\
ess-confirming":4,funded:5,revealing:6,revealed:6,"redeem-reported":6,completed:7};function Ur(e){let{state:n,deposited:o,parts:r=yl}=e,s=[...gl,r.deposit,r.voucher,
r.payout],a=bl[n]??(o?5:3),i=["completed","refunded","rejected","abandoned"].includes(n),l=Le(n),c=s[a];return t("svg",{class:`steps ${l}`,viewBox:"0 0 69 6",role:"\
img","aria-label":i||c===void 0?`${a} of ${s.length} stages`:`${a} of ${s.length} stages, next: ${c}`,children:s.map((u,d)=>t("rect",{class:d<a?"passed":d===a&&
!i?"next":"track",x:d*10,width:"9",height:"6",rx:"1"},u))})}var wl=[{name:"all",query:""},{name:"needs you",query:"state=awaiting-approval"},{name:"open",query:"open=true"},{name:"held",query:"state=held"},{name:"complet\
ed",query:"state=completed"},{name:"refunded",query:"state=refunded"},{name:"rejected",query:"state=rejected"}],Wr={"24 h":1,"7 days":7,"30 days":30,"1 year":365},
vl=864e5,Hr=50,je="",_l=60,kl={state:"",rule:je,pair:je,service:je,since:je,text:""};function Kr({overview:e}){let[n,o]=v(kl),[r,s]=v([]),a=Vr(n),i=r.at(-1),l=C(
`orders?${a}&limit=${Hr}${i===void 0?"":`&cursor=${i}`}`),c=ne(null);c.current=l.value??c.current;let u={...l,value:c.current};return t(b,{children:[t(L,{children:"\
Orders"}),t(Sl,{filter:n,onChange:p=>{o(f=>({...f,...p})),s([])},overview:e.value,rows:c.current?.orders??[]}),t(D,{live:u,children:({orders:p,next:f})=>t("sect\
ion",{class:"card",children:[a===""?null:t(Br,{query:a}),t(Wn,{orders:p.map(m=>({...m,since:m.updatedAt,left:null})),none:a===""?t(We,{what:"No order yet",overview:e.
value}):"No order matches."}),t(Ol,{first:r.length*Hr,count:p.length,onNewer:r.length===0?null:()=>s(r.slice(0,-1)),onOlder:f===null?null:()=>s([...r,f])})]})})]})}
function Vr({state:e,rule:n,pair:o,service:r,since:s,text:a}){let[i="",l=""]=o.split(" "),c=Wr[s],u={rule:n,from:i,to:l,service:r,since:c===void 0?"":`${new Date(
Date.now()-c*vl).toISOString().slice(0,16)}:00Z`,text:a.trim().toLowerCase()};return[...e===""?[]:[e],...Object.entries(u).filter(([,d])=>d!=="").map(([d,p])=>`${d}\
=${encodeURIComponent(p)}`)].join("&")}function Sl(e){let{filter:n,onChange:o,overview:r,rows:s}=e,a=C("flows",6e4).value,i=[...(r?.rules??[]).map(({id:u})=>u),
...(a?.rules??[]).map(({name:u})=>u),...s.map(({rule:u})=>u)],l=[...a?.pairs??[],...s].map(({from:u,to:d})=>`${u} ${d}`),c=[...(r?.services??[]).map(({name:u})=>u),
...(a?.services??[]).map(({name:u})=>u).filter(u=>u!=="none yet"),...s.flatMap(({service:u})=>u??[])];return t("div",{class:"filters",children:[t("fieldset",{class:"\
segments",children:[t("legend",{class:"hidden",children:"Show"}),wl.map(({name:u,query:d},p)=>t("button",{type:"button","data-key":p===0?"filter":void 0,"aria-p\
ressed":d===n.state,onClick:()=>o({state:d}),children:u},u))]}),t(Bt,{name:"Any time",value:n.since,values:Object.keys(Wr),isSorted:!0,onChange:u=>o({since:u})}),
t(Bt,{name:"Every rule",value:n.rule,values:i,onChange:u=>o({rule:u})}),t(Bt,{name:"Every pair",value:n.pair,values:l,say:Cl,onChange:u=>o({pair:u})}),t(Bt,{name:"\
Every service or route",value:n.service,values:c,onChange:u=>o({service:u})}),t(xl,{onChange:u=>o({text:u})}),t($l,{query:Vr(n)})]})}function xl({onChange:e}){let n=ne(
0);return t("label",{children:[t("span",{class:"hidden",children:"Search by order, rule or asset"}),t("input",{type:"search",placeholder:"Order, rule or asset",
onInput:({currentTarget:{value:o}})=>{clearTimeout(n.current),n.current=window.setTimeout(()=>e(o),_l)}})]})}function $l({query:e}){let[n,o]=v("Export CSV");return t(
"button",{type:"button","data-key":"export",onClick:()=>{Ir(e,s=>o(`${s} orders…`)).then(()=>o("Export CSV"),s=>o(s instanceof P?s.message:"The export failed"))},
children:n})}function Ol(e){let{first:n,count:o,onNewer:r,onOlder:s}=e;return t("p",{class:"pages",children:[t("span",{class:"quiet keys",children:[t("kbd",{children:"\
j"})," ",t("kbd",{children:"k"})," move ",t("kbd",{children:"o"})," open ",t("kbd",{children:"f"})," filter ",t("kbd",{children:"e"})," export"]}),t("span",{class:"\
quiet",children:o===0?"":`${n+1}–${n+o}`}),t("button",{type:"button",disabled:r===null,onClick:()=>r?.(),children:"Newer"}),t("button",{type:"button",disabled:s===
null,onClick:()=>s?.(),children:"Older"})]})}function Cl(e){let[n,o]=e.split(" ").map(O);return`${n?.symbol} ${n?.chain} → ${o?.symbol} ${o?.chain}`}function Bt(e){
let{name:n,value:o,values:r,isSorted:s=!1,say:a=c=>c,onChange:i}=e,l=[...new Set([...o===je?[]:[o],...r])];return t("label",{children:[t("span",{class:"hidden",
children:n}),t("select",{value:o,onChange:c=>i(c.currentTarget.value),children:[t("option",{value:je,children:n}),(s?r:l.toSorted()).map(c=>t("option",{value:c,
children:a(c)},c))]})]})}var El=["Opened","Order","Sends","From → to","Receives","Value","Cost","Stage","State","Took","Rule"];function Wn({orders:e,none:n}){
return e.length===0?t(U,{children:n}):t("table",{class:"orders",children:[t("caption",{class:"hidden",children:"Orders"}),t("thead",{children:t("tr",{children:El.
map(o=>t("th",{scope:"col",children:o},o))})}),t("tbody",{children:e.map(o=>t(Tl,{order:o},o.id))})]})}function Tl({order:e}){let{id:n,from:o,to:r,state:s,fiat:a,
costFiat:i=null,costBps:l=null}=e;return t("tr",{children:[t("td",{children:t(M,{at:e.createdAt})}),t("td",{children:t("a",{href:`#/orders/${n}`,class:"id","dat\
a-row":!0,children:n.slice(0,8)})}),t("td",{class:"number",children:t(V,{amount:e.amount,asset:o,chain:!1})}),t("td",{children:[t(Z,{id:o})," ",t("span",{class:"\
quiet",children:"→"})," ",t(Z,{id:r})]}),t("td",{class:"number",children:e.destinationAmount===null?"–":t(V,{amount:e.destinationAmount,asset:r,chain:!1})}),
t("td",{class:"number",title:a??void 0,"data-exact":a??void 0,children:a===null?"–":_(a)}),t("td",{class:"number",title:i===null?void 0:`${i} usd`,children:l===
null?"–":`${l} bps`}),t("td",{children:[t(Ur,{state:s,deposited:e.deposited,parts:e.route}),e.route===void 0?null:t("small",{class:"block",children:Jt(e.route)})]}),
t("td",{title:e.money,children:[t(Et,{state:s}),e.left===null?null:t("small",{class:"block",children:[e.left," left"]})]}),t("td",{children:t(Ml,{order:e})}),t(
"td",{class:"rule",children:e.rule})]})}function Ml({order:{createdAt:e,since:n,outcome:o}}){let r=K(),s=o!=null,a=s?Date.parse(n):r;return t("time",{dateTime:e,
title:s?`${e} to ${n}`:`since ${e}`,children:H(Math.max(0,a-Date.parse(e)))})}var Al="Nothing is ordered before you have seen the quote and typed the amount.";function Gr(e){let n=(e.overview.value?.treasury??[]).map(({asset:y})=>y),[o,r]=v(
""),[s,a]=v(""),[i,l]=v(""),[c,u]=v(null),[d,p]=v(null),[f,m]=v(!1);function h(y){y(),u(null)}async function g(y){y.preventDefault(),m(!0),u(null),p(null);try{u(
await Rl({from:o,to:s,amount:i}))}catch(w){p(w instanceof P?w.message:"The page failed")}m(!1)}return t(b,{children:[t(L,{note:Al,children:"New swap"}),t("div",
{class:"grid even",children:[t(x,{title:"Request",children:[t("form",{class:"fields",onSubmit:g,children:[t(jr,{label:"Send",id:"swap-from",value:o,assets:n,onChoose:y=>h(
()=>r(y))}),t(Pl,{asset:o,value:i,onType:y=>h(()=>l(y))}),t(jr,{label:"Receive",id:"swap-to",value:s,assets:n,onChoose:y=>h(()=>a(y))}),t("button",{type:"submit",
class:"main",disabled:o===""||s===""||i===""||f,children:f?"Asking…":"Get a quote"})]}),d===null?null:t("p",{class:"notice bad",role:"alert",children:d})]}),c===
null?null:t(Dl,{quote:c,desk:e})]})]})}async function Rl(e){return await j("GET",`quote?${new URLSearchParams(e)}`)}function Pl(e){let n=e.asset===""?"":`, in ${O(
e.asset).symbol}`;return t(b,{children:[t("label",{for:"swap-amount",children:["Amount",n]}),t("input",{id:"swap-amount",inputMode:"decimal",autocomplete:"off",
value:e.value,onInput:({currentTarget:o})=>e.onType(o.value.trim())})]})}function jr(e){return t(b,{children:[t("label",{for:e.id,children:e.label}),t("select",
{id:e.id,value:e.value,onChange:n=>e.onChoose(n.currentTarget.value),children:[t("option",{value:"",children:"Choose an asset"}),e.assets.map(n=>t("option",{value:n,
children:[O(n).symbol," on ",O(n).chain]},n))]})]})}function Dl({quote:e,desk:n}){let o={title:"Order this swap?",word:e.amount,button:"Order the swap",path:"sw\
ap",body:{from:e.from,to:e.to,amount:e.amount},onDone:r=>{location.hash=`#/orders/${r.id}`},children:t(b,{children:[t("p",{children:["Send ",t(V,{amount:e.amount,
asset:e.from})," and receive about"," ",t(V,{amount:e.receive,asset:e.to}),"."]}),t(qr,{sentences:e.worstCase})]})};return t(x,{title:"Quote",note:e.refused.length===
0?t(B,{tone:"good",children:"the guards allow it"}):t(B,{tone:"bad",children:"refused"}),children:[t("p",{class:"big",children:t(V,{amount:e.receive,asset:e.to})}),
t(Nl,{quote:e}),t(qr,{sentences:e.worstCase}),t(se,{reasons:e.refused.map(r=>n.known.humane(r,e))}),t("div",{class:"actions",children:e.refused.length===0?t(ce,
{change:o,scope:"operate",scopes:n.scopes,main:!0}):null})]})}function Nl({quote:e}){return t("dl",{class:"pairs",children:[t("div",{children:[t("dt",{children:"\
Cost"}),t("dd",{children:[Q(e.costBps),e.sendsFiat===null||e.receivesFiat===null?"":`: ${_(e.sendsFiat)} for ${_(e.receivesFiat)}`]})]}),t("div",{children:[t("d\
t",{children:"Service and solver"}),t("dd",{children:[e.service??"none"," ",e.solver===null?null:t(ae,{hash:e.solver,what:"the solver's id"})]})]}),t("div",{children:[
t("dt",{children:"Network fees at most"}),t("dd",{children:e.fees===null?"cannot be estimated now":`${e.fees.deposit}; for a refund ${e.fees.refund}`})]}),t("di\
v",{children:[t("dt",{children:"Approval"}),t("dd",{children:e.needsApproval?"a person must approve the order":"not needed"})]})]})}function qr({sentences:e}){return t(
"div",{class:"notice warn",children:[t("b",{children:"The worst case"}),t("ul",{children:e.map(n=>t("li",{children:t(X,{text:n})},n))})]})}var Xl=1500,zr="ballast.keys";function Kn(){return localStorage.getItem(zr)!=="off"}function Yr(e){localStorage.setItem(zr,e?"on":"off")}function Qr(e){let n=ne(
e);n.current=e,J(()=>{let o="",r=0,s=a=>{if((a.ctrlKey||a.metaKey)&&a.key.toLowerCase()==="k"){a.preventDefault(),n.current["/"]?.();return}if(a.ctrlKey||a.metaKey||
a.altKey||!Kn()||Ll(a))return;let i=`${o} ${a.key}`,l=Date.now()-r<Xl&&i in n.current,c=n.current[l?i:a.key];o=l?"":a.key,r=Date.now(),c!==void 0&&c()!==!1&&a.preventDefault()};
return document.addEventListener("keydown",s),()=>document.removeEventListener("keydown",s)},[])}function Ll({target:e}){return document.querySelector("dialog[o\
pen]")!==null?!0:e instanceof Element&&e.closest("input, select, textarea")!==null}function lt(e){let n=[...document.querySelectorAll("main [data-row]")],o=n.findIndex(
s=>s.matches(":focus")),r=n[o===-1?e===1?0:n.length-1:o+e];return r?.focus(),r?.scrollIntoView({block:"nearest"}),n.length>0}function Oe(e){let n=document.querySelector(
`[data-key="${e}"]`);return n?.focus(),n instanceof HTMLButtonElement&&n.click(),n!==null}function Zr(){let{activeElement:e}=document;e instanceof HTMLElement&&
e.dataset.row!==void 0&&e.click()}function es(e,n){let o=r=>Math.abs(Number(n(r)??0));return e.toSorted((r,s)=>+(s.level==="trouble")-+(r.level==="trouble")||o(s)-o(r)||(r.deadline??"~").localeCompare(
s.deadline??"~"))}function ts({overview:e,summary:n}){let o=a=>Fl(n,a),r=es(e.tasks,o),s=e.problems.filter(({needsPerson:a})=>!a);return r.length+s.length===0?t(x,{title:"Needs y\
ou",children:t("p",{class:"quiet",children:["✓ Nothing. ",e.verdict]})}):t(x,{title:r.length>0?"Needs you":"Worth knowing",note:r.length>1?"most at stake firs\
t":void 0,children:t("ul",{class:"plain tasks",children:[...r,...s].map(a=>t(Bl,{problem:a,stake:o(a),stops:Jl(a)&&e.pause===null},`${a.code} ${a.sentence}`))})})}
function Fl(e,{order:n,about:o,code:r}){return n!==null?e?.open.find(s=>s.order===n)?.fiat??null:r!==ns?null:e?.assets.find(({asset:s})=>s===o)?.unbookedFiat??null}
var ns="books.difference";function Jl({code:e,kind:n}){return e===ns||n==="theft"}var Il={trouble:"✕",attention:"▲"};function Bl(e){let{problem:n,stake:o,stops:r}=e,
{level:s,sentence:a,meaning:i,todo:l,deadline:c,left:u,needsPerson:d}=n,p=d?Ut(n):null;return t("li",{class:s,children:[t("span",{class:"shape","aria-hidden":"t\
rue",children:Il[s]}),t("div",{children:[t("p",{children:[t("b",{children:t(X,{text:a})}),o===null?null:t("span",{class:"stake",children:_(o)})]}),t("p",{class:"\
note",children:[i," ",t(X,{text:l}),d?null:" (ends by itself)"]}),t(Vn,{problem:n})]}),c===null&&p===null&&!r?null:t("p",{class:"do",children:[c===null?null:t("\
span",{children:["Time left: ",t("b",{children:u})]}),r?t("button",{type:"button",class:"stop",onClick:()=>Oe("pause"),children:"Pause everything"}):null,p===null?
null:t("a",{class:r?"button":"button main",href:p.href,"data-row":!0,children:p.name})]})]})}function Vn({problem:e}){let{command:n,needsPerson:o}=e;return n===
null||o&&Ut(e)!==null?null:t("details",{class:"small",children:[t("summary",{children:"On the daemon's machine"}),t("p",{class:"hash",children:[t("code",{children:n}),
t(at,{text:n,what:"the command"})]})]})}function Ut({order:e,kind:n,about:o}){return e!==null&&n==="approval"?{name:"Review",href:`#/orders/${e}/approve`}:e!==null?
{name:"Open the order",href:`#/orders/${e}`}:n==="rule"||n==="pause"&&o?.startsWith("rule ")===!0?{name:"Open the rules",href:"#/rules"}:n==="limit"?{name:"Open\
 the limits",href:"#/limits"}:n==="gas"?{name:"Open the treasury",href:"#/treasury"}:n==="books"?{name:"Open the books",href:"#/books"}:null}var Ul="An alarm is open as long as its cause lasts. A pause by an alarm ends when a person acknowledges it (Resume, on the overview).";function rs({overview:e}){
let n=C("alerts?limit=100",1e4);return t(b,{children:[t(L,{note:Ul,children:"Alarms"}),t(D,{live:n,children:o=>{let r=o.alerts.filter(({closed:i})=>i===null),s=e.
value?.problems??[],a=o.alerts.filter(({closed:i})=>i!==null);return t(b,{children:[t(x,{title:r.length===0?"No alarm is open":`${r.length} open`,wide:!0,children:r.
length===0?t(U,{children:"Nothing needs you here."}):t(os,{alerts:r,problems:s})}),a.length===0?null:t(x,{title:"Over",note:`${a.length} of the last 100`,wide:!0,
children:t(os,{alerts:a})})]})}})]})}function os({alerts:e,problems:n=[]}){return t("ul",{class:"plain alarms",children:e.map(({at:o,order:r,reason:s,closed:a})=>t(
"li",{children:[t("p",{children:[t(B,{tone:a===null?"bad":"calm",children:a===null?"open":`over after ${H(Date.parse(a)-Date.parse(o))}`})," ",t("b",{title:s.code,
children:t(X,{text:s.message})})]}),t("p",{class:"line quiet",children:[t("span",{title:o,children:T(o)}),t(M,{at:o}),r===null?null:t("a",{href:`#/orders/${r}`,
children:["Order ",r.slice(0,8)]})]}),t(Hl,{problem:n.find(i=>i.code===s.code&&i.order===r)})]},`${o} ${s.code} ${r}`))})}function Hl({problem:e}){if(e===void 0)
return null;let{meaning:n,todo:o}=e,r=Ut(e);return t(b,{children:[t("p",{children:[n," ",t(X,{text:o})]}),r===null?null:t("a",{class:"button",href:r.href,children:r.
name}),t(Vn,{problem:e})]})}function Ht(e){return t("figure",{class:"calls",children:[t("svg",{viewBox:"0 0 144 12",role:"img","aria-label":e.words,children:e.marks.map(({kind:n,path:o,title:r},s)=>t(
"path",{class:n,d:o,transform:`translate(${s*6} 0)`,children:t("title",{children:r})},r))}),t("figcaption",{children:e.words})]})}function jn(e){let n=e.reduce((a,i)=>a+i.failed,0),o=e.reduce((a,i)=>a+i.answered,n);if(o===0)return"no call in 24 h";let{fault:r=null}=e.findLast(a=>a.fault!==
null)??{},s=`${o} call${o===1?"":"s"}`;return n===0?`${s}, all answered`:`▲ ${s}, ${n} failed: ${r}`}var ss=36e5,as=24;function qn({hours:e}){let n=Math.floor(K()/ss)-as+1,o=Array.from({length:as},(r,s)=>{let a=(n+s)*ss,i=e.find(({at:c})=>Date.parse(c)===a),l=i===
void 0?"no call":jn([i]);return{...Wl(i),title:`${T(new Date(a).toISOString())}: ${l}`}});return t(Ht,{marks:o,words:jn(e)})}function Wl(e){return e===void 0?{kind:"\
none",path:"M0 11h5v1h-5z"}:e.failed===0?{kind:"well",path:"M0 0h5v12h-5z"}:{kind:"ill",path:"M0 6h5v6h-5z"}}function is({overview:e}){let n=C("settings",6e4);return t(b,{children:[t(L,{note:"What Ballast may still sell, and what it has used.",children:"Limits"}),t(D,{
live:e,children:({limits:o})=>{let r=({used:s,unit:a})=>Number(s)===0&&a.includes(":");return t("div",{class:"grid even",children:[o.filter(s=>!r(s)).toSorted((s,a)=>a.
percent-s.percent).map(s=>t(Kl,{limit:s},s.name)),t(Vl,{limits:o.filter(r)})]})}}),t(D,{live:n,children:({guards:o})=>t(Gn,{guards:o})})]})}function Kl({limit:e}){
let{name:n,used:o,max:r,left:s,unit:a,percent:i}=e,l=`${i}% used`;return t(x,{title:ls(n),note:i>=80?t(B,{tone:i>=100?"bad":"warn",children:l}):l,children:[t("p",
{class:"big",children:[Yn(s,a)," ",t("small",{children:"left"})," ",t(re,{amount:s,asset:a})]}),t(Tt,{percent:i,label:l}),t("p",{class:"note",children:[zn(o,r,a),
" used"]})]})}function Vl({limits:e}){return e.length===0?null:t(x,{title:"Not used yet",children:t("dl",{class:"pairs",children:e.map(({name:n,left:o,unit:r})=>t(
"div",{children:[t("dt",{children:ls(n)}),t("dd",{children:[Yn(o,r)," left ",t(re,{amount:o,asset:r})]})]},n))})})}function Gn({guards:e}){return t(x,{title:"Ev\
ery guard",note:"as the configuration in force says",wide:!0,children:t("dl",{class:"pairs",children:e.map(({guard:n,means:o})=>t("div",{children:[t("dt",{children:t(
"code",{children:n})}),t("dd",{children:t(X,{text:jl(o)})})]},n))})})}function zn(e,n,o){return o==="usd"?`${_(e)} of ${_(n)}`:`${E(e)} of ${Yn(n,o)}`}function Yn(e,n){
return n==="usd"?_(e):`${E(e)} ${n.includes(":")?O(n).symbol:n}`}function jl(e){let n=e.split(", ").map(s=>s.split(" ")),[[o=""]=[]]=n;return n.length>1&&n.every(
([s,a="",...i])=>s===o&&a.includes(":")&&i.length===0)?`${o} of each asset`:e}function ls(e){let[n=""]=e.split(" ");if(!n.includes(":"))return e.slice(0,1).toUpperCase()+
e.slice(1);let{symbol:o,chain:r}=O(n);return`${o} on ${r}${e.slice(n.length)}`}var Zn="ballast.looked",ql=864e5;function us({problems:e}){let n=K(),[o,r]=v(Yl);J(()=>{let f=()=>localStorage.setItem(Zn,new Date().toISOString());return addEventListener(
"pagehide",f),()=>removeEventListener("pagehide",f)},[]);let{value:s}=C(`summary?since=${o}`,1e4);if(s===null)return t(x,{title:"Since you last looked",children:t(
"p",{class:"quiet",children:"Reading…"})});let{swaps:a,alarms:i,missed:l}=s,c=f=>a.counts[f]??0,u=c("rejected")+c("abandoned"),d=l.reduce((f,m)=>f+m.runs,0),p=()=>{
let f=new Date(n).toISOString();localStorage.setItem(Zn,f),r(f)};return t(x,{title:"Since you last looked",note:t(M,{at:o}),children:[t("dl",{class:"facts",children:[
t("div",{children:[t("dt",{children:"Orders"}),t("dd",{children:a.orders})]}),t("div",{children:[t("dt",{children:"Moved"}),t("dd",{children:_(a.volumeFiat)})]}),
t("div",{children:[t("dt",{children:"Cost"}),t("dd",{children:_(a.costFiat)})]})]}),t("ul",{class:"plain small",children:[t(Qn,{count:c("refunded"),one:"order r\
efunded",many:"orders refunded"}),t(Qn,{count:u,one:"order ended without a swap",many:"orders ended without a swap"}),t(Qn,{count:d,one:"planned run came to no \
swap",many:"planned runs came to no swap"}),t(zl,{alarms:i.filter(f=>!e.some(m=>Gl(m,f)))}),i.length+u+d+c("refunded")===0?t("li",{class:"quiet",children:"✓ No \
refund, no refusal, no missed run, no alarm"}):null]}),t("p",{class:"line",children:[t("button",{type:"button",onClick:p,children:"Mark as seen"}),t("a",{href:"\
#/alarms",children:["All alarms",i.length>3?` (${i.length})`:""]})]})]})}function Gl(e,{code:n,order:o}){return e.code===n&&e.order===o}function zl({alarms:e}){
let n=K();return t(b,{children:e.slice(0,3).map(({at:o,sentence:r,order:s})=>t("li",{children:[t("span",{"aria-hidden":"true",children:"▲"})," ",s===null?t(X,
{text:r}):t("a",{href:`#/orders/${s}`,children:t(X,{text:r})})," ",t("small",{title:o,children:T(o,n)})]},`${o} ${r}`))})}function Qn(e){return e.count===0?null:
t("li",{children:[t("span",{"aria-hidden":"true",children:"▲"})," ",e.count," ",e.count===1?e.one:e.many]})}function Yl(){return localStorage.getItem(Zn)??new Date(
Date.now()-ql).toISOString()}function ps({overview:e}){let{value:n}=C("summary",5e3);return t(D,{live:e,children:o=>t(b,{children:[t(nu,{overview:o}),n===null?t(Ue,{}):t(fr,{overview:o,summary:n}),
t("div",{class:"grid",children:[t("div",{class:"column",children:[t(ts,{overview:o,summary:n}),n===null?t(Ue,{}):t(Ft,{overview:o,summary:n})]}),t("div",{class:"\
column",children:[t(us,{problems:o.problems}),t(Ql,{}),t(ou,{overview:o}),t(ru,{overview:o}),t(su,{overview:o})]}),t(eu,{overview:o,summary:n})]})]})})}function Ql(){
let[e,n]=v("24 h"),{value:o}=C(`flows?since=${Ln(e)}`,2e4);return t("section",{class:"card",children:[t("header",{children:[t("h2",{children:t("a",{href:"#/trea\
sury",children:"Flows"})}),t(Fn,{range:e,ranges:["24 h","7 d","30 d"],onChange:n})]}),o===null?t("p",{class:"quiet",children:"Reading…"}):t(Zl,{flows:o})]})}function Zl({
flows:{chains:e,total:n}}){return t(b,{children:[t(Nt,{chains:e}),e.length===0?null:t(b,{children:[t("p",{class:"note",children:[t(G,{fiat:n.volumeFiat})," in ",
n.completed," swap",n.completed===1?"":"s",n.costBps===null?"":`, ${n.costBps} bps`]}),t("details",{class:"small",children:[t("summary",{children:"The same as a\
 table"}),t(Xt,{chains:e})]})]})]})}var cs=6;function eu({overview:{orders:e},summary:n}){let o=e.slice(0,cs).map(r=>{let s=n?.open.find(a=>a.order===r.id);return{
...r,deposited:s?.deposited??!1,createdAt:s?.requestedAt??r.since,fiat:s?.fiat??null}});return t(x,{title:"Orders in flight",link:"#/orders",wide:!0,children:[t(
Wn,{orders:o,none:"No order is in flight."}),e.length<=cs?null:t("p",{class:"rest",children:t("a",{href:"#/orders",children:["All ",e.length," orders in flight"]})})]})}
var tu={ok:"All is well",attention:"Needs attention",trouble:"Trouble"};function nu({overview:e}){let{level:n,mode:o,pause:r}=e;return t("section",{class:`verdi\
ct ${n}`,"aria-label":"Verdict",children:t("h1",{tabIndex:-1,children:[tu[n]," · ",o??"unknown"," mode",r===null?"":" · paused"]})})}function ou({overview:e}){
return t(x,{title:"Next",link:"#/rules",children:[e.next.length===0?t(U,{children:"No rule is due."}):null,t("dl",{class:"pairs",children:e.next.slice(0,5).map(
({rule:n,at:o})=>t("div",{children:[t("dt",{children:t("a",{href:`#/decisions/${encodeURIComponent(n)}`,children:n})}),t("dd",{children:t(M,{at:o})})]},n))})]})}
var ds=80;function ru({overview:e}){let n=e.limits.toSorted((r,s)=>s.percent-r.percent),o=n.filter(({percent:r})=>r>=ds).slice(0,3);return t(x,{title:"Limits us\
ed",link:"#/limits",children:[o.length>0?null:t("p",{class:"quiet",children:["✓ None above ",ds," %; the fullest has ",n[0]?.percent??0," %."]}),o.map(({name:r,
used:s,max:a,unit:i,percent:l})=>t("div",{class:"limit",children:[t("p",{children:[t(X,{text:r})," ",t("span",{class:"quiet",children:zn(s,a,i)})]}),t(Tt,{percent:l,
label:`${r}: ${l}%`})]},r))]})}var ms={good:"good",slow:"warn",degraded:"warn",resting:"warn",silent:"bad",failing:"bad",unknown:"calm"};function su({overview:e}){
let{nodes:n,services:o}=e;return t(x,{title:"Nodes and services",children:t("dl",{class:"pairs",children:[n.map(({chain:r,state:s,lastAnswer:a,endpoints:i,needed:l})=>t(
"div",{children:[t("dt",{children:[I(r)," ",t("details",{class:"small",children:[t("summary",{children:[i.length," node",i.length===1?"":"s",", ",l," must agree"]}),
i.map(({host:c,hours:u})=>t("div",{children:[c,t(qn,{hours:u})]},c))]})]}),t("dd",{children:[t(M,{at:a})," ",t(B,{tone:ms[s]??"calm",children:s})]})]},r)),o.map(
({name:r,state:s,lastAnswer:a,inFlight:i,hours:l})=>t("div",{children:[t("dt",{children:["Service ",r," ",t("small",{children:[i," in flight"]}),t(qn,{hours:l})]}),
t("dd",{children:[t(M,{at:a})," ",t(B,{tone:ms[s]??"calm",children:s})]})]},r))]})})}var au=2e4;function eo({scope:e,paused:n,scopes:o,children:r}){let s=K(),[a,i]=v(null),[l,c]=v(null),u=Be("operate",o),d=a===null?0:a+au-s;async function p(f){try{
await Fe(f,e),c(null),i(f==="pause"?Date.now():null),pe()}catch(m){m instanceof P&&c(m)}}return t("span",{class:"actions",children:[l===null?null:t("span",{class:"\
notice bad",role:"alert",children:l.message}),n&&d>0?t("button",{type:"button",onClick:()=>{p("resume")},children:["Undo (",Math.ceil(d/1e3)," s)"]}):n?r:t("but\
ton",{type:"button",class:"stop","data-key":e.rule===void 0?"pause":void 0,disabled:u!==null,title:u??"No new order and no new deposit. Orders that have deposit\
ed go on.",onClick:()=>{p("pause")},children:"Pause"})]})}function fs({overview:e,scopes:n}){return t(eo,{scope:{},paused:e.pause!==null,scopes:n,children:null})}
function hs(e){let{overview:n,scopes:o}=e;if(n===null||n.pause===null)return null;let{by:r,at:s,reason:a}=n.pause;return t("section",{class:"notice warn pause-n\
ote","aria-label":"Paused",children:[t("p",{children:["▲ ",t("b",{children:"Paused"})," by ",r," ",t(M,{at:s}),a===null||r==="alarm"?".":`: ${a}.`," No new or\
der and no new deposit; orders under way go on."]}),t(iu,{overview:n,scopes:o})]})}function iu({overview:e,scopes:n}){let o=e.pause?.alarms??[],[r,s]=v([]),a={title:"\
Resume?",word:"resume",button:"Resume",path:"resume",body:{acknowledge:r},children:o.length===0?t("p",{children:"Rules make orders again at their next time."}):
t("fieldset",{children:[t("legend",{children:"Acknowledge each alarm that you have dealt with"}),o.map(({id:i,message:l})=>t("label",{class:"check",children:[t(
"input",{type:"checkbox",checked:r.includes(i),onChange:c=>{let u=r.filter(d=>d!==i);s(c.currentTarget.checked?[...u,i]:u)}}),l]},i))]})};return t(ce,{change:a,
scope:"operate",scopes:n})}function ut(e){return[...Map.groupBy(e,lu).values()].flatMap(o=>o.slice(0,1).map(r=>[r,o.length]))}function lu({outcome:e,refused:n,...o}){let{rules:r,from:s,to:a,
destination:i,kind:l,amount:c}=o,d=e!=null&&"order"in e?"order":e;return JSON.stringify({rules:r,from:s,to:a,destination:i,kind:l,amount:c,refused:n,result:d})}
function Wt(e){return e===1?"":`${e} times `}function gs(e){return[...Map.groupBy(e,({rule:o,verdict:r,reasons:s,proposals:a})=>JSON.stringify([o,r,s.map(({code:i})=>i),a.map(({from:i,to:l})=>[i,l])])).values()]}function Kt(){let{value:e}=C("rules",6e4);return n=>to(e?.rules.find(({id:o})=>o===n)??{})}function to({from:e,to:n}){return typeof e=="string"&&typeof n=="stri\
ng"?{from:e,to:n}:null}var uu="Why did a rule do something, or nothing? The same outcome is one line; a rule's own list has each decision.",cu=100;function ws({detail:e,overview:n,known:o}){
let r=e===null?"":`rule=${encodeURIComponent(e)}&`,s=C(`decisions?${r}limit=${cu}`,1e4),a=Kt();return t(b,{children:[t(L,{note:uu,children:e===null?"Decisions":
`Decisions of ${e}`}),t("nav",{class:"filters","aria-label":"Rules",children:[t("a",{class:"chip",href:"#/decisions","aria-current":e===null?"page":void 0,children:"\
all rules"}),(n.value?.rules??[]).map(({id:i})=>t("a",{class:"chip",href:`#/decisions/${encodeURIComponent(i)}`,"aria-current":i===e?"page":void 0,children:i},i))]}),
t(D,{live:s,children:i=>t("section",{class:"card",children:[i.decisions.length===0?t(U,{children:t(We,{what:"No decision yet",overview:n.value})}):null,e===null||
i.decisions.length===0?null:t(mu,{rule:e}),(e===null?gs(i.decisions):i.decisions.map(l=>[l])).map(l=>t(du,{group:l,known:o,pairOf:a},l[0]?.id))]})})]})}function du(e){
let[n,...o]=e.group;if(n===void 0)return null;let r=o.reduce((s,a)=>s+a.times,0);return t(b,{children:[t(ys,{decision:n,known:e.known,pairOf:e.pairOf}),o.length===
0?null:t("details",{class:"others",children:[t("summary",{children:[r," more like this, since ",T(o.at(-1)?.at??n.at)]}),o.map(s=>t(ys,{decision:s,known:e.known,
pairOf:e.pairOf},s.id))]})]})}function ys({decision:e,known:n,pairOf:o}){let{id:r,at:s,lastAt:a,times:i,rule:l,verdict:c,reasons:u,proposals:d,orders:p}=e,f=o(l)??
d[0]??null;return t("article",{class:"proposal",children:[t("p",{class:"line",children:[t("b",{title:s,children:T(s)}),t("a",{href:`#/decisions/${encodeURIComponent(
l)}`,children:l}),t(B,{tone:c==="proposed"?"good":"calm",children:c==="proposed"?"proposed":"did nothing"}),i>1?t("span",{class:"quiet",children:[i," times, las\
t ",t(M,{at:a})]}):null]}),ut(d).map(([m,h])=>t("p",{class:"line",children:[Wt(h),t(V,{amount:m.amount,asset:m.from}),t(re,{amount:m.amount,asset:m.from})," →",
" ",t(V,{amount:m.receive,asset:m.to}),m.cost===null?null:t("span",{class:"quiet",children:["cost ",_(m.cost)]})]},`${m.from} ${m.to} ${m.amount}`)),t(se,{reasons:u.
map(m=>n.humane(m,f))}),t("p",{class:"line quiet",children:p.map(m=>t("a",{href:`#/orders/${m}`,children:["Order ",m.slice(0,8)]},m))}),t(fu,{decision:r,known:n})]})}
function mu({rule:e}){let[n,o]=v(null);return t("div",{class:"proposal","aria-live":"polite",children:n===null||n==="asking"?t("button",{type:"button",disabled:n!==
null,onClick:()=>{o("asking"),j("GET",`rules/${encodeURIComponent(e)}/why`).catch(a=>a).then(o)},children:n===null?"Explain the last decision":"Reading the book\
s…"}):n instanceof P?t("p",{class:"notice bad",children:n.message}):t(pu,{decision:n.decisions[0]??null})})}function pu(e){let{proposals:n=[],changes:o=[]}=e.
decision??{},r=[...ut(n).flatMap(([{explained:s=[]}])=>s),...o.map(s=>`It proposes (more) when ${s}.`)];return r.length===0?t("p",{class:"quiet",children:"There\
 is no more to say than its reasons."}):t("ul",{class:"plain",children:r.map(s=>t("li",{children:t(X,{text:s})},s))})}function fu({decision:e,known:n}){let[o,r]=v(
null);return t(b,{children:[t("button",{type:"button",onClick:()=>{j("GET",`decisions/${encodeURIComponent(e)}/replay`).catch(i=>i).then(r)},"aria-label":`Repla\
y ${e}`,children:"Replay"}),t("div",{"aria-live":"polite",children:o===null?null:t(hu,{replay:o,known:n})})]})}function hu({replay:e,known:n}){if(e instanceof P)
return t("p",{class:"notice bad",children:e.message});let{same:o,again:r,stored:s}=e;return o?t("p",{class:"notice",children:[t(B,{tone:"good",children:"same de\
cision"})," The stored inputs give the stored result again."]}):t("div",{class:"notice bad",children:[t("p",{children:[t("b",{children:"Another decision."})," T\
he stored inputs give another result now."]}),t("div",{class:"grid even",children:[t(bs,{name:"Stored",of:s,known:n}),t(bs,{name:"Now",of:r,known:n})]})]})}function bs({
name:e,of:n,known:o}){let r=n.proposals,s=r[0]??null;return t("section",{"aria-label":e,children:[t("h3",{children:e}),r.map(({from:a,to:i,units:l})=>t("p",{children:[
"Sell ",t(V,{amount:o.amountOf(l,a),asset:a})," for ",t(X,{text:i})]},`${a} ${i} ${l}`)),t(se,{reasons:[...r.flatMap(({why:a})=>a),...n.reasons].map(a=>o.humane(
a,s)),none:"No reason."})]})}var gu="What the rules would do if every rule decided now. Looking at it changes nothing.";function vs({known:e}){let n=C("plan",15e3),o=Kt();return t(b,{children:[
t(L,{note:gu,children:"Plan"}),t(D,{live:n,children:({at:r,proposals:s,declined:a,paused:i,plan:l,mode:c})=>t(b,{children:[(i??[]).map(u=>t("p",{class:"notice w\
arn",children:t(X,{text:u})},u)),c==="observe"?t("p",{class:"notice warn",children:"Observe mode: Ballast records decisions and makes no order."}):null,t(x,{title:s.
length===0?"Nothing to swap now":`${s.length} swap${s.length===1?"":"s"}`,note:t(b,{children:["computed ",t(M,{at:r}),l.cost===null||s.length===0?"":`, cost abo\
ut ${_(l.cost)}`]}),wide:!0,children:[s.length===0?t(U,{children:"Each rule says below why it asks for nothing."}):null,ut(s).map(([u,d])=>t(bu,{proposal:u,times:d,
known:e},yu(u)))]}),t("div",{class:"grid even",children:a.map(({rule:u,reasons:d})=>t(x,{title:u,link:`#/decisions/${encodeURIComponent(u)}`,children:t(se,{reasons:d.
map(p=>e.humane(p,o(u))),none:"It proposes a swap."})},u))})]})})]})}function yu({rules:e,from:n,to:o,amount:r}){return`${e.join()} ${n} ${o} ${r}`}function bu({
proposal:e,times:n,known:o}){let{amount:r,from:s,receive:a,to:i,rules:l,cost:c,why:u,refused:d,explained:p=[]}=e;return t("article",{class:"proposal",children:[
t("p",{class:"line",children:[Wt(n),t(V,{amount:r,asset:s})," ",t(re,{amount:r,asset:s})," →"," ",t(V,{amount:a,asset:i}),d.length===0?t(B,{tone:"good",children:"\
would be ordered"}):t(B,{tone:"bad",children:"refused"}),t("span",{class:"quiet",children:[l.join(", "),c===null?"":` · cost ${_(c)}${n>1?" each":""}`]})]}),p.
map(f=>t("p",{class:"quiet",children:f},f)),t(se,{reasons:[...u,...d].map(f=>o.humane(f,e))})]})}function _s(e,n,o=Date.now()){let r=n.flatMap(({id:s,deadline:a,ends:i})=>a===null?[]:[{at:a,kind:"end",words:`${s.slice(0,8)}: ${i}`}]);return[...e.map(s=>({at:s,
kind:"run",words:"run"})),...r].filter(({at:s})=>Date.parse(s)>=o&&Date.parse(s)<=o+864e5).toSorted((s,a)=>Date.parse(s.at)-Date.parse(a.at))}var Vt={swap:"swapped",nothing:"nothing to do",refused:"refused",missed:"missed"};function ks(e){let n=s=>e.filter(({outcome:a})=>s===null||a===s).reduce((a,{times:i})=>a+
i,0),r=Object.keys(Vt).filter(s=>n(s)>0).map(s=>`${n(s)} ${Vt[s]}`);return e.length===0?"no run yet":`Last ${n(null)} runs: ${r.join(", ")}`}var wu={swap:"M0 0h5v12h-5z",nothing:"M0 5h5v2h-5z",refused:"M2.5 1l2.5 10h-5z",missed:"M0 2l5 8m0 -8l-5 8"};function Ss(e){let n=e.runs.map(o=>{let{at:r,lastAt:s,
times:a,outcome:i}=o,l=[`${T(s)}: ${Vt[i]}`,...a>1?[`${a} times since ${T(r)}`]:[],...i==="swap"?[]:[e.whyOf(o)]];return{kind:i,path:wu[i],title:l.join(", ")}});
return t(Ht,{marks:n,words:ks(e.runs)})}var ct=16,xs=864e5,vu=3;function $s({coming:e}){let[n,o]=Y(),r=K(),s=c=>Math.max(0,o*(c-r)/xs),a=e.slice(0,vu).map(({at:c,words:u})=>`${T(c)} ${u}`),i=e.length-
a.length,l=`Next 24 hours: ${a.join(", ")}${i>0?`, ${i} more`:""}`;return t("figure",{class:"chart upcoming",ref:n,children:[t("svg",{width:o,height:ct+16,role:"\
img","aria-label":l,children:[t("line",{class:"grid-line",x2:o,y1:ct,y2:ct}),e.map(({at:c,kind:u,words:d})=>t("path",{class:u==="run"?"run-tick":"mark out",d:u===
"run"?"M0 -12V0":"m0 -1 4 -8h-8z",transform:`translate(${s(Date.parse(c))} ${ct})`,children:t("title",{children:`${T(c)} ${d}`})},`${c} ${d}`)),ke(r,r+xs,Math.max(
2,Math.floor(o/80))).map(({ms:c,label:u})=>t("text",{x:s(c),y:ct+13,"text-anchor":"middle",children:u},c))]}),t("figcaption",{class:"note",children:l})]})}function jt(e,n){let{kind:o}=e,r=l=>String(e[l]??""),s=l=>n.speak(r(l)),a=(l,c)=>{let u=l==null?null:n.amountOf(String(l),c);return u===null?"any":E(u)},i=typeof e.
everyMs=="number"?`looks each ${H(e.everyMs)}`:`runs at ${r("schedule")} (${r("timezone")})`;if(o==="recurring")return`Swaps ${_u(e.amount,c=>a(c,r("from")))} o\
f ${s("from")} to ${s("to")}; ${i}.`;if(o==="band"){let[l,c,u]=["minUnits","targetUnits","maxUnits"].map(f=>a(e[f],r("asset"))),d=no(", bought with",e.sources,n)+
no(", sold for",e.sinks,n),p=`between ${l} and ${u}, with ${c} as the target`;return`Keeps ${s("asset")} ${p}${d}; ${i}.`}if(o==="sweep"){let l=a(e.keepUnits,r(
"from"));return`Swaps all of ${s("from")} above ${l} to ${s("to")}; ${i}.`}if(o==="gas"){let l=`the network fees of ${r("days")} days and of ${r("orders")} orde\
rs`,c=no(", bought with",e.sources,n);return`Keeps ${l} in ${s("asset")}${c}; ${i}.`}if(o==="weights"){let l=oo(e.toleranceBps);return`Keeps ${ku(e.weights,n)} \
within ${l}; ${i}.`}return`A rule of the kind ${o}; ${i}.`}function _u(e,n){let o=e;return o?.kind==="share"?oo(o.bps):o?.kind==="fiat"?`${_(String(Number(o.fiat)/
1e6))} worth`:n(o?.units)}function oo(e){return`${Number(e)/100}%`}function no(e,n,{speak:o}){let s=(Array.isArray(n)?n:[]).map(a=>typeof a=="string"?a:String(Os(
a)));return s.length===0?"":`${e} ${s.map(o).join(" or ")}`}function Os(e){return e?.asset}function ku(e,{speak:n}){return(Array.isArray(e)?e:[]).map(r=>{let{bps:s}=r;
return`${oo(s)} in ${n(String(Os(r)))}`}).join(", ")}function Cs({overview:e,scopes:n,known:o}){let r=C("rules",3e4),s=C("flows",3e4);return t(b,{children:[t(L,{note:"Each rule with its last decision, and why it d\
ecided so.",children:"Rules"}),t(D,{live:e,children:({rules:a,orders:i})=>t("div",{class:"grid even",children:[a.map(l=>t(Su,{rule:l,flights:i.filter(c=>c.rule===
l.id),scopes:n,fields:r.value?.rules.find(({id:c})=>c===l.id)??null,known:o,week:s.value?.rules.find(({name:c})=>c===l.id)??null},l.id)),a.length===0?t(U,{children:"\
The configuration has no rules."}):null]})})]})}function Su({rule:e,flights:n,scopes:o,fields:r,known:s,week:a}){let{id:i,kind:l,paused:c,verdict:u,reasons:d}=e,
p=_s(r?.upcoming??[],n),f={title:`Resume the rule ${i}?`,word:"resume",button:"Resume",path:"resume",body:{rule:i},children:t("p",{children:"The rule decides ag\
ain at its next time."})};return t(x,{title:i,note:ue(l),link:`#/decisions/${encodeURIComponent(i)}`,children:[r===null?null:t("p",{class:"sentence",children:jt(
r,s)}),t(xu,{rule:e,inFlight:n.length}),r===null?null:t(Ss,{runs:r.runs,whyOf:({reasons:m})=>m.map(h=>s.humane(h,to(r)).message).join("; ")}),p.length===0||c?null:
t($s,{coming:p}),a===null?null:t("p",{class:"quiet",children:["In 7 days: ",a.completed," of ",a.orders," orders completed ·"," ",t(G,{fiat:a.volumeFiat})," mo\
ved · ",t(G,{fiat:a.costFiat})," cost",a.costBps===null?"":`, ${a.costBps} bps`]}),t("p",{children:u===null?t("span",{class:"quiet",children:"It has not decide\
d yet."}):u==="proposed"?t("b",{children:"It proposed a swap."}):t("b",{children:"It did nothing, because:"})}),t(se,{reasons:d}),t("div",{class:"actions",children:[
t(eo,{scope:{rule:i},paused:c,scopes:o,children:t(ce,{change:f,scope:"operate",scopes:o})}),t("a",{class:"button",href:`#/decisions/${encodeURIComponent(i)}`,children:"\
All decisions"}),t("a",{class:"button",href:`#/simulate/${encodeURIComponent(i)}`,children:"Try a change"})]})]})}function xu({rule:e,inFlight:n}){let{enabled:o,
paused:r,next:s,last:a}=e;return t("p",{class:"line",children:[o?r?t(B,{tone:"warn",children:"paused"}):t(B,{tone:"good",children:"on"}):t(B,{tone:"calm",children:"\
not enabled"}),t("span",{children:["Next: ",t(M,{at:s})]}),t("span",{children:["Last: ",t(M,{at:a})]}),n===0?null:t("span",{children:[n," in flight"]})]})}function $u(e,n,o){if(!e)throw new Ae({code:"bug.assertion",disposition:"bug",message:n,...o?{details:o}:{}})}function Es(e,n){return $u(e!=null,`${n} is missin\
g`),e}function Ou(e){let n=Ms(e);return{p5:dt(n,5),p50:dt(n,50),p95:dt(n,95)}}function Ts(e){let n=Ms(e);return{...Ou(n),p25:dt(n,25),p75:dt(n,75)}}function Ms(e){return e.
toSorted((n,o)=>n<o?-1:n>o?1:0)}function dt(e,n){let o=Math.max(0,Math.ceil(e.length*n/100)-1);return Es(e[o],"a value")}var qe=120,q=56,Rs=52,pt={high:qe,left:q,right:Rs},ro=20,zt=["as it is","changed"];function Yt(e,n,o,r){let s=e.subjects[n]??{points:[],bound:null},{bottom:a,top:i}=Cu(
e.subjects),l=r-Rs,c=Math.max(1,s.points.length-1),u=w=>Ce(q+(l-q)*w/c),d=w=>Ce(Math.max(0,Math.min(qe,qe-qe*(w-a)/(i-a)))),p=w=>s.points.map((k,$)=>`${u($)} ${d(
w(k))}`),f=(w,k)=>`M${[...p($=>$[k]),...p($=>$[w]).toReversed()].join("L")}Z`,m=Math.min(...s.points.map(({p5:w})=>w)),h=Math.max(...s.points.map(({p95:w})=>w)),
g=e.asset.split(":")[1]?.toUpperCase()??"",y=fe(a,i,3);return{width:r,height:qe+ro,words:`Simulated balance over ${o} days, nine of ten runs: ${E(String(m))} to\
 ${E(String(h))} ${g}`,marks:[...Eu(s.bound,d,l),...y.flatMap(w=>[Ge("grid-line",d(w),l),he(q-6,d(w)+4,z(w,(y[1]??0)-(y[0]??0)),"end")]),...Ps(o,qe,l),{tag:"pat\
h",tone:"fan",at:{d:f("p5","p95")}},{tag:"path",tone:"half",at:{d:f("p25","p75")}},{tag:"path",tone:"line-a",at:{d:`M${p(({p50:w})=>w).join("L")}`}}]}}function Cu(e){
let n=e.flatMap(({points:a,bound:i})=>[...a.flatMap(({p5:l,p95:c})=>[l,c]),...i===null?[]:[Number(i.min),Number(i.target)]]),o=Math.min(...n),r=Math.max(...n),s=(r-
o)*.1||r*.05||1;return{bottom:Math.max(0,o-s),top:r+s}}function Eu(e,n,o){if(e===null)return[];let r=e.max===null?0:n(Number(e.max)),s=n(Number(e.min)),a=n(Number(
e.target)),i=Math.max(0,s-r);return[{tag:"rect",tone:"band-area",at:{x:q,y:r,width:o-q,height:i}},Ge("edge",s,o),Ge("goal",a,o),he(o+6,s+4,"min","start"),...s-a<
12?[]:[he(o+6,a+4,"target","start")],...r===0||a-r<12?[]:[Ge("edge",r,o),he(o+6,r+4,"max","start")]]}var qt=30,mt=62,Tu=40;function Qt(e,n,o){let r=e.map(({costs:h})=>h.
map(g=>Number(g)/1e6)),s=Math.min(...r.flat()),a=Math.max(...r.flat()),i=a-s||1,l=o-14,c=h=>Ce(q+(l-q)*(h-s)/i),u=h=>Math.min(qt-1,Math.floor((h-s)/i*qt)),d=r.map(
h=>Array.from({length:qt},(g,y)=>h.filter(w=>u(w)===y).length)),p=Math.max(1,...d.flat()),f=r.map(h=>Ts(h).p50),m=(l-q)/qt;return{width:o,height:mt*r.length+ro,
words:`Cost of ${n} days in ${r[0]?.length??0} runs, the middle one: `+f.map((h,g)=>`${zt[g]} ${As(h)}`).join(", "),marks:[...d.flatMap((h,g)=>{let y=mt*(g+1),w=f[g]??
0,k=c(w),$=k>(q+l)/2;return[...h.flatMap((S,A)=>{let le=Ce(Tu*S/p),N={x:Ce(q+A*m+.5),y:y-le},de={width:Ce(m-1),height:le},gt=g===0&&r.length>1?"bar-b":"bar-a";return S===
0?[]:[{tag:"rect",tone:gt,at:{...N,...de}}]}),Ge("grid-line",y,l),he(0,y-4,zt[g]??"","start"),{tag:"line",tone:"edge",at:{x1:k,x2:k,y1:y-mt+8,y2:y}},he(k+($?-5:
5),y-mt+17,`median ${As(w)}`,$?"end":"start")]}),...fe(s,a).map(h=>he(c(h),mt*r.length+15,`$${z(h)}`,"middle"))]}}var Gt=26;function Zt(e,n,o){let r=o-14,s=Gt*e.
length;return{width:o,height:s+ro,words:`When the middle run would swap in ${n} days: `+e.map(({swapDays:a},i)=>`${zt[i]} ${a.length} times`).join(", "),marks:[
...e.flatMap(({swapDays:a},i)=>[Ge("grid-line",Gt*(i+1),r),he(0,Gt*(i+1)-4,zt[i]??"","start"),...a.map(l=>{let c=Ce(q+(r-q)*l/n),u=Gt*(i+1);return{tag:"line",tone:"\
run-tick",at:{x1:c,x2:c,y1:u-16,y2:u}}})]),...Ps(n,s,r)]}}function Ps(e,n,o){return[0,.5,1].map(r=>he(q+(o-q)*r,n+15,`${Math.round(r*e*10)/10} d`,"middle"))}function Ge(e,n,o){
return{tag:"line",tone:e,at:{x1:q,x2:o,y1:n,y2:n}}}function he(e,n,o,r){return{tag:"text",tone:"label",at:{x:Ce(e),y:n,"text-anchor":r},text:o}}function As(e){return _(
e.toFixed(2))}function Ce(e){return Math.round(e*10)/10}function Ns({plots:e,subjects:n,days:o}){let r=e.filter(l=>l.subjects.some(({points:c})=>c.length>0)),s=n.length*(en+De)-De,a=[...r.flatMap((l,c)=>n.map((u,d)=>({
title:l.asset,drawing:Yt(l,d,o,en),x:d*(en+De),y:c*tn}))),{title:`Cost of ${o} days: each column counts runs`,drawing:Qt(n,o,s),x:0,y:r.length*tn},{title:"When \
it would swap: the middle run",drawing:Zt(n,o,s),x:0,y:(r.length+1)*tn}];return[`<svg xmlns="http://www.w3.org/2000/svg" ${`width="${s+2*De}" height="${Ds+(r.length+
2)*tn}"`} font-family="sans-serif" font-size="11">`,'<rect width="100%" height="100%" fill="#ffffff"/>',...n.map(({name:l},c)=>`<text x="${De+c*(en+De)}" y="26"\
 font-weight="bold">${nn(l)}</text>`),...a.map(({title:l,drawing:c,x:u,y:d})=>`<g transform="translate(${u+De} ${d+Ds})"><text x="0" y="-10" ${Xs.label}>${nn(l)}\
</text>${Mu(c)}</g>`),`</svg>
`].join(`
`)}var en=560,De=32,Ds=60,tn=190,Xs={fan:'fill="#2456c9" fill-opacity="0.16"',half:'fill="#2456c9" fill-opacity="0.28"',"line-a":'fill="none" stroke="#2456c9" s\
troke-width="1.6" stroke-linejoin="round"',"band-area":'fill="#dceee9"',edge:'stroke="#3f8f7b"',goal:'stroke="#3f8f7b" stroke-dasharray="4 3"',"grid-line":'stro\
ke="#e5e8ec"',"bar-a":'fill="#2456c9"',"bar-b":'fill="#7d8997"',"run-tick":'stroke="#2456c9" stroke-width="1.6"',label:'fill="#4d5866"'};function Mu({words:e,marks:n}){
return`<title>${nn(e)}</title>${n.map(Au).join("")}`}function Au({tag:e,tone:n,at:o,text:r=""}){let s=Object.entries(o).map(([a,i])=>` ${a}="${i}"`);return`<${e}\
 class="${n}" ${Xs[n]}${s.join("")}>${nn(r)}</${e}>`}function nn(e){return e.replace(/[&<>"]/g,n=>`&#${n.charCodeAt(0)};`)}function ft(e){let[n,o]=Y(),{width:r,height:s,words:a,marks:i}=e.draw(o);return t("figure",{class:"chart",ref:n,children:[t("svg",{width:r,height:s,role:"img","\
aria-label":a,children:i.map(({tag:l,tone:c,at:u,text:d})=>po(l,{key:JSON.stringify([l,c,u]),class:c,...u},d))}),e.over?.(r),t("figcaption",{class:"note",children:a})]})}function Ls(e){let{plot:n,subject:o,days:r,title:s}=e,a=n.subjects[o]?.points??[],i=Math.max(1,a.length-1),{symbol:l}=O(n.asset),c=u=>{let d=a[u];if(d===void 0)
return"no run";let[p,f,m,h]=[d.p5,d.p25,d.p75,d.p95].map(y=>E(String(y)));return`day ${Math.round(10*r*u/i)/10} · half ${f} to ${m} · nine of ten ${p} to ${h}\
 ${l}`};return t(ft,{draw:u=>Yt(n,o,r,u),over:u=>t(Se,{of:"fan",label:`${s}: ${l} on a day`,last:i,high:pt.high,at:d=>({x:pt.left+(u-pt.left-pt.right)*d/i,words:c(
d)})})})}function on({parts:e,shown:n,label:o}){return t("nav",{class:"filters tabs","aria-label":o,children:e.map(({id:r,name:s})=>t("a",{class:"chip",href:`#/${r}`,"ar\
ia-current":r===n?"page":void 0,children:s},r))})}var Ru={band:[["min","minUnits","Refill below","asset"],["target","targetUnits","Refill or drain to","asset"],["max","maxUnits","Drain above","asset"],["least",
"leastUnits","Smallest order","asset"]],sweep:[["keep","keepUnits","Keep","from"],["least","leastUnits","Smallest order","from"]]};function Fs(e,n){let s=[...(Ru[e.
kind]??[]).map(([a,i,l,c])=>{let u=e[i]??null,d=u===null?null:n.amountOf(String(u),String(e[c]));return{key:a,label:l,text:d??""}}),...Pu(e,n)];return s.length===
0?[]:[...s,{key:"max_cost",label:"Highest cost",text:Du(e.maxCost)}]}function Pu(e,n){return e.kind==="weights"?[{key:"tolerance",label:"Tolerance",text:Js(e.toleranceBps)}]:
e.kind==="recurring"?[{key:"amount",label:"Amount",text:Nu(e.amount,String(e.from),n)}]:[]}function Du(e){let n=e;return n?.kind==="share"?`${n.bps}bps`:n?.kind===
"fiat"?Is(n.fiat):""}function Nu(e,n,o){let r=e;return r?.kind==="share"?Js(r.bps):r?.kind==="fiat"?Is(r.fiat):o.amountOf(String(r?.units??0),n)??""}function Js(e){
return`${Number(e)/100}%`}function Is(e){return`${Re(BigInt(String(e)),6)} usd`}function Bs(e){let[,n="",o=""]=/^(\d+(?:\.\d+)?)(.*)$/.exec(e)??[],r=Number(n);if(!(r>
0))return null;let s=Math.max(0,2-Math.floor(Math.log10(r))),a=i=>i.toFixed(s).replace(/\.?0+$/,s===0?"$&":"");return{most:2*r,step:10**-s,textOf:i=>`${a(i)}${o}`}}
function Us(e,n){return Ws(e,n).map(({key:o,text:r})=>`${o}=${r}`).join(",")}function Hs(e,n,o){let r=Ws(n,o).map(({key:s,text:a})=>`    ${s}: "${a}"`);return[`\
  - id: ${e}`,...r].join(`
`)}function Ws(e,n){return e.flatMap(({key:o,text:r})=>{let s=n[o]?.trim()??"";return s===""||s===r?[]:[{key:o,text:s}]})}var ze=1e6;function Ks(e,n,o){let[r,s]=e.subjects.map(({summary:u})=>u);if(r===void 0||s===void 0)return[];let a=(u,d,p)=>{let f=d(r),m=d(s);return{name:u,now:p(
f),changed:p(m),difference:Lu(m-f,p)}},i=u=>_(u.toFixed(2)),l=r.rules.some(u=>u.rule===n),c=a("Time off its goal",u=>ao(u,n),Q);return[a("Swaps",({moves:u})=>u.
p50,String),a("Moved",({volumeFiat:u})=>Number(u.p50)/ze,i),a("Cost",({feesFiat:u})=>Number(u.p50)/ze,i),a("Of it network fees",({networkFeesFiat:u})=>Number(u.
p50)/ze,i),a("Cost of what moved",({feesHundredthBps:u})=>Number(u.p50)/100,u=>`${u.toFixed(1)} bps`),a("Refunded",({refunded:u})=>u.p50,String),...l?[c]:[],...e.
plots.map(({asset:u})=>a(`Mean value of ${O(u).symbol} held`,d=>so(d,u)/ze,i)),...e.plots.map(({asset:u})=>a(`Lowest ${O(u).symbol}, 19 of 20 runs`,({assets:d})=>{
let p=d.find(f=>f.asset===u)?.lowestUnits.p5??"0";return Number(o.amountOf(p,u))},d=>E(String(d))))]}function Vs(e,n,o){let[r,s]=e.subjects.map(({summary:w})=>w);
if(r===void 0||s===void 0)return"The change was not simulated.";let a=s.moves.p50-r.moves.p50,i=(Number(s.feesFiat.p50)-Number(r.feesFiat.p50))/ze,l=a===0?"As m\
any swaps":`${Math.abs(a)} ${a<0?"fewer":"more"} swap${Math.abs(a)===1?"":"s"}`,c=Math.abs(i)<.005?"the same cost":`${_(Math.abs(i).toFixed(2))} ${i<0?"less":"m\
ore"} cost`,u=e.plots.reduce((w,{asset:k})=>w+so(s,k)-so(r,k),0),d=Q(ao(r,n)),p=Q(ao(s,n)),f=r.rules.every(w=>w.rule!==n)?"":`; the rule is off its goal ${p} of\
 the time`+(d===p?", as now":` instead of ${d}`),m=e.comparison?.cheaper===null&&Math.abs(i)>=.005?" The runs do not agree which is cheaper.":"",{days:h}=e.scenario,
g=`${h} day${h===1?"":"s"}`,y=h<o?` The rules look too often to simulate ${o} days within a minute, so this is of ${g}.`:"";return`${l} and ${c} in ${g}${Xu(u/ze)}${f}\
.${m}${y}`}function Xu(e){return Math.abs(e)<.01?"":`, ${_(Math.abs(e).toFixed(2))} ${e<0?"less":"more"} held`}function so({assets:e},n){return Number(e.find(o=>o.
asset===n)?.meanFiat.p50??0)}function ao({rules:e},n){return e.find(o=>o.rule===n)?.outsideBps.p50??0}function Lu(e,n){let o=n(Math.abs(e));return o===n(0)?"sam\
e":`${e<0?"▾":"▴"} ${o}`}var Fu="Runs the rules with and without a change in the same random markets. Nothing is changed: the file is yours to edit.",Ju=[7,30,90],Iu=20;function qs({detail:e,
known:n}){let o=C("rules",6e4);return t(b,{children:[t(L,{note:Fu,children:["Simulate",e===null?"":` ${e}`]}),t(D,{live:o,children:({rules:r})=>{let s=r.map(i=>({
rule:i,keys:Fs(i,n)})).filter(({keys:i})=>i.length>0),a=e===null?s[0]:s.find(({rule:i})=>i.id===e);return t(b,{children:[t(on,{parts:s.map(({rule:{id:i}})=>({id:js(
i),name:i})),shown:js(a?.rule.id??""),label:"Rule"}),a===void 0?t(U,{children:"This page cannot try a change of such a rule."}):t(Bu,{id:a.rule.id,sentence:jt(a.
rule,n),keys:a.keys,known:n},a.rule.id)]})}})]})}function js(e){return`simulate/${encodeURIComponent(e)}`}function Bu(e){let{id:n,sentence:o,keys:r,known:s}=e,[
a,i]=v({}),[l,c]=v(30),[u,d]=v(null),p=Us(r,a),f=async h=>{h.preventDefault(),d("asking"),d(await Hu(n,p,l,Hs(n,r,a)))},m=u===null||u==="asking"||u instanceof P?
null:u;return t(b,{children:[t("div",{class:"grid","aria-live":"polite",children:m===null?null:t(Wu,{id:n,result:m,isOld:m.change!==p})}),t(x,{title:"The change",
wide:!0,children:[t("p",{class:"sentence",children:o}),t("form",{class:"fields trial",onSubmit:f,children:[r.map(h=>t(Uu,{of:h,value:a[h.key]??h.text,onValue:g=>i(
{...a,[h.key]:g})},h.key)),t("div",{class:"line",children:[Ju.map(h=>t("button",{type:"button",class:"chip","aria-pressed":h===l,onClick:()=>c(h),children:[h," \
days"]},h)),t("button",{type:"submit",class:"main",disabled:p===""||u==="asking",children:u==="asking"?"Simulating…":"Simulate"})]})]}),u instanceof P?t("p",{
class:"notice bad",role:"alert",children:u.message}):null]}),m===null?null:t(Vu,{id:n,result:m,known:s})]})}function Uu(e){let{of:{key:n,label:o,text:r},value:s,
onValue:a}=e,i=Bs(r),l=r===""?"not set":r;return t("div",{children:[t("label",{for:`try-${n}`,children:[o," ",t("span",{class:"quiet",children:[s===r?r===""?l:`\
now ${r}`:`${l} → `,s===r?null:t("b",{children:s})]})]}),t("input",{id:`try-${n}`,autocomplete:"off",value:s,onInput:({currentTarget:c})=>a(c.value)}),i===null?
null:t("input",{type:"range","aria-label":`Slider: ${o}`,min:"0",max:i.most,step:i.step,value:Number.parseFloat(s),onInput:({currentTarget:c})=>a(i.textOf(c.valueAsNumber))})]})}
async function Hu(e,n,o,r){let s=new URLSearchParams({rule:e,change:n,days:String(o),seeds:String(Iu)});try{let a=await j("GET",`simulate?${s}`);return{change:n,
text:r,askedDays:o,found:a}}catch(a){if(a instanceof P)return a;throw a}}function Wu(e){let{id:n,result:o,isOld:r}=e,{found:s,askedDays:a}=o;return t("section",
{class:"card wide","aria-label":"What the change would do",children:[r?t("p",{class:"notice warn",children:"This is of the change before; simulate again."}):null,
t("div",{class:"line",children:[t("p",{class:"sentence",children:t("b",{children:Vs(s,n,a)})}),t("button",{type:"button","data-key":"export",onClick:()=>Ku(n,s),
children:"Export SVG"})]}),t("p",{class:"note",children:[s.seeds.count," runs in random markets, the same for both. The real one is another."]})]})}function Ku(e,{
plots:n,subjects:o,scenario:{days:r}}){It(`simulate-${e}.svg`,"image/svg+xml",Ns({plots:n,subjects:o,days:r}))}function Vu(e){let{id:n,result:o,known:r}=e,{found:s,
text:a}=o,{days:i}=s.scenario,{subjects:l}=s;return t("div",{class:"grid halves",children:[s.plots.flatMap(c=>["As it is","With the change"].map((u,d)=>t(x,{title:u,
note:`${O(c.asset).symbol} · half, and nine of ten runs`,children:t(Ls,{plot:c,subject:d,days:i,title:u})},`${c.asset} ${u}`))),t(x,{title:`Cost of ${i} days`,
note:"each column counts runs",children:[t(ft,{draw:c=>Qt(l,i,c)}),t("h3",{children:"When it would swap"}),t(ft,{draw:c=>Zt(l,i,c)})]}),t(x,{title:"Side by side",
note:"the middle run",children:t(ju,{compared:Ks(s,n,r)})}),t(x,{title:"For the file",note:t(at,{text:a,what:"the change"}),wide:!0,children:[t("pre",{class:"fi\
le",children:a}),t("p",{class:"note",children:["Then ",t("code",{children:"ballast check"})," and ",t("code",{children:"ballast reload"}),"."]})]})]})}function ju({
compared:e}){return t(ee,{caption:"The rules as they are and with the change",figures:!0,columns:["","As it is","Changed","Difference"],rows:e.map(({name:n,now:o,
changed:r,difference:s})=>({key:n,cells:[n,o,r,s]}))})}var qu="The configuration that the daemon has in force now. To change it, edit the file and reload; no secret is shown here.";function Gs({overview:e}){let n=C(
"settings",6e4);return t(b,{children:[t(L,{note:qu,children:"Settings"}),t(D,{live:n,children:o=>t("div",{class:"grid even",children:[t(x,{title:"Daemon",children:t(
He,{pairs:[["treasury",o.treasury],["version",e.value?.daemon.version??"unknown"],["configuration",t(ae,{hash:o.configHash,what:"the hash of the configuration"},
"hash")],...o.settings.map(({name:r,means:s})=>[r,s])]})}),t(x,{title:"Chains",children:t(He,{pairs:o.chains.map(({chain:r,family:s,nativeCoin:a,endpoints:i,agree:l})=>[
I(r),`${s}, coin ${a.symbol}, ${i} node${i===1?"":"s"} of which ${l} must agree`])})}),t(x,{title:"Services and access",children:t(He,{pairs:[...o.services.map(
({name:r,host:s})=>[`service ${r}`,s]),...o.tokens.map(({name:r,scopes:s})=>[`token ${r}`,s.join(", ")])]})}),t(Gn,{guards:o.guards})]})})]})}var Gu=[["g h","Overview"],["g t","Treasury"],["g o","Orders"],["g r","Rules"],["g s","Simulate"],["g ,","Settings"],["/ or Ctrl K","Find or do"],["j k, ↓ ↑",
"Next and previous line of a list, or task"],["o, Enter","Open it"],["a","Approve; elsewhere, the most urgent approval"],["f","Filter"],["e","Export"],["p p","P\
ause everything"],[".","Times as clock times, or as ages"],["?","This list"]];function zs({onClose:e}){let[n,o]=v(Kn);return t($e,{labelledBy:"key-help",onClose:e,
children:[t("h2",{id:"key-help",children:"Keys"}),t("dl",{class:"pairs",children:Gu.map(([r,s])=>t("div",{children:[t("dt",{children:t("kbd",{children:r})}),t("\
dd",{children:s})]},r))}),t("label",{class:"check",children:[t("input",{type:"checkbox",checked:n,onChange:({currentTarget:{checked:r}})=>{Yr(r),o(r)}}),"Single\
 keys act outside of fields"]}),t("footer",{children:t("button",{type:"button",onClick:e,children:"Close"})})]})}function Ys(e,n,o){let r=n.toLowerCase().split(/\s+/),s=e.filter(({name:l})=>r.every(c=>l.toLowerCase().includes(c))),[a=""]=/^[0-9a-f]{32}$/.exec(n.trim())??[],
i={name:`Order ${a}`,act:()=>o(a)};return(a===""?s:[i,...s]).slice(0,9)}function Qs(e){let{commands:n,onClose:o}=e,r=_e(),[s,a]=v(""),[i,l]=v(0),c=Ys(n,s,e.onOrder),u=p=>{p!==void 0&&(o(),p.act())},d=p=>{let f={ArrowDown:1,ArrowUp:-1}[p.
key];f!==void 0&&(p.preventDefault(),l((i+f+c.length)%Math.max(c.length,1))),p.key==="Enter"&&(p.preventDefault(),u(c[i]))};return t($e,{class:"palette",label:"\
Find or do",onClose:o,children:[t("input",{type:"text",role:"combobox","aria-label":"Find or do","aria-expanded":"true","aria-controls":r,"aria-activedescendant":c.
length===0?void 0:`${r}-${i}`,placeholder:"A view, an order, a rule, an act",value:s,autocomplete:"off",spellcheck:!1,onInput:p=>{a(p.currentTarget.value),l(0)},
onKeyDown:d}),t("div",{id:r,role:"listbox","aria-label":"Found",children:c.map((p,f)=>t("button",{type:"button",id:`${r}-${f}`,role:"option",tabIndex:-1,"aria-s\
elected":f===i,onClick:()=>u(p),children:[p.name,p.keys===void 0?null:t("kbd",{children:p.keys})]},p.name))}),c.length===0?t("p",{class:"empty",children:"Nothin\
g has these words."}):null]})}var zu={overview:"M2.5 7.5 8 3l5.5 4.5M4 7v6h3v-3.5h2V13h3V7",orders:"M2 5.5h10m-2.5-3 3 3-3 3M14 10.5H4m2.5-3-3 3 3 3",treasury:"M2.5 3h11v9h-11zM4 12v1.5M12 1\
2v1.5M8 5.5a2 2 0 1 0 .01 0",rules:"M2 4.5h3m3 0h6M6.5 3v3M2 11.5h6m3 0h3M9.5 10v3",simulate:"M2.5 2.5v11h11M5 10.5l2.5-3 2 1.5 3.5-5",settings:"M8 5.5a2.5 2.5 \
0 1 0 .01 0M8 1.5v2m0 9v2m6.5-6.5h-2m-9 0h-2M12.6 3.4l-1.4 1.4m-6.4 6.4-1.4 1.4m0-9.2 1.4 1.4m6.4 6.4 1.4 1.4",find:"M7 2.5a4.5 4.5 0 1 0 .01 0M10.3 10.3 14 14",
pause:"M5.5 3v10M10.5 3v10"};function rn({name:e}){return t("svg",{class:"icon",viewBox:"0 0 16 16","aria-hidden":"true",children:t("path",{d:zu[e]})})}function Zs(e){let{overview:n}=e,o={"":n?.tasks.length,orders:n?.orders.length};return t("nav",{class:"side","aria-label":"Views",children:t("div",{class:"rail",
children:[t("a",{class:"brand",href:"#/",children:[t("img",{src:"/icon.svg",alt:"",width:"26",height:"26"}),t("span",{children:["Ballast",t("small",{children:e.
treasury??""})]})]}),t("ul",{children:e.entries.map(({id:r,name:s,icon:a})=>t("li",{children:t("a",{href:`#/${r}`,"aria-current":r===e.shown?"page":void 0,children:[
t(rn,{name:a}),s,o[r]?t("span",{class:r===""?"count tasks":"count",children:o[r]}):null]})},r))}),n===null?null:t(Yu,{overview:n})]})})}function Yu({overview:{services:e,
nodes:n}}){let o=n.filter(({state:r})=>r!=="good");return t("dl",{class:"pulse",children:[e.map(({name:r,state:s})=>t("div",{children:[t("dt",{children:["Servic\
e ",r]}),t("dd",{children:s==="good"?"✓ good":`▲ ${s}`})]},r)),t("div",{title:o.map(({chain:r,state:s})=>`${I(r)} ${s}`).join(", "),children:[t("dt",{children:"\
Chains"}),t("dd",{children:[o.length===0?"✓":"▲"," ",n.length-o.length," of ",n.length," good"]})]})]})}function ea(e){let{account:n,overview:o}=e,r=()=>{jo().
then(e.onLeave)};return t("header",{class:"top",children:[t("p",{class:"state",children:o===null?null:t(b,{children:[t("span",{class:`dot ${o.level}`}),o.pause===
null?`${o.mode??"unknown"} mode`:"paused"]})}),t("button",{type:"button",class:"find",onClick:e.onFind,"aria-label":"Find or do","aria-keyshortcuts":"/ Control+\
K",children:[t(rn,{name:"find"}),t("span",{children:"Find or do…"}),t("kbd",{children:"/"})]}),t("a",{class:"button",href:"#/swap",children:"New swap"}),o===null?
null:t(fs,{overview:o,scopes:n.scopes}),t("a",{class:"button gear",href:"#/settings","aria-label":"Settings",children:t(rn,{name:"settings"})}),t(Qu,{}),n.csrf===
null?null:t("button",{type:"button",onClick:r,title:`Logged in with the token ${n.name}: ${n.scopes.join(", ")}`,children:"Log out"})]})}function Qu(){let[e,n]=v(
localStorage.getItem("ballast.theme")??"system");J(()=>{e==="system"?delete document.documentElement.dataset.theme:document.documentElement.dataset.theme=e,localStorage.
setItem("ballast.theme",e)},[e]);let o={light:"Light",dark:"Dark"}[e]??"Auto",r={system:"light",light:"dark",dark:"system"}[e]??"system";return t("button",{type:"\
button",class:"theme",onClick:()=>n(r),"aria-label":`${o} colours. Change to ${r}`,children:o})}var ht=[{id:"",name:"Overview",icon:"overview",show:ps},{id:"treasury",name:"Treasury",icon:"treasury",show:kr},{id:"books",name:"Books",icon:"treasury",of:"tre\
asury",show:Zo},{id:"orders",name:"Orders",icon:"orders",show:Kr},{id:"rules",name:"Rules",icon:"rules",show:Cs},{id:"plan",name:"Plan",icon:"rules",of:"rules",
show:vs},{id:"decisions",name:"Decisions",icon:"rules",of:"rules",show:ws},{id:"limits",name:"Limits",icon:"rules",of:"rules",show:is},{id:"simulate",name:"Simu\
late",icon:"simulate",show:qs},{id:"settings",name:"Settings",icon:"settings",show:Gs},{id:"alarms",name:"Alarms",icon:"settings",of:"settings",show:rs}];function ta(){
let[e,n]=v("asking"),[o,r]=v(0);return J(()=>{Ko().then(n,()=>setTimeout(()=>r(a=>a+1),2e3))},[o]),e==="asking"?t("main",{class:"login",children:t("p",{class:"q\
uiet",children:o===0?"Reading…":"The daemon does not answer. The page tries again every two seconds."})}):e===null?t(Qo,{onLogin:n}):t(Zu,{account:e,onLeave:()=>{
Go(),oe.loggedOut=!1,n(null)}})}function Zu({account:e,onLeave:n}){let o=C("overview",3e3),r=C("settings",6e4),[s="",a=null,i=null]=Yo(),l=ne(!1);J(()=>{let A=new AbortController;
return zo(A.signal),document.addEventListener("copy",ac,{signal:A.signal}),()=>A.abort()},[]);let c=oe.loggedOut;J(()=>{c&&n()},[c]);let u=ht.find(({id:A})=>A===
s),d=s==="swap"?"New swap":u?.name??"Not found";J(()=>{document.title=`${d} · Ballast`,l.current&&document.querySelector("h1")?.focus({preventScroll:!0}),l.current=
!0,scrollTo(0,0)},[s,a]);let p=ec(),f={overview:o,known:Ot(r.value),scopes:e.scopes,detail:a},m=uc()&&o.value!==null,[h,g]=v(!1),[y,w]=v(null);return Qr(oc({find:()=>w(
"palette"),help:()=>w("help"),swapTimes:()=>g(A=>!A)},o.value)),t(tc,{known:f.known,prices:p,isStale:m,asClock:h,children:[t("div",{class:"frame",children:[t("b\
utton",{type:"button",class:"skip",onClick:ic,children:"Skip to the content"}),t(Zs,{entries:ht.filter(({of:A})=>A===void 0),shown:u?.of??s,overview:o.value,treasury:r.
value?.treasury??null}),t("div",{class:"body",children:[t(ea,{account:e,overview:o.value,onFind:()=>w("palette"),onLeave:n}),t(cc,{overview:o.value,isStale:m}),
t(hs,{overview:o.value,scopes:e.scopes}),t("main",{id:"content",tabIndex:-1,children:t(sc,{view:s,detail:a,part:i,desk:f},`${s}/${a}`)})]})]}),y==="palette"?t(Qs,
{commands:rc(o.value,()=>w("help")),onOrder:A=>ie(`orders/${A}`),onClose:()=>w(null)}):null,y==="help"?t(zs,{onClose:()=>w(null)}):null]})}function ec(){let{value:e}=C(
"summary",3e4);return new Map((e?.assets??[]).flatMap(({asset:n,price:o})=>o===null?[]:[[n,o]]))}function tc(e){return t(En.Provider,{value:e.known.speak,children:t(
st.Provider,{value:e.known.chains,children:t(Tn.Provider,{value:e.isStale,children:t(Rn.Provider,{value:e.asClock,children:t(An.Provider,{value:e.prices,children:e.
children})})})})})}function nc(e){let[n]=(e?.tasks??[]).filter(({kind:o,order:r})=>o==="approval"&&r!==null).toSorted((o,r)=>(o.deadline??"~").localeCompare(r.deadline??
"~"));return n===void 0?"":`orders/${n.order}/approve`}function ie(e){location.hash=`#/${e}`}function oc(e,n){return{"g h":()=>ie(""),"g t":()=>ie("treasury"),"\
g o":()=>ie("orders"),"g r":()=>ie("rules"),"g s":()=>ie("simulate"),"g ,":()=>ie("settings"),"p p":()=>Oe("pause"),"/":e.find,"?":e.help,".":e.swapTimes,j:()=>lt(
1),k:()=>lt(-1),ArrowDown:()=>lt(1),ArrowUp:()=>lt(-1),o:Zr,a:()=>Oe("approve")||ie(nc(n)),f:()=>Oe("filter"),e:()=>Oe("export")}}function rc(e,n){let o={"":"g \
h",treasury:"g t",orders:"g o",rules:"g r",simulate:"g s",settings:"g ,"};return[...ht.map(({id:r,name:s})=>({name:s,keys:o[r],act:()=>ie(r)})),{name:"New swap",
act:()=>ie("swap")},{name:"Pause everything",keys:"p p",act:()=>Oe("pause")},{name:"Keys",keys:"?",act:n},...(e?.orders??[]).map(({id:r,from:s,to:a})=>({name:`O\
rder ${r.slice(0,8)} ${s} → ${a}`,act:()=>ie(`orders/${r}`)})),...(e?.rules??[]).map(({id:r})=>({name:`Rule ${r}`,act:()=>ie(`decisions/${encodeURIComponent(r)}`)}))]}
function sc({view:e,detail:n,part:o,desk:r}){if(e==="orders"&&n!==null)return t(Lr,{...r,detail:n,opens:o==="approve"});if(e==="swap")return t(Gr,{...r});let s=ht.
find(({id:l})=>l===e);if(s===void 0)return t("h1",{tabIndex:-1,children:"There is no such view"});let a=s.of??s.id,i=ht.filter(({id:l,of:c})=>l===a||c===a);return t(
b,{children:[i.length<2?null:t(on,{parts:i,shown:e,label:"Parts of this view"}),t(s.show,{...r})]})}function ac(e){let n=getSelection(),[o,r]=[n?.anchorNode,n?.
focusNode].map(s=>s?.parentElement?.closest("[data-exact]")??null);o==null||o!==r||(e.clipboardData?.setData("text/plain",o.dataset.exact??""),e.preventDefault())}
function ic(){document.querySelector("#content")?.focus()}var lc=1e4;function uc(){let[e,n]=v(!1);return J(()=>{let o=setInterval(()=>n(oe.failing||Date.now()-oe.
lastMs>lc),500);return()=>clearInterval(o)},[]),e}function cc(e){let{overview:n,isStale:o}=e,r=K();return J(()=>{document.body.classList.toggle("old",o)},[o]),t(
"div",{role:"status",children:o&&n!==null?t("p",{class:"notice bad stale",children:[t("b",{children:"This is not live."})," The daemon last answered"," ",$t(new Date(
oe.lastMs).toISOString(),r),". You see the state of"," ",T(n.at,r),"."," ",t("button",{type:"button",onClick:pe,children:"Try now"})]}):null})}var na=document.querySelector("#app");na!==null&&vo(t(ta,{}),na);
