/*! Ballast's dashboard, made from web/ by `npm run generate`. It contains Preact (MIT), (c) 2015-present Jason Miller. */
var A,to,qs,ge,tn,bt,no,ht,oo,rn,nn,ro,qe=Symbol.for("pv"),wt={},vt=[],Gs=/^m(i|n|o|s|text|space)$/,sn=Array.isArray,an=vt.slice,Ce=Object.assign;function Oe(e){
e&&e.parentNode&&e.remove()}function so(e,n,o){var r,s,a,i={},l=arguments.length;for(a in n)a=="key"?r=n[a]:a=="ref"&&typeof e!="function"?s=n[a]:i[a]=n[a];return l>
2&&(i.children=l>3?an.call(arguments,2):o),je(e,i,r,s,null)}function je(e,n,o,r,s){var a={type:e,props:n,key:o,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:qe,__v:s||++to,__i:-1,__u:0};return!s&&A.vnode&&A.
vnode(a),a}function w(e){return e.children}function gt(e,n){this.props=e,this.context=n,this.__g=0}function ye(e,n){if(n==null)return e.__&&ye(e.__,e.__i+1);for(var o;n<e.
__k.length;n++)if((o=e.__k[n])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:ye(e)}function zs(e){var n,o=e.__v,r=o.__e,s=[],a=[],i=e.__P;
i&&((n=Ce({constructor:qe},o)).__v=o.__v+1,A.vnode&&A.vnode(n),ln(i,n,o,e.__n,i.namespaceURI,32&o.__u?[r]:null,s,r||ye(o),32&o.__u,a),n.__v=o.__v,n.__.__k[n.__i]=
n,mo(s,n,a),o.__=o.__e=null,n.__e!=r&&ao(n))}function ao(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(n){return n&&(e.__e=n.__e)}),
ao(e)}function on(e){(8&e.__g||(e.__g|=8,ge.push(e),bt++))&&tn==A.debounceRendering||((tn=A.debounceRendering)||queueMicrotask)(io)}function io(){try{for(var e,
n=1;ge.length;)ge.length>n&&ge.sort(no),e=ge.shift(),n=ge.length,8&e.__g&&zs(e)}finally{(bt=ge.length)&&(tn||queueMicrotask)(io)}}function lo(e,n,o,r,s,a,i,l,c,u,d){
var p,f,m,h,y,g,b=r.__k||vt,S=n.length;for(c=Ys(o,n,b,c,S),p=0;p<S;p++)(m=o.__k[p])!=null&&(f=~m.__i&&b[m.__i]||wt,m.__i=p,g=ln(e,m,f,s,a,i,l,c,u,d),h=m.__e,(f.
ref!=m.ref||8&f.__u)&&(f.ref&&un(f.ref,null,m,f),m.ref&&d.push(m.ref,m.__c||h,m)),y=y||h,4&m.__u?(c=uo(m,c,e,!f.__v),f.__e&&(f.__e=null)):typeof m.type=="functi\
on"&&g!==void 0?c=g:h&&(c=h.nextSibling),m.__u&=-21);return o.__e=y,c}function Ys(e,n,o,r,s){var a,i,l,c,u,d,p,f,m,h=o.length,y=h,g=0,b=0,S=e.__k=Array(s);for(a=
0;a<s;a++)(i=n[a])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=S[a]=je(null,i):sn(i)?i=S[a]=je(w,{children:i}):
i.constructor===qe&&i.__b?i=S[a]=je(i.type,i.props,i.key,i.ref,i.__v):S[a]=i,c=a+g,i.__=e,i.__b=e.__b+1,l=null,~(u=i.__i=Qs(i,o,c,y))&&(y--,(l=o[u])&&(l.__u|=2)),
l&&l.__v?(i.__u|=16,u==c-1?g--:u==c+1?g++:u!=c&&(u>c?g--:g++,b=1)):(~u||(s>h?g--:s<h&&g++),typeof i.type!="function"&&(i.__u|=4))):S[a]=null;if(b){for(d=[],p=[],
a=0;a<s;a++)if((i=S[a])&&16&i.__u){for(g=0,f=d.length;g<f;)d[m=g+f>>1]<i.__i?g=m+1:f=m;d[g]=i.__i,p[a]=g+1}for(g=d.length;a--;)p[a]&&(p[a]==g?g--:S[a].__u|=4)}if(y)
for(a=0;a<h;a++)!(l=o[a])||2&l.__u||(l.__e==r&&(r=ye(l)),cn(l,l));return r}function uo(e,n,o,r){var s,a,i,l;if(typeof e.type=="function"){if(e.props.__P)return n;
if(s=e.__k)for(a=0;a<s.length;a++)s[a]&&(s[a].__=e,n=uo(s[a],n,o,!1));return n}for(n&&!n.parentNode&&(n=ye(e))&&!n.parentNode&&(n=null),i=e.__e,l=n;l&&l.nodeType==
8;)l=l.nextSibling;for(i!=l&&(!r&&o.moveBefore&&i.parentNode?o.moveBefore(i,n):o.insertBefore(i,n||null)),n=i;(n=n&&n.nextSibling)&&n.nodeType==8&&!n.data.startsWith(
"$s"););return n}function Qs(e,n,o,r){var s,a=e.key,i=e.type,l=n[o],c=l&&!(2&l.__u);if(l===null&&a==null||c&&a==l.key&&i==l.type)return o;if(r>(c?1:0)){for(s=o-1;s>=0;s--)if((l=
n[s])&&!(2&l.__u)&&a==l.key&&i==l.type)return s;for(s=o+1;s<n.length;s++)if((l=n[s])&&!(2&l.__u)&&a==l.key&&i==l.type)return s}return-1}function eo(e,n,o){o==null&&
(o=""),n[0]=="-"?e.setProperty(n,o):e[n]=o}function ft(e,n,o,r,s){var a,i;if(n=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof r=="string"&&(e.style.
cssText=r=""),r)for(n in r)o&&n in o||eo(e.style,n);if(o)for(n in o)r&&o[n]==r[n]||eo(e.style,n,o[n])}else if(n[0]=="o"&&n[1]=="n")typeof o!="function"&&(o=null),
typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[n]=o,o&&r||(i=nn[n]||(nn[n]=Zs(n)),(e.__a||(e.__a={}))[n]=rn,a=n!=(n=n.replace(oo,"$1")),(n=n.slice(2))[0]<"a"&&
(n=n.toLowerCase()),o?e.addEventListener(n,i,a):e.removeEventListener(n,i,a));else{if(s=="http://www.w3.org/2000/svg")n=n.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(n!="width"&&n!="height"&&n!="href"&&n!="list"&&n!="form"&&n!="tabIndex"&&n!="download"&&n!="rowSpan"&&n!="colSpan"&&n!="role"&&n!="popover"&&n in e)
try{return void(e[n]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&n[4]!="-"?e.removeAttribute(n):e.setAttribute(n,n=="popover"&&o==1?"":o)}}function Zs(e){
return function(n){var o=this.__e;if(o){if(o=o[e],n[ht]==null)n[ht]=rn++;else if(n[ht]<this.__a[e])return;return o(A.event?A.event(n):n)}}}function ln(e,n,o,r,s,a,i,l,c,u){
var d,p,f,m,h,y,g,b,S,$,_,V,ie,D,ce,pt,he,$e,de=n.type;if(n.constructor!==qe)return null;128&o.__u&&(c=32&o.__u,d=o.__c.__z)&&(n.__u|=c,p=a=[],d.nodeType==8?l=yt(
d,a):a.push(d),l=a[0]||l),(d=A.__b)&&d(n);e:if(typeof de=="function"){f=i.length;try{if(b=n.props,S=(d=de.prototype)&&d.render,$=(d=de.contextType)&&r[d.__c],_=
d?$?$.props.value:d.__:r,(m=o.__c)?(n.__c=m,2&m.__g&&(m.__g|=1)):(S?n.__c=m=new de(b,_):(n.__c=m=new gt(b,_),m.constructor=de,m.render=ta),$&&$.sub(m),m.state||
(m.state={}),m.__n=r,m.__g|=8,m.__h=[],m.__k=[]),S&&(m.__s||(m.__s=m.state),de.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=Ce({},m.__s)),Ce(m.__s,de.getDerivedStateFromProps(
b,m.__s)))),h=m.props,y=m.state,m.__v=n,o.__c){if(b!==h&&S&&!de.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(b,_),n.__v==o.
__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(b,m.__s,_)===!1){n.__v!=o.__v&&(m.props=b,m.state=m.__s,m.__g&=-9),n.__e=o.__e,n.__k=
o.__k,n.__k.some(function(te){te&&(te.__=n)}),vt.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&i.push(m),l=ye(o);break e}m.componentWillUpdate&&m.componentWillUpdate(
b,m.__s,_),S&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(h,y,g)})}else S&&!de.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),
S&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=_,m.props=b,m.__P=e,m.__g&=-5,V=A.__r,ie=S?25:0;do m.__g&=-9,V&&V(n),d=m.render(m.props,m.state=
m.__s,m.context);while(8&m.__g&&++ie<25);S&&(vt.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(r=Ce({},r,m.getChildContext())),S&&o.__c&&m.
getSnapshotBeforeUpdate&&(g=m.getSnapshotBeforeUpdate(h,y)),D=d&&d.type===w&&d.key==null?d.props.children:d,b.__P&&(d=l,s=(e=b.__P).namespaceURI,c=a=null,o.props&&
o.props.__P!=e&&(o.__k.some(function(te){te&&cn(te,te)}),o.__k=null),l=o.__k?ye(o,0):null),l=lo(e,sn(D)?D:[D],n,o,r,s,a,i,l,c,u),b.__P&&(n.__e=null,l=d),n.__u&=
-161,p&&p.some(Oe),m.__h.length&&i.push(m),1&m.__g&&(m.__g&=-4)}catch(te){if(i.length=f,n.__v=null,c||a)if(te&&te.then){if(n.__u|=128|c,a){for(~(he=a.indexOf(l||
void 0))||(he=a.length);($e=a[he-1])&&$e.nodeType==8;)he--;for(;he<a.length;he++)if($e=a[he])if(a[he]=null,ce){if($e==pt)break}else{if($e.nodeType!=8)break;$e.data.
startsWith("$s")&&(pt=yt(ce=$e))}}if(!ce){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;ce=l}(d=yt(ce=n.__c.__z||(n.__c.__z=ce)))?(n.__e=ce,l=d):n.__e=l,
l=l&&l.nextSibling}else a&&a.some(Oe);else n.__e=o.__e;n.__k||(n.__k=o.__k||[]),te&&te.then||co(n),A.__e(te,n,o)}}else l=n.__e=ea(o.__e,n,o,r,s,a,i,c,u,e);return(d=
A.diffed)&&d(n),l}function yt(e,n){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.
data.startsWith("/$s")&&!--o)return e}n&&n.push(e)}}function co(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(co))}function mo(e,n,o){for(var r=0;r<o.length;)un(
o[r++],o[r++],o[r++]);A.__c&&A.__c(n,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(a){a.call(s)})}catch(a){A.__e(a,s.__v)}})}function ea(e,n,o,r,s,a,i,l,c,u){
var d,p,f,m,h,y,g,b,S=o.props||wt,$=n.props,_=n.type;if(_=="svg"?s="http://www.w3.org/2000/svg":_=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://w\
ww.w3.org/1999/xhtml"),a){for(d=0;d<a.length;d++)if((h=a[d])&&(_?h.localName==_:h.nodeType==3)){e=h,a[d]=null;break}}if(!e){if(b=u.ownerDocument||document,!_)return b.
createTextNode($);e=b.createElementNS(s,_,$.is?$:u),l&&(A.__m&&A.__m(n,a),l=!1),a=null}if(_){if(u=_=="template"&&e.content||e,a=_=="textarea"&&$.defaultValue!=null?
null:a&&an.call(u.childNodes),!l&&a)for(S={},d=0;d<e.attributes.length;d++)S[(h=e.attributes[d]).name]=h.value;for(d in S)h=S[d],d=="dangerouslySetInnerHTML"?f=
h:d=="children"||d in $||d=="value"&&"defaultValue"in $||d=="checked"&&"defaultChecked"in $||ft(e,d,null,h,s);for(d in $)h=$[d],d=="children"?m=h:d=="dangerousl\
ySetInnerHTML"?p=h:d=="value"?y=h:d=="checked"?g=h:l&&typeof h!="function"||S[d]===h||ft(e,d,h,S[d],s);p?(l||f&&(p.__html==f.__html||p.__html==e.innerHTML)||(e.
innerHTML=p.__html),n.__k=[]):(f&&(e.textContent=""),(_=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&Gs.test(_))&&(s="http://www.w3.org/1999/xhtml"),
lo(u,sn(m)?m:[m],n,o,r,s,a,i,a?a[0]:o.__k&&ye(o,0),l,c),a&&a.some(Oe)),l&&_!="textarea"||(d="value",_=="progress"&&y==null?e.removeAttribute(d):y==null||y===e[d]&&
(_!="progress"||y)||ft(e,d,y,S[d],s),d="checked",g!=null&&g!=e[d]&&ft(e,d,g,S[d],s))}else S===$||l&&e.data==$||(e.data=$);return e}function un(e,n,o,r){try{typeof e==
"function"?n?n.__x=e(n)||1:r&&(r=r.__c||r.__e)&&(n=r.__x)&&(r.__x=null,typeof n=="function"?n():e(null)):e.current=n}catch(s){A.__e(s,o)}}function cn(e,n,o){var r,
s,a,i;if(A.unmount&&A.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||un(r,null,n,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(l){
A.__e(l,n)}r.__P=r.__n=null}if(r=e.__k)for(i=0;i<r.length;i++)r[i]&&cn(r[i],n,typeof e.type!="function"||o&&!e.props.__P);!o&&(r=e.__c)&&(r=r.__z)&&(s=yt(r,a=[]))&&
(r==e.__e&&a.some(Oe),Oe(s),Oe(r)),o||Oe(e.__e),e.__e=e.__c=e.__=null}function ta(e,n,o){return this.constructor(e,o)}function po(e,n){var o,r,s,a;A.__&&A.__(e,
n),n.nodeType==9&&(n=n.documentElement),r=(o=e&&32&e.__u)?null:n.__k,n.__k=je(w,{children:[e]}),s=[],a=[],ln(n,n.__k,r||wt,wt,n.namespaceURI,r?null:n.firstChild?
an.call(n.childNodes):null,s,r?r.__e:n.firstChild,o,a),mo(s,n.__k,a),n.__k.props.children=null}function Ge(e){function n(o){var r,s;return this.getChildContext||(r=new Set,(s={})[n.__c]=this,this.getChildContext=function(){return s},this.shouldComponentUpdate=
function(a){this.props.value!=a.value&&r.forEach(function(i){i.__g|=4,on(i)})},this.sub=function(a){r.add(a);var i=a.componentWillUnmount;a.componentWillUnmount=
function(){r.delete(a),i&&i.call(a)}}),o.children}return n.__c="__cC"+ro++,n.__=e,n.Provider=(n.Consumer=function(o,r){return o.children(r)}).contextType=n,n}A={__e:function(e,n,o,r){for(var s,a,i;n=n.__;)if((s=n.__c)&&!(1&s.__g)){s.__g|=4;try{if((i=(a=s.constructor)&&a.getDerivedStateFromError)&&s.setState(a.getDerivedStateFromError(
e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),i=1),i&&8&s.__g)return void(s.__g|=2)}catch(l){e=l}}throw bt=0,e}},to=0,qs=function(e){return e!=null&&e.
constructor===qe},gt.prototype.setState=function(e,n){var o=this.__s;o&&o!=this.state||(o=this.__s=Ce({},this.state)),typeof e=="function"&&(e=e(Ce({},o),this.props)),
e&&(Ce(o,e),this.__v&&(n&&this.__k.push(n),on(this)))},gt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),on(this))},gt.prototype.render=
w,ge=[],bt=0,no=function(e,n){return e.__v.__b-n.__v.__b},ht=Symbol(),oo=/(PointerCapture)$|Capture$/i,rn=0,nn={},ro=0;var be,F,dn,fo,mn=Object.is,_t=0,So=[],pn=[],H=A,ho=H.__b,go=H.__r,yo=H.diffed,bo=H.__c,wo=H.unmount,vo=H.__;function De(e,n){H.__h&&H.__h(F,e,_t||n),_t=0;var o=F.
__H||(F.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function v(e){return _t=1,na($o,e)}function na(e,n,o){var r=De(be++,2);if(r.t=e,!r.__c&&
(r.__=[o?o(n):$o(void 0,n),function(a){var i=(r.__N||r.__)[0],l=r.t(i,a);mn(i,l)||(r.__N=[l,r.__[1]],r.__c.setState({}))}],r.__c=F,!F.__f)){F.__f=!0;var s=F.shouldComponentUpdate;
F.shouldComponentUpdate=function(a,i,l){var c=this.__H;if(!c)return!0;var u=!1,d=this.props!=a;if(c.__.some(function(f){f.__N&&(u=!0,mn(f.__[0],f.__N[0])||(d=!0))}),
s){var p=s.call(this,a,i,l);return u?p||d:p}return!u||d}}return r.__}function J(e,n){var o=De(be++,3);!H.__s&&hn(o.__H,n)&&(o.__P=!0,o.__=e,o.u=n,F.__H.__h.push(
o))}function xo(e,n){var o=De(be++,4);!H.__s&&hn(o.__H,n)&&(o.__P=!1,o.__=e,o.u=n,F.__h.push(o))}function ne(e){return _t=5,oa(function(){return{current:e}},[])}function oa(e,n){var o=De(be++,7);return hn(o.__H,n)&&(o.__=e(),o.__H=n),o.__}function Ee(e){var n=F.context[e.__c],o=De(be++,9);return o.c=e,n?(o.__==null&&(o.__=!0,n.sub(F)),n.props.value):e.__}function we(){var e=De(be++,11);if(!e.__){for(var n=F.__v;!n.__m&&n.__;)n=n.__;var o=n.__m||(n.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function ra(){var e;
do{for(;e=pn.shift();)try{ze(e)}catch(o){H.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=So.shift();){var n=e.__H;if(e.__P&&n)try{n.__h.some(ze),n.__h.some(fn),n.__h=[]}catch(o){
n.__h=[],H.__e(o,e.__v)}}}while(pn.length)}H.__b=function(e){F=null,ho&&ho(e)},H.__=function(e,n){e&&n.__k&&n.__k.__m&&(e.__m=n.__k.__m),vo&&vo(e,n)},H.__r=function(e){
go&&go(e),be=0;var n=(F=e.__c).__H;n&&(dn==F?F.__h=[]:(n.__h.some(ze),n.__h.some(fn),be=0),n.__h=[],n.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),
dn=F},H.diffed=function(e){yo&&yo(e);var n=e.__c;n&&n.__H&&(n.__H.__h.length&&ko(So.push(n)),n.__H.__.some(function(o){o.u&&(o.__H=o.u)})),dn=F=null},H.__c=function(e,n){
n.some(function(o){try{o.__h.some(ze),o.__h=o.__h.filter(function(r){return!r.__||fn(r)})}catch(r){o.__h=[function(){throw r}]}}),bo&&bo(e,n)},H.unmount=function(e){
wo&&wo(e);var n,o,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}s.__P=o,
ko(pn.push(s))}else ze(s)}catch(a){n=a}}),r.__H=void 0,n&&H.__e(n,r.__v))};var _o=typeof requestAnimationFrame=="function";function sa(e){var n,o=function(){clearTimeout(
r),_o&&cancelAnimationFrame(n),setTimeout(e)},r=setTimeout(o,35);_o&&(n=requestAnimationFrame(o))}function ko(e){e!=1&&fo==H.requestAnimationFrame||((fo=H.requestAnimationFrame)||
sa)(ra)}function ze(e){var n=F,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),F=n}function fn(e){var n=F;e.__c=e.__(),F=n}function hn(e,n){return!e||e.length!=
n.length||n.some(function(o,r){return!mn(o,e[r])})}function $o(e,n){return typeof n=="function"?n(e):n}var Te=class extends Error{name="AppError";code;disposition;details;constructor(n){super(n.message,n.cause===void 0?void 0:{cause:n.cause}),this.code=n.code,this.
disposition=n.disposition,this.details=n.details??{}}};function Oo(e,n){let o=e.length;for(;o>0&&e[o-1]===n;)o--;return e.slice(0,o)}function Me(e,n){let o=e<0n?"-":"",r=(e<0n?-e:e).toString().padStart(n+1,"0"),s=r.slice(0,r.length-n),a=Oo(r.slice(r.length-n),"0");return`${o}${s}${a===""?"":`\
.${a}`}`}function E(e){let n=e.startsWith("-")?"−":"",[o="0",r=""]=e.replace("-","").split(".");if(o.length>Co)return`${n}${E(`${o.slice(0,-6)}.${o.slice(-6)}`)} M`;let s=o===
"0"?/^0*/.exec(r)?.[0].length??0:-o.length,a=r.slice(0,Co+s).replace(/0+$/,""),i=o.replace(/\B(?=(\d{3})+$)/g," ");return`${n}${i}${a===""?"":`.${a}`}`}var Co=6;
function k(e){if(e===null)return"unknown";let n=Math.abs(Number(e));if(n>=1e6)return`${Eo(e)}$${E(String(Math.trunc(n)))}`;let o=n>=1e3?0:n!==0&&n<.01?4:2,r=n.toLocaleString(
"en-US",{minimumFractionDigits:o,maximumFractionDigits:o});return`${Eo(e)}$${r}`}function Eo(e){return e.startsWith("-")&&Number(e)!==0?"−":""}function U(e){if(e<6e4)return`${Math.max(0,Math.floor(e/1e3))} s`;if(e<36e5)return`${Math.floor(e/6e4)} min`;if(e>=2*864e5)return`${Math.floor(e/864e5)} d`;let n=Math.
floor(e%36e5/6e4);return`${Math.floor(e/36e5)} h${n===0?"":` ${n} min`}`}function To(e){return Number.isFinite(e)?`${new Date(e).toISOString().slice(0,16).replace(
"T"," ")} UTC`:"an unknown time"}function O(e){let[n="",o=""]=e.split(":");return{symbol:o.toUpperCase(),chain:I(n)}}function I(e){return e.replace(/(^|_)([a-z])/g,(n,o,r)=>(o?" ":"")+r.toUpperCase())}
var aa=/(?<![\w.:-])\d+\.\d+(?!\w|[:-]|\.\d)/g;function Mo(e){return e.replace(aa,E)}function Ye(e){return Number(e)>0?`+${k(e)}`:k(e)}function Qe(e,n){let o=Number(
n)===0?0:100*Number(e)/Number(n);return`${o<0?"−":""}${Math.abs(o).toFixed(Math.abs(o)<10?2:1)}%`}function Y(e){return e===null?"unknown":`${(e/100).toFixed(2)}\
%`}function kt(e,n){let o=Date.parse(e)-n;return Number.isNaN(o)?e:Math.abs(o)<1500?"now":o>0?`in ${U(o)}`:`${U(-o)} ago`}function T(e,n=Date.now()){let o=new Date(
e),r=o.toLocaleTimeString("en-GB");return o.toDateString()===new Date(n).toDateString()?r:`${o.toLocaleDateString("en-GB",{day:"numeric",month:"short"})}, ${r}`}
function le(e){return e.replace(/[-_]/g," ")}function gn(e){return e.length<=18?e:`${e.slice(0,8)}…${e.slice(-6)}`}function Ae(e){return e==="completed"?"good":
e==="held"?"bad":e==="awaiting-approval"||e.startsWith("refund")?"warn":e==="rejected"||e==="abandoned"?"calm":"busy"}function Ao(e){return e===null?n=>n:(n,o=null)=>{let[,r=null]=la.exec(n)??[],[,s=null]=ua.exec(n)??[],a=(r===null?null:yn(e,`${r}:native`))??yn(e,s)??yn(e,o);if(a===
null)return n;let i=l=>`${Me(BigInt(l),a.decimals)} ${a.name}`;return n.replace(ha,(l,c)=>`within ${U(Number(c)*1e3)}`).replace(da,(l,c,u)=>`(${i(c)}, at most ${i(
u)})`).replace(fa,(l,c,u)=>`within the range of ${i(c)} to ${i(u)}`).replace(pa,(l,c,u)=>`(${c} usd, at most ${u} usd)`).replace(ca,(l,c)=>i(c)).replace(ga,l=>a.
decimals<ya?l:i(l))}}function Ro(e,n,o){let r=n.asset??(ia.includes(n.code)?o?.to:o?.from)??null;return{...n,message:e(n.message,r)}}var ia=["alarm.payout_short",
"quote.too_good","quote.unproven"],Po="[a-z0-9_]+:[a-z0-9._-]+",la=/units of (?:the coin|the native coin) of ([a-z0-9_]+)/i,ua=new RegExp(`\\d (?:smallest )?(?:u\
nits of )?(${Po})`,"i"),ca=new RegExp(`(?<![\\w.])(\\d+) (?:smallest )?units(?: of the coin of [a-z0-9_]+| of ${Po})?`,"gi"),da=/(?<=larger than one order may be |would sell more than allowed )\((\d+), at most (\d+)\)/g,
ma=["worth more than one order may be","would be worth more than allowed","would cost more than allowed"],pa=new RegExp(`(?<=(?:${ma.join("|")}) )\\(([\\d.]+), at\
 most ([\\d.]+)\\)`,"g"),fa=/within the range of (\d{1,40}) to (\d{1,40})(?![\d.])/gi,ha=/(?<=Orders |orders )within (\d+) s\b/g,ga=/(?<![\w.:-])\d{10,}(?![\w.:])(?!\s(?:units|smallest))/g,
ya=6;function yn({assets:e,chains:n},o){let r=e.find(a=>a.id===o);if(r!==void 0)return{decimals:r.decimals,name:r.id};let s=n.find(({chain:a})=>`${a}:native`===
o)?.nativeCoin;return s===void 0?null:{decimals:s.decimals,name:s.symbol}}function bn(e){if(!/^[a-z0-9_-]+:[a-z0-9_.-]+$/.test(e)){let n="<chain>:<asset>, for example base_sepolia:wbtc";throw new Te({code:"domain.asset_id",disposition:"\
refused",message:`"${e}" is not an asset id; expected ${n}`,details:{text:e}})}return e}function ba(e){return e.slice(0,e.indexOf(":"))}function Do(e){return ba(
bn(`${e}:x`))}function Lo(e,n){return No(e)===No(n)}function No(e){return e.startsWith("0x")?e.toLowerCase().replace(/^0x0*/,"0x"):e}function St(e){let n=Ao(e===null?null:{assets:e.assets.map(({id:s,decimals:a})=>({id:bn(s),decimals:a})),chains:e.chains.map(({chain:s,nativeCoin:a})=>({chain:Do(
s),nativeCoin:{...a,token:null}}))}),o=new Set(e?.assets.map(({id:s})=>s)),r=new Set(e?.chains.map(({chain:s})=>s));return{chains:[...r],linkOf:(s,a)=>{let l=(e?.
chains.find(c=>c.chain===s)?.explorer??null)?.tx.replace("{tx}",encodeURIComponent(a))??null;return l?.startsWith("https://")===!0?l:null},amountOf:(s,a)=>{let i=e?.
assets.find(({id:l})=>l===a)?.decimals;return i===void 0?null:Me(BigInt(s),i)},payeeOf:s=>e?.payees.find(a=>Lo(a.address,s))?.name??null,humane:(s,a=null)=>Ro(n,
s,a),speak:s=>s.replace(wa,a=>o.has(a)?Sa(a):a).replace(va,a=>r.has(a)?I(a):a).replace(_a,"").replace(ka,a=>T(a))}}var wa=/\b[a-z0-9_]+:[a-z0-9._-]*[a-z0-9]/g,va=/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g,
_a=/ \[[a-z_]+(?:\.[a-z_]+)+\]/g,ka=/\b\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g;function Sa(e){let{symbol:n,chain:o}=O(e);return`${n} on ${o}`}function Xo(e,n){return n==="request.key_in_flight"?!0:e===0||e>=500&&n!=="cluster.standby"}var R=class extends Error{status;reasons;constructor(n,o){super(o.map(({message:r})=>r).join(" ")),this.status=n,this.reasons=o}},xt="ballast.csrf";async function Fo(){
try{return{...await j("GET","session"),csrf:localStorage.getItem(xt)}}catch(e){if(e instanceof R&&e.status===401)return null;throw e}}async function Jo(e){let n=await j(
"POST","session",{token:e});return localStorage.setItem(xt,n.csrf),n}async function Io(){await j("DELETE","session").catch(()=>{}),localStorage.removeItem(xt)}var xa=5e3,
$a=200;function Ze(){return crypto.getRandomValues(new BigUint64Array(2)).join("-")}async function Ne(e,n,o=Ze()){let r=performance.now()+xa;for(let s=$a;;s*=2){
try{return await j("POST",e,n,{"idempotency-key":o})}catch(a){if(!(a instanceof R)||!Xo(a.status,a.reasons[0]?.code))throw a;if(performance.now()+s>r)throw new R(
a.status,[Oa])}await new Promise(a=>setTimeout(a,s))}}var Oa={code:"page.uncertain",message:"No answer came, so it may be done or not. Press again: it is done o\
nce."};async function j(e,n,o,r={}){let s=await wn(e,n,{body:o,headers:r}).catch(()=>{throw new R(0,[{code:"page.silent",message:"The daemon does not answer."}])}),
a=await s.json().catch(()=>null);if(s.ok)return a;let{reasons:i}=a??{};throw new R(s.status,i??[{code:"page.answer",message:`The daemon answered ${s.status}.`}])}
function wn(e,n,{body:o,headers:r={},signal:s}={}){return fetch(`/api/v1/${n}`,{method:e,headers:{...r,"x-ballast-csrf":localStorage.getItem(xt)??"",...o===void 0?
{}:{"content-type":"application/json"}},...o===void 0?{}:{body:JSON.stringify(o)},...s===void 0?{}:{signal:s}})}var oe={lastMs:Date.now(),failing:!1,loggedOut:!1,streaming:!1},vn=new Map,_n=new Set;function C(e,n=5e3){let[,o]=v(0),[r,s]=v(null),[a,i]=v(0);return J(()=>{if(e===
null)return;let c=!1;async function u(){if(!(e===null||document.hidden))try{if(vn.set(e,await j("GET",e)),c)return;oe.lastMs=Date.now(),oe.failing=!1,s(null),o(
f=>f+1)}catch(f){if(c||!(f instanceof R))return;f.status===401&&(oe.loggedOut=!0),f.status===0&&(oe.failing=!0),s(f)}}let d=()=>{u()};u();let p=setInterval(d,n);
return _n.add(d),document.addEventListener("visibilitychange",d),()=>{c=!0,clearInterval(p),_n.delete(d),document.removeEventListener("visibilitychange",d)}},[e,
n,a]),{value:e===null?null:vn.get(e)??null,error:r,refresh:()=>i(c=>c+1)}}function me(){for(let e of _n)e()}function Uo(){vn.clear()}var Ca=700,Bo=4e4;async function Ho(e){
let n=0,o=()=>{n===0&&(n=window.setTimeout(()=>{n=0,me()},Ca))};for(;!e.aborted;)await Ea(e,o).catch(()=>{}),oe.streaming=!1,await new Promise(r=>setTimeout(r,2e3))}
async function Ea(e,n){let o=new AbortController,r=setTimeout(()=>o.abort(),Bo),s=await wn("GET","events",{signal:AbortSignal.any([e,o.signal])});if(!s.ok||s.body===
null)return;oe.streaming=!0;let a=s.body.pipeThrough(new TextDecoderStream).getReader();for(let i=await a.read();!i.done;i=await a.read())clearTimeout(r),r=setTimeout(
()=>o.abort(),Bo),i.value.includes("data:")&&n();clearTimeout(r)}function W(){let[e,n]=v(Date.now());return J(()=>{let o=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(
o)},[]),e}function Wo(){let[e,n]=v(location.hash);return J(()=>{let o=()=>n(location.hash);return addEventListener("hashchange",o),()=>removeEventListener("hash\
change",o)},[]),e.replace(/^#\/?/,"").split("/").map(o=>decodeURIComponent(o))}var Ta=Symbol.for("pv"),Ma=0;function t(e,n,o,r,s,a){n||(n={});var i,l,c=n;if("ref"in c&&typeof e!="function")for(l in c={},n)l=="ref"?i=n[l]:c[l]=n[l];var u={type:e,props:c,key:o,ref:i,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:Ta,__v:--Ma,__i:-1,__u:0};return(s||a)&&(u.__source=s,u.__self=a),A.vnode&&A.vnode(u),u}function Ko({onLogin:e}){let[n,o]=v(""),[r,s]=v(!1),[a,i]=v(null);async function l(c){c.preventDefault(),s(!0);try{e(await Jo(n.trim()))}catch(u){i(u instanceof
R?u.message:"The page failed"),s(!1)}}return t("main",{class:"login",children:t("form",{class:"card",onSubmit:l,children:[t("img",{src:"/icon.svg",alt:"",width:"\
44",height:"44"}),t("h1",{children:"Ballast"}),t("p",{class:"note",children:["Log in with one of the tokens of ",t("code",{children:"ops.token"})," or ",t("code",
{children:"ops.tokens"}),". What you can do here is what the token's scopes allow."]}),t("label",{for:"token",children:"Token"}),t("input",{id:"token",type:"pas\
sword",autocomplete:"current-password",value:n,onInput:c=>o(c.currentTarget.value)}),a===null?null:t("p",{class:"notice bad",role:"alert",children:a}),t("button",
{type:"submit",class:"main",disabled:n===""||r,children:"Log in"})]})})}function pe(e,n,o=3){let r=Math.max(Math.abs(e),Math.abs(n)),s=10**(Math.floor(Math.log10(r))-5),a=Math.max((n-e)/o,s);if(!(n>e))return[e];let i=10**Math.floor(
Math.log10(a*(1+1e-9))),l=i>5*s?[1,2,2.5,5,10]:[1,2,5,10],c=i*(l.find(p=>p*i>=a*(1-1e-9))??10),u=Math.ceil(e/c-1e-9),d=Math.floor(n/c+1e-9);return Array.from({length:d-
u+1},(p,f)=>Number(((u+f)*c).toPrecision(12)))}var Aa=[[1e9,"G"],[1e6,"M"],[1e3,"k"]];function G(e,n=e){let[o,r]=Aa.find(([a])=>Math.abs(e)>=a)??[1,""],s=n===0?
4:Math.ceil(Math.log10(Math.abs(e/n)||1))+3;return`${Number((e/o).toPrecision(Math.max(4,Math.min(12,s))))}${r}`}function ve(e,n,o=5){let r=Ra.find(l=>(n-e)/l<=o)??31536e6,s=new Date(e).getTimezoneOffset()*6e4,a=Math.ceil((e-s)/r)*r+s;return Array.from({length:Math.max(0,Math.
floor((n-a)/r)+1)},(l,c)=>a+c*r).map(l=>({ms:l,label:Pa(l,r,n-e)}))}var Ra=[...[1/60,1/12,1/4,1,3,6,12].map(e=>e*36e5),...[1,2,7,14,30,91].map(e=>e*864e5)];function Pa(e,n,o){
let r=new Date(e);return n<864e5?r.toLocaleTimeString("en-GB",{hour:"2-digit",minute:"2-digit"}):o<=8*864e5?r.toLocaleDateString("en-GB",{weekday:"short"}):r.toLocaleDateString(
"en-GB",{day:"2-digit",month:"short"})}function _e(e){let{of:n,label:o,last:r,high:s,at:a}=e,[i,l]=v(null),{x:c,words:u}=a(Math.min(r,i??r)),d=p=>{let f=p.currentTarget instanceof Element?p.currentTarget.
getBoundingClientRect():null;if(f===null||f.width===0)return;let m=(p.clientX-f.left)/f.width;l(Math.round(r*Math.max(0,Math.min(1,m))))};return t(w,{children:[
t("input",{type:"range",class:`scrub of-${n}`,min:"0",max:r,value:i??r,"aria-label":o,"aria-valuetext":u,onInput:p=>l(Number(p.currentTarget.value)),onPointerMove:d,
onPointerLeave:()=>l(null),onBlur:()=>l(null)}),i===null?null:t(w,{children:[t("svg",{class:`cross of-${n}`,width:c+1,height:s,"aria-hidden":"true",children:t("\
line",{x1:c,x2:c,y2:s})}),t("output",{class:"tip",children:u})]})]})}function z(){let[e,n]=v(null),[o,r]=v(0);return J(()=>{if(e===null)return;let s=new ResizeObserver(([a])=>r(Math.floor(a?.contentRect.width??0)));return s.observe(
e),()=>s.disconnect()},[e]),[n,o]}var tt=132,et=48,$t=8,Da=20;function Le(e){let{title:n,steps:o,series:r,as:s,show:a,limit:i=null}=e,[l,c]=z(),u=b=>r.map(({of:S})=>S(b)??0),d=b=>s==="bars"?u(b).
reduce((S,$)=>S+$,0):Math.max(...u(b)),p=Math.max(...o.map(d),i?.value??0),f=p===0?1:p*1.08,m=Date.parse(o[0]?.from??""),h=Date.parse(o.at(-1)?.to??""),y=b=>et+
(c-et-$t)*(b-m)/Math.max(1,h-m),g=b=>8+tt-tt*b/f;return t("figure",{class:"chart",ref:l,children:[t("svg",{width:c,height:8+tt+Da,role:"img","aria-label":Na(e,p),
children:[pe(0,f).map(b=>t("g",{children:[t("line",{class:"grid-line",x1:et,x2:c-$t,y1:g(b),y2:g(b)}),t("text",{x:et-6,y:g(b)+4,"text-anchor":"end",children:a(b)})]},
b)),ve(m,h,Math.max(2,Math.floor(c/60))).map(({ms:b,label:S})=>t("text",{x:y(b),y:8+tt+15,"text-anchor":"middle",children:S},b)),s==="bars"?t(La,{steps:o,series:r,
x:y,y:g,show:a}):t(Xa,{steps:o,series:r,x:y,y:g}),i===null?null:t(w,{children:[t("line",{class:"limit-line",x1:et,x2:c-$t,y1:g(i.value),y2:g(i.value)}),t("text",
{x:c-$t,y:g(i.value)-4,"text-anchor":"end",children:i.name})]})]}),o.length<2?null:t(Fa,{...e,x:y}),t(Ia,{title:n,steps:o,series:r,show:a})]})}function Na({title:e,
steps:n,show:o},r){return`${e}: ${n.length} steps from ${n[0]?.from??""}, at most ${o(r)}`}function La(e){let{steps:n,series:o,x:r,y:s,show:a}=e,i=Date.now();return t(
w,{children:n.map(l=>{let c=r(Date.parse(l.from)),u=r(Date.parse(l.to)),d=Date.parse(l.to)<=i,p=0;return o.map(({name:f,of:m,tone:h})=>{let y=m(l)??0;return p+=
y,t("rect",{class:`bar-${h} ${d?"":"part"}`,x:c+(u-c)*.14,width:Math.max(1,(u-c)*.72),y:s(p),height:Math.max(0,s(0)-s(y)),children:t("title",{children:`${kn(l)}\
, ${f}: ${a(y)}${d?"":" so far"}`})},`${l.from} ${f}`)})})})}function Xa({steps:e,series:n,x:o,y:r}){let s=a=>o((Date.parse(a.from)+Date.parse(a.to))/2);return t(
w,{children:n.map(({name:a,of:i,tone:l})=>{let c=e.map(d=>({step:d,value:i(d)})),u=c.map(({step:d,value:p},f)=>p===null?"":`${f===0||c[f-1]?.value===null?"M":"L"}${s(
d)} ${r(p)}`).join("");return t("g",{children:[t("path",{class:`line-${l}`,d:u}),c.map(({step:d,value:p})=>p===null?null:t("circle",{class:`dot-${l}`,cx:s(d),cy:r(
p),r:"2.2"},d.from))]},a)})})}function kn({from:e,to:n}){return Date.parse(n)-Date.parse(e)<24*36e5?`${e.slice(0,10)} ${e.slice(11,16)} UTC`:e.slice(0,10)}function Fa(e){
let{title:n,steps:o,series:r,show:s,x:a}=e,i=c=>{let u=o[c];if(u===void 0)return{x:0,words:"no step"};let d=(Date.parse(u.from)+Date.parse(u.to))/2;return{x:a(d),
words:Ja(u,r,s)}},l=`${n} at a time`;return t(_e,{of:"steps",label:l,last:o.length-1,high:8+tt,at:i})}function Ja(e,n,o){let r=Date.parse(e.to)<=Date.now(),s=n.
map(({name:a,of:i})=>{let l=i(e);return`${a} ${l===null?"none":o(l)}`});return`${kn(e)} · ${s.join(" · ")}${r?"":" · so far"}`}function Ia(e){let{title:n,steps:o,
series:r,show:s}=e;return t("div",{class:"hidden",children:t("table",{children:[t("caption",{children:n}),t("thead",{children:t("tr",{children:[t("th",{scope:"c\
ol",children:"Time"}),r.map(({name:a})=>t("th",{scope:"col",children:a},a))]})}),t("tbody",{children:o.map(a=>t("tr",{children:[t("th",{scope:"row",children:kn(
a)}),r.map(({name:i,of:l})=>{let c=l(a);return t("td",{children:c===null?"none":s(c)},i)})]},a.from))})]})})}var Sn=Ge(e=>e);function N({text:e}){let n=Ee(Sn)(e),o=Mo(n);return o!==n?t("span",{title:n,children:o}):t(w,{children:n})}var nt=Ge([]),Ba=10;function Xe(){let e=Ee(
nt);return n=>{let o=e.indexOf(n.split(":")[0]??"");return o===-1?"chain-none":`chain-${o%Ba}`}}function Q({id:e}){let n=Xe();return t("span",{class:"chain-name",
children:[t("i",{class:n(e)}),I(e.split(":")[0]??"")]})}var xn=Ge(!1);function Fe(e,n){return Ee(xn)?"The daemon does not answer, so nothing can be changed":n.includes(
e)?null:`Your token lacks the scope ${e}`}function L({tone:e,children:n}){return t("span",{class:`pill ${e}`,children:n})}function x(e){return t("section",{class:e.
wide?"card wide":"card",children:[t("header",{children:[t("h2",{children:e.link===void 0?e.title:t("a",{href:e.link,children:e.title})}),e.note===void 0?null:t(
"span",{class:"note",children:e.note})]}),e.children]})}function X({children:e,note:n}){return t("header",{class:"title",children:[t("h1",{tabIndex:-1,children:e}),
n===void 0?null:t("p",{class:"note",children:n})]})}function K({amount:e,asset:n,chain:o=!0,symbol:r=!0}){let s=O(n);return t("span",{class:"amount",title:`${e??
"no reading"} ${n}`,"data-exact":e??void 0,children:[t("b",{children:e===null?"no reading":E(e)}),r?` ${s.symbol}`:null,o?t("small",{children:[" ",s.chain]}):null]})}
var $n=Ge(!1);function Z({fiat:e}){return t("span",{title:`${e} usd`,"data-exact":e,children:k(e)})}function M({at:e,clock:n=!1}){let o=W(),r=Ee($n)||n;return e===
null?t("span",{class:"quiet",children:"never"}):t("time",{dateTime:e,title:e,children:r?T(e,o):kt(e,o)})}function re({reasons:e,none:n=null}){let o=[...new Map(
e.map(r=>[r.message,r])).values()];return o.length===0?n===null?null:t("p",{class:"quiet",children:n}):t("ul",{class:"reasons",children:o.map(({code:r,message:s})=>t(
"li",{title:r,children:t(N,{text:s})},s))})}function se({hash:e,link:n=null,what:o}){return t("span",{class:"hash",children:[n===null?t("code",{title:e,children:gn(
e)}):t("a",{href:n,target:"_blank",rel:"noopener noreferrer",title:e,children:[t("code",{children:gn(e)}),t("span",{class:"hidden",children:" (opens the explore\
r)"})]}),t(ot,{text:e,what:o})]})}function ot({text:e,what:n}){let[o,r]=v(!1);return t("button",{type:"button",class:"copy",onClick:()=>{navigator.clipboard?.writeText(
e).then(()=>{r(!0),setTimeout(()=>r(!1),1500)})},"aria-label":`Copy ${n}`,children:o?"copied":"copy"})}function P({live:e,children:n}){return e.value!==null?t(w,
{children:n(e.value)}):e.error===null?t(Ua,{}):t("p",{class:"notice bad",children:e.error.message})}function Ua(){return t("div",{class:"card skeleton",role:"st\
atus",children:[t("span",{class:"hidden",children:"Reading…"}),t("i",{}),t("i",{}),t("i",{})]})}function B({children:e}){return t("p",{class:"empty",children:e})}
function ee(e){return t("table",{class:e.figures?"figures":void 0,children:[t("caption",{class:"hidden",children:e.caption}),t("thead",{children:t("tr",{children:e.
columns.map(n=>t("th",{scope:"col",children:n},n))})}),t("tbody",{children:e.rows.map(({key:n,cells:o})=>t("tr",{children:o.map((r,s)=>t("td",{"data-label":e.columns[s],
children:t("div",{children:r})},e.columns[s]))},n))})]})}function Ot({percent:e,label:n}){let o=e>=100?"bad":e>=80?"warn":"good";return t("svg",{class:`meter ${o}`,
viewBox:"0 0 100 6",preserveAspectRatio:"none",role:"img","aria-label":n,children:[t("rect",{class:"track",width:"100",height:"6"}),t("rect",{class:"fill",width:Math.
max(0,Math.min(100,e)),height:"6"})]})}function Je({pairs:e}){return t("dl",{class:"pairs",children:e.map(([n,o])=>t("div",{children:[t("dt",{children:n}),t("dd",
{children:o})]},n))})}function Vo(e){let n=C("books",2e4);return t(w,{children:[t(X,{note:"Swaps of the last 52 weeks, by the ledger. A week begins on Monday, 00:00 UTC.",children:"B\
ooks"}),t(P,{live:n,children:({weeks:o,rules:r,total:s,at:a})=>t(w,{children:[t("div",{class:"grid thirds",children:[t(On,{name:"Volume",value:k(s.volume),note:`${s.
orders} orders`}),t(On,{name:"Cost of swaps",value:k(s.swapCost),note:`${Y(s.costBps)} of the volume, network fees included`}),t(On,{name:"Network fees",value:k(
s.networkFees),note:s.unpriced===0?"all priced":`${s.unpriced} without a price are not in it`})]}),t("div",{class:"grid thirds",children:[t(Cn,{title:"Volume by\
 week",weeks:o,of:({volume:i})=>i}),t(Cn,{title:"Cost by week",weeks:o,of:({swapCost:i})=>i}),t(Cn,{title:"Network fees by week",weeks:o,of:i=>i.networkFees})]}),
t(x,{title:"By rule",note:t(M,{at:a}),wide:!0,children:r.length===0?t(B,{children:"No order in these weeks."}):t(Wa,{lines:[...r,s]})})]})})]})}function On({name:e,
value:n,note:o}){return t("section",{class:"card figure",children:[t("h2",{children:e}),t("p",{class:"big",children:n}),t("p",{class:"note",children:o})]})}var Ha=7*
864e5;function Cn(e){let n=e.weeks.map(o=>{let r=Date.parse(`${o.group}T00:00:00Z`),[s,a]=[r,r+Ha].map(i=>new Date(i).toISOString());return{from:s??"",to:a??"",
value:Number(e.of(o))}});return t(x,{title:e.title,note:"usd",children:t(Le,{title:e.title,steps:n,as:"bars",show:o=>`$${G(o)}`,series:[{name:"usd",of:({value:o})=>o,
tone:"a"}]})})}function Wa({lines:e}){let n=e.map(o=>({key:o.group,cells:[t("b",{children:o.group},"group"),Object.entries(o.counts).map(([r,s])=>`${s} ${le(r)}`).
join(", "),k(o.volume),k(o.swapCost),k(o.networkFees),Y(o.costBps)]}));return t(ee,{caption:"Swaps by rule",columns:["Rule","Orders","Volume","Cost","Network fe\
es","Cost of volume"],rows:n})}function Ct(e,n,o,r){return e.map(({at:a,amount:i},l)=>{if(i===null)return"";let c=e[l-1]?.amount??null,u=o(e[l+1]?.at??n);return`${c===null?`M${o(a)} ${r(Number(
i))}`:`V${r(Number(i))}`}H${u}`}).join("")}function Et(e,n){return e.flatMap(({at:o,amount:r},s)=>r===null?[{start:o,end:e[s+1]?.at??n}]:[])}function Tt(e,n){return e.
findLast(({at:o})=>Date.parse(o)<=n)?.amount??null}function jo(e,n,o){return e.flatMap(({from:r,bound:s},a)=>{let i=e[a+1],l={startMs:Math.max(n,Date.parse(r)),
endMs:Math.min(o,i===void 0?o:Date.parse(i.from))};return s===null||l.startMs>=l.endMs?[]:[{bound:s,...l}]})}var ke=92,Mt=44,zo=44,En=16,Ka=18;function Yo(e){let{asset:n,since:o,bound:r}=e,{value:s}=C(`series/${encodeURIComponent(n)}?since=${o}`,3e4);if(s===null)return null;
let a=s.points.flatMap(({amount:i})=>i===null?[]:[Number(i)]);return a.length===0?t("p",{class:"note",children:"No reading in this time."}):t(Va,{...e,series:s,
known:a,bound:r})}function Va(e){let{series:n,known:o,bound:r,marks:s,price:a}=e,[i,l]=z(),{from:c,to:u,points:d}=n,p=d[0]?.at??c,f=Date.parse(p),m=Date.parse(u),
{low:h,high:y,bottom:g,top:b,y:S}=ja(o,r),$=D=>Mt+(l-Mt-zo)*(D-f)/Math.max(1,m-f),_=D=>$(Date.parse(D)),{symbol:V}=O(n.asset),ie=qo(String(h),String(y));return t(
"figure",{class:"chart history",ref:i,children:[t("svg",{width:l,height:ke+En+Ka,role:"img","aria-label":`Readings from ${T(p)}: ${ie} ${V}`,children:[t(Ga,{bands:n.
bands,startMs:f,endMs:m,x:$,y:S}),t(qa,{x:$,y:S,low:g,high:b,startMs:f,endMs:m,width:l}),Et(d,u).map(D=>t("rect",{class:"gap",x:_(D.start),width:_(D.end)-_(D.start),
height:ke},D.start)),t("path",{class:"line-a",d:Ct(d,u,_,S)}),t(za,{points:d,x:$(m),y:S}),s.filter(({at:D})=>D>=p).map(D=>t(Qa,{mark:D,x:_(D.at),symbol:V},`${D.
at} ${D.kind} ${D.order}`))]}),t(Za,{series:n,startMs:f,x:$,price:a}),t("figcaption",{class:"note",children:["Since ",t("span",{title:p,children:T(p)}),": ",ie,
" ",V,r===null?"":` · band ${qo(r.min,r.max)}, target ${E(r.target)}`]})]})}function ja(e,n){let o=Math.min(...e),r=Math.max(...e),s=Math.min(o,n===null?o:Number(
n.min)),a=Math.max(r,n===null?r:Number(n.target)),i=(a-s)*.12||a*.05||1,l=s-i,c=a+i;return{low:o,high:r,bottom:l,top:c,y:d=>Math.max(0,Math.min(ke,ke-ke*(d-l)/(c-
l)))}}function qo(e,n){return n===null?`${E(e)} to any`:e===n?E(e):`${E(e)} to ${E(n)}`}function qa(e){let{x:n,y:o,low:r,high:s,startMs:a,endMs:i,width:l}=e,c=pe(
r,s,2);return t(w,{children:[c.map(u=>t("g",{children:[t("line",{class:"grid-line",x1:Mt,x2:l-zo,y1:o(u),y2:o(u)}),t("text",{x:Mt-6,y:o(u)+4,"text-anchor":"end",
children:G(u,(c[1]??0)-(c[0]??0))})]},u)),ve(a,i,Math.max(2,Math.floor(l/70))).map(({ms:u,label:d})=>t("text",{x:n(u),y:ke+En+14,"text-anchor":"middle",children:d},
u))]})}function Ga(e){let{x:n,y:o}=e,r=jo(e.bands,e.startMs,e.endMs),s=r.at(-1)?.endMs===e.endMs?r.at(-1):void 0,a=n(e.endMs)+6;return t(w,{children:[r.map(({bound:i,
startMs:l,endMs:c})=>{let u=i.max===null?0:o(Number(i.max)),d=o(Number(i.min)),p=o(Number(i.target)),f=n(l),m=n(c);return t("g",{children:[t("rect",{class:"band\
-area",x:f,y:u,width:Math.max(0,m-f),height:Math.max(0,d-u)}),t("line",{class:"edge",x1:f,x2:m,y1:d,y2:d}),t("line",{class:"goal",x1:f,x2:m,y1:p,y2:p})]},l)}),s===
void 0?null:t("text",{x:a,y:o(Number(s.bound.min))+4,children:"min"}),s===void 0||s.bound.max===null||o(Number(s.bound.max))===0?null:t("text",{x:a,y:o(Number(s.
bound.max))+4,children:"max"}),s===void 0||o(Number(s.bound.min))-o(Number(s.bound.target))<12?null:t("text",{x:a,y:o(Number(s.bound.target))+4,children:"target"})]})}
function za(e){let n=e.points.at(-1)?.amount??null;return n===null?null:t("circle",{class:"dot-now",cx:e.x,cy:e.y(Number(n)),r:"3"})}var Ya={in:{path:"m0 -5 4 8\
h-8z",word:"arrived"},out:{path:"m0 3 4 -8h-8z",word:"left"},outside:{path:"m0 -5 4.5 4.5-4.5 4.5-4.5 -4.5z",word:"from outside"},alarm:{path:"m-3.5 -4.5 7 7m0 \
-7-7 7",word:"alarm"},configuration:{path:"m-3 4v-10h7l-2 2.5 2 2.5h-7",word:"another configuration in force"}};function Qa({mark:e,x:n,symbol:o}){let{kind:r,at:s,
amount:a,order:i}=e,{path:l,word:c}=Ya[r],u=a===null?c:`${E(a)} ${o} ${c}`,d=i===null?"":`, order ${i.slice(0,8)}`;return t("path",{class:`mark ${r}`,d:l,transform:`\
translate(${n} ${ke+En/2+1})`,children:t("title",{children:`${T(s)}: ${u}${d}`})})}var Go=240;function Za(e){let{series:n,startMs:o,x:r,price:s}=e,{symbol:a}=O(
n.asset),i=c=>{let u=o+(Date.parse(n.to)-o)*c/Go,d=Tt(n.points,u),p=[T(new Date(u).toISOString()),d===null?"no reading":`${E(d)} ${a}`,...d===null||s===null?[]:
[k(String(Number(d)*Number(s)))]].join(" · ");return{x:r(u),words:p}},l=`Reading of ${a} at a time`;return t(_e,{of:"balance",label:l,last:Go,high:ke,at:i})}var ei="others";function Zo(e,n,o=220,r=8){let s=ti(e.filter(({value:y})=>y>0),r),a=s.reduce((y,{value:g})=>y+g,0),i=a===0?0:o/a,l=Qo(s,"from",n,i),c=Qo(s,"to",n,i),u={from:new Map,
to:new Map},d=(y,g,b)=>{let S=g.find(({chain:_})=>_===b[y])?.y??0,$=u[y].get(b[y])??0;return u[y].set(b[y],$+b.value*i),S+$},p=er(n),m=s.toSorted((y,g)=>p(y.from)-
p(g.from)||p(y.to)-p(g.to)).map(y=>({...y,top:d("from",l,y),bottom:d("to",c,y),height:Math.max(2,y.value*i)})),h=y=>{let g=y.at(-1);return g===void 0?0:Math.max(
g.y+g.height,g.y+34)};return{left:l,right:c,ribbons:m,height:Math.max(h(l),h(c))}}function ti(e,n){let o=new Map;for(let{from:i,to:l,value:c}of e)for(let u of new Set(
[i,l]))o.set(u,(o.get(u)??0)+c);let r=new Set([...o].toSorted(([,i],[,l])=>l-i).slice(0,o.size>n?n-1:n).map(([i])=>i)),s=i=>r.has(i)?i:ei,a=new Map;for(let{from:i,
to:l,value:c}of e){let u={from:s(i),to:s(l)},d=`${u.from} ${u.to}`;a.set(d,{...u,value:(a.get(d)?.value??0)+c})}return[...a.values()]}function er(e){return n=>e.
includes(n)?e.indexOf(n):e.length}function Qo(e,n,o,r){let s=new Map;for(let l of e)s.set(l[n],(s.get(l[n])??0)+l.value);let a=er(o),i=[];for(let[l,c]of[...s].toSorted(
([u],[d])=>a(u)-a(d))){let u=i.at(-1),d=u===void 0?0:Math.max(u.y+u.height+10,u.y+34);i.push({chain:l,value:c,y:d,height:Math.max(2,c*r)})}return i}var At=7;function Rt({chains:e}){let n=Ee(nt),[o,r]=z(),s=e.map(({from:p,to:f,volumeFiat:m})=>({from:p,to:f,value:Number(m)})),{left:a,right:i,ribbons:l,height:c}=Zo(
s,n);if(l.length===0)return t(B,{children:"No swap was paid out in this time."});let u=Math.min(150,r*.3),d=l.map(({from:p,to:f,value:m})=>`${I(p)} to ${I(f)} ${k(
String(m))}`).join(", ");return t("figure",{class:"chart",ref:o,children:t("svg",{width:r,height:c+8,role:"img","aria-label":`Moved: ${d}`,children:[l.map(p=>t(
ni,{ribbon:p,x1:u,x2:r-u},`${p.from} ${p.to}`)),a.map(p=>t(tr,{of:p,x:u-At,labelX:u-At-8,isLeft:!0},p.chain)),i.map(p=>t(tr,{of:p,x:r-u,labelX:r-u+At+8},p.chain))]})})}
function ni({ribbon:e,x1:n,x2:o}){let r=Xe(),{from:s,to:a,value:i,top:l,bottom:c,height:u}=e,d=(n+o)/2,p=`M${n} ${l}C${d} ${l} ${d} ${c} ${o} ${c}V${c+u}C${d} ${c+
u} ${d} ${l+u} ${n} ${l+u}Z`;return t("path",{class:`flow ${r(s)}`,d:p,children:t("title",{children:`${I(s)} → ${I(a)}: ${k(String(i))}`})})}function tr(e){let n=Xe(),
{of:o,x:r,labelX:s,isLeft:a=!1}=e,i=a?"end":"start",l=o.y+Math.max(11,o.height/2-3);return t(w,{children:[t("rect",{class:`node ${n(o.chain)}`,x:r,y:o.y,width:At,
height:o.height}),t("text",{class:"strong",x:s,y:l,"text-anchor":i,children:I(o.chain)}),t("text",{x:s,y:l+14,"text-anchor":i,children:["$",G(o.value)]})]})}function nr({
chains:e}){return t(ee,{figures:!0,caption:"Own moves between chains",columns:["From → to","Orders","Moved","Cost","bps"],rows:e.map(({from:n,to:o,orders:r,volumeFiat:s,
costFiat:a,costBps:i})=>({key:`${n} ${o}`,cells:[t("span",{children:[t(Q,{id:n})," → ",t(Q,{id:o})]},"pair"),r,t(Z,{fiat:s},"moved"),t(Z,{fiat:a},"cost"),i??"\
–"]}))})}var oi={below:{tone:"bad",word:"below its band"},above:{tone:"warn",word:"above its band"},within:{tone:"good",word:"in its band"},unknown:{tone:"calm",word:"no\
t read yet"}};function or({amount:e,bound:n,asset:o}){let r=Number(n.min),s=Number(n.target),a=n.max===null?null:Number(n.max),i=e===null?null:Number(e),l=1.15*
Math.max(a??0,s*1.5,r,i??0,Number.MIN_VALUE),c=f=>100*f/l,{tone:u,word:d}=oi[n.place],p=`${d}: from ${E(n.min)} to ${n.max===null?"any":E(n.max)}, target ${E(n.
target)} ${O(o).symbol}`;return t("svg",{class:`band ${u}`,viewBox:"0 0 100 10",preserveAspectRatio:"none",role:"img","aria-label":p,children:[t("title",{children:p}),
t("rect",{class:"track",y:"3",width:"100",height:"4"}),t("rect",{class:"range",x:c(r),y:"1",width:Math.max(.5,(a===null?100:c(a))-c(r)),height:"8"}),i===null?null:
t("rect",{class:"fill",y:"3",width:c(i),height:"4"}),t("rect",{class:"target",x:c(s)-.2,width:"0.5",height:"10"})]})}var Ie=66,Tn=56;function rr(){let{value:e}=C("series/total",6e4),n=(e?.points??[]).flatMap(({amount:r})=>r===null?[]:[Number(r)]),[o]=e?.points??[];return e===null||
o===void 0||n.length===0?null:t("figure",{class:"total-plot",children:[t("h2",{children:["Total, ",T(o.at)," to now"]}),t(ri,{series:e,known:n,startAt:o.at}),e.
joined.length===0?null:t("p",{class:"note",children:e.joined.slice(0,2).map(sr).join("; ")})]})}function ri(e){let{series:n,known:o,startAt:r}=e,{points:s,to:a}=n,
[i,l]=z(),c=Math.min(...o),u=Math.max(...o),d=(u-c)*.1||u*.01||1,p=Date.parse(r),f=Date.parse(a),m=_=>(l-Tn)*(_-p)/Math.max(1,f-p),h=_=>m(Date.parse(_)),y=_=>4+
(Ie-4)*(u+d-_)/(u-c+2*d),g=pe(c-d,u+d,2),b=s.at(-1)?.amount??null,S=`${k(String(c))} to ${k(String(u))}`;return t("div",{class:"chart",ref:i,children:[t("svg",{
width:l,height:Ie+20,role:"img","aria-label":`Total in usd: ${S}`,children:[g.map(_=>t("g",{children:[t("line",{class:"grid-line",x2:l-Tn,y1:y(_),y2:y(_)}),t("t\
ext",{x:l-Tn+6,y:y(_)+4,children:["$",G(_,(g[1]??0)-(g[0]??0))]})]},_)),ve(p,f,4).map(({ms:_,label:V})=>t("text",{x:m(_),y:Ie+16,"text-anchor":"middle",children:V},
_)),Et(s,a).map(({start:_,end:V})=>t("rect",{class:"gap",x:h(_),width:h(V)-h(_),height:Ie},_)),t("path",{class:"line-a",d:Ct(s,a,h,y)}),b===null?null:t("circle",
{class:"dot-now",cx:m(f),cy:y(Number(b)),r:"3"}),n.joined.map(_=>t("path",{class:"mark configuration",d:"m-3 0v-10h7l-2 2.5 2 2.5h-7",transform:`translate(${h(_.
at)} ${Ie})`,children:t("title",{children:sr(_)})},`${_.asset} ${_.by}`))]}),t(_e,{of:"total",label:"Total at a time",last:120,high:Ie,at:$})]});function $(_){let V=p+
(f-p)*_/120,ie=Tt(s,V),D=ie===null?"no reading":k(ie);return{x:m(V),words:`${T(new Date(V).toISOString())} · ${D}`}}}function sr({at:e,asset:n,by:o}){let{symbol:r,
chain:s}=O(n),a=T(e);return o==="price"?`⚑ ${r} on ${s}: before ${a} at its first price`:`⚑ ${r} on ${s}: from ${a} on`}function lr({overview:e,summary:n}){let{totalFiat:o,change:r,swaps:s,inFlight:a}=n;return t("section",{class:"card money-first","aria-label":"Money",children:[t(
"div",{children:[t("h2",{children:"Treasury"}),t("p",{class:"total",title:`${o} usd`,"data-exact":o,children:k(o)}),t(ai,{change:r,total:o}),t(si,{summary:n})]}),
t(rr,{}),t("dl",{class:"facts",children:[t(Re,{name:"Moved in 24 h",value:k(s.volumeFiat),exact:s.volumeFiat,children:ar(s.orders)}),t(Re,{name:"Cost in 24 h",value:k(
s.costFiat),exact:s.costFiat,children:s.costBps===null?"no swap yet":`${s.costBps} bps`}),t(Re,{name:"In flight",value:k(a.fiat),exact:a.fiat,children:ar(a.orders)}),
t(Re,{name:"Half done within",value:ir(s.medianMs),children:s.p90Ms===null?"":`nine of ten ${ir(s.p90Ms)}`}),t(ii,{gas:e.gas}),t(li,{overview:e})]})]})}function si({
summary:e}){let{unpriced:n,unread:o,assets:r}=e,s=l=>o.includes(l)?"no reading":ur(r.find(({asset:c})=>c===l)?.priceAt??null),a=[...new Set([...o,...n])].map(l=>[
O(l).symbol,s(l)]);if(a.length===0)return null;let i=[...Map.groupBy(a,([,l])=>l)].map(([l,c])=>`${[...new Set(c.map(([u])=>u))].join(", ")}: ${l}`);return t("p",
{class:"note",title:[...o,...n].join(", "),children:["without ",i.join("; ")]})}function ur(e){return e===null?"no price yet":`no price since ${T(e)}`}function Re(e){
return t("div",{children:[t("dt",{children:e.name}),t("dd",{class:e.tone,children:[t("span",{title:e.exact,"data-exact":e.exact,children:e.value})," ",t("small",
{children:e.children})]})]})}function ai({change:e,total:n}){let o=W();if(e===null)return t("p",{class:"note",children:"No older reading to compare with yet."});
let{from:r,totalFiat:s,pricesFiat:a,outsideFiat:i,swapsFiat:l}=e;return t(w,{children:[t("p",{children:[t("b",{title:s,children:[Ye(s)," (",Qe(s,n),")"]})," ",t(
"span",{class:"quiet",children:["since ",t("span",{title:r,children:T(r,o)})]})]}),t("p",{class:"note parts",children:[t("span",{title:a,children:["prices ",Ye(
a)]}),t("span",{title:i,children:["paid in and out ",Ye(i)]}),t("span",{title:l,children:["swaps and fees ",Ye(l)]})]})]})}function ar(e){return`${e} order${e===
1?"":"s"}`}function ir(e){return e===null?"–":U(e)}function ii({gas:e}){let n=({amount:s,needed:a})=>s!==null&&Number(s)<Number(a),[o]=e.toSorted((s,a)=>Number(
n(a))-Number(n(s))||(s.daysLeft??Number.MAX_VALUE)-(a.daysLeft??Number.MAX_VALUE));if(o===void 0)return t(Re,{name:"Runs dry first",value:"–"});let r=n(o);return t(
Re,{name:"Runs dry first",value:r?"▲ too little":cr(o.daysLeft),tone:r||(o.daysLeft??99)<7?"warn":"",children:`${o.coin}, ${I(o.chain)}`})}function cr(e){return e===
null?"no use yet":e>365?"over a year":`${e} days`}function li({overview:{services:e,nodes:n}}){let o=[...e.filter(({state:r})=>r!=="good").map(({name:r,state:s})=>`${r}\
 ${s}`),...n.filter(({state:r})=>r!=="good").map(({chain:r,state:s})=>`${I(r)} ${s}`)];return t(Re,{name:"Service and nodes",value:o.length===0?"✓ well":`▲ ${o[0]??
""}`,tone:o.length===0?"":"warn",children:o.length===0?`${e.length+n.length} answer`:o.length===1?"":`and ${o.length-1} more`})}function Dt({overview:e,summary:n}){
let{treasury:o,gas:r}=e,s=[...new Set(o.map(({asset:a})=>a.split(":")[0]??""))];return t(x,{title:"Where the money is",link:"#/treasury",note:"bar from 0: band,\
 target, balance",children:t("table",{class:"places",children:[t("caption",{class:"hidden",children:"Balances by chain and asset"}),t("thead",{children:t("tr",{
children:["Asset","Balance","Band","Value","In 24 h","On its way","State"].map(a=>t("th",{scope:"col",children:a},a))})}),s.map(a=>t("tbody",{children:[t(ci,{chain:a,
holdings:o.filter(({asset:i})=>i.startsWith(`${a}:`)),summary:n,source:e.nodes.find(i=>i.chain===a)??null}),o.filter(({asset:i})=>i.startsWith(`${a}:`)).map(i=>t(
mi,{holding:i,valued:n.assets.find(({asset:l})=>l===i.asset)??null,gas:r.find(l=>l.chain===a)??null},i.asset))]},a))]})})}var ui=15*6e4;function ci(e){let{chain:n,
summary:o,source:r}=e,s=o.assets.filter(({asset:d})=>d.startsWith(`${n}:`)).reduce((d,p)=>d+Number(p.fiat??0),0),[a]=e.holdings.map(({readAt:d})=>d??"").sort(),
l=W()-Date.parse(a||"1970-01-01")>ui&&r?.state!=="good",c=r?.endpoints.find(({error:d})=>d!==null)?.error??null,u=e.holdings.flatMap(({bounds:d})=>d.map(({rule:p})=>p));
return t("tr",{class:l?"chain late":"chain",children:[t("th",{scope:"rowgroup",colSpan:3,children:[t(Q,{id:n})," ",t("small",{children:[Qe(String(s),o.totalFiat),
" of the total"]})]}),t("td",{children:k(String(s))}),t("td",{colSpan:3,children:t("small",{children:[l?"▲ last read":"read"," ",t(M,{at:a||null}),l&&c!==null?
`, ${c}`:"",l&&u.length>0?`; waiting: ${[...new Set(u)].join(", ")}`:""]})})]})}var di={below:"▼ below its band",above:"▲ above its band",within:"✓ in band",
unknown:"no reading"};function mi(e){let{holding:n,valued:o,gas:r}=e,{asset:s,amount:a,bounds:i}=n,{symbol:l}=O(s),c=r!==null&&r.coin.toUpperCase()===l,[u]=i;return t(
"tr",{children:[t("th",{scope:"row",children:l}),t("td",{children:t(K,{amount:a,asset:s,chain:!1,symbol:!1})}),t("td",{class:"band-cell",children:u===void 0?t("\
small",{children:c?"coin for fees":"no band"}):t(or,{amount:a,bound:u,asset:s})}),t("td",{title:o?.fiat??void 0,"data-exact":o?.fiat??void 0,children:t(pi,{valued:o})}),
t("td",{title:o?.change??void 0,children:o?.change==null||Number(o.change)===0?"=":`${Number(o.change)>0?"+":""}${E(o.change)}`}),t("td",{class:dr(o)?"some":"",
children:t(hi,{valued:o})}),t("td",{children:u===void 0?c?cr(r.daysLeft):"":t("span",{class:u.place,children:di[u.place]})})]})}function pi({valued:e}){let n=W();
if(e===null||e.fiat===null&&e.price!==null)return t(w,{children:"–"});let{fiat:o,priceAt:r}=e;if(o===null)return t("small",{title:r??void 0,children:ur(r)});let s=r!==
null&&n-Date.parse(r)>fi;return t(w,{children:[k(o),s?t("small",{class:"block",children:["price ",t(M,{at:r})]}):null]})}var fi=2*36e5;function Pt(e){return Number(
e)!==0}function dr(e){return e!==null&&(Pt(e.incoming)||Pt(e.outgoing))}function hi({valued:e}){return e===null||!dr(e)?t(w,{children:"–"}):t(w,{children:[Pt(
e.incoming)?t("span",{class:"block",title:e.incoming,children:["↓ in ",E(e.incoming)]}):null,Pt(e.outgoing)?t("span",{class:"block",title:e.outgoing,children:[
"↑ out ",E(e.outgoing)]}):null]})}function pr({flows:e,span:n}){let{steps:o,total:r,maxCostBps:s}=e,a=i=>`$${G(i)}`;return t("div",{class:"grid thirds",children:[t(x,{title:`Cost, ${n}`,note:"■ \
swaps ■ network, usd",children:[t("p",{children:[t("b",{title:r.costFiat,children:k(r.costFiat)})," ",t("span",{class:"quiet",children:["for ",t("b",{title:r.
volumeFiat,children:k(r.volumeFiat)})," in ",r.completed," swaps"]})]}),t(Le,{title:"Cost in usd",steps:o,as:"bars",show:a,series:[{name:"swaps",of:i=>Number(i.
costFiat)-Number(i.feesFiat),tone:"a"},{name:"network",of:i=>Number(i.feesFiat),tone:"b"}]})]}),t(x,{title:"Cost of what moved",note:"bps",children:[t("p",{children:[
t("b",{children:r.costBps===null?"–":`${r.costBps} bps`})," ",t("span",{class:"quiet",children:"network fees included"})]}),t(Le,{title:"Cost in bps of what m\
oved",steps:o,as:"lines",show:i=>G(i),limit:s===null?null:{value:s,name:`limit ${s} bps`},series:[{name:"bps",of:({costBps:i})=>i,tone:"a"}]})]}),t(x,{title:"Ti\
me to completion",note:"— half · — 95 of 100",children:[t("p",{children:[t("span",{class:"quiet",children:"half within"})," ",t("b",{children:rt(r.medianMs)}),
t("span",{class:"quiet",children:", 95 of 100 within"})," ",t("b",{children:rt(r.p95Ms)})]}),t(Le,{title:"Time to completion",steps:o,as:"lines",show:rt,series:[
{name:"half",of:({medianMs:i})=>i,tone:"a"},{name:"95 of 100",of:({p95Ms:i})=>i,tone:"b"}]})]})]})}var gi=["Rule","Pair","Service","Time"];function fr({flows:e,
span:n}){let[o,r]=v("Rule"),s=yi(e,o);return t("section",{class:"card",children:[t("header",{children:[t("h2",{children:["Volume, cost and time, ",n]}),t("field\
set",{class:"segments",children:[t("legend",{class:"hidden",children:"By"}),gi.map(a=>t("button",{type:"button","aria-pressed":a===o,onClick:()=>r(a),children:a},
a))]})]}),s.length===0?t(B,{children:"No order in this time."}):null,t(ee,{figures:!0,caption:`Volume, cost and time by ${o.toLowerCase()}`,columns:[o,"Orders",
"Moved","Cost","Of it network","bps","Half within","95 of 100"],rows:[...s,{name:"Total",line:e.total}].map(({name:a,line:i})=>({key:a,cells:bi(a,i)}))}),e.total.
unpriced===0?null:t("p",{class:"note",children:[e.total.unpriced," amounts without a price are in no sum."]})]})}function yi({rules:e,services:n,pairs:o,steps:r},s){
return s==="Rule"?e.map(a=>({name:a.name,line:a})):s==="Service"?n.map(a=>({name:a.name,line:a})):s==="Pair"?o.map(a=>({name:`${mr(a.from)} → ${mr(a.to)}`,line:a})):
r.filter(({orders:a})=>a>0).toReversed().map(a=>({name:a.from.replace("T00:00:00.000Z","").replace(":00.000Z","Z"),line:a}))}function mr(e){let{symbol:n,chain:o}=O(
e);return`${n} ${o}`}function bi(e,n){return[t("b",{children:e},"name"),n.orders,t(Z,{fiat:n.volumeFiat},"moved"),t(Z,{fiat:n.costFiat},"cost"),t(Z,{fiat:n.feesFiat},
"fees"),n.costBps??"–",rt(n.medianMs),rt(n.p95Ms)]}function rt(e){return e===null?"–":U(e)}var hr={"24 h":1,"7 d":7,"30 d":30,"1 y":365},wi=864e5;function gr({overview:e}){let[n,o]=v("7 d"),r=Mn(n),{value:s}=C("summary",1e4),a=C(`flows?since=${r}`,2e4);
return t(P,{live:e,children:i=>t(w,{children:[t(X,{children:"Treasury"}),s===null?null:t(w,{children:[t(vi,{overview:i,summary:s}),t("div",{class:"stack",children:t(
Dt,{overview:i,summary:s})})]}),t(An,{range:n,onChange:o,ranges:Object.keys(hr)}),t(_i,{treasury:i.treasury,summary:s,since:r,marks:a.value?.marks??[]}),t(P,{live:a,
children:l=>t(ki,{flows:l,range:n})}),t(xi,{gas:i.gas})]})})}function Mn(e){let[n]=v(Date.now);return new Date(n-hr[e]*wi).toISOString()}function An(e){return t(
"fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"Range of the plots"}),e.ranges.map(n=>t("button",{type:"button","aria-pressed":n===e.
range,onClick:()=>e.onChange(n),children:n},n))]})}function vi({overview:e,summary:n}){let o=Xe(),s=[...new Set(e.treasury.map(({asset:l})=>l.split(":")[0]??""))].
map(l=>({chain:l,fiat:n.assets.filter(({asset:c})=>c.startsWith(`${l}:`)).reduce((c,{fiat:u})=>c+Number(u??0),0)})),a=Math.max(s.reduce((l,{fiat:c})=>l+c,0),Number.
MIN_VALUE),i=0;return t("section",{class:"card shares","aria-label":"Shares of the chains",children:[t("p",{class:"total",title:`${n.totalFiat} usd`,"data-exact":n.
totalFiat,children:k(n.totalFiat)}),t("svg",{viewBox:"0 0 1000 10",preserveAspectRatio:"none","aria-hidden":"true",children:s.map(({chain:l,fiat:c})=>{let u=i;return i+=
1e3*c/a,t("rect",{class:`node ${o(l)}`,x:u,width:Math.max(0,i-u-2),height:"10"},l)})}),t("ul",{children:[s.map(({chain:l,fiat:c})=>t("li",{children:[t(Q,{id:l}),
" ",t("b",{children:k(String(c))})," ",t("small",{children:Qe(String(c),n.totalFiat)})]},l)),t("li",{children:["In flight ",t("b",{title:n.inFlight.fiat,children:k(
n.inFlight.fiat)})]})]})]})}function _i(e){let{treasury:n,summary:o,since:r,marks:s}=e;return n.length===0?t(B,{children:"The configuration lists no asset."}):t(
x,{title:"Balance against its band",note:"▲ arrived ▼ left ◆ outside ✕ alarm ⚑ configuration · hatched: no reading of our nodes",children:t("div",{class:"\
multiples",children:n.map(({asset:a,amount:i,bounds:l,shares:c})=>{let u=o?.assets.find(d=>d.asset===a)??null;return t("section",{"aria-label":`${O(a).symbol} o\
n ${O(a).chain}`,children:[t("p",{class:"head",children:[t("span",{children:[t("b",{children:O(a).symbol})," ",t(Q,{id:a})]}),t("span",{children:[t(K,{amount:i,
asset:a,chain:!1,symbol:!1})," ",u?.fiat==null?null:t("small",{title:u.fiat,children:k(u.fiat)})]})]}),t(Yo,{asset:a,since:r,bound:l[0]??null,marks:s.filter(d=>d.
asset===a||d.asset===null),price:u?.price??null}),c.map(({rule:d,percent:p})=>t("p",{class:"note",children:["Target of ",d,": ",p," of the treasury"]},d))]},a)})})})}
function ki({flows:e,range:n}){let{chains:o,total:r,outside:s}=e,a=n==="1 y"?"31 d":n;return t(w,{children:[t("div",{class:"grid",children:[t(x,{title:`Flows, ${a}`,
note:t("b",{title:r.volumeFiat,children:k(r.volumeFiat)}),children:t(Rt,{chains:o})}),t("div",{class:"column",children:[t(x,{title:"The same as a table",children:t(
nr,{chains:o})}),t(x,{title:`Money from outside, ${a}`,note:"not part of the flows",children:s.length===0?t(B,{children:"Nothing was paid in or taken out."}):t(
Si,{outside:s})})]})]}),t(pr,{flows:e,span:a}),t(fr,{flows:e,span:a})]})}function Si({outside:e}){let n=(o,r)=>Number(o)===0?"–":t("span",{title:`${o}, ${r??"\
no price"}`,children:[E(o)," ",t("small",{children:r===null?"no price":k(r)})]});return t(ee,{caption:"Money from outside",columns:["Asset","Paid in","Taken out"],
rows:e.map(o=>({key:o.asset,cells:[t("span",{children:[O(o.asset).symbol," ",t(Q,{id:o.asset})]},"asset"),n(o.in,o.inFiat),n(o.out,o.outFiat)]}))})}function xi({
gas:e}){return t(x,{title:"Coin for fees",wide:!0,children:t(ee,{caption:"Coin for fees",columns:["Chain","Balance","Must stay","Lasts"],rows:e.map(({chain:n,coin:o,
amount:r,needed:s,daysLeft:a})=>{let i=r!==null&&Number(r)<Number(s);return{key:n,cells:[t(Q,{id:n},"chain"),r===null?"not read yet":`${E(r)} ${o}`,E(s),i?t("b",
{class:"below",children:"▼ too little"},"low"):a===null?"no use yet":a>365?"over a year":`about ${a} days`]}})})})}function yr({payoutDeadline:e},n){if(e===void 0)return null;let{at:o,height:r}=e,s=$i(e);if(o===null)return`before its lock ends, at an unknown time; ${s}`;let a=Date.
parse(o)-(n??0),i=a>0?`${U(a)} left`:`over since ${U(-a)}`,l=[`height ${r??"unknown"}`,...n===null?[]:[i],"estimated"];return`before ${To(Date.parse(o))} (${l.join(
", ")}); ${s}`}function $i({offerUnits:e,capUnits:n}){let o=n===null?"":`, and one may offer up to ${n}`;return e===null?`no redemption of ours is signed yet${o}${o===
""?"":" of the coin's smallest units"}`:`our newest redemption offers at most ${e}${o} of the coin's smallest units`}function br({secret:e,ownSecret:n}){if(n===void 0)return e==="service"?"chosen by the service":"not chosen yet";let{status:o,revealedAt:r}=n,s=r===null?"":` at ${r}`;
return{unknown:"our own, told to no other party",revealed:`our own, revealed${s}`,withheld:"our own, withheld for ever",lost:`our own, revealed${s}, and the pay\
out went back to the solver`}[o]}function wr(e,n){let{usual:o,seen:r,createdAt:s,outcome:a,updatedAt:i}=e;if(o===null||a!==null&&a!=="completed")return[];let l=f=>f==null?null:Date.parse(f)-Date.
parse(s),c=[["To the deposit",l(r.sourceInitiated?.at),o.depositMs],["To the payout",l(r.destinationRedeemed?.at),o.payoutMs],["To the end",a===null?null:l(i),o.
endMs]],u=n-Date.parse(s),d=0,p=!1;return c.map(([f,m,h])=>{let y=d,b=m===null&&!p?Math.max(0,u-y):null;return p||=m===null,d=m??y+Math.max(h,b??0),{name:f,startMs:y,
tookMs:m===null?null:m-y,runsMs:b,usualMs:h}})}function Be(e){return e<1e4?`${(e/1e3).toFixed(1)} s`:U(e)}function Se(e){let n=ne(null),o=ne(e.onClose);o.current=e.onClose,xo(()=>{let s=n.current,a=new AbortController;return s?.addEventListener("close",()=>o.current(),
{signal:a.signal}),s?.showModal(),()=>{a.abort(),s?.close()}},[]);let r=s=>{s.key==="Escape"&&(s.preventDefault(),e.onClose())};return t("dialog",{ref:n,class:e.
class,"aria-label":e.label,"aria-labelledby":e.labelledBy,onKeyDown:r,children:e.children})}function Rn({change:e,onClose:n}){let[o]=v(Ze),[r,s]=v(""),[a,i]=v(!1),[l,c]=v(null),u=we(),d=we(),p=r.trim()===e.word;async function f(m){if(m.preventDefault(),
!(!p||a)){i(!0);try{let h=await Ne(e.path,e.body,o);me(),n(),e.onDone?.(h)}catch(h){h instanceof R&&c(h),i(!1)}}}return t(Se,{labelledBy:u,onClose:n,children:t(
"form",{onSubmit:f,children:[t("h2",{id:u,children:e.title}),e.children,t("label",{for:d,children:["Type ",t("code",{class:"word",children:e.word})," to confirm"]}),
t("input",{id:d,value:r,autocomplete:"off",spellcheck:!1,onInput:m=>s(m.currentTarget.value)}),l===null?null:t("p",{class:"notice bad",role:"alert",children:l.message}),
t("footer",{children:[t("button",{type:"button",onClick:n,children:"Cancel"}),t("button",{type:"submit",class:e.danger?"main danger":"main",disabled:!p||a,children:a?
"Sending…":e.button})]})]})})}function ue(e){let[n,o]=v(!1),r=Fe(e.scope,e.scopes);return t(w,{children:[t("button",{type:"button",class:e.change.danger?"dang\
er":e.main?"main":"",disabled:r!==null,title:r??void 0,onClick:()=>o(!0),children:e.change.button}),n?t(Rn,{change:e.change,onClose:()=>o(!1)}):null]})}function vr({asset:e,source:n,price:o,agreed:r,deviationBps:s}){let a=s<0?"below":"above";return`The price source ${n} gives ${o} for ${e}, ${Math.abs(s)/100} %\
 ${a} the ${r} of the others, and does not count`}function _r({reference:e}){if(e===void 0)return[];let{costBps:n,outliers:o}=e,r=(n??0)<0?"more":"less",a=`By our own prices the quote pays ${Math.abs(n??0)/100}\
 % ${r} than it takes`;return[...n===null?[]:[a],...o.map(vr)]}var Oi=1e3,Pn=4;function kr({order:e,scopes:n,opens:o}){let r=Fe("approve",n),[s,a]=v(o&&r===null?"drawer":null),i=()=>a(null);return t(w,{children:[t("button",
{type:"button",class:"main","data-key":"approve",disabled:r!==null,title:r??void 0,onClick:()=>a("drawer"),children:"Approve or reject"}),s==="drawer"?t(Ei,{order:e,
onReject:()=>a("reject"),onClose:i}):null,s==="reject"?t(Rn,{change:Ci(e),onClose:i}):null]})}function Ci({id:e,amount:n,from:o}){let r=`${n} ${O(o).symbol}`;return{
title:"Reject this order?",word:"reject",button:"Reject",path:`orders/${e}/reject`,body:{},danger:!0,children:t("p",{children:["Nothing was deposited. The order\
 ends, and ",r," stay in the wallet."]})}}function Ei({order:e,onReject:n,onClose:o}){let r=we(),[s]=v(Ze),[a,i]=v(""),[l,c]=v(null),u=Li(e),d=u&&(e.payee?.uses??
0)>0,p=d||a.trim()===e.destinationOwner.slice(-Pn);async function f(){try{await Ne(`orders/${e.id}/approve`,{intent:e.intent},s),me(),o()}catch(m){m instanceof R&&
c(m)}}return t(Se,{class:"approve",labelledBy:r,onClose:o,children:[t("header",{children:[t("small",{children:["ends ",t(M,{at:e.approveBefore})]}),t("h2",{id:r,
tabIndex:-1,children:["Approve ",e.fiat===null?"this order":k(e.fiat),"?"]}),t("button",{type:"button",onClick:o,children:"Later"})]}),t(Mi,{order:e,isOurs:u,isFamiliar:d}),
t(Ri,{order:e}),t("details",{children:[t("summary",{children:"All fields that are signed"}),t("dl",{class:"pairs small",children:Object.entries(e.intentFields??
{}).map(([m,h])=>t("div",{children:[t("dt",{children:m}),t("dd",{children:t("code",{children:h})})]},m))})]}),d?null:t(Ti,{typed:a,onType:i}),l===null?null:t("p",
{class:"notice bad",role:"alert",children:l.message}),t("footer",{children:[t("button",{type:"button",class:"danger",onClick:n,children:"Reject"}),t(Ni,{disabled:!p,
onHeld:()=>{f()}})]})]})}function Ti(e){let n=we();return t(w,{children:[t("label",{for:n,children:["Type the last ",Pn," characters of the address"]}),t("input",
{id:n,value:e.typed,maxLength:Pn,autocomplete:"off",spellcheck:!1,onInput:o=>e.onType(o.currentTarget.value)})]})}function Mi(e){let{order:n,isOurs:o,isFamiliar:r}=e,
{destinationOwner:s,payee:a}=n,{value:i}=C("settings",6e4),l=St(i).payeeOf(s);return t("p",{class:r?"payee":"payee unfamiliar",children:[r?"":"▲ ",o?"Pays our\
 own wallet":"Pays an address that is not this daemon's wallet",l===null?"":`: ${l}`,a===void 0?null:t("small",{children:[" · ",Ai(a)]}),t("code",{children:s.match(
/.{1,4}/g)?.join(" ")})]})}function Ai({uses:e,of:n,since:o}){return e>0&&o!==null?`used ${e===1?"once":`${e} times`} since ${T(o)}`:n===0?"new payee":`new paye\
e: not among the last ${n} payouts`}function Ri({order:e}){let n=O(e.from),o=O(e.to),{route:r}=e,s=e.costParts.refundAtMostFiat;return t("dl",{class:"pairs",children:[
t("div",{children:[t("dt",{children:"Sends"}),t("dd",{children:[t("b",{children:e.amount})," ",n.symbol,", ",n.chain]})]}),t("div",{children:[t("dt",{children:"\
Receives"}),t("dd",{children:[t("b",{children:e.destinationAmount})," ",o.symbol,", ",o.chain]})]}),t("div",{children:[t("dt",{children:"Costs"}),t("dd",{children:[
e.costFiat===null?"unknown":k(e.costFiat)," (",Y(e.costBps),")"]})]}),t(Pi,{order:e}),t("div",{children:[t("dt",{children:"Why it asks"}),t("dd",{children:[e.askedBy??
e.rule," wants more than one order may send without a person"]})]}),t("div",{children:[t("dt",{children:"At worst"}),t("dd",{children:[r===void 0?"the deposit c\
omes back after its timelock":r.trust,r!==void 0||s===null?"":`, for a fee of up to ${k(s)}`]})]}),t(Di,{order:e})]})}function Pi({order:e}){let n=_r(e),o=(e.reference?.
outliers.length??0)>0;return n.length===0?null:t("div",{children:[t("dt",{children:o?"▲ Reference":"Reference"}),t("dd",{children:n.map(r=>t("span",{class:"bl\
ock",children:t(N,{text:r})},r))})]})}function Di({order:{people:e,askedBy:n}}){let o=e?.needed??1,r=e?.approved??[];return t("div",{children:[t("dt",{children:"\
People"}),t("dd",{children:[r.length," of ",o," approved",r.map(({by:s,at:a})=>t("span",{class:"block",title:a,children:["✓ ",s," ",t(M,{at:a})]},s)),n===void 0?
null:t("small",{class:"block",children:[n," asked, and may not approve"]})]})]})}function Ni(e){let n=ne(0),[o,r]=v(!1),s=()=>{e.disabled||n.current!==0||(r(!0),
n.current=window.setTimeout(()=>{a(),e.onHeld()},Oi))},a=()=>{clearTimeout(n.current),n.current=0,r(!1)};J(()=>a,[]);let i=({key:l})=>l==="Enter"||l===" ";return t(
"button",{type:"button",class:o?"main hold holding":"main hold",disabled:e.disabled,onPointerDown:s,onPointerUp:a,onPointerLeave:a,onKeyDown:l=>i(l)?s():void 0,
onKeyUp:a,onBlur:a,onContextMenu:l=>l.preventDefault(),children:"Hold to approve"})}function Li({to:e,destinationOwner:n}){let{value:o}=C("status",6e4),r=e.split(
":")[0];return o?.chains.some(s=>s.chain===r&&s.account===n)??!1}function Sr({order:e,scopes:n,opens:o}){if(e.state==="awaiting-approval")return t(Fi,{order:e,scopes:n,opens:o});if(!e.held&&e.state!=="disarmed")return null;let r=(a,i)=>{
let l=a.slice(0,1).toUpperCase()+a.slice(1);return{title:`${l} this order?`,word:a,button:l,path:`orders/${e.id}/${a}`,body:{},danger:a==="abandon",children:t("\
p",{children:i})}},s=r("abandon","You answer for the end of this order: Ballast ends it once no deposit can land.");return t("div",{class:"actions",children:[e.
held?t(w,{children:[t(ue,{change:r("retry","Ballast goes on from where the order was held."),scope:"operate",scopes:n,main:!0}),t(ue,{change:r("refund","Ballast\
 takes the deposit back as soon as the HTLC allows it."),scope:"operate",scopes:n})]}):null,t(ue,{change:s,scope:"operate",scopes:n})]})}function Xi({people:e}){
if(e===void 0)return"";let n=e.approved.map(({by:r})=>r).join(", "),o=e.needed-e.approved.length;return` · approved by ${n===""?"none":n}; ${o} more must appro\
ve`}function Fi({order:e,scopes:n,opens:o}){return t("div",{class:"actions",children:[t(kr,{order:e,scopes:n,opens:o}),t("span",{class:"note",children:["Approve\
 before ",t(M,{at:e.approveBefore,clock:!0})," (",t(M,{at:e.approveBefore}),")",Xi(e)]})]})}function xr({events:e,seen:n,outcome:o,state:r,approval:s,updatedAt:a,createdAt:i,route:l}){let c=(...h)=>e.find(({type:y})=>h.includes(y))?.at??null,u=r==="awa\
iting-approval"||s!==null,d=n.sourceRefunded!=null||r.startsWith("refund")||o==="refunded",p=[{name:"Requested",at:i},{name:"Quoted",at:c("quote.accepted")},{name:"\
Ordered",at:c("order.created")},{name:"Verified",at:c("deposit.verified")},...u?[{name:"Approved",at:s?.at??null}]:[],{name:Cr(l?.deposit,"Deposited"),at:n.sourceInitiated?.
at??null},...d?[{name:"Refunded",at:n.sourceRefunded?.at??null}]:Ji(l,n),{name:o===null?"Final":Dn(o),at:o===null?null:a}],f=p.findLastIndex(({at:h,passed:y=!1})=>h!==
null||y),m=o==="rejected"||o==="abandoned";return p.map((h,y)=>{if(m&&y===p.length-1)return{...h,state:"failed"};if(y<=f&&!(m&&h.at===null))return{...h,state:"d\
one"};let g=y===f+1;return{...h,state:g&&o===null?r==="held"?"failed":"now":"open"}}).filter(({at:h,state:y})=>!(o!==null&&h===null&&y==="open"))}function Ji(e,n){
return[e===void 0?{name:"Solver deposited",at:n.destinationInitiated?.at??null}:{name:Dn(e.voucher),at:null,passed:e.nonce!==null},{name:Cr(e?.payout,"Paid out"),
at:n.destinationRedeemed?.at??null}]}function $r(e){let n=e.from.split(":")[0]??"",o=e.to.split(":")[0]??"",r=(a,i,l)=>({what:i,chain:l,service:e.reportedTxs[a],
seen:e.seen[a]??null}),{route:s}=e;return s!==void 0?[r("sourceInitiated",`Our ${s.deposit}`,n),r("destinationRedeemed",`The ${s.payout} to us`,o)]:[r("sourceIn\
itiated","Our deposit",n),r("destinationInitiated","The solver's deposit",o),r("destinationRedeemed","The payout to us",o),r("sourceRedeemed","The solver takes \
our deposit",n),r("sourceRefunded","The refund to us",n)]}function Or({service:e,seen:n},o){return n!==null&&e.includes(n.tx)?{tone:"good",says:"agree"}:n!==null&&
e.length>0?{tone:"warn",says:"another transaction"}:n!==null?{tone:"good",says:"proven"}:e.length>0?{tone:o?"calm":"warn",says:"only reported"}:{tone:"calm",says:"\
not yet"}}function Nt(e){return`${e.kind}: ${e.deposit}, ${e.voucher}, ${e.payout}`}function Cr(e,n){return e===void 0?n:Dn(e)}function Dn(e){return e.slice(0,1).
toUpperCase()+le(e).slice(1)}function Er(e){let[n]=Object.entries(Ii).filter(([r])=>r===e);return n!==void 0?{who:n[1][0],says:n[1][1]}:{who:e.startsWith("opera\
tor.")?"operator":"Ballast",says:e.replaceAll(/[._]/g," ")}}var Ii={"order.opened":["Ballast","opens the order"],"work.deferred":["Ballast","waits and looks aga\
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
LCs"],"order.unfunded":["chain","proves that the HTLC never had the deposit"]};var Nn=22,Ln=104;function Tr({order:e}){let[n,o]=z(),r=wr(e,W());if(r.length===0)return null;let s=Math.max(1,...r.map(l=>l.startMs+Bi(l))),a=l=>l/s*Math.max(0,
o-Ln-2),i=r.map(l=>`${l.name}: ${Ui(l)}`).join("; ");return t("figure",{class:"chart spans",ref:n,children:[t("svg",{width:o,height:r.length*Nn,role:"img","aria\
-label":i,children:r.map(({name:l,startMs:c,tookMs:u,runsMs:d,usualMs:p},f)=>t("g",{transform:`translate(0 ${f*Nn})`,children:[t("text",{y:Nn-8,children:l}),t("\
rect",{class:u===null?"runs":"took",x:Ln+a(c),y:"6",width:Math.max(u===null&&d===null?0:1,a(u??d??0)),height:"10"}),t("rect",{class:"usual",x:Ln+a(c),y:"3",width:Math.
max(1,a(p)),height:"16"})]},l))}),t("figcaption",{class:"note",children:i})]})}function Bi({tookMs:e,runsMs:n,usualMs:o}){return Math.max(o,e??n??0)}function Ui({
tookMs:e,runsMs:n,usualMs:o}){let r=`usually ${Be(o)}`;return e!==null?`${Be(e)}, ${r}`:n===null?r:`${Be(n)} so far, ${r}`}function Ar(e){let n=C(`orders/${encodeURIComponent(e.detail)}`,3e3);return t(P,{live:n,children:o=>t(Hi,{order:o,desk:e,opens:e.opens})})}function Hi(e){let{order:n,
desk:o,opens:r}=e,s=`#/decisions/${encodeURIComponent(n.rule)}`,a=o.overview.value?.orders.find(({id:i})=>i===n.id)??null;return t(w,{children:[t(X,{note:t(w,{children:[
"Order ",t("code",{children:n.id.slice(0,8)})," of rule ",t("a",{href:s,children:n.rule}),", requested ",t(M,{at:n.createdAt})]}),children:[t(K,{amount:n.amount,
asset:n.from})," →"," ",t(K,{amount:n.destinationAmount,asset:n.to})]}),t("section",{class:`card wide place ${Ae(n.state)}`,children:[t("p",{children:t(L,{tone:Ae(
n.state),children:le(n.state)})}),t("p",{class:"money",children:[t("span",{class:"quiet",children:"Where is the money?"})," ",t("b",{children:n.money})]}),a?.left==
null?null:t("p",{children:[t("b",{children:a.left})," left",a.ends===null?"":`: ${a.ends}`]}),t(re,{reasons:n.reasons.map(i=>o.known.humane(i,n))}),t(Sr,{order:n,
scopes:o.scopes,opens:r})]}),n.explained===void 0||n.explained.length===0?null:t(x,{title:"Why this way",note:`rule ${n.rule}`,wide:!0,children:n.explained.map(
i=>t("p",{children:t(N,{text:i})},i))}),t(x,{title:"The way of the order",wide:!0,children:[t(Wi,{stages:xr(n)}),t(Tr,{order:n})]}),t(x,{title:n.route===void 0?
"The service's word and the chain's word":"The chains",note:"Ballast believes only the chain.",wide:!0,children:t(Ki,{order:n,desk:o})}),t("div",{class:"grid ev\
en",children:[t(x,{title:"Transactions",children:t(ji,{order:n,desk:o})}),t(x,{title:"Terms",children:t(qi,{order:n})})]}),t(x,{title:"Everything that happened",
note:`${n.events.length} events`,wide:!0,children:t(zi,{order:n})})]})}function Wi({stages:e}){return t("ol",{class:"stages",children:e.map(({name:n,at:o,state:r},s)=>{
let a=e.slice(0,s).findLast(l=>l.at!==null)?.at??null,i=o===null||a===null?null:Date.parse(o)-Date.parse(a);return t("li",{class:r,"aria-current":r==="now"?"ste\
p":void 0,children:[t("span",{class:"mark","aria-hidden":"true"}),t("b",{children:n}),o===null?t("small",{children:r==="now"?"next":r==="done"?"passed":"not yet"}):
t("small",{title:o,children:[T(o),i===null||i<0?"":` · +${Be(i)}`]})]},n)})})}function Ki({order:e,desk:n}){let o=$r(e).filter(({what:r,service:s,seen:a})=>s.length>
0||a!==null||r!=="The refund to us").map(({what:r,chain:s,service:a,seen:i})=>{let{tone:l,says:c}=Or({service:a,seen:i},e.outcome!==null),u=[t("span",{children:[
t("b",{children:r}),t("small",{class:"block",children:["on ",I(s)]})]},"what"),t(Vi,{chain:s,txs:a,desk:n},"service"),i===null?t("span",{class:"quiet",children:"\
shows nothing"},"seen"):t("span",{children:[t(se,{hash:i.tx,link:n.known.linkOf(s,i.tx),what:"the transaction"}),t("small",{class:"block",children:[T(i.at),", ",
i.final?"final":"not final yet"]})]},"seen"),t(L,{tone:l,children:c},"judgement")];return{key:r,cells:u}});return t(ee,{caption:"The service's word and the chai\
n's word",columns:["About","The service says","Our own node shows","Together"],rows:o})}var Mr=3;function Vi({chain:e,txs:n,desk:o}){if(n.length===0)return t("s\
pan",{class:"quiet",children:"says nothing"});let r=n.length-Mr;return t("span",{children:[n.slice(0,Mr).map(s=>t("span",{class:"block",children:t(se,{hash:s,link:o.
known.linkOf(e,s),what:"the transaction"})},s)),r>0?t("small",{class:"block",children:["and ",r," more"]}):null]})}function ji({order:e,desk:n}){let o=e.from.split(
":")[0]??"";return e.transactions.length===0?t("p",{class:"empty",children:e.deposit==="gasless"&&e.depositTx!==null?"Ballast signed no transaction of its own: \
the relay made the deposit and paid its fee.":"Ballast has signed no transaction for this order."}):t("ul",{class:"plain",children:e.transactions.map(({purpose:r,
attempt:s,tx:a})=>t("li",{children:[t("b",{children:r})," ",t("small",{children:s>0?`attempt ${s+1}`:`on ${I(o)}`}),t(se,{hash:a,link:n.known.linkOf(o,a),what:"\
the transaction"})]},a))})}function qi({order:e}){let n=O(e.to).symbol,o=yr(e,null),r=[["Order",t(se,{hash:e.id,what:"the order's id"},"id")],["Order at the ser\
vice",e.serviceOrderId===null?"none":t(se,{hash:e.serviceOrderId,what:"the service's id"},"s")],["Service",e.service??"none yet"],["Solver",e.solver===null?"non\
e yet":t(se,{hash:e.solver,what:"the solver's id"},"solver")],...Gi(e),...o===null?[]:[["Payout must be redeemed",o]],["Value",e.fiat===null?"unknown":k(e.fiat)],
["Cost, network fees so far included",`${k(e.costFiat)} (quote: ${Y(e.costBps)})`],["Deposit",e.deposit==="gasless"?"by a relay, without a fee of ours":"by our \
own transaction"],["Pays to",t(se,{hash:e.destinationOwner,what:"the address"},"d")],["Fee that the payout may lose",e.payoutFee===null?"unknown":`${E(e.payoutFee)}\
 ${n}`],["Approved",e.approval===null?"no approval was needed or given":`by ${e.approval.by}, ${T(e.approval.at)}`],["Acts next",e.who]];return t(w,{children:[t(
Je,{pairs:r}),e.calls.length===0?null:t(w,{children:[t("h3",{children:"Asked by people"}),t("ul",{class:"plain",children:e.calls.map(({at:s,caller:a,source:i,action:l})=>t(
"li",{children:[t("b",{children:l})," by ",a," from ",i,", ",t(M,{at:s})]},`${s} ${l}`))})]})]})}function Gi(e){let{route:n,refundableAtHeight:o}=e;return n!==void 0?
[["Route",Nt(n)],["Depends on",n.trust]]:[["Route","two HTLCs of a swap service"],["Secret",br(e)],["Refund possible at height",o??"not known yet"]]}function zi({
order:e}){let[n,o]=v(!1),r=n?e.events:e.events.slice(-40);return t(w,{children:[e.events.length>r.length?t("button",{type:"button",onClick:()=>o(!0),children:["\
Show the ",e.events.length-r.length," earlier events"]}):null,t("ol",{class:"events",children:r.map(({at:s,type:a,state:i},l)=>{let{who:c,says:u}=Er(a);return t(
"li",{class:c,children:[t("time",{dateTime:s,title:s,children:T(s)}),t("span",{class:"who",children:c}),t("span",{children:[u," ",t("small",{children:["→ ",le(
i)]})]})]},`${s} ${l}`)})})]})}function Lt(e,n,o){let r=URL.createObjectURL(new Blob([o],{type:n})),s=document.createElement("a");s.href=r,s.download=e,s.click(),URL.revokeObjectURL(r)}var Rr={id:({id:e})=>e,requested:({createdAt:e})=>e,changed:({updatedAt:e})=>e,state:({state:e})=>e,rule:({rule:e})=>e,service:({service:e})=>e,sent:({amount:e})=>e,
sent_asset:({from:e})=>e,received:({destinationAmount:e})=>e,received_asset:({to:e})=>e,value_usd:({fiat:e})=>e,cost_usd:({costFiat:e})=>e,cost_bps:({costBps:e})=>e,
deposit_tx:({depositTx:e})=>e,payout_tx:({destinationTx:e})=>e};function Pr(e){return[Object.keys(Rr),...e.map(o=>Object.values(Rr).map(r=>String(r(o)??"")))].map(
o=>`${o.map(Yi).join(",")}\r
`).join("")}function Yi(e){let n=/^[=+@\t\r]|^-(?![\d.])/.test(e)?`'${e}`:e;return/[",\r\n]/.test(n)?`"${n.replaceAll('"','""')}"`:n}var Qi=1e3;async function Dr(e,n){let o=[],r=null;do{let a=r===null?"":`&cursor=${r}`,i=await j("GET",`orders?${e}&limit=${Qi}${a}`);o.push(...i.orders),n(o.length),
r=i.next}while(r!==null);let s=new Date().toISOString().slice(0,10);Lt(`orders-${s}.csv`,"text/csv",Pr(o))}var Zi=1e3,el=6e4,tl="since=1970-01-01T00:00:00Z";function Nr({query:e}){let[n,o]=v(null);if(J(()=>{let y=!1,g=async()=>{let $=e.includes("since=")?e:`${e}&${tl}`,
_=await j("GET",`report?${$}`).catch(()=>null);_!==null&&!y&&o({query:e,sums:_.total})},b=setTimeout(g,Zi),S=setInterval(g,el);return()=>{y=!0,clearTimeout(b),clearInterval(
S)}},[e]),n?.query!==e)return null;let{counts:r,volumeFiat:s,costBps:a,toPayoutMs:i,unpriced:l,...c}=n.sums,{swapCostFiat:u,affiliateCostFiat:d,payoutCostFiat:p,
networkFeeFiat:f}=c,m=[u,d,p,f],h=l.swaps+l.fees;return t("p",{class:"sums",role:"status",children:[t("b",{children:"All of this filter:"}),t("span",{children:Object.
entries(r).map(([y,g])=>`${g} ${y}`).join(", ")||"no order"}),t("span",{children:[t(Z,{fiat:s})," moved"]}),t("span",{children:[t(Z,{fiat:m.reduce((y,g)=>y+Number(
g),0).toFixed(6)})," cost",a===null?"":`, ${a} bps`]}),i===null?null:t("span",{children:["paid out in ",U(i.median)," (median)"]}),h===0?null:t("span",{children:[
"▲ without ",h," that have no price"]})]})}var nl=["quoted","ordered","verified","signed"],ol={deposit:"deposited",voucher:"solver deposited",payout:"paid out"},rl={quoting:0,creating:1,verifying:2,"awai\
ting-approval":3,allowing:3,"gasless-signing":3,"deposit-planning":3,"deposit-signing":3,"deposit-sending":4,"gasless-submitting":4,"deposit-confirming":4,"gasl\
ess-confirming":4,funded:5,revealing:6,revealed:6,"redeem-reported":6,completed:7};function Lr(e){let{state:n,deposited:o,parts:r=ol}=e,s=[...nl,r.deposit,r.voucher,
r.payout],a=rl[n]??(o?5:3),i=["completed","refunded","rejected","abandoned"].includes(n),l=Ae(n),c=s[a];return t("svg",{class:`steps ${l}`,viewBox:"0 0 69 6",role:"\
img","aria-label":i||c===void 0?`${a} of ${s.length} stages`:`${a} of ${s.length} stages, next: ${c}`,children:s.map((u,d)=>t("rect",{class:d<a?"passed":d===a&&
!i?"next":"track",x:d*10,width:"9",height:"6",rx:"1"},u))})}var sl=[{name:"all",query:""},{name:"needs you",query:"state=awaiting-approval"},{name:"open",query:"open=true"},{name:"held",query:"state=held"},{name:"complet\
ed",query:"state=completed"},{name:"refunded",query:"state=refunded"},{name:"rejected",query:"state=rejected"}],Fr={"24 h":1,"7 days":7,"30 days":30,"1 year":365},
al=864e5,Xr=50,Ue="",il=60,ll={state:"",rule:Ue,pair:Ue,service:Ue,since:Ue,text:""};function Jr({overview:e}){let[n,o]=v(ll),[r,s]=v([]),a=Ir(n),i=r.at(-1),l=C(
`orders?${a}&limit=${Xr}${i===void 0?"":`&cursor=${i}`}`),c=ne(null);c.current=l.value??c.current;let u={...l,value:c.current};return t(w,{children:[t(X,{children:"\
Orders"}),t(cl,{filter:n,onChange:p=>{o(f=>({...f,...p})),s([])},overview:e.value,rows:c.current?.orders??[]}),t(P,{live:u,children:({orders:p,next:f})=>t("sect\
ion",{class:"card",children:[a===""?null:t(Nr,{query:a}),t(Xn,{orders:p.map(m=>({...m,since:m.updatedAt,left:null})),none:a===""?t(ul,{overview:e.value}):"No or\
der matches."}),t(pl,{first:r.length*Xr,count:p.length,onNewer:r.length===0?null:()=>s(r.slice(0,-1)),onOlder:f===null?null:()=>s([...r,f])})]})})]})}function ul({
overview:e}){let[n]=e?.next??[];return n===void 0?t(w,{children:"No order yet. A rule or a new swap makes the first one."}):t(w,{children:["No order yet. The ru\
le ",n.rule," decides ",t(M,{at:n.at}),";"," ",t("a",{href:`#/simulate/${encodeURIComponent(n.rule)}`,children:"simulate it"})," now."]})}function Ir({state:e,rule:n,
pair:o,service:r,since:s,text:a}){let[i="",l=""]=o.split(" "),c=Fr[s],u={rule:n,from:i,to:l,service:r,since:c===void 0?"":`${new Date(Date.now()-c*al).toISOString().
slice(0,16)}:00Z`,text:a.trim().toLowerCase()};return[...e===""?[]:[e],...Object.entries(u).filter(([,d])=>d!=="").map(([d,p])=>`${d}=${encodeURIComponent(p)}`)].
join("&")}function cl(e){let{filter:n,onChange:o,overview:r,rows:s}=e,a=C("flows",6e4).value,i=[...(r?.rules??[]).map(({id:u})=>u),...(a?.rules??[]).map(({name:u})=>u),
...s.map(({rule:u})=>u)],l=[...a?.pairs??[],...s].map(({from:u,to:d})=>`${u} ${d}`),c=[...(r?.services??[]).map(({name:u})=>u),...(a?.services??[]).map(({name:u})=>u).
filter(u=>u!=="none yet"),...s.flatMap(({service:u})=>u??[])];return t("div",{class:"filters",children:[t("fieldset",{class:"segments",children:[t("legend",{class:"\
hidden",children:"Show"}),sl.map(({name:u,query:d},p)=>t("button",{type:"button","data-key":p===0?"filter":void 0,"aria-pressed":d===n.state,onClick:()=>o({state:d}),
children:u},u))]}),t(Xt,{name:"Any time",value:n.since,values:Object.keys(Fr),isSorted:!0,onChange:u=>o({since:u})}),t(Xt,{name:"Every rule",value:n.rule,values:i,
onChange:u=>o({rule:u})}),t(Xt,{name:"Every pair",value:n.pair,values:l,say:fl,onChange:u=>o({pair:u})}),t(Xt,{name:"Every service or route",value:n.service,values:c,
onChange:u=>o({service:u})}),t(dl,{onChange:u=>o({text:u})}),t(ml,{query:Ir(n)})]})}function dl({onChange:e}){let n=ne(0);return t("label",{children:[t("span",{
class:"hidden",children:"Search by order, rule or asset"}),t("input",{type:"search",placeholder:"Order, rule or asset",onInput:({currentTarget:{value:o}})=>{clearTimeout(
n.current),n.current=window.setTimeout(()=>e(o),il)}})]})}function ml({query:e}){let[n,o]=v("Export CSV");return t("button",{type:"button","data-key":"export",onClick:()=>{
Dr(e,s=>o(`${s} orders…`)).then(()=>o("Export CSV"),s=>o(s instanceof R?s.message:"The export failed"))},children:n})}function pl(e){let{first:n,count:o,onNewer:r,
onOlder:s}=e;return t("p",{class:"pages",children:[t("span",{class:"quiet keys",children:[t("kbd",{children:"j"})," ",t("kbd",{children:"k"})," move ",t("kbd",{
children:"o"})," open ",t("kbd",{children:"f"})," filter ",t("kbd",{children:"e"})," export"]}),t("span",{class:"quiet",children:o===0?"":`${n+1}–${n+o}`}),t(
"button",{type:"button",disabled:r===null,onClick:()=>r?.(),children:"Newer"}),t("button",{type:"button",disabled:s===null,onClick:()=>s?.(),children:"Older"})]})}
function fl(e){let[n,o]=e.split(" ").map(O);return`${n?.symbol} ${n?.chain} → ${o?.symbol} ${o?.chain}`}function Xt(e){let{name:n,value:o,values:r,isSorted:s=!1,
say:a=c=>c,onChange:i}=e,l=[...new Set([...o===Ue?[]:[o],...r])];return t("label",{children:[t("span",{class:"hidden",children:n}),t("select",{value:o,onChange:c=>i(
c.currentTarget.value),children:[t("option",{value:Ue,children:n}),(s?r:l.toSorted()).map(c=>t("option",{value:c,children:a(c)},c))]})]})}var hl=["Opened","Orde\
r","Sends","From → to","Receives","Value","Cost","Stage","State","Took","Rule"];function Xn({orders:e,none:n}){return e.length===0?t(B,{children:n}):t("table",
{class:"orders",children:[t("caption",{class:"hidden",children:"Orders"}),t("thead",{children:t("tr",{children:hl.map(o=>t("th",{scope:"col",children:o},o))})}),
t("tbody",{children:e.map(o=>t(gl,{order:o},o.id))})]})}function gl({order:e}){let{id:n,from:o,to:r,state:s,fiat:a,costFiat:i=null,costBps:l=null}=e;return t("t\
r",{children:[t("td",{children:t(M,{at:e.createdAt})}),t("td",{children:t("a",{href:`#/orders/${n}`,class:"id","data-row":!0,children:n.slice(0,8)})}),t("td",{class:"\
number",children:t(K,{amount:e.amount,asset:o,chain:!1})}),t("td",{children:[t(Q,{id:o})," ",t("span",{class:"quiet",children:"→"})," ",t(Q,{id:r})]}),t("td",
{class:"number",children:e.destinationAmount===null?"–":t(K,{amount:e.destinationAmount,asset:r,chain:!1})}),t("td",{class:"number",title:a??void 0,"data-exac\
t":a??void 0,children:a===null?"–":k(a)}),t("td",{class:"number",title:i===null?void 0:`${i} usd`,children:l===null?"–":`${l} bps`}),t("td",{children:[t(Lr,
{state:s,deposited:e.deposited,parts:e.route}),e.route===void 0?null:t("small",{class:"block",children:Nt(e.route)})]}),t("td",{title:e.money,children:[t(bl,{state:s}),
e.left===null?null:t("small",{class:"block",children:[e.left," left"]})]}),t("td",{children:t(yl,{order:e})}),t("td",{class:"rule",children:e.rule})]})}function yl({
order:{createdAt:e,since:n,outcome:o}}){let r=W(),s=o!=null,a=s?Date.parse(n):r;return t("time",{dateTime:e,title:s?`${e} to ${n}`:`since ${e}`,children:U(Math.
max(0,a-Date.parse(e)))})}function bl({state:e}){return e==="completed"?t(w,{children:"✓ completed"}):t(L,{tone:Ae(e),children:le(e)})}var wl="Nothing is ordered before you have seen the quote and typed the amount.";function Hr(e){let n=(e.overview.value?.treasury??[]).map(({asset:g})=>g),[o,r]=v(
""),[s,a]=v(""),[i,l]=v(""),[c,u]=v(null),[d,p]=v(null),[f,m]=v(!1);function h(g){g(),u(null)}async function y(g){g.preventDefault(),m(!0),u(null),p(null);try{u(
await vl({from:o,to:s,amount:i}))}catch(b){p(b instanceof R?b.message:"The page failed")}m(!1)}return t(w,{children:[t(X,{note:wl,children:"New swap"}),t("div",
{class:"grid even",children:[t(x,{title:"Request",children:[t("form",{class:"fields",onSubmit:y,children:[t(Br,{label:"Send",id:"swap-from",value:o,assets:n,onChoose:g=>h(
()=>r(g))}),t(_l,{asset:o,value:i,onType:g=>h(()=>l(g))}),t(Br,{label:"Receive",id:"swap-to",value:s,assets:n,onChoose:g=>h(()=>a(g))}),t("button",{type:"submit",
class:"main",disabled:o===""||s===""||i===""||f,children:f?"Asking…":"Get a quote"})]}),d===null?null:t("p",{class:"notice bad",role:"alert",children:d})]}),c===
null?null:t(kl,{quote:c,desk:e})]})]})}async function vl(e){return await j("GET",`quote?${new URLSearchParams(e)}`)}function _l(e){let n=e.asset===""?"":`, in ${O(
e.asset).symbol}`;return t(w,{children:[t("label",{for:"swap-amount",children:["Amount",n]}),t("input",{id:"swap-amount",inputMode:"decimal",autocomplete:"off",
value:e.value,onInput:({currentTarget:o})=>e.onType(o.value.trim())})]})}function Br(e){return t(w,{children:[t("label",{for:e.id,children:e.label}),t("select",
{id:e.id,value:e.value,onChange:n=>e.onChoose(n.currentTarget.value),children:[t("option",{value:"",children:"Choose an asset"}),e.assets.map(n=>t("option",{value:n,
children:[O(n).symbol," on ",O(n).chain]},n))]})]})}function kl({quote:e,desk:n}){let o={title:"Order this swap?",word:e.amount,button:"Order the swap",path:"sw\
ap",body:{from:e.from,to:e.to,amount:e.amount},onDone:r=>{location.hash=`#/orders/${r.id}`},children:t(w,{children:[t("p",{children:["Send ",t(K,{amount:e.amount,
asset:e.from})," and receive about"," ",t(K,{amount:e.receive,asset:e.to}),"."]}),t(Ur,{sentences:e.worstCase})]})};return t(x,{title:"Quote",note:e.refused.length===
0?t(L,{tone:"good",children:"the guards allow it"}):t(L,{tone:"bad",children:"refused"}),children:[t("p",{class:"big",children:t(K,{amount:e.receive,asset:e.to})}),
t(Sl,{quote:e}),t(Ur,{sentences:e.worstCase}),t(re,{reasons:e.refused.map(r=>n.known.humane(r,e))}),t("div",{class:"actions",children:e.refused.length===0?t(ue,
{change:o,scope:"operate",scopes:n.scopes,main:!0}):null})]})}function Sl({quote:e}){return t("dl",{class:"pairs",children:[t("div",{children:[t("dt",{children:"\
Cost"}),t("dd",{children:[Y(e.costBps),e.sendsFiat===null||e.receivesFiat===null?"":`: ${k(e.sendsFiat)} for ${k(e.receivesFiat)}`]})]}),t("div",{children:[t("d\
t",{children:"Service and solver"}),t("dd",{children:[e.service??"none"," ",e.solver===null?null:t(se,{hash:e.solver,what:"the solver's id"})]})]}),t("div",{children:[
t("dt",{children:"Network fees at most"}),t("dd",{children:e.fees===null?"cannot be estimated now":`${e.fees.deposit}; for a refund ${e.fees.refund}`})]}),t("di\
v",{children:[t("dt",{children:"Approval"}),t("dd",{children:e.needsApproval?"a person must approve the order":"not needed"})]})]})}function Ur({sentences:e}){return t(
"div",{class:"notice warn",children:[t("b",{children:"The worst case"}),t("ul",{children:e.map(n=>t("li",{children:t(N,{text:n})},n))})]})}function Wr({overview:e,summary:n}){let o=({order:a})=>n?.open.find(i=>i.order===a)?.fiat??null,r=e.tasks.toSorted((a,i)=>+(i.level==="trouble")-+(a.level==="tr\
ouble")||Number(o(i)??0)-Number(o(a)??0)),s=e.problems.filter(({needsPerson:a})=>!a);return r.length+s.length===0?t(x,{title:"Needs you",children:t("p",{class:"\
quiet",children:["✓ Nothing. ",e.verdict]})}):t(x,{title:r.length>0?"Needs you":"Worth knowing",note:r.length>1?"most at stake first":void 0,children:t("ul",{
class:"plain tasks",children:[...r,...s].map(a=>t($l,{problem:a,stake:o(a)},`${a.code} ${a.sentence}`))})})}var xl={trouble:"✕",attention:"▲"};function $l({
problem:e,stake:n}){let{level:o,sentence:r,meaning:s,todo:a,deadline:i,left:l,needsPerson:c}=e,u=c?Ft(e):null;return t("li",{class:o,children:[t("span",{class:"\
shape","aria-hidden":"true",children:xl[o]}),t("div",{children:[t("p",{children:[t("b",{children:t(N,{text:r})}),n===null?null:t("span",{class:"stake",children:k(
n)})]}),t("p",{class:"note",children:[s," ",t(N,{text:a}),c?null:" (ends by itself)"]}),t(Fn,{problem:e})]}),i===null&&u===null?null:t("p",{class:"do",children:[
i===null?null:t("span",{children:["Time left: ",t("b",{children:l})]}),u===null?null:t("a",{class:"button main",href:u.href,"data-row":!0,children:u.name})]})]})}
function Fn({problem:e}){let{command:n,needsPerson:o}=e;return n===null||o&&Ft(e)!==null?null:t("details",{class:"small",children:[t("summary",{children:"On the\
 daemon's machine"}),t("p",{class:"hash",children:[t("code",{children:n}),t(ot,{text:n,what:"the command"})]})]})}function Ft({order:e,kind:n,about:o}){return e!==
null&&n==="approval"?{name:"Review",href:`#/orders/${e}/approve`}:e!==null?{name:"Open the order",href:`#/orders/${e}`}:n==="rule"||n==="pause"&&o?.startsWith("\
rule ")===!0?{name:"Open the rules",href:"#/rules"}:n==="limit"?{name:"Open the limits",href:"#/limits"}:n==="gas"?{name:"Open the treasury",href:"#/treasury"}:
n==="books"?{name:"Open the books",href:"#/books"}:null}var Ol="An alarm is open as long as its cause lasts. A pause by an alarm ends when a person acknowledges it (Resume, on the overview).";function Vr({overview:e}){
let n=C("alerts?limit=100",1e4);return t(w,{children:[t(X,{note:Ol,children:"Alarms"}),t(P,{live:n,children:o=>{let r=o.alerts.filter(({closed:i})=>i===null),s=e.
value?.problems??[],a=o.alerts.filter(({closed:i})=>i!==null);return t(w,{children:[t(x,{title:r.length===0?"No alarm is open":`${r.length} open`,wide:!0,children:r.
length===0?t(B,{children:"Nothing needs you here."}):t(Kr,{alerts:r,problems:s})}),a.length===0?null:t(x,{title:"Over",note:`${a.length} of the last 100`,wide:!0,
children:t(Kr,{alerts:a})})]})}})]})}function Kr({alerts:e,problems:n=[]}){return t("ul",{class:"plain alarms",children:e.map(({at:o,order:r,reason:s,closed:a})=>t(
"li",{children:[t("p",{children:[t(L,{tone:a===null?"bad":"calm",children:a===null?"open":`over after ${U(Date.parse(a)-Date.parse(o))}`})," ",t("b",{title:s.code,
children:t(N,{text:s.message})})]}),t("p",{class:"line quiet",children:[t("span",{title:o,children:T(o)}),t(M,{at:o}),r===null?null:t("a",{href:`#/orders/${r}`,
children:["Order ",r.slice(0,8)]})]}),t(Cl,{problem:n.find(i=>i.code===s.code&&i.order===r)})]},`${o} ${s.code} ${r}`))})}function Cl({problem:e}){if(e===void 0)
return null;let{meaning:n,todo:o}=e,r=Ft(e);return t(w,{children:[t("p",{children:[n," ",t(N,{text:o})]}),r===null?null:t("a",{class:"button",href:r.href,children:r.
name}),t(Fn,{problem:e})]})}function Jt(e){return t("figure",{class:"calls",children:[t("svg",{viewBox:"0 0 144 12",role:"img","aria-label":e.words,children:e.marks.map(({kind:n,path:o,title:r},s)=>t(
"path",{class:n,d:o,transform:`translate(${s*6} 0)`,children:t("title",{children:r})},r))}),t("figcaption",{children:e.words})]})}function Jn(e){let n=e.reduce((a,i)=>a+i.failed,0),o=e.reduce((a,i)=>a+i.answered,n);if(o===0)return"no call in 24 h";let{fault:r=null}=e.findLast(a=>a.fault!==
null)??{},s=`${o} call${o===1?"":"s"}`;return n===0?`${s}, all answered`:`▲ ${s}, ${n} failed: ${r}`}var jr=36e5,qr=24;function In({hours:e}){let n=Math.floor(W()/jr)-qr+1,o=Array.from({length:qr},(r,s)=>{let a=(n+s)*jr,i=e.find(({at:c})=>Date.parse(c)===a),l=i===
void 0?"no call":Jn([i]);return{...El(i),title:`${T(new Date(a).toISOString())}: ${l}`}});return t(Jt,{marks:o,words:Jn(e)})}function El(e){return e===void 0?{kind:"\
none",path:"M0 11h5v1h-5z"}:e.failed===0?{kind:"well",path:"M0 0h5v12h-5z"}:{kind:"ill",path:"M0 6h5v6h-5z"}}function Gr({overview:e}){let n=C("settings",6e4);return t(w,{children:[t(X,{note:"What Ballast may still sell, and what it has used.",children:"Limits"}),t(P,{
live:e,children:({limits:o})=>{let r=({used:s,unit:a})=>Number(s)===0&&a.includes(":");return t("div",{class:"grid even",children:[o.filter(s=>!r(s)).toSorted((s,a)=>a.
percent-s.percent).map(s=>t(Tl,{limit:s},s.name)),t(Ml,{limits:o.filter(r)})]})}}),t(P,{live:n,children:({guards:o})=>t(Bn,{guards:o})})]})}function Tl({limit:e}){
let{name:n,used:o,max:r,left:s,unit:a,percent:i}=e,l=`${i}% used`;return t(x,{title:zr(n),note:i>=80?t(L,{tone:i>=100?"bad":"warn",children:l}):l,children:[t("p",
{class:"big",children:[Hn(s,a)," ",t("small",{children:"left"})]}),t(Ot,{percent:i,label:l}),t("p",{class:"note",children:[Un(o,r,a)," used"]})]})}function Ml({
limits:e}){return e.length===0?null:t(x,{title:"Not used yet",children:t("dl",{class:"pairs",children:e.map(({name:n,left:o,unit:r})=>t("div",{children:[t("dt",
{children:zr(n)}),t("dd",{children:[Hn(o,r)," left"]})]},n))})})}function Bn({guards:e}){return t(x,{title:"Every guard",note:"as the configuration in force say\
s",wide:!0,children:t("dl",{class:"pairs",children:e.map(({guard:n,means:o})=>t("div",{children:[t("dt",{children:t("code",{children:n})}),t("dd",{children:t(N,
{text:Al(o)})})]},n))})})}function Un(e,n,o){return o==="usd"?`${k(e)} of ${k(n)}`:`${E(e)} of ${Hn(n,o)}`}function Hn(e,n){return n==="usd"?k(e):`${E(e)} ${n.includes(
":")?O(n).symbol:n}`}function Al(e){let n=e.split(", ").map(s=>s.split(" ")),[[o=""]=[]]=n;return n.length>1&&n.every(([s,a="",...i])=>s===o&&a.includes(":")&&i.
length===0)?`${o} of each asset`:e}function zr(e){let[n=""]=e.split(" ");if(!n.includes(":"))return e.slice(0,1).toUpperCase()+e.slice(1);let{symbol:o,chain:r}=O(
n);return`${o} on ${r}${e.slice(n.length)}`}var Kn="ballast.looked",Rl=864e5;function Yr({problems:e}){let n=W(),[o,r]=v(Nl);J(()=>{let f=()=>localStorage.setItem(Kn,new Date().toISOString());return addEventListener(
"pagehide",f),()=>removeEventListener("pagehide",f)},[]);let{value:s}=C(`summary?since=${o}`,1e4);if(s===null)return t(x,{title:"Since you last looked",children:t(
"p",{class:"quiet",children:"Reading…"})});let{swaps:a,alarms:i,missed:l}=s,c=f=>a.counts[f]??0,u=c("rejected")+c("abandoned"),d=l.reduce((f,m)=>f+m.runs,0),p=()=>{
let f=new Date(n).toISOString();localStorage.setItem(Kn,f),r(f)};return t(x,{title:"Since you last looked",note:t(M,{at:o}),children:[t("dl",{class:"facts",children:[
t("div",{children:[t("dt",{children:"Orders"}),t("dd",{children:a.orders})]}),t("div",{children:[t("dt",{children:"Moved"}),t("dd",{children:k(a.volumeFiat)})]}),
t("div",{children:[t("dt",{children:"Cost"}),t("dd",{children:k(a.costFiat)})]})]}),t("ul",{class:"plain small",children:[t(Wn,{count:c("refunded"),one:"order r\
efunded",many:"orders refunded"}),t(Wn,{count:u,one:"order ended without a swap",many:"orders ended without a swap"}),t(Wn,{count:d,one:"planned run came to no \
swap",many:"planned runs came to no swap"}),t(Dl,{alarms:i.filter(f=>!e.some(m=>Pl(m,f)))}),i.length+u+d+c("refunded")===0?t("li",{class:"quiet",children:"✓ No \
refund, no refusal, no missed run, no alarm"}):null]}),t("p",{class:"line",children:[t("button",{type:"button",onClick:p,children:"Mark as seen"}),t("a",{href:"\
#/alarms",children:["All alarms",i.length>3?` (${i.length})`:""]})]})]})}function Pl(e,{code:n,order:o}){return e.code===n&&e.order===o}function Dl({alarms:e}){
let n=W();return t(w,{children:e.slice(0,3).map(({at:o,sentence:r,order:s})=>t("li",{children:[t("span",{"aria-hidden":"true",children:"▲"})," ",s===null?t(N,
{text:r}):t("a",{href:`#/orders/${s}`,children:t(N,{text:r})})," ",t("small",{title:o,children:T(o,n)})]},`${o} ${r}`))})}function Wn(e){return e.count===0?null:
t("li",{children:[t("span",{"aria-hidden":"true",children:"▲"})," ",e.count," ",e.count===1?e.one:e.many]})}function Nl(){return localStorage.getItem(Kn)??new Date(
Date.now()-Rl).toISOString()}function ts({overview:e}){let{value:n}=C("summary",5e3);return t(P,{live:e,children:o=>t(w,{children:[t(Jl,{overview:o}),n===null?null:t(lr,{overview:o,summary:n}),
t("div",{class:"grid",children:[t("div",{class:"column",children:[t(Wr,{overview:o,summary:n}),n===null?null:t(Dt,{overview:o,summary:n})]}),t("div",{class:"col\
umn",children:[t(Yr,{problems:o.problems}),t(Ll,{}),t(Il,{overview:o}),t(Bl,{overview:o}),t(Ul,{overview:o})]}),t(Xl,{overview:o,summary:n})]})]})})}function Ll(){
let[e,n]=v("24 h"),{value:o}=C(`flows?since=${Mn(e)}`,2e4);return t("section",{class:"card",children:[t("header",{children:[t("h2",{children:t("a",{href:"#/trea\
sury",children:"Flows"})}),t(An,{range:e,ranges:["24 h","7 d","30 d"],onChange:n})]}),o===null?t("p",{class:"quiet",children:"Reading…"}):t(Rt,{chains:o.chains})]})}
var Qr=6;function Xl({overview:{orders:e},summary:n}){let o=e.slice(0,Qr).map(r=>{let s=n?.open.find(a=>a.order===r.id);return{...r,deposited:s?.deposited??!1,createdAt:s?.
requestedAt??r.since,fiat:s?.fiat??null}});return t(x,{title:"Orders in flight",link:"#/orders",wide:!0,children:[t(Xn,{orders:o,none:"No order is in flight."}),
e.length<=Qr?null:t("p",{class:"rest",children:t("a",{href:"#/orders",children:["All ",e.length," orders in flight"]})})]})}var Fl={ok:"All is well",attention:"\
Needs attention",trouble:"Trouble"};function Jl({overview:e}){let{level:n,mode:o,pause:r}=e;return t("section",{class:`verdict ${n}`,"aria-label":"Verdict",children:t(
"div",{children:[t("h1",{tabIndex:-1,children:[Fl[n]," · ",o??"unknown"," mode",r===null?"":" · paused"]}),r===null?null:t("p",{children:["Paused by ",r.by," ",
t(M,{at:r.at}),r.reason===null||r.by==="alarm"?".":`: ${r.reason}.`]})]})})}function Il({overview:e}){return t(x,{title:"Next",link:"#/rules",children:[e.next.length===
0?t(B,{children:"No rule is due."}):null,t("dl",{class:"pairs",children:e.next.slice(0,5).map(({rule:n,at:o})=>t("div",{children:[t("dt",{children:t("a",{href:`\
#/decisions/${encodeURIComponent(n)}`,children:n})}),t("dd",{children:t(M,{at:o})})]},n))})]})}var Zr=80;function Bl({overview:e}){let n=e.limits.toSorted((r,s)=>s.
percent-r.percent),o=n.filter(({percent:r})=>r>=Zr).slice(0,3);return t(x,{title:"Limits used",link:"#/limits",children:[o.length>0?null:t("p",{class:"quiet",children:[
"✓ None above ",Zr," %; the fullest has ",n[0]?.percent??0," %."]}),o.map(({name:r,used:s,max:a,unit:i,percent:l})=>t("div",{class:"limit",children:[t("p",{children:[
t(N,{text:r})," ",t("span",{class:"quiet",children:Un(s,a,i)})]}),t(Ot,{percent:l,label:`${r}: ${l}%`})]},r))]})}var es={good:"good",slow:"warn",degraded:"warn",
resting:"warn",silent:"bad",failing:"bad",unknown:"calm"};function Ul({overview:e}){let{nodes:n,services:o}=e;return t(x,{title:"Nodes and services",children:t(
"dl",{class:"pairs",children:[n.map(({chain:r,state:s,lastAnswer:a,endpoints:i,needed:l})=>t("div",{children:[t("dt",{children:[I(r)," ",t("details",{class:"sma\
ll",children:[t("summary",{children:[i.length," node",i.length===1?"":"s",", ",l," must agree"]}),i.map(({host:c,hours:u})=>t("div",{children:[c,t(In,{hours:u})]},
c))]})]}),t("dd",{children:[t(M,{at:a})," ",t(L,{tone:es[s]??"calm",children:s})]})]},r)),o.map(({name:r,state:s,lastAnswer:a,inFlight:i,hours:l})=>t("div",{children:[
t("dt",{children:["Service ",r," ",t("small",{children:[i," in flight"]}),t(In,{hours:l})]}),t("dd",{children:[t(M,{at:a})," ",t(L,{tone:es[s]??"calm",children:s})]})]},
r))]})})}function st(e){return[...Map.groupBy(e,Hl).values()].flatMap(o=>o.slice(0,1).map(r=>[r,o.length]))}function Hl({outcome:e,refused:n,...o}){let{rules:r,from:s,to:a,
destination:i,kind:l,amount:c}=o,d=e!=null&&"order"in e?"order":e;return JSON.stringify({rules:r,from:s,to:a,destination:i,kind:l,amount:c,refused:n,result:d})}
function It(e){return e===1?"":`${e} times `}function ns(e){return[...Map.groupBy(e,({rule:o,verdict:r,reasons:s,proposals:a})=>JSON.stringify([o,r,s.map(({code:i})=>i),a.map(({from:i,to:l})=>[i,l])])).values()]}function Bt(){let{value:e}=C("rules",6e4);return n=>Vn(e?.rules.find(({id:o})=>o===n)??{})}function Vn({from:e,to:n}){return typeof e=="string"&&typeof n=="stri\
ng"?{from:e,to:n}:null}var Wl="Why did a rule do something, or nothing? The same outcome is one line; a rule's own list has each decision.",Kl=100;function ss({detail:e,overview:n,known:o}){
let r=e===null?"":`rule=${encodeURIComponent(e)}&`,s=C(`decisions?${r}limit=${Kl}`,1e4),a=Bt();return t(w,{children:[t(X,{note:Wl,children:e===null?"Decisions":
`Decisions of ${e}`}),t("nav",{class:"filters","aria-label":"Rules",children:[t("a",{class:"chip",href:"#/decisions","aria-current":e===null?"page":void 0,children:"\
all rules"}),(n.value?.rules??[]).map(({id:i})=>t("a",{class:"chip",href:`#/decisions/${encodeURIComponent(i)}`,"aria-current":i===e?"page":void 0,children:i},i))]}),
t(P,{live:s,children:i=>t("section",{class:"card",children:[i.decisions.length===0?t(B,{children:"No decision yet."}):null,e===null||i.decisions.length===0?null:
t(jl,{rule:e}),(e===null?ns(i.decisions):i.decisions.map(l=>[l])).map(l=>t(Vl,{group:l,known:o,pairOf:a},l[0]?.id))]})})]})}function Vl(e){let[n,...o]=e.group;if(n===
void 0)return null;let r=o.reduce((s,a)=>s+a.times,0);return t(w,{children:[t(os,{decision:n,known:e.known,pairOf:e.pairOf}),o.length===0?null:t("details",{class:"\
others",children:[t("summary",{children:[r," more like this, since ",T(o.at(-1)?.at??n.at)]}),o.map(s=>t(os,{decision:s,known:e.known,pairOf:e.pairOf},s.id))]})]})}
function os({decision:e,known:n,pairOf:o}){let{id:r,at:s,lastAt:a,times:i,rule:l,verdict:c,reasons:u,proposals:d,orders:p}=e,f=o(l)??d[0]??null;return t("articl\
e",{class:"proposal",children:[t("p",{class:"line",children:[t("b",{title:s,children:T(s)}),t("a",{href:`#/decisions/${encodeURIComponent(l)}`,children:l}),t(L,
{tone:c==="proposed"?"good":"calm",children:c==="proposed"?"proposed":"did nothing"}),i>1?t("span",{class:"quiet",children:[i," times, last ",t(M,{at:a})]}):null]}),
st(d).map(([m,h])=>t("p",{class:"line",children:[It(h),t(K,{amount:m.amount,asset:m.from})," →"," ",t(K,{amount:m.receive,asset:m.to}),m.cost===null?null:t("s\
pan",{class:"quiet",children:["cost ",k(m.cost)]})]},`${m.from} ${m.to} ${m.amount}`)),t(re,{reasons:u.map(m=>n.humane(m,f))}),t("p",{class:"line quiet",children:p.
map(m=>t("a",{href:`#/orders/${m}`,children:["Order ",m.slice(0,8)]},m))}),t(Gl,{decision:r,known:n})]})}function jl({rule:e}){let[n,o]=v(null);return t("div",{
class:"proposal","aria-live":"polite",children:n===null||n==="asking"?t("button",{type:"button",disabled:n!==null,onClick:()=>{o("asking"),j("GET",`rules/${encodeURIComponent(
e)}/why`).catch(a=>a).then(o)},children:n===null?"Explain the last decision":"Reading the books…"}):n instanceof R?t("p",{class:"notice bad",children:n.message}):
t(ql,{decision:n.decisions[0]??null})})}function ql(e){let{proposals:n=[],changes:o=[]}=e.decision??{},r=[...st(n).flatMap(([{explained:s=[]}])=>s),...o.map(s=>`\
It proposes (more) when ${s}.`)];return r.length===0?t("p",{class:"quiet",children:"There is no more to say than its reasons."}):t("ul",{class:"plain",children:r.
map(s=>t("li",{children:t(N,{text:s})},s))})}function Gl({decision:e,known:n}){let[o,r]=v(null);return t(w,{children:[t("button",{type:"button",onClick:()=>{j("\
GET",`decisions/${encodeURIComponent(e)}/replay`).catch(i=>i).then(r)},"aria-label":`Replay ${e}`,children:"Replay"}),t("div",{"aria-live":"polite",children:o===
null?null:t(zl,{replay:o,known:n})})]})}function zl({replay:e,known:n}){if(e instanceof R)return t("p",{class:"notice bad",children:e.message});let{same:o,again:r,
stored:s}=e;return o?t("p",{class:"notice",children:[t(L,{tone:"good",children:"same decision"})," The stored inputs give the stored result again."]}):t("div",{
class:"notice bad",children:[t("p",{children:[t("b",{children:"Another decision."})," The stored inputs give another result now."]}),t("div",{class:"grid even",
children:[t(rs,{name:"Stored",of:s,known:n}),t(rs,{name:"Now",of:r,known:n})]})]})}function rs({name:e,of:n,known:o}){let r=n.proposals,s=r[0]??null;return t("s\
ection",{"aria-label":e,children:[t("h3",{children:e}),r.map(({from:a,to:i,units:l})=>t("p",{children:["Sell ",t(K,{amount:o.amountOf(l,a),asset:a})," for ",t(N,
{text:i})]},`${a} ${i} ${l}`)),t(re,{reasons:[...r.flatMap(({why:a})=>a),...n.reasons].map(a=>o.humane(a,s)),none:"No reason."})]})}var Yl="What the rules would do if every rule decided now. Looking at it changes nothing.";function as({known:e}){let n=C("plan",15e3),o=Bt();return t(w,{children:[
t(X,{note:Yl,children:"Plan"}),t(P,{live:n,children:({at:r,proposals:s,declined:a,paused:i,plan:l,mode:c})=>t(w,{children:[(i??[]).map(u=>t("p",{class:"notice w\
arn",children:t(N,{text:u})},u)),c==="observe"?t("p",{class:"notice warn",children:"Observe mode: Ballast records decisions and makes no order."}):null,t(x,{title:s.
length===0?"Nothing to swap now":`${s.length} swap${s.length===1?"":"s"}`,note:t(w,{children:["computed ",t(M,{at:r}),l.cost===null||s.length===0?"":`, cost abo\
ut ${k(l.cost)}`]}),wide:!0,children:[s.length===0?t(B,{children:"Each rule says below why it asks for nothing."}):null,st(s).map(([u,d])=>t(Zl,{proposal:u,times:d,
known:e},Ql(u)))]}),t("div",{class:"grid even",children:a.map(({rule:u,reasons:d})=>t(x,{title:u,link:`#/decisions/${encodeURIComponent(u)}`,children:t(re,{reasons:d.
map(p=>e.humane(p,o(u))),none:"It proposes a swap."})},u))})]})})]})}function Ql({rules:e,from:n,to:o,amount:r}){return`${e.join()} ${n} ${o} ${r}`}function Zl({
proposal:e,times:n,known:o}){let{amount:r,from:s,receive:a,to:i,rules:l,cost:c,why:u,refused:d,explained:p=[]}=e;return t("article",{class:"proposal",children:[
t("p",{class:"line",children:[It(n),t(K,{amount:r,asset:s})," → ",t(K,{amount:a,asset:i}),d.length===0?t(L,{tone:"good",children:"would be ordered"}):t(L,{tone:"\
bad",children:"refused"}),t("span",{class:"quiet",children:[l.join(", "),c===null?"":` · cost ${k(c)}${n>1?" each":""}`]})]}),p.map(f=>t("p",{class:"quiet",children:f},
f)),t(re,{reasons:[...u,...d].map(f=>o.humane(f,e))})]})}function is(e,n,o=Date.now()){let r=n.flatMap(({id:s,deadline:a,ends:i})=>a===null?[]:[{at:a,kind:"end",words:`${s.slice(0,8)}: ${i}`}]);return[...e.map(s=>({at:s,
kind:"run",words:"run"})),...r].filter(({at:s})=>Date.parse(s)>=o&&Date.parse(s)<=o+864e5).toSorted((s,a)=>Date.parse(s.at)-Date.parse(a.at))}var Ut={swap:"swapped",nothing:"nothing to do",refused:"refused",missed:"missed"};function ls(e){let n=s=>e.filter(({outcome:a})=>s===null||a===s).reduce((a,{times:i})=>a+
i,0),r=Object.keys(Ut).filter(s=>n(s)>0).map(s=>`${n(s)} ${Ut[s]}`);return e.length===0?"no run yet":`Last ${n(null)} runs: ${r.join(", ")}`}var eu={swap:"M0 0h5v12h-5z",nothing:"M0 5h5v2h-5z",refused:"M2.5 1l2.5 10h-5z",missed:"M0 2l5 8m0 -8l-5 8"};function us(e){let n=e.runs.map(o=>{let{at:r,lastAt:s,
times:a,outcome:i}=o,l=[`${T(s)}: ${Ut[i]}`,...a>1?[`${a} times since ${T(r)}`]:[],...i==="swap"?[]:[e.whyOf(o)]];return{kind:i,path:eu[i],title:l.join(", ")}});
return t(Jt,{marks:n,words:ls(e.runs)})}var at=16,cs=864e5,tu=3;function ds({coming:e}){let[n,o]=z(),r=W(),s=c=>Math.max(0,o*(c-r)/cs),a=e.slice(0,tu).map(({at:c,words:u})=>`${T(c)} ${u}`),i=e.length-
a.length,l=`Next 24 hours: ${a.join(", ")}${i>0?`, ${i} more`:""}`;return t("figure",{class:"chart upcoming",ref:n,children:[t("svg",{width:o,height:at+16,role:"\
img","aria-label":l,children:[t("line",{class:"grid-line",x2:o,y1:at,y2:at}),e.map(({at:c,kind:u,words:d})=>t("path",{class:u==="run"?"run-tick":"mark out",d:u===
"run"?"M0 -12V0":"m0 -1 4 -8h-8z",transform:`translate(${s(Date.parse(c))} ${at})`,children:t("title",{children:`${T(c)} ${d}`})},`${c} ${d}`)),ve(r,r+cs,Math.max(
2,Math.floor(o/80))).map(({ms:c,label:u})=>t("text",{x:s(c),y:at+13,"text-anchor":"middle",children:u},c))]}),t("figcaption",{class:"note",children:l})]})}var nu=2e4;function jn({scope:e,paused:n,scopes:o,children:r}){let s=W(),[a,i]=v(null),[l,c]=v(null),u=Fe("operate",o),d=a===null?0:a+nu-s;async function p(f){try{
await Ne(f,e),c(null),i(f==="pause"?Date.now():null),me()}catch(m){m instanceof R&&c(m)}}return t("span",{class:"actions",children:[l===null?null:t("span",{class:"\
notice bad",role:"alert",children:l.message}),n&&d>0?t("button",{type:"button",onClick:()=>{p("resume")},children:["Undo (",Math.ceil(d/1e3)," s)"]}):n?r:t("but\
ton",{type:"button",class:"stop","data-key":e.rule===void 0?"pause":void 0,disabled:u!==null,title:u??"No new order and no new deposit. Orders that have deposit\
ed go on.",onClick:()=>{p("pause")},children:"Pause"})]})}function ms({overview:e,scopes:n}){return t(jn,{scope:{},paused:e.pause!==null,scopes:n,children:t(ou,
{overview:e,scopes:n})})}function ou({overview:e,scopes:n}){let o=e.pause?.alarms??[],[r,s]=v([]),a={title:"Resume?",word:"resume",button:"Resume",path:"resume",
body:{acknowledge:r},children:o.length===0?t("p",{children:"Rules make orders again at their next time."}):t("fieldset",{children:[t("legend",{children:"Acknowl\
edge each alarm that you have dealt with"}),o.map(({id:i,message:l})=>t("label",{class:"check",children:[t("input",{type:"checkbox",checked:r.includes(i),onChange:c=>{
let u=r.filter(d=>d!==i);s(c.currentTarget.checked?[...u,i]:u)}}),l]},i))]})};return t(ue,{change:a,scope:"operate",scopes:n})}function Ht(e,n){let{kind:o}=e,r=l=>String(e[l]??""),s=l=>n.speak(r(l)),a=(l,c)=>{let u=l==null?null:n.amountOf(String(l),c);return u===null?"any":E(u)},i=typeof e.
everyMs=="number"?`looks each ${U(e.everyMs)}`:`runs at ${r("schedule")} (${r("timezone")})`;if(o==="recurring")return`Swaps ${ru(e.amount,c=>a(c,r("from")))} o\
f ${s("from")} to ${s("to")}; ${i}.`;if(o==="band"){let[l,c,u]=["minUnits","targetUnits","maxUnits"].map(f=>a(e[f],r("asset"))),d=qn(", bought with",e.sources,n)+
qn(", sold for",e.sinks,n),p=`between ${l} and ${u}, with ${c} as the target`;return`Keeps ${s("asset")} ${p}${d}; ${i}.`}if(o==="sweep"){let l=a(e.keepUnits,r(
"from"));return`Swaps all of ${s("from")} above ${l} to ${s("to")}; ${i}.`}if(o==="gas"){let l=`the network fees of ${r("days")} days and of ${r("orders")} orde\
rs`,c=qn(", bought with",e.sources,n);return`Keeps ${l} in ${s("asset")}${c}; ${i}.`}if(o==="weights"){let l=Gn(e.toleranceBps);return`Keeps ${su(e.weights,n)} \
within ${l}; ${i}.`}return`A rule of the kind ${o}; ${i}.`}function ru(e,n){let o=e;return o?.kind==="share"?Gn(o.bps):o?.kind==="fiat"?`${k(String(Number(o.fiat)/
1e6))} worth`:n(o?.units)}function Gn(e){return`${Number(e)/100}%`}function qn(e,n,{speak:o}){let s=(Array.isArray(n)?n:[]).map(a=>typeof a=="string"?a:String(ps(
a)));return s.length===0?"":`${e} ${s.map(o).join(" or ")}`}function ps(e){return e?.asset}function su(e,{speak:n}){return(Array.isArray(e)?e:[]).map(r=>{let{bps:s}=r;
return`${Gn(s)} in ${n(String(ps(r)))}`}).join(", ")}function fs({overview:e,scopes:n,known:o}){let r=C("rules",3e4),s=C("flows",3e4);return t(w,{children:[t(X,{note:"Each rule with its last decision, and why it d\
ecided so.",children:"Rules"}),t(P,{live:e,children:({rules:a,orders:i})=>t("div",{class:"grid even",children:[a.map(l=>t(au,{rule:l,flights:i.filter(c=>c.rule===
l.id),scopes:n,fields:r.value?.rules.find(({id:c})=>c===l.id)??null,known:o,week:s.value?.rules.find(({name:c})=>c===l.id)??null},l.id)),a.length===0?t(B,{children:"\
The configuration has no rules."}):null]})})]})}function au({rule:e,flights:n,scopes:o,fields:r,known:s,week:a}){let{id:i,kind:l,paused:c,verdict:u,reasons:d}=e,
p=is(r?.upcoming??[],n),f={title:`Resume the rule ${i}?`,word:"resume",button:"Resume",path:"resume",body:{rule:i},children:t("p",{children:"The rule decides ag\
ain at its next time."})};return t(x,{title:i,note:le(l),link:`#/decisions/${encodeURIComponent(i)}`,children:[r===null?null:t("p",{class:"sentence",children:Ht(
r,s)}),t(iu,{rule:e,inFlight:n.length}),r===null?null:t(us,{runs:r.runs,whyOf:({reasons:m})=>m.map(h=>s.humane(h,Vn(r)).message).join("; ")}),p.length===0||c?null:
t(ds,{coming:p}),a===null?null:t("p",{class:"quiet",children:["In 7 days: ",a.completed," of ",a.orders," orders completed ·"," ",t(Z,{fiat:a.volumeFiat})," mo\
ved · ",t(Z,{fiat:a.costFiat})," cost",a.costBps===null?"":`, ${a.costBps} bps`]}),t("p",{children:u===null?t("span",{class:"quiet",children:"It has not decide\
d yet."}):u==="proposed"?t("b",{children:"It proposed a swap."}):t("b",{children:"It did nothing, because:"})}),t(re,{reasons:d}),t("div",{class:"actions",children:[
t(jn,{scope:{rule:i},paused:c,scopes:o,children:t(ue,{change:f,scope:"operate",scopes:o})}),t("a",{class:"button",href:`#/decisions/${encodeURIComponent(i)}`,children:"\
All decisions"}),t("a",{class:"button",href:`#/simulate/${encodeURIComponent(i)}`,children:"Try a change"})]})]})}function iu({rule:e,inFlight:n}){let{enabled:o,
paused:r,next:s,last:a}=e;return t("p",{class:"line",children:[o?r?t(L,{tone:"warn",children:"paused"}):t(L,{tone:"good",children:"on"}):t(L,{tone:"calm",children:"\
not enabled"}),t("span",{children:["Next: ",t(M,{at:s})]}),t("span",{children:["Last: ",t(M,{at:a})]}),n===0?null:t("span",{children:[n," in flight"]})]})}function lu(e,n,o){if(!e)throw new Te({code:"bug.assertion",disposition:"bug",message:n,...o?{details:o}:{}})}function hs(e,n){return lu(e!=null,`${n} is missin\
g`),e}function uu(e){let n=ys(e);return{p5:it(n,5),p50:it(n,50),p95:it(n,95)}}function gs(e){let n=ys(e);return{...uu(n),p25:it(n,25),p75:it(n,75)}}function ys(e){return e.
toSorted((n,o)=>n<o?-1:n>o?1:0)}function it(e,n){let o=Math.max(0,Math.ceil(e.length*n/100)-1);return hs(e[o],"a value")}var He=120,q=56,ws=52,ut={high:He,left:q,right:ws},zn=20,Vt=["as it is","changed"];function jt(e,n,o,r){let s=e.subjects[n]??{points:[],bound:null},{bottom:a,top:i}=cu(
e.subjects),l=r-ws,c=Math.max(1,s.points.length-1),u=b=>xe(q+(l-q)*b/c),d=b=>xe(Math.max(0,Math.min(He,He-He*(b-a)/(i-a)))),p=b=>s.points.map((S,$)=>`${u($)} ${d(
b(S))}`),f=(b,S)=>`M${[...p($=>$[S]),...p($=>$[b]).toReversed()].join("L")}Z`,m=Math.min(...s.points.map(({p5:b})=>b)),h=Math.max(...s.points.map(({p95:b})=>b)),
y=e.asset.split(":")[1]?.toUpperCase()??"",g=pe(a,i,3);return{width:r,height:He+zn,words:`Simulated balance over ${o} days, nine of ten runs: ${E(String(m))} to\
 ${E(String(h))} ${y}`,marks:[...du(s.bound,d,l),...g.flatMap(b=>[We("grid-line",d(b),l),fe(q-6,d(b)+4,G(b,(g[1]??0)-(g[0]??0)),"end")]),...vs(o,He,l),{tag:"pat\
h",tone:"fan",at:{d:f("p5","p95")}},{tag:"path",tone:"half",at:{d:f("p25","p75")}},{tag:"path",tone:"line-a",at:{d:`M${p(({p50:b})=>b).join("L")}`}}]}}function cu(e){
let n=e.flatMap(({points:a,bound:i})=>[...a.flatMap(({p5:l,p95:c})=>[l,c]),...i===null?[]:[Number(i.min),Number(i.target)]]),o=Math.min(...n),r=Math.max(...n),s=(r-
o)*.1||r*.05||1;return{bottom:Math.max(0,o-s),top:r+s}}function du(e,n,o){if(e===null)return[];let r=e.max===null?0:n(Number(e.max)),s=n(Number(e.min)),a=n(Number(
e.target)),i=Math.max(0,s-r);return[{tag:"rect",tone:"band-area",at:{x:q,y:r,width:o-q,height:i}},We("edge",s,o),We("goal",a,o),fe(o+6,s+4,"min","start"),...s-a<
12?[]:[fe(o+6,a+4,"target","start")],...r===0||a-r<12?[]:[We("edge",r,o),fe(o+6,r+4,"max","start")]]}var Wt=30,lt=62,mu=40;function qt(e,n,o){let r=e.map(({costs:h})=>h.
map(y=>Number(y)/1e6)),s=Math.min(...r.flat()),a=Math.max(...r.flat()),i=a-s||1,l=o-14,c=h=>xe(q+(l-q)*(h-s)/i),u=h=>Math.min(Wt-1,Math.floor((h-s)/i*Wt)),d=r.map(
h=>Array.from({length:Wt},(y,g)=>h.filter(b=>u(b)===g).length)),p=Math.max(1,...d.flat()),f=r.map(h=>gs(h).p50),m=(l-q)/Wt;return{width:o,height:lt*r.length+zn,
words:`Cost of ${n} days in ${r[0]?.length??0} runs, the middle one: `+f.map((h,y)=>`${Vt[y]} ${bs(h)}`).join(", "),marks:[...d.flatMap((h,y)=>{let g=lt*(y+1),b=f[y]??
0,S=c(b),$=S>(q+l)/2;return[...h.flatMap((_,V)=>{let ie=xe(mu*_/p),D={x:xe(q+V*m+.5),y:g-ie},ce={width:xe(m-1),height:ie},pt=y===0&&r.length>1?"bar-b":"bar-a";return _===
0?[]:[{tag:"rect",tone:pt,at:{...D,...ce}}]}),We("grid-line",g,l),fe(0,g-4,Vt[y]??"","start"),{tag:"line",tone:"edge",at:{x1:S,x2:S,y1:g-lt+8,y2:g}},fe(S+($?-5:
5),g-lt+17,`median ${bs(b)}`,$?"end":"start")]}),...pe(s,a).map(h=>fe(c(h),lt*r.length+15,`$${G(h)}`,"middle"))]}}var Kt=26;function Gt(e,n,o){let r=o-14,s=Kt*e.
length;return{width:o,height:s+zn,words:`When the middle run would swap in ${n} days: `+e.map(({swapDays:a},i)=>`${Vt[i]} ${a.length} times`).join(", "),marks:[
...e.flatMap(({swapDays:a},i)=>[We("grid-line",Kt*(i+1),r),fe(0,Kt*(i+1)-4,Vt[i]??"","start"),...a.map(l=>{let c=xe(q+(r-q)*l/n),u=Kt*(i+1);return{tag:"line",tone:"\
run-tick",at:{x1:c,x2:c,y1:u-16,y2:u}}})]),...vs(n,s,r)]}}function vs(e,n,o){return[0,.5,1].map(r=>fe(q+(o-q)*r,n+15,`${Math.round(r*e*10)/10} d`,"middle"))}function We(e,n,o){
return{tag:"line",tone:e,at:{x1:q,x2:o,y1:n,y2:n}}}function fe(e,n,o,r){return{tag:"text",tone:"label",at:{x:xe(e),y:n,"text-anchor":r},text:o}}function bs(e){return k(
e.toFixed(2))}function xe(e){return Math.round(e*10)/10}function ks({plots:e,subjects:n,days:o}){let r=e.filter(l=>l.subjects.some(({points:c})=>c.length>0)),s=n.length*(zt+Pe)-Pe,a=[...r.flatMap((l,c)=>n.map((u,d)=>({
title:l.asset,drawing:jt(l,d,o,zt),x:d*(zt+Pe),y:c*Yt}))),{title:`Cost of ${o} days: each column counts runs`,drawing:qt(n,o,s),x:0,y:r.length*Yt},{title:"When \
it would swap: the middle run",drawing:Gt(n,o,s),x:0,y:(r.length+1)*Yt}];return[`<svg xmlns="http://www.w3.org/2000/svg" ${`width="${s+2*Pe}" height="${_s+(r.length+
2)*Yt}"`} font-family="sans-serif" font-size="11">`,'<rect width="100%" height="100%" fill="#ffffff"/>',...n.map(({name:l},c)=>`<text x="${Pe+c*(zt+Pe)}" y="26"\
 font-weight="bold">${Qt(l)}</text>`),...a.map(({title:l,drawing:c,x:u,y:d})=>`<g transform="translate(${u+Pe} ${d+_s})"><text x="0" y="-10" ${Ss.label}>${Qt(l)}\
</text>${pu(c)}</g>`),`</svg>
`].join(`
`)}var zt=560,Pe=32,_s=60,Yt=190,Ss={fan:'fill="#2456c9" fill-opacity="0.16"',half:'fill="#2456c9" fill-opacity="0.28"',"line-a":'fill="none" stroke="#2456c9" s\
troke-width="1.6" stroke-linejoin="round"',"band-area":'fill="#dceee9"',edge:'stroke="#3f8f7b"',goal:'stroke="#3f8f7b" stroke-dasharray="4 3"',"grid-line":'stro\
ke="#e5e8ec"',"bar-a":'fill="#2456c9"',"bar-b":'fill="#7d8997"',"run-tick":'stroke="#2456c9" stroke-width="1.6"',label:'fill="#4d5866"'};function pu({words:e,marks:n}){
return`<title>${Qt(e)}</title>${n.map(fu).join("")}`}function fu({tag:e,tone:n,at:o,text:r=""}){let s=Object.entries(o).map(([a,i])=>` ${a}="${i}"`);return`<${e}\
 class="${n}" ${Ss[n]}${s.join("")}>${Qt(r)}</${e}>`}function Qt(e){return e.replace(/[&<>"]/g,n=>`&#${n.charCodeAt(0)};`)}function ct(e){let[n,o]=z(),{width:r,height:s,words:a,marks:i}=e.draw(o);return t("figure",{class:"chart",ref:n,children:[t("svg",{width:r,height:s,role:"img","\
aria-label":a,children:i.map(({tag:l,tone:c,at:u,text:d})=>so(l,{key:JSON.stringify([l,c,u]),class:c,...u},d))}),e.over?.(r),t("figcaption",{class:"note",children:a})]})}function xs(e){let{plot:n,subject:o,days:r,title:s}=e,a=n.subjects[o]?.points??[],i=Math.max(1,a.length-1),{symbol:l}=O(n.asset),c=u=>{let d=a[u];if(d===void 0)
return"no run";let[p,f,m,h]=[d.p5,d.p25,d.p75,d.p95].map(g=>E(String(g)));return`day ${Math.round(10*r*u/i)/10} · half ${f} to ${m} · nine of ten ${p} to ${h}\
 ${l}`};return t(ct,{draw:u=>jt(n,o,r,u),over:u=>t(_e,{of:"fan",label:`${s}: ${l} on a day`,last:i,high:ut.high,at:d=>({x:ut.left+(u-ut.left-ut.right)*d/i,words:c(
d)})})})}function Zt({parts:e,shown:n,label:o}){return t("nav",{class:"filters tabs","aria-label":o,children:e.map(({id:r,name:s})=>t("a",{class:"chip",href:`#/${r}`,"ar\
ia-current":r===n?"page":void 0,children:s},r))})}var hu={band:[["min","minUnits","Refill below","asset"],["target","targetUnits","Refill or drain to","asset"],["max","maxUnits","Drain above","asset"],["least",
"leastUnits","Smallest order","asset"]],sweep:[["keep","keepUnits","Keep","from"],["least","leastUnits","Smallest order","from"]]};function $s(e,n){let s=[...(hu[e.
kind]??[]).map(([a,i,l,c])=>{let u=e[i]??null,d=u===null?null:n.amountOf(String(u),String(e[c]));return{key:a,label:l,text:d??""}}),...gu(e,n)];return s.length===
0?[]:[...s,{key:"max_cost",label:"Highest cost",text:yu(e.maxCost)}]}function gu(e,n){return e.kind==="weights"?[{key:"tolerance",label:"Tolerance",text:Os(e.toleranceBps)}]:
e.kind==="recurring"?[{key:"amount",label:"Amount",text:bu(e.amount,String(e.from),n)}]:[]}function yu(e){let n=e;return n?.kind==="share"?`${n.bps}bps`:n?.kind===
"fiat"?Cs(n.fiat):""}function bu(e,n,o){let r=e;return r?.kind==="share"?Os(r.bps):r?.kind==="fiat"?Cs(r.fiat):o.amountOf(String(r?.units??0),n)??""}function Os(e){
return`${Number(e)/100}%`}function Cs(e){return`${Me(BigInt(String(e)),6)} usd`}function Es(e){let[,n="",o=""]=/^(\d+(?:\.\d+)?)(.*)$/.exec(e)??[],r=Number(n);if(!(r>
0))return null;let s=Math.max(0,2-Math.floor(Math.log10(r))),a=i=>i.toFixed(s).replace(/\.?0+$/,s===0?"$&":"");return{most:2*r,step:10**-s,textOf:i=>`${a(i)}${o}`}}
function Ts(e,n){return As(e,n).map(({key:o,text:r})=>`${o}=${r}`).join(",")}function Ms(e,n,o){let r=As(n,o).map(({key:s,text:a})=>`    ${s}: "${a}"`);return[`\
  - id: ${e}`,...r].join(`
`)}function As(e,n){return e.flatMap(({key:o,text:r})=>{let s=n[o]?.trim()??"";return s===""||s===r?[]:[{key:o,text:s}]})}var Ke=1e6;function Rs(e,n,o){let[r,s]=e.subjects.map(({summary:u})=>u);if(r===void 0||s===void 0)return[];let a=(u,d,p)=>{let f=d(r),m=d(s);return{name:u,now:p(
f),changed:p(m),difference:vu(m-f,p)}},i=u=>k(u.toFixed(2)),l=r.rules.some(u=>u.rule===n),c=a("Time off its goal",u=>Qn(u,n),Y);return[a("Swaps",({moves:u})=>u.
p50,String),a("Moved",({volumeFiat:u})=>Number(u.p50)/Ke,i),a("Cost",({feesFiat:u})=>Number(u.p50)/Ke,i),a("Of it network fees",({networkFeesFiat:u})=>Number(u.
p50)/Ke,i),a("Cost of what moved",({feesHundredthBps:u})=>Number(u.p50)/100,u=>`${u.toFixed(1)} bps`),a("Refunded",({refunded:u})=>u.p50,String),...l?[c]:[],...e.
plots.map(({asset:u})=>a(`Mean value of ${O(u).symbol} held`,d=>Yn(d,u)/Ke,i)),...e.plots.map(({asset:u})=>a(`Lowest ${O(u).symbol}, 19 of 20 runs`,({assets:d})=>{
let p=d.find(f=>f.asset===u)?.lowestUnits.p5??"0";return Number(o.amountOf(p,u))},d=>E(String(d))))]}function Ps(e,n,o){let[r,s]=e.subjects.map(({summary:b})=>b);
if(r===void 0||s===void 0)return"The change was not simulated.";let a=s.moves.p50-r.moves.p50,i=(Number(s.feesFiat.p50)-Number(r.feesFiat.p50))/Ke,l=a===0?"As m\
any swaps":`${Math.abs(a)} ${a<0?"fewer":"more"} swap${Math.abs(a)===1?"":"s"}`,c=Math.abs(i)<.005?"the same cost":`${k(Math.abs(i).toFixed(2))} ${i<0?"less":"m\
ore"} cost`,u=e.plots.reduce((b,{asset:S})=>b+Yn(s,S)-Yn(r,S),0),d=Y(Qn(r,n)),p=Y(Qn(s,n)),f=r.rules.every(b=>b.rule!==n)?"":`; the rule is off its goal ${p} of\
 the time`+(d===p?", as now":` instead of ${d}`),m=e.comparison?.cheaper===null&&Math.abs(i)>=.005?" The runs do not agree which is cheaper.":"",{days:h}=e.scenario,
y=`${h} day${h===1?"":"s"}`,g=h<o?` The rules look too often to simulate ${o} days within a minute, so this is of ${y}.`:"";return`${l} and ${c} in ${y}${wu(u/Ke)}${f}\
.${m}${g}`}function wu(e){return Math.abs(e)<.01?"":`, ${k(Math.abs(e).toFixed(2))} ${e<0?"less":"more"} held`}function Yn({assets:e},n){return Number(e.find(o=>o.
asset===n)?.meanFiat.p50??0)}function Qn({rules:e},n){return e.find(o=>o.rule===n)?.outsideBps.p50??0}function vu(e,n){let o=n(Math.abs(e));return o===n(0)?"sam\
e":`${e<0?"▾":"▴"} ${o}`}var _u="Runs the rules with and without a change in the same random markets. Nothing is changed: the file is yours to edit.",ku=[7,30,90],Su=20;function Ns({detail:e,
known:n}){let o=C("rules",6e4);return t(w,{children:[t(X,{note:_u,children:["Simulate",e===null?"":` ${e}`]}),t(P,{live:o,children:({rules:r})=>{let s=r.map(i=>({
rule:i,keys:$s(i,n)})).filter(({keys:i})=>i.length>0),a=e===null?s[0]:s.find(({rule:i})=>i.id===e);return t(w,{children:[t(Zt,{parts:s.map(({rule:{id:i}})=>({id:Ds(
i),name:i})),shown:Ds(a?.rule.id??""),label:"Rule"}),a===void 0?t(B,{children:"This page cannot try a change of such a rule."}):t(xu,{id:a.rule.id,sentence:Ht(a.
rule,n),keys:a.keys,known:n},a.rule.id)]})}})]})}function Ds(e){return`simulate/${encodeURIComponent(e)}`}function xu(e){let{id:n,sentence:o,keys:r,known:s}=e,[
a,i]=v({}),[l,c]=v(30),[u,d]=v(null),p=Ts(r,a),f=async h=>{h.preventDefault(),d("asking"),d(await Ou(n,p,l,Ms(n,r,a)))},m=u===null||u==="asking"||u instanceof R?
null:u;return t(w,{children:[t("div",{class:"grid","aria-live":"polite",children:m===null?null:t(Cu,{id:n,result:m,isOld:m.change!==p})}),t(x,{title:"The change",
wide:!0,children:[t("p",{class:"sentence",children:o}),t("form",{class:"fields trial",onSubmit:f,children:[r.map(h=>t($u,{of:h,value:a[h.key]??h.text,onValue:y=>i(
{...a,[h.key]:y})},h.key)),t("div",{class:"line",children:[ku.map(h=>t("button",{type:"button",class:"chip","aria-pressed":h===l,onClick:()=>c(h),children:[h," \
days"]},h)),t("button",{type:"submit",class:"main",disabled:p===""||u==="asking",children:u==="asking"?"Simulating…":"Simulate"})]})]}),u instanceof R?t("p",{
class:"notice bad",role:"alert",children:u.message}):null]}),m===null?null:t(Tu,{id:n,result:m,known:s})]})}function $u(e){let{of:{key:n,label:o,text:r},value:s,
onValue:a}=e,i=Es(r),l=r===""?"not set":r;return t("div",{children:[t("label",{for:`try-${n}`,children:[o," ",t("span",{class:"quiet",children:[s===r?r===""?l:`\
now ${r}`:`${l} → `,s===r?null:t("b",{children:s})]})]}),t("input",{id:`try-${n}`,autocomplete:"off",value:s,onInput:({currentTarget:c})=>a(c.value)}),i===null?
null:t("input",{type:"range","aria-label":`Slider: ${o}`,min:"0",max:i.most,step:i.step,value:Number.parseFloat(s),onInput:({currentTarget:c})=>a(i.textOf(c.valueAsNumber))})]})}
async function Ou(e,n,o,r){let s=new URLSearchParams({rule:e,change:n,days:String(o),seeds:String(Su)});try{let a=await j("GET",`simulate?${s}`);return{change:n,
text:r,askedDays:o,found:a}}catch(a){if(a instanceof R)return a;throw a}}function Cu(e){let{id:n,result:o,isOld:r}=e,{found:s,askedDays:a}=o;return t("section",
{class:"card wide","aria-label":"What the change would do",children:[r?t("p",{class:"notice warn",children:"This is of the change before; simulate again."}):null,
t("div",{class:"line",children:[t("p",{class:"sentence",children:t("b",{children:Ps(s,n,a)})}),t("button",{type:"button","data-key":"export",onClick:()=>Eu(n,s),
children:"Export SVG"})]}),t("p",{class:"note",children:[s.seeds.count," runs in random markets, the same for both. The real one is another."]})]})}function Eu(e,{
plots:n,subjects:o,scenario:{days:r}}){Lt(`simulate-${e}.svg`,"image/svg+xml",ks({plots:n,subjects:o,days:r}))}function Tu(e){let{id:n,result:o,known:r}=e,{found:s,
text:a}=o,{days:i}=s.scenario,{subjects:l}=s;return t("div",{class:"grid halves",children:[s.plots.flatMap(c=>["As it is","With the change"].map((u,d)=>t(x,{title:u,
note:`${O(c.asset).symbol} · half, and nine of ten runs`,children:t(xs,{plot:c,subject:d,days:i,title:u})},`${c.asset} ${u}`))),t(x,{title:`Cost of ${i} days`,
note:"each column counts runs",children:[t(ct,{draw:c=>qt(l,i,c)}),t("h3",{children:"When it would swap"}),t(ct,{draw:c=>Gt(l,i,c)})]}),t(x,{title:"Side by side",
note:"the middle run",children:t(Mu,{compared:Rs(s,n,r)})}),t(x,{title:"For the file",note:t(ot,{text:a,what:"the change"}),wide:!0,children:[t("pre",{class:"fi\
le",children:a}),t("p",{class:"note",children:["Then ",t("code",{children:"ballast check"})," and ",t("code",{children:"ballast reload"}),"."]})]})]})}function Mu({
compared:e}){return t(ee,{caption:"The rules as they are and with the change",figures:!0,columns:["","As it is","Changed","Difference"],rows:e.map(({name:n,now:o,
changed:r,difference:s})=>({key:n,cells:[n,o,r,s]}))})}var Au="The configuration that the daemon has in force now. To change it, edit the file and reload; no secret is shown here.";function Ls({overview:e}){let n=C(
"settings",6e4);return t(w,{children:[t(X,{note:Au,children:"Settings"}),t(P,{live:n,children:o=>t("div",{class:"grid even",children:[t(x,{title:"Daemon",children:t(
Je,{pairs:[["treasury",o.treasury],["version",e.value?.daemon.version??"unknown"],["configuration",t(se,{hash:o.configHash,what:"the hash of the configuration"},
"hash")],...o.settings.map(({name:r,means:s})=>[r,s])]})}),t(x,{title:"Chains",children:t(Je,{pairs:o.chains.map(({chain:r,family:s,nativeCoin:a,endpoints:i,agree:l})=>[
I(r),`${s}, coin ${a.symbol}, ${i} node${i===1?"":"s"} of which ${l} must agree`])})}),t(x,{title:"Services and access",children:t(Je,{pairs:[...o.services.map(
({name:r,host:s})=>[`service ${r}`,s]),...o.tokens.map(({name:r,scopes:s})=>[`token ${r}`,s.join(", ")])]})}),t(Bn,{guards:o.guards})]})})]})}var Ru=1500,Xs="ballast.keys";function Zn(){return localStorage.getItem(Xs)!=="off"}function Fs(e){localStorage.setItem(Xs,e?"on":"off")}function Js(e){let n=ne(
e);n.current=e,J(()=>{let o="",r=0,s=a=>{if((a.ctrlKey||a.metaKey)&&a.key.toLowerCase()==="k"){a.preventDefault(),n.current["/"]?.();return}if(a.ctrlKey||a.metaKey||
a.altKey||!Zn()||Pu(a))return;let i=`${o} ${a.key}`,l=Date.now()-r<Ru&&i in n.current,c=n.current[l?i:a.key];o=l?"":a.key,r=Date.now(),c!==void 0&&c()!==!1&&a.preventDefault()};
return document.addEventListener("keydown",s),()=>document.removeEventListener("keydown",s)},[])}function Pu({target:e}){return document.querySelector("dialog[o\
pen]")!==null?!0:e instanceof Element&&e.closest("input, select, textarea")!==null}function dt(e){let n=[...document.querySelectorAll("main [data-row]")],o=n.findIndex(
s=>s.matches(":focus")),r=n[o===-1?e===1?0:n.length-1:o+e];return r?.focus(),r?.scrollIntoView({block:"nearest"}),n.length>0}function Ve(e){let n=document.querySelector(
`[data-key="${e}"]`);return n?.focus(),n instanceof HTMLButtonElement&&n.click(),n!==null}function Is(){let{activeElement:e}=document;e instanceof HTMLElement&&
e.dataset.row!==void 0&&e.click()}var Du=[["g h","Overview"],["g t","Treasury"],["g o","Orders"],["g r","Rules"],["g s","Simulate"],["g ,","Settings"],["/ or Ctrl K","Find or do"],["j k, ↓ ↑",
"Next and previous line of a list, or task"],["o, Enter","Open it"],["a","Approve; elsewhere, the most urgent approval"],["f","Filter"],["e","Export"],["p p","P\
ause everything"],[".","Times as clock times, or as ages"],["?","This list"]];function Bs({onClose:e}){let[n,o]=v(Zn);return t(Se,{labelledBy:"key-help",onClose:e,
children:[t("h2",{id:"key-help",children:"Keys"}),t("dl",{class:"pairs",children:Du.map(([r,s])=>t("div",{children:[t("dt",{children:t("kbd",{children:r})}),t("\
dd",{children:s})]},r))}),t("label",{class:"check",children:[t("input",{type:"checkbox",checked:n,onChange:({currentTarget:{checked:r}})=>{Fs(r),o(r)}}),"Single\
 keys act outside of fields"]}),t("footer",{children:t("button",{type:"button",onClick:e,children:"Close"})})]})}function Us(e,n,o){let r=n.toLowerCase().split(/\s+/),s=e.filter(({name:l})=>r.every(c=>l.toLowerCase().includes(c))),[a=""]=/^[0-9a-f]{32}$/.exec(n.trim())??[],
i={name:`Order ${a}`,act:()=>o(a)};return(a===""?s:[i,...s]).slice(0,9)}function Hs(e){let{commands:n,onClose:o}=e,r=we(),[s,a]=v(""),[i,l]=v(0),c=Us(n,s,e.onOrder),u=p=>{p!==void 0&&(o(),p.act())},d=p=>{let f={ArrowDown:1,ArrowUp:-1}[p.
key];f!==void 0&&(p.preventDefault(),l((i+f+c.length)%Math.max(c.length,1))),p.key==="Enter"&&(p.preventDefault(),u(c[i]))};return t(Se,{class:"palette",label:"\
Find or do",onClose:o,children:[t("input",{type:"text",role:"combobox","aria-label":"Find or do","aria-expanded":"true","aria-controls":r,"aria-activedescendant":c.
length===0?void 0:`${r}-${i}`,placeholder:"A view, an order, a rule, an act",value:s,autocomplete:"off",spellcheck:!1,onInput:p=>{a(p.currentTarget.value),l(0)},
onKeyDown:d}),t("div",{id:r,role:"listbox","aria-label":"Found",children:c.map((p,f)=>t("button",{type:"button",id:`${r}-${f}`,role:"option",tabIndex:-1,"aria-s\
elected":f===i,onClick:()=>u(p),children:[p.name,p.keys===void 0?null:t("kbd",{children:p.keys})]},p.name))}),c.length===0?t("p",{class:"empty",children:"Nothin\
g has these words."}):null]})}var Nu={overview:"M2.5 7.5 8 3l5.5 4.5M4 7v6h3v-3.5h2V13h3V7",orders:"M2 5.5h10m-2.5-3 3 3-3 3M14 10.5H4m2.5-3-3 3 3 3",treasury:"M2.5 3h11v9h-11zM4 12v1.5M12 1\
2v1.5M8 5.5a2 2 0 1 0 .01 0",rules:"M2 4.5h3m3 0h6M6.5 3v3M2 11.5h6m3 0h3M9.5 10v3",simulate:"M2.5 2.5v11h11M5 10.5l2.5-3 2 1.5 3.5-5",settings:"M8 5.5a2.5 2.5 \
0 1 0 .01 0M8 1.5v2m0 9v2m6.5-6.5h-2m-9 0h-2M12.6 3.4l-1.4 1.4m-6.4 6.4-1.4 1.4m0-9.2 1.4 1.4m6.4 6.4 1.4 1.4",find:"M7 2.5a4.5 4.5 0 1 0 .01 0M10.3 10.3 14 14",
pause:"M5.5 3v10M10.5 3v10"};function en({name:e}){return t("svg",{class:"icon",viewBox:"0 0 16 16","aria-hidden":"true",children:t("path",{d:Nu[e]})})}function Ws(e){let{overview:n}=e,o={"":n?.tasks.length,orders:n?.orders.length};return t("nav",{class:"side","aria-label":"Views",children:t("div",{class:"rail",
children:[t("a",{class:"brand",href:"#/",children:[t("img",{src:"/icon.svg",alt:"",width:"26",height:"26"}),t("span",{children:["Ballast",t("small",{children:e.
treasury??""})]})]}),t("ul",{children:e.entries.map(({id:r,name:s,icon:a})=>t("li",{children:t("a",{href:`#/${r}`,"aria-current":r===e.shown?"page":void 0,children:[
t(en,{name:a}),s,o[r]?t("span",{class:r===""?"count tasks":"count",children:o[r]}):null]})},r))}),n===null?null:t(Lu,{overview:n})]})})}function Lu({overview:{services:e,
nodes:n}}){let o=n.filter(({state:r})=>r!=="good");return t("dl",{class:"pulse",children:[e.map(({name:r,state:s})=>t("div",{children:[t("dt",{children:["Servic\
e ",r]}),t("dd",{children:s==="good"?"✓ good":`▲ ${s}`})]},r)),t("div",{title:o.map(({chain:r,state:s})=>`${I(r)} ${s}`).join(", "),children:[t("dt",{children:"\
Chains"}),t("dd",{children:[o.length===0?"✓":"▲"," ",n.length-o.length," of ",n.length," good"]})]})]})}function Ks(e){let{account:n,overview:o}=e,r=()=>{Io().
then(e.onLeave)};return t("header",{class:"top",children:[t("p",{class:"state",children:o===null?null:t(w,{children:[t("span",{class:`dot ${o.level}`}),o.pause===
null?`${o.mode??"unknown"} mode`:"paused"]})}),t("button",{type:"button",class:"find",onClick:e.onFind,"aria-label":"Find or do","aria-keyshortcuts":"/ Control+\
K",children:[t(en,{name:"find"}),t("span",{children:"Find or do…"}),t("kbd",{children:"/"})]}),t("a",{class:"button",href:"#/swap",children:"New swap"}),o===null?
null:t(ms,{overview:o,scopes:n.scopes}),t("a",{class:"button gear",href:"#/settings","aria-label":"Settings",children:t(en,{name:"settings"})}),t(Xu,{}),n.csrf===
null?null:t("button",{type:"button",onClick:r,title:`Logged in with the token ${n.name}: ${n.scopes.join(", ")}`,children:"Log out"})]})}function Xu(){let[e,n]=v(
localStorage.getItem("ballast.theme")??"system");J(()=>{e==="system"?delete document.documentElement.dataset.theme:document.documentElement.dataset.theme=e,localStorage.
setItem("ballast.theme",e)},[e]);let o={light:"Light",dark:"Dark"}[e]??"Auto",r={system:"light",light:"dark",dark:"system"}[e]??"system";return t("button",{type:"\
button",class:"theme",onClick:()=>n(r),"aria-label":`${o} colours. Change to ${r}`,children:o})}var mt=[{id:"",name:"Overview",icon:"overview",show:ts},{id:"treasury",name:"Treasury",icon:"treasury",show:gr},{id:"books",name:"Books",icon:"treasury",of:"tre\
asury",show:Vo},{id:"orders",name:"Orders",icon:"orders",show:Jr},{id:"rules",name:"Rules",icon:"rules",show:fs},{id:"plan",name:"Plan",icon:"rules",of:"rules",
show:as},{id:"decisions",name:"Decisions",icon:"rules",of:"rules",show:ss},{id:"limits",name:"Limits",icon:"rules",of:"rules",show:Gr},{id:"simulate",name:"Simu\
late",icon:"simulate",show:Ns},{id:"settings",name:"Settings",icon:"settings",show:Ls},{id:"alarms",name:"Alarms",icon:"settings",of:"settings",show:Vr}];function Vs(){
let[e,n]=v("asking"),[o,r]=v(0);return J(()=>{Fo().then(n,()=>setTimeout(()=>r(a=>a+1),2e3))},[o]),e==="asking"?t("main",{class:"login",children:t("p",{class:"q\
uiet",children:o===0?"Reading…":"The daemon does not answer. The page tries again every two seconds."})}):e===null?t(Ko,{onLogin:n}):t(Fu,{account:e,onLeave:()=>{
Uo(),oe.loggedOut=!1,n(null)}})}function Fu({account:e,onLeave:n}){let o=C("overview",3e3),r=C("settings",6e4),[s="",a=null,i=null]=Wo(),l=ne(!1);J(()=>{let _=new AbortController;
return Ho(_.signal),document.addEventListener("copy",Wu,{signal:_.signal}),()=>_.abort()},[]);let c=oe.loggedOut;J(()=>{c&&n()},[c]);let u=mt.find(({id:_})=>_===
s),d=s==="swap"?"New swap":u?.name??"Not found";J(()=>{document.title=`${d} · Ballast`,l.current&&document.querySelector("h1")?.focus({preventScroll:!0}),l.current=
!0,scrollTo(0,0)},[s,a]);let p={overview:o,known:St(r.value),scopes:e.scopes,detail:a},f=ju()&&o.value!==null,[m,h]=v(!1),[y,g]=v(null);return Js(Bu({find:()=>g(
"palette"),help:()=>g("help"),swapTimes:()=>h(_=>!_)},o.value)),t(Ju,{known:p.known,isStale:f,asClock:m,children:[t("div",{class:"frame",children:[t("button",{type:"\
button",class:"skip",onClick:Ku,children:"Skip to the content"}),t(Ws,{entries:mt.filter(({of:_})=>_===void 0),shown:u?.of??s,overview:o.value,treasury:r.value?.
treasury??null}),t("div",{class:"body",children:[t(Ks,{account:e,overview:o.value,onFind:()=>g("palette"),onLeave:n}),t(qu,{overview:o.value,isStale:f}),t("main",
{id:"content",tabIndex:-1,children:t(Hu,{view:s,detail:a,part:i,desk:p},`${s}/${a}`)})]})]}),y==="palette"?t(Hs,{commands:Uu(o.value,()=>g("help")),onOrder:_=>ae(
`orders/${_}`),onClose:()=>g(null)}):null,y==="help"?t(Bs,{onClose:()=>g(null)}):null]})}function Ju(e){return t(Sn.Provider,{value:e.known.speak,children:t(nt.
Provider,{value:e.known.chains,children:t(xn.Provider,{value:e.isStale,children:t($n.Provider,{value:e.asClock,children:e.children})})})})}function Iu(e){let[n]=(e?.
tasks??[]).filter(({kind:o,order:r})=>o==="approval"&&r!==null).toSorted((o,r)=>(o.deadline??"~").localeCompare(r.deadline??"~"));return n===void 0?"":`orders/${n.
order}/approve`}function ae(e){location.hash=`#/${e}`}function Bu(e,n){return{"g h":()=>ae(""),"g t":()=>ae("treasury"),"g o":()=>ae("orders"),"g r":()=>ae("rul\
es"),"g s":()=>ae("simulate"),"g ,":()=>ae("settings"),"p p":()=>Ve("pause"),"/":e.find,"?":e.help,".":e.swapTimes,j:()=>dt(1),k:()=>dt(-1),ArrowDown:()=>dt(1),
ArrowUp:()=>dt(-1),o:Is,a:()=>Ve("approve")||ae(Iu(n)),f:()=>Ve("filter"),e:()=>Ve("export")}}function Uu(e,n){let o={"":"g h",treasury:"g t",orders:"g o",rules:"\
g r",simulate:"g s",settings:"g ,"};return[...mt.map(({id:r,name:s})=>({name:s,keys:o[r],act:()=>ae(r)})),{name:"New swap",act:()=>ae("swap")},{name:"Pause ever\
ything",keys:"p p",act:()=>Ve("pause")},{name:"Keys",keys:"?",act:n},...(e?.orders??[]).map(({id:r,from:s,to:a})=>({name:`Order ${r.slice(0,8)} ${s} → ${a}`,act:()=>ae(
`orders/${r}`)})),...(e?.rules??[]).map(({id:r})=>({name:`Rule ${r}`,act:()=>ae(`decisions/${encodeURIComponent(r)}`)}))]}function Hu({view:e,detail:n,part:o,desk:r}){
if(e==="orders"&&n!==null)return t(Ar,{...r,detail:n,opens:o==="approve"});if(e==="swap")return t(Hr,{...r});let s=mt.find(({id:l})=>l===e);if(s===void 0)return t(
"h1",{tabIndex:-1,children:"There is no such view"});let a=s.of??s.id,i=mt.filter(({id:l,of:c})=>l===a||c===a);return t(w,{children:[i.length<2?null:t(Zt,{parts:i,
shown:e,label:"Parts of this view"}),t(s.show,{...r})]})}function Wu(e){let n=getSelection(),[o,r]=[n?.anchorNode,n?.focusNode].map(s=>s?.parentElement?.closest(
"[data-exact]")??null);o==null||o!==r||(e.clipboardData?.setData("text/plain",o.dataset.exact??""),e.preventDefault())}function Ku(){document.querySelector("#co\
ntent")?.focus()}var Vu=1e4;function ju(){let[e,n]=v(!1);return J(()=>{let o=setInterval(()=>n(oe.failing||Date.now()-oe.lastMs>Vu),500);return()=>clearInterval(
o)},[]),e}function qu(e){let{overview:n,isStale:o}=e,r=W();return J(()=>{document.body.classList.toggle("old",o)},[o]),t("div",{role:"status",children:o&&n!==null?
t("p",{class:"notice bad stale",children:[t("b",{children:"This is not live."})," The daemon last answered"," ",kt(new Date(oe.lastMs).toISOString(),r),". You s\
ee the state of"," ",T(n.at,r),"."," ",t("button",{type:"button",onClick:me,children:"Try now"})]}):null})}var js=document.querySelector("#app");js!==null&&po(t(Vs,{}),js);
