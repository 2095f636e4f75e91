/*! Ballast's dashboard, made from web/ by `npm run generate`. It contains Preact (MIT), (c) 2015-present Jason Miller. */
var A,Tn,cr,ce,At,at,Mn,nt,An,Dt,Rt,Rn,Je=Symbol.for("pv"),it={},lt=[],dr=/^m(i|n|o|s|text|space)$/,Nt=Array.isArray,Pn=lt.slice,ke=Object.assign;function _e(e){
e&&e.parentNode&&e.remove()}function ot(e,n,o,s,r){var a={type:e,props:n,key:o,ref:s,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Je,__v:r||++Tn,__i:-1,__u:0};return!r&&A.vnode&&A.
vnode(a),a}function b(e){return e.children}function st(e,n){this.props=e,this.context=n,this.__g=0}function de(e,n){if(n==null)return e.__&&de(e.__,e.__i+1);for(var o;n<e.
__k.length;n++)if((o=e.__k[n])&&o.__e)return o.__e;return typeof e.type!="function"||e.props.__P?null:de(e)}function mr(e){var n,o=e.__v,s=o.__e,r=[],a=[],i=e.__P;
i&&((n=ke({constructor:Je},o)).__v=o.__v+1,A.vnode&&A.vnode(n),Lt(i,n,o,e.__n,i.namespaceURI,32&o.__u?[s]:null,r,s||de(o),32&o.__u,a),n.__v=o.__v,n.__.__k[n.__i]=
n,Fn(r,n,a),o.__=o.__e=null,n.__e!=s&&Dn(n))}function Dn(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(n){return n&&(e.__e=n.__e)}),
Dn(e)}function Pt(e){(8&e.__g||(e.__g|=8,ce.push(e),at++))&&At==A.debounceRendering||((At=A.debounceRendering)||queueMicrotask)(Nn)}function Nn(){try{for(var e,
n=1;ce.length;)ce.length>n&&ce.sort(Mn),e=ce.shift(),n=ce.length,8&e.__g&&mr(e)}finally{(at=ce.length)&&(At||queueMicrotask)(Nn)}}function Ln(e,n,o,s,r,a,i,l,u,c,d){
var p,f,m,h,y,w,g=s.__k||lt,S=n.length;for(u=pr(o,n,g,u,S),p=0;p<S;p++)(m=o.__k[p])!=null&&(f=~m.__i&&g[m.__i]||it,m.__i=p,w=Lt(e,m,f,r,a,i,l,u,c,d),h=m.__e,(f.
ref!=m.ref||8&f.__u)&&(f.ref&&Xt(f.ref,null,m,f),m.ref&&d.push(m.ref,m.__c||h,m)),y=y||h,4&m.__u?(u=Xn(m,u,e,!f.__v),f.__e&&(f.__e=null)):typeof m.type=="functi\
on"&&w!==void 0?u=w:h&&(u=h.nextSibling),m.__u&=-21);return o.__e=y,u}function pr(e,n,o,s,r){var a,i,l,u,c,d,p,f,m,h=o.length,y=h,w=0,g=0,S=e.__k=Array(r);for(a=
0;a<r;a++)(i=n[a])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=S[a]=ot(null,i):Nt(i)?i=S[a]=ot(b,{children:i}):
i.constructor===Je&&i.__b?i=S[a]=ot(i.type,i.props,i.key,i.ref,i.__v):S[a]=i,u=a+w,i.__=e,i.__b=e.__b+1,l=null,~(c=i.__i=fr(i,o,u,y))&&(y--,(l=o[c])&&(l.__u|=2)),
l&&l.__v?(i.__u|=16,c==u-1?w--:c==u+1?w++:c!=u&&(c>u?w--:w++,g=1)):(~c||(r>h?w--:r<h&&w++),typeof i.type!="function"&&(i.__u|=4))):S[a]=null;if(g){for(d=[],p=[],
a=0;a<r;a++)if((i=S[a])&&16&i.__u){for(w=0,f=d.length;w<f;)d[m=w+f>>1]<i.__i?w=m+1:f=m;d[w]=i.__i,p[a]=w+1}for(w=d.length;a--;)p[a]&&(p[a]==w?w--:S[a].__u|=4)}if(y)
for(a=0;a<h;a++)!(l=o[a])||2&l.__u||(l.__e==s&&(s=de(l)),Jt(l,l));return s}function Xn(e,n,o,s){var r,a,i,l;if(typeof e.type=="function"){if(e.props.__P)return n;
if(r=e.__k)for(a=0;a<r.length;a++)r[a]&&(r[a].__=e,n=Xn(r[a],n,o,!1));return n}for(n&&!n.parentNode&&(n=de(e))&&!n.parentNode&&(n=null),i=e.__e,l=n;l&&l.nodeType==
8;)l=l.nextSibling;for(i!=l&&(!s&&o.moveBefore&&i.parentNode?o.moveBefore(i,n):o.insertBefore(i,n||null)),n=i;(n=n&&n.nextSibling)&&n.nodeType==8&&!n.data.startsWith(
"$s"););return n}function fr(e,n,o,s){var r,a=e.key,i=e.type,l=n[o],u=l&&!(2&l.__u);if(l===null&&a==null||u&&a==l.key&&i==l.type)return o;if(s>(u?1:0)){for(r=o-1;r>=0;r--)if((l=
n[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r;for(r=o+1;r<n.length;r++)if((l=n[r])&&!(2&l.__u)&&a==l.key&&i==l.type)return r}return-1}function En(e,n,o){o==null&&
(o=""),n[0]=="-"?e.setProperty(n,o):e[n]=o}function tt(e,n,o,s,r){var a,i;if(n=="style")if(typeof o=="string")e.style.cssText=o;else{if(typeof s=="string"&&(e.style.
cssText=s=""),s)for(n in s)o&&n in o||En(e.style,n);if(o)for(n in o)s&&o[n]==s[n]||En(e.style,n,o[n])}else if(n[0]=="o"&&n[1]=="n")typeof o!="function"&&(o=null),
typeof s!="function"&&(s=null),(e.__e||(e.__e={}))[n]=o,o&&s||(i=Rt[n]||(Rt[n]=hr(n)),(e.__a||(e.__a={}))[n]=Dt,a=n!=(n=n.replace(An,"$1")),(n=n.slice(2))[0]<"a"&&
(n=n.toLowerCase()),o?e.addEventListener(n,i,a):e.removeEventListener(n,i,a));else{if(r=="http://www.w3.org/2000/svg")n=n.replace(/xlink(H|:h)/,"h").replace(/sName$/,
"s");else if(n!="width"&&n!="height"&&n!="href"&&n!="list"&&n!="form"&&n!="tabIndex"&&n!="download"&&n!="rowSpan"&&n!="colSpan"&&n!="role"&&n!="popover"&&n in e)
try{return void(e[n]=o??"")}catch{}if(typeof o=="function")return;o==null||o===!1&&n[4]!="-"?e.removeAttribute(n):e.setAttribute(n,n=="popover"&&o==1?"":o)}}function hr(e){
return function(n){var o=this.__e;if(o){if(o=o[e],n[nt]==null)n[nt]=Dt++;else if(n[nt]<this.__a[e])return;return o(A.event?A.event(n):n)}}}function Lt(e,n,o,s,r,a,i,l,u,c){
var d,p,f,m,h,y,w,g,S,E,T,be,Xe,U,we,Cn,ue,ve,ie=n.type;if(n.constructor!==Je)return null;128&o.__u&&(u=32&o.__u,d=o.__c.__z)&&(n.__u|=u,p=a=[],d.nodeType==8?l=
rt(d,a):a.push(d),l=a[0]||l),(d=A.__b)&&d(n);e:if(typeof ie=="function"){f=i.length;try{if(g=n.props,S=(d=ie.prototype)&&d.render,E=(d=ie.contextType)&&s[d.__c],
T=d?E?E.props.value:d.__:s,(m=o.__c)?(n.__c=m,2&m.__g&&(m.__g|=1)):(S?n.__c=m=new ie(g,T):(n.__c=m=new st(g,T),m.constructor=ie,m.render=yr),E&&E.sub(m),m.state||
(m.state={}),m.__n=s,m.__g|=8,m.__h=[],m.__k=[]),S&&(m.__s||(m.__s=m.state),ie.getDerivedStateFromProps&&(m.__s==m.state&&(m.__s=ke({},m.__s)),ke(m.__s,ie.getDerivedStateFromProps(
g,m.__s)))),h=m.props,y=m.state,m.__v=n,o.__c){if(g!==h&&S&&!ie.getDerivedStateFromProps&&m.componentWillReceiveProps&&m.componentWillReceiveProps(g,T),n.__v==o.
__v&&!(8&m.__g)||!(4&m.__g)&&m.shouldComponentUpdate&&m.shouldComponentUpdate(g,m.__s,T)===!1){n.__v!=o.__v&&(m.props=g,m.state=m.__s,m.__g&=-9),n.__e=o.__e,n.__k=
o.__k,n.__k.some(function(Q){Q&&(Q.__=n)}),lt.push.apply(m.__h,m.__k),m.__k=[],m.__h.length&&i.push(m),l=de(o);break e}m.componentWillUpdate&&m.componentWillUpdate(
g,m.__s,T),S&&m.componentDidUpdate&&m.__h.push(function(){m.componentDidUpdate(h,y,w)})}else S&&!ie.getDerivedStateFromProps&&m.componentWillMount&&m.componentWillMount(),
S&&m.componentDidMount&&m.__h.push(m.componentDidMount);m.context=T,m.props=g,m.__P=e,m.__g&=-5,be=A.__r,Xe=S?25:0;do m.__g&=-9,be&&be(n),d=m.render(m.props,m.state=
m.__s,m.context);while(8&m.__g&&++Xe<25);S&&(lt.push.apply(m.__h,m.__k),m.__k=[]),m.state=m.__s,m.getChildContext&&(s=ke({},s,m.getChildContext())),S&&o.__c&&m.
getSnapshotBeforeUpdate&&(w=m.getSnapshotBeforeUpdate(h,y)),U=d&&d.type===b&&d.key==null?d.props.children:d,g.__P&&(d=l,r=(e=g.__P).namespaceURI,u=a=null,o.props&&
o.props.__P!=e&&(o.__k.some(function(Q){Q&&Jt(Q,Q)}),o.__k=null),l=o.__k?de(o,0):null),l=Ln(e,Nt(U)?U:[U],n,o,s,r,a,i,l,u,c),g.__P&&(n.__e=null,l=d),n.__u&=-161,
p&&p.some(_e),m.__h.length&&i.push(m),1&m.__g&&(m.__g&=-4)}catch(Q){if(i.length=f,n.__v=null,u||a)if(Q&&Q.then){if(n.__u|=128|u,a){for(~(ue=a.indexOf(l||void 0))||
(ue=a.length);(ve=a[ue-1])&&ve.nodeType==8;)ue--;for(;ue<a.length;ue++)if(ve=a[ue])if(a[ue]=null,we){if(ve==Cn)break}else{if(ve.nodeType!=8)break;ve.data.startsWith(
"$s")&&(Cn=rt(we=ve))}}if(!we){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;we=l}(d=rt(we=n.__c.__z||(n.__c.__z=we)))?(n.__e=we,l=d):n.__e=l,l=l&&l.nextSibling}else
a&&a.some(_e);else n.__e=o.__e;n.__k||(n.__k=o.__k||[]),Q&&Q.then||Jn(n),A.__e(Q,n,o)}}else l=n.__e=gr(o.__e,n,o,s,r,a,i,u,c,e);return(d=A.diffed)&&d(n),l}function rt(e,n){
if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var o=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))o++;else if(e.data.startsWith("/$s")&&!--o)
return e}n&&n.push(e)}}function Jn(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Jn))}function Fn(e,n,o){for(var s=0;s<o.length;)Xt(o[s++],o[s++],o[s++]);A.__c&&
A.__c(n,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(a){a.call(r)})}catch(a){A.__e(a,r.__v)}})}function gr(e,n,o,s,r,a,i,l,u,c){var d,p,f,m,h,y,w,
g,S=o.props||it,E=n.props,T=n.type;if(T=="svg"?r="http://www.w3.org/2000/svg":T=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xht\
ml"),a){for(d=0;d<a.length;d++)if((h=a[d])&&(T?h.localName==T:h.nodeType==3)){e=h,a[d]=null;break}}if(!e){if(g=c.ownerDocument||document,!T)return g.createTextNode(
E);e=g.createElementNS(r,T,E.is?E:c),l&&(A.__m&&A.__m(n,a),l=!1),a=null}if(T){if(c=T=="template"&&e.content||e,a=T=="textarea"&&E.defaultValue!=null?null:a&&Pn.
call(c.childNodes),!l&&a)for(S={},d=0;d<e.attributes.length;d++)S[(h=e.attributes[d]).name]=h.value;for(d in S)h=S[d],d=="dangerouslySetInnerHTML"?f=h:d=="child\
ren"||d in E||d=="value"&&"defaultValue"in E||d=="checked"&&"defaultChecked"in E||tt(e,d,null,h,r);for(d in E)h=E[d],d=="children"?m=h:d=="dangerouslySetInnerHT\
ML"?p=h:d=="value"?y=h:d=="checked"?w=h:l&&typeof h!="function"||S[d]===h||tt(e,d,h,S[d],r);p?(l||f&&(p.__html==f.__html||p.__html==e.innerHTML)||(e.innerHTML=p.
__html),n.__k=[]):(f&&(e.textContent=""),(T=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&dr.test(T))&&(r="http://www.w3.org/1999/xhtml"),Ln(c,Nt(m)?
m:[m],n,o,s,r,a,i,a?a[0]:o.__k&&de(o,0),l,u),a&&a.some(_e)),l&&T!="textarea"||(d="value",T=="progress"&&y==null?e.removeAttribute(d):y==null||y===e[d]&&(T!="pro\
gress"||y)||tt(e,d,y,S[d],r),d="checked",w!=null&&w!=e[d]&&tt(e,d,w,S[d],r))}else S===E||l&&e.data==E||(e.data=E);return e}function Xt(e,n,o,s){try{typeof e=="f\
unction"?n?n.__x=e(n)||1:s&&(s=s.__c||s.__e)&&(n=s.__x)&&(s.__x=null,typeof n=="function"?n():e(null)):e.current=n}catch(r){A.__e(r,o)}}function Jt(e,n,o){var s,
r,a,i;if(A.unmount&&A.unmount(e),!(s=e.ref)||s.current&&s.current!=e.__e||Xt(s,null,n,e),s=e.__c){if(s.componentWillUnmount)try{s.componentWillUnmount()}catch(l){
A.__e(l,n)}s.__P=s.__n=null}if(s=e.__k)for(i=0;i<s.length;i++)s[i]&&Jt(s[i],n,typeof e.type!="function"||o&&!e.props.__P);!o&&(s=e.__c)&&(s=s.__z)&&(r=rt(s,a=[]))&&
(s==e.__e&&a.some(_e),_e(r),_e(s)),o||_e(e.__e),e.__e=e.__c=e.__=null}function yr(e,n,o){return this.constructor(e,o)}function In(e,n){var o,s,r,a;A.__&&A.__(e,
n),n.nodeType==9&&(n=n.documentElement),s=(o=e&&32&e.__u)?null:n.__k,n.__k=ot(b,{children:[e]}),r=[],a=[],Lt(n,n.__k,s||it,it,n.namespaceURI,s?null:n.firstChild?
Pn.call(n.childNodes):null,r,s?s.__e:n.firstChild,o,a),Fn(r,n.__k,a),n.__k.props.children=null}function Fe(e){function n(o){var s,r;return this.getChildContext||(s=new Set,(r={})[n.__c]=this,this.getChildContext=function(){return r},this.shouldComponentUpdate=
function(a){this.props.value!=a.value&&s.forEach(function(i){i.__g|=4,Pt(i)})},this.sub=function(a){s.add(a);var i=a.componentWillUnmount;a.componentWillUnmount=
function(){s.delete(a),i&&i.call(a)}}),o.children}return n.__c="__cC"+Rn++,n.__=e,n.Provider=(n.Consumer=function(o,s){return o.children(s)}).contextType=n,n}A={__e:function(e,n,o,s){for(var r,a,i;n=n.__;)if((r=n.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(a=r.constructor)&&a.getDerivedStateFromError)&&r.setState(a.getDerivedStateFromError(
e)),r.componentDidCatch&&(r.componentDidCatch(e,s||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(l){e=l}}throw at=0,e}},Tn=0,cr=function(e){return e!=null&&e.
constructor===Je},st.prototype.setState=function(e,n){var o=this.__s;o&&o!=this.state||(o=this.__s=ke({},this.state)),typeof e=="function"&&(e=e(ke({},o),this.props)),
e&&(ke(o,e),this.__v&&(n&&this.__k.push(n),Pt(this)))},st.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Pt(this))},st.prototype.render=
b,ce=[],at=0,Mn=function(e,n){return e.__v.__b-n.__v.__b},nt=Symbol(),An=/(PointerCapture)$|Capture$/i,Dt=0,Rt={},Rn=0;var me,J,Ft,Bn,It=Object.is,ut=0,zn=[],Bt=[],H=A,Un=H.__b,Hn=H.__r,Wn=H.diffed,Kn=H.__c,Vn=H.unmount,qn=H.__;function Ee(e,n){H.__h&&H.__h(J,e,ut||n),ut=0;var o=J.
__H||(J.__H={__:[],__h:[]});return e>=o.__.length&&o.__.push({}),o.__[e]}function v(e){return ut=1,br(Qn,e)}function br(e,n,o){var s=Ee(me++,2);if(s.t=e,!s.__c&&
(s.__=[o?o(n):Qn(void 0,n),function(a){var i=(s.__N||s.__)[0],l=s.t(i,a);It(i,l)||(s.__N=[l,s.__[1]],s.__c.setState({}))}],s.__c=J,!J.__f)){J.__f=!0;var r=J.shouldComponentUpdate;
J.shouldComponentUpdate=function(a,i,l){var u=this.__H;if(!u)return!0;var c=!1,d=this.props!=a;if(u.__.some(function(f){f.__N&&(c=!0,It(f.__[0],f.__N[0])||(d=!0))}),
r){var p=r.call(this,a,i,l);return c?p||d:p}return!c||d}}return s.__}function L(e,n){var o=Ee(me++,3);!H.__s&&Ht(o.__H,n)&&(o.__P=!0,o.__=e,o.u=n,J.__H.__h.push(
o))}function Yn(e,n){var o=Ee(me++,4);!H.__s&&Ht(o.__H,n)&&(o.__P=!1,o.__=e,o.u=n,J.__h.push(o))}function Z(e){return ut=5,wr(function(){return{current:e}},[])}function wr(e,n){var o=Ee(me++,7);return Ht(o.__H,n)&&(o.__=e(),o.__H=n),o.__}function Se(e){var n=J.context[e.__c],o=Ee(me++,9);return o.c=e,n?(o.__==null&&(o.__=!0,n.sub(J)),n.props.value):e.__}function pe(){var e=Ee(me++,11);if(!e.__){for(var n=J.__v;!n.__m&&n.__;)n=n.__;var o=n.__m||(n.__m=[0,0]);e.__="P"+o[0]+"-"+o[1]++}return e.__}function vr(){var e;
do{for(;e=Bt.shift();)try{Ie(e)}catch(o){H.__e(o,{__:(e=e.__P)&&e.__v})}for(;e=zn.shift();){var n=e.__H;if(e.__P&&n)try{n.__h.some(Ie),n.__h.some(Ut),n.__h=[]}catch(o){
n.__h=[],H.__e(o,e.__v)}}}while(Bt.length)}H.__b=function(e){J=null,Un&&Un(e)},H.__=function(e,n){e&&n.__k&&n.__k.__m&&(e.__m=n.__k.__m),qn&&qn(e,n)},H.__r=function(e){
Hn&&Hn(e),me=0;var n=(J=e.__c).__H;n&&(Ft==J?J.__h=[]:(n.__h.some(Ie),n.__h.some(Ut),me=0),n.__h=[],n.__.some(function(o){o.__N&&(o.__=o.__N),o.u=o.__N=void 0})),
Ft=J},H.diffed=function(e){Wn&&Wn(e);var n=e.__c;n&&n.__H&&(n.__H.__h.length&&Gn(zn.push(n)),n.__H.__.some(function(o){o.u&&(o.__H=o.u)})),Ft=J=null},H.__c=function(e,n){
n.some(function(o){try{o.__h.some(Ie),o.__h=o.__h.filter(function(s){return!s.__||Ut(s)})}catch(s){o.__h=[function(){throw s}]}}),Kn&&Kn(e,n)},H.unmount=function(e){
Vn&&Vn(e);var n,o,s=e.__c;s&&s.__H&&(s.__H.__.some(function(r){try{if(r.__P&&r.__c){if(o===void 0){for(o=e.__;o&&(!o.__c||!o.__c.__P);)o=o.__;o=o&&o.__c}r.__P=o,
Gn(Bt.push(r))}else Ie(r)}catch(a){n=a}}),s.__H=void 0,n&&H.__e(n,s.__v))};var jn=typeof requestAnimationFrame=="function";function _r(e){var n,o=function(){clearTimeout(
s),jn&&cancelAnimationFrame(n),setTimeout(e)},s=setTimeout(o,35);jn&&(n=requestAnimationFrame(o))}function Gn(e){e!=1&&Bn==H.requestAnimationFrame||((Bn=H.requestAnimationFrame)||
_r)(vr)}function Ie(e){var n=J,o=e.__c;typeof o=="function"&&(e.__c=void 0,o()),J=n}function Ut(e){var n=J;e.__c=e.__(),J=n}function Ht(e,n){return!e||e.length!=
n.length||n.some(function(o,s){return!It(o,e[s])})}function Qn(e,n){return typeof n=="function"?n(e):n}function B(e){if(e<6e4)return`${Math.max(0,Math.floor(e/1e3))} s`;if(e<36e5)return`${Math.floor(e/6e4)} min`;if(e>=2*864e5)return`${Math.floor(e/864e5)} d`;let n=Math.
floor(e%36e5/6e4);return`${Math.floor(e/36e5)} h${n===0?"":` ${n} min`}`}function Zn(e){return Number.isFinite(e)?`${new Date(e).toISOString().slice(0,16).replace(
"T"," ")} UTC`:"an unknown time"}function $(e){let[n="",o=""]=e.split(":");return{symbol:o.toUpperCase(),chain:F(n)}}function F(e){return e.replace(/(^|_)([a-z])/g,(n,o,s)=>(o?" ":"")+s.toUpperCase())}
function C(e){let n=e.startsWith("-")?"−":"",[o="0",s=""]=e.replace("-","").split(".");if(o.length>eo)return`${n}${C(`${o.slice(0,-6)}.${o.slice(-6)}`)} M`;let r=o===
"0"?/^0*/.exec(s)?.[0].length??0:-o.length,a=s.slice(0,eo+r).replace(/0+$/,""),i=o.replace(/\B(?=(\d{3})+$)/g," ");return`${n}${i}${a===""?"":`.${a}`}`}var eo=6,
kr=/(?<![\w.:-])\d+\.\d+(?!\w|[:-]|\.\d)/g;function no(e){return e.replace(kr,C)}function _(e){if(e===null)return"unknown";let n=Math.abs(Number(e));if(n>=1e6)return`${to(
e)}$${C(String(Math.trunc(n)))}`;let o=n>=1e3?0:n!==0&&n<.01?4:2,s=n.toLocaleString("en-US",{minimumFractionDigits:o,maximumFractionDigits:o});return`${to(e)}$${s}`}
function Be(e){return Number(e)>0?`+${_(e)}`:_(e)}function Ue(e,n){let o=Number(n)===0?0:100*Number(e)/Number(n);return`${o<0?"−":""}${Math.abs(o).toFixed(Math.
abs(o)<10?2:1)}%`}function to(e){return e.startsWith("-")&&Number(e)!==0?"−":""}function oe(e){return e===null?"unknown":`${(e/100).toFixed(2)}%`}function ct(e,n){
let o=Date.parse(e)-n;return Number.isNaN(o)?e:Math.abs(o)<1500?"now":o>0?`in ${B(o)}`:`${B(-o)} ago`}function O(e,n=Date.now()){let o=new Date(e),s=o.toLocaleTimeString(
"en-GB");return o.toDateString()===new Date(n).toDateString()?s:`${o.toLocaleDateString("en-GB",{day:"numeric",month:"short"})}, ${s}`}function se(e){return e.replace(
/[-_]/g," ")}function Wt(e){return e.length<=18?e:`${e.slice(0,8)}…${e.slice(-6)}`}function xe(e){return e==="completed"?"good":e==="held"?"bad":e==="awaiting\
-approval"||e.startsWith("refund")?"warn":e==="rejected"||e==="abandoned"?"calm":"busy"}var He=class extends Error{name="AppError";code;disposition;details;constructor(n){super(n.message,n.cause===void 0?void 0:{cause:n.cause}),this.code=n.code,this.
disposition=n.disposition,this.details=n.details??{}}};function oo(e,n){let o=e.length;for(;o>0&&e[o-1]===n;)o--;return e.slice(0,o)}function $e(e,n){let o=e<0n?"-":"",s=(e<0n?-e:e).toString().padStart(n+1,"0"),r=s.slice(0,s.length-n),a=oo(s.slice(s.length-n),"0");return`${o}${r}${a===""?"":`\
.${a}`}`}function so(e){return e===null?n=>n:(n,o=null)=>{let[,s=null]=xr.exec(n)??[],[,r=null]=$r.exec(n)??[],a=(s===null?null:Kt(e,`${s}:native`))??Kt(e,r)??Kt(e,o);if(a===
null)return n;let i=l=>`${$e(BigInt(l),a.decimals)} ${a.name}`;return n.replace(Ar,(l,u)=>`within ${B(Number(u)*1e3)}`).replace(Cr,(l,u,c)=>`(${i(u)}, at most ${i(
c)})`).replace(Mr,(l,u,c)=>`within the range of ${i(u)} to ${i(c)}`).replace(Tr,(l,u,c)=>`(${u} usd, at most ${c} usd)`).replace(Or,(l,u)=>i(u)).replace(Rr,l=>a.
decimals<Pr?l:i(l))}}function ro(e,n,o){let s=n.asset??(Sr.includes(n.code)?o?.to:o?.from)??null;return{...n,message:e(n.message,s)}}var Sr=["alarm.payout_short",
"quote.too_good","quote.unproven"],ao="[a-z0-9_]+:[a-z0-9._-]+",xr=/units of (?:the coin|the native coin) of ([a-z0-9_]+)/i,$r=new RegExp(`\\d (?:smallest )?(?:u\
nits of )?(${ao})`,"i"),Or=new RegExp(`(?<![\\w.])(\\d+) (?:smallest )?units(?: of the coin of [a-z0-9_]+| of ${ao})?`,"gi"),Cr=/(?<=larger than one order may be |would sell more than allowed )\((\d+), at most (\d+)\)/g,
Er=["worth more than one order may be","would be worth more than allowed","would cost more than allowed"],Tr=new RegExp(`(?<=(?:${Er.join("|")}) )\\(([\\d.]+), at\
 most ([\\d.]+)\\)`,"g"),Mr=/within the range of (\d{1,40}) to (\d{1,40})(?![\d.])/gi,Ar=/(?<=Orders |orders )within (\d+) s\b/g,Rr=/(?<![\w.:-])\d{10,}(?![\w.:])(?!\s(?:units|smallest))/g,
Pr=6;function Kt({assets:e,chains:n},o){let s=e.find(a=>a.id===o);if(s!==void 0)return{decimals:s.decimals,name:s.id};let r=n.find(({chain:a})=>`${a}:native`===
o)?.nativeCoin;return r===void 0?null:{decimals:r.decimals,name:r.symbol}}function Vt(e){if(!/^[a-z0-9_-]+:[a-z0-9_.-]+$/.test(e)){let n="<chain>:<asset>, for example base_sepolia:wbtc";throw new He({code:"domain.asset_id",disposition:"\
refused",message:`"${e}" is not an asset id; expected ${n}`,details:{text:e}})}return e}function Dr(e){return e.slice(0,e.indexOf(":"))}function io(e){return Dr(
Vt(`${e}:x`))}function uo(e,n){return lo(e)===lo(n)}function lo(e){return e.startsWith("0x")?e.toLowerCase().replace(/^0x0*/,"0x"):e}function dt(e){let n=so(e===null?null:{assets:e.assets.map(({id:r,decimals:a})=>({id:Vt(r),decimals:a})),chains:e.chains.map(({chain:r,nativeCoin:a})=>({chain:io(
r),nativeCoin:{...a,token:null}}))}),o=new Set(e?.assets.map(({id:r})=>r)),s=new Set(e?.chains.map(({chain:r})=>r));return{chains:[...s],linkOf:(r,a)=>{let l=(e?.
chains.find(u=>u.chain===r)?.explorer??null)?.tx.replace("{tx}",encodeURIComponent(a))??null;return l?.startsWith("https://")===!0?l:null},amountOf:(r,a)=>{let i=e?.
assets.find(({id:l})=>l===a)?.decimals;return i===void 0?null:$e(BigInt(r),i)},payeeOf:r=>e?.payees.find(a=>uo(a.address,r))?.name??null,humane:(r,a=null)=>ro(n,
r,a),speak:r=>r.replace(Nr,a=>o.has(a)?Fr(a):a).replace(Lr,a=>s.has(a)?F(a):a).replace(Xr,"").replace(Jr,a=>O(a))}}var Nr=/\b[a-z0-9_]+:[a-z0-9._-]*[a-z0-9]/g,Lr=/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g,
Xr=/ \[[a-z_]+(?:\.[a-z_]+)+\]/g,Jr=/\b\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+Z/g;function Fr(e){let{symbol:n,chain:o}=$(e);return`${n} on ${o}`}var R=class extends Error{status;reasons;constructor(n,o){super(o.map(({message:s})=>s).join(" ")),this.status=n,this.reasons=o}},mt="ballast.csrf";async function co(){
try{return{...await V("GET","session"),csrf:localStorage.getItem(mt)}}catch(e){if(e instanceof R&&e.status===401)return null;throw e}}async function mo(e){let n=await V(
"POST","session",{token:e});return localStorage.setItem(mt,n.csrf),n}async function po(){await V("DELETE","session").catch(()=>{}),localStorage.removeItem(mt)}var Ir=15e3,
Br=200;function We(){return crypto.getRandomValues(new BigUint64Array(2)).join("-")}async function Te(e,n,o=We()){let s=performance.now()+Ir;for(let r=Br;;r*=2){
try{return await V("POST",e,n,{"idempotency-key":o})}catch(a){if(!(a instanceof R)||!Hr(a))throw a;if(performance.now()+r>s)throw new R(a.status,[Ur])}await new Promise(
a=>setTimeout(a,r))}}var Ur={code:"page.uncertain",message:"No answer came, so it may be done or not. Press again: it is done once."};function Hr({status:e,reasons:n}){
let o=n[0]?.code;return o==="request.key_in_flight"?!0:e===0||e>=500&&o!=="cluster.standby"}async function V(e,n,o,s={}){let r=await qt(e,n,{body:o,headers:s}).
catch(()=>{throw new R(0,[{code:"page.silent",message:"The daemon does not answer."}])}),a=await r.json().catch(()=>null);if(r.ok)return a;let{reasons:i}=a??{};
throw new R(r.status,i??[{code:"page.answer",message:`The daemon answered ${r.status}.`}])}function qt(e,n,{body:o,headers:s={},signal:r}={}){return fetch(`/api\
/v1/${n}`,{method:e,headers:{...s,"x-ballast-csrf":localStorage.getItem(mt)??"",...o===void 0?{}:{"content-type":"application/json"}},...o===void 0?{}:{body:JSON.
stringify(o)},...r===void 0?{}:{signal:r}})}var ee={lastMs:Date.now(),failing:!1,loggedOut:!1,streaming:!1},jt=new Map,Gt=new Set;function x(e,n=5e3){let[,o]=v(0),[s,r]=v(null),[a,i]=v(0);return L(()=>{if(e===
null)return;let u=!1;async function c(){if(!(e===null||document.hidden))try{if(jt.set(e,await V("GET",e)),u)return;ee.lastMs=Date.now(),ee.failing=!1,r(null),o(
f=>f+1)}catch(f){if(u||!(f instanceof R))return;f.status===401&&(ee.loggedOut=!0),f.status===0&&(ee.failing=!0),r(f)}}let d=()=>{c()};c();let p=setInterval(d,n);
return Gt.add(d),document.addEventListener("visibilitychange",d),()=>{u=!0,clearInterval(p),Gt.delete(d),document.removeEventListener("visibilitychange",d)}},[e,
n,a]),{value:e===null?null:jt.get(e)??null,error:s,refresh:()=>i(u=>u+1)}}function Oe(){for(let e of Gt)e()}function ho(){jt.clear()}var Wr=700,fo=4e4;async function go(e){
let n=0,o=()=>{n===0&&(n=window.setTimeout(()=>{n=0,Oe()},Wr))};for(;!e.aborted;)await Kr(e,o).catch(()=>{}),ee.streaming=!1,await new Promise(s=>setTimeout(s,2e3))}
async function Kr(e,n){let o=new AbortController,s=setTimeout(()=>o.abort(),fo),r=await qt("GET","events",{signal:AbortSignal.any([e,o.signal])});if(!r.ok||r.body===
null)return;ee.streaming=!0;let a=r.body.pipeThrough(new TextDecoderStream).getReader();for(let i=await a.read();!i.done;i=await a.read())clearTimeout(s),s=setTimeout(
()=>o.abort(),fo),i.value.includes("data:")&&n();clearTimeout(s)}function K(){let[e,n]=v(Date.now());return L(()=>{let o=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(
o)},[]),e}function yo(){let[e,n]=v(location.hash);return L(()=>{let o=()=>n(location.hash);return addEventListener("hashchange",o),()=>removeEventListener("hash\
change",o)},[]),e.replace(/^#\/?/,"").split("/").map(o=>decodeURIComponent(o))}var Vr=Symbol.for("pv"),qr=0;function t(e,n,o,s,r,a){n||(n={});var i,l,u=n;if("ref"in u&&typeof e!="function")for(l in u={},n)l=="ref"?i=n[l]:u[l]=n[l];var c={type:e,props:u,key:o,ref:i,__k:null,
__:null,__b:0,__e:null,__c:null,constructor:Vr,__v:--qr,__i:-1,__u:0};return(r||a)&&(c.__source=r,c.__self=a),A.vnode&&A.vnode(c),c}function bo({onLogin:e}){let[n,o]=v(""),[s,r]=v(!1),[a,i]=v(null);async function l(u){u.preventDefault(),r(!0);try{e(await mo(n.trim()))}catch(c){i(c instanceof
R?c.message:"The page failed"),r(!1)}}return t("main",{class:"login",children:t("form",{class:"card",onSubmit:l,children:[t("img",{src:"/icon.svg",alt:"",width:"\
44",height:"44"}),t("h1",{children:"Ballast"}),t("p",{class:"note",children:["Log in with one of the tokens of ",t("code",{children:"ops.token"})," or ",t("code",
{children:"ops.tokens"}),". What you can do here is what the token's scopes allow."]}),t("label",{for:"token",children:"Token"}),t("input",{id:"token",type:"pas\
sword",autocomplete:"current-password",value:n,onInput:u=>o(u.currentTarget.value)}),a===null?null:t("p",{class:"notice bad",role:"alert",children:a}),t("button",
{type:"submit",class:"main",disabled:n===""||s,children:"Log in"})]})})}function fe(e,n,o=3){let s=Math.max(Math.abs(e),Math.abs(n)),r=10**(Math.floor(Math.log10(s))-5),a=Math.max((n-e)/o,r);if(!(n>e))return[e];let i=10**Math.floor(
Math.log10(a*(1+1e-9))),l=i>5*r?[1,2,2.5,5,10]:[1,2,5,10],u=i*(l.find(p=>p*i>=a*(1-1e-9))??10),c=Math.ceil(e/u-1e-9),d=Math.floor(n/u+1e-9);return Array.from({length:d-
c+1},(p,f)=>Number(((c+f)*u).toPrecision(12)))}function he(e,n,o=5){let s=jr.find(l=>(n-e)/l<=o)??31536e6,r=new Date(e).getTimezoneOffset()*6e4,a=Math.ceil((e-r)/
s)*s+r;return Array.from({length:Math.max(0,Math.floor((n-a)/s)+1)},(l,u)=>a+u*s).map(l=>({ms:l,label:Gr(l,s,n-e)}))}var jr=[...[1/60,1/12,1/4,1,3,6,12].map(e=>e*
36e5),...[1,2,7,14,30,91].map(e=>e*864e5)];function Gr(e,n,o){let s=new Date(e);return n<864e5?s.toLocaleTimeString("en-GB",{hour:"2-digit",minute:"2-digit"}):o<=
8*864e5?s.toLocaleDateString("en-GB",{weekday:"short"}):s.toLocaleDateString("en-GB",{day:"2-digit",month:"short"})}var zr=[[1e9,"G"],[1e6,"M"],[1e3,"k"]];function j(e,n=e){
let[o,s]=zr.find(([a])=>Math.abs(e)>=a)??[1,""],r=n===0?4:Math.ceil(Math.log10(Math.abs(e/n)||1))+3;return`${Number((e/o).toPrecision(Math.max(4,Math.min(12,r))))}${s}`}function q(){let[e,n]=v(null),[o,s]=v(0);return L(()=>{if(e===null)return;let r=new ResizeObserver(([a])=>s(Math.floor(a?.contentRect.width??0)));return r.observe(
e),()=>r.disconnect()},[e]),[n,o]}var pt=132,Ke=48,ft=8,Yr=20;function Me(e){let{title:n,steps:o,series:s,as:r,show:a,limit:i=null}=e,[l,u]=q(),c=g=>s.map(({of:S})=>S(g)??0),d=g=>r==="bars"?c(g).
reduce((S,E)=>S+E,0):Math.max(...c(g)),p=Math.max(...o.map(d),i?.value??0),f=p===0?1:p*1.08,m=Date.parse(o[0]?.from??""),h=Date.parse(o.at(-1)?.to??""),y=g=>Ke+
(u-Ke-ft)*(g-m)/Math.max(1,h-m),w=g=>8+pt-pt*g/f;return t("figure",{class:"chart",ref:l,children:[t("svg",{width:u,height:8+pt+Yr,role:"img","aria-label":Qr(e,p),
children:[fe(0,f).map(g=>t("g",{children:[t("line",{class:"grid-line",x1:Ke,x2:u-ft,y1:w(g),y2:w(g)}),t("text",{x:Ke-6,y:w(g)+4,"text-anchor":"end",children:a(g)})]},
g)),he(m,h,Math.max(2,Math.floor(u/60))).map(({ms:g,label:S})=>t("text",{x:y(g),y:8+pt+15,"text-anchor":"middle",children:S},g)),r==="bars"?t(Zr,{steps:o,series:s,
x:y,y:w,show:a}):t(ea,{steps:o,series:s,x:y,y:w}),i===null?null:t(b,{children:[t("line",{class:"limit-line",x1:Ke,x2:u-ft,y1:w(i.value),y2:w(i.value)}),t("text",
{x:u-ft,y:w(i.value)-4,"text-anchor":"end",children:i.name})]})]}),t(ta,{title:n,steps:o,series:s,show:a})]})}function Qr({title:e,steps:n,show:o},s){return`${e}\
: ${n.length} steps from ${n[0]?.from??""}, at most ${o(s)}`}function Zr(e){let{steps:n,series:o,x:s,y:r,show:a}=e,i=Date.now();return t(b,{children:n.map(l=>{let u=s(
Date.parse(l.from)),c=s(Date.parse(l.to)),d=Date.parse(l.to)<=i,p=0;return o.map(({name:f,of:m,tone:h})=>{let y=m(l)??0;return p+=y,t("rect",{class:`bar-${h} ${d?
"":"part"}`,x:u+(c-u)*.14,width:Math.max(1,(c-u)*.72),y:r(p),height:Math.max(0,r(0)-r(y)),children:t("title",{children:`${wo(l)}, ${f}: ${a(y)}${d?"":" so far"}`})},
`${l.from} ${f}`)})})})}function ea({steps:e,series:n,x:o,y:s}){let r=a=>o((Date.parse(a.from)+Date.parse(a.to))/2);return t(b,{children:n.map(({name:a,of:i,tone:l})=>{
let u=e.map(d=>({step:d,value:i(d)})),c=u.map(({step:d,value:p},f)=>p===null?"":`${f===0||u[f-1]?.value===null?"M":"L"}${r(d)} ${s(p)}`).join("");return t("g",{
children:[t("path",{class:`line-${l}`,d:c}),u.map(({step:d,value:p})=>p===null?null:t("circle",{class:`dot-${l}`,cx:r(d),cy:s(p),r:"2.2"},d.from))]},a)})})}function wo({
from:e,to:n}){return Date.parse(n)-Date.parse(e)<24*36e5?`${e.slice(0,10)} ${e.slice(11,16)} UTC`:e.slice(0,10)}function ta(e){let{title:n,steps:o,series:s,show:r}=e;
return t("div",{class:"hidden",children:t("table",{children:[t("caption",{children:n}),t("thead",{children:t("tr",{children:[t("th",{scope:"col",children:"Time"}),
s.map(({name:a})=>t("th",{scope:"col",children:a},a))]})}),t("tbody",{children:o.map(a=>t("tr",{children:[t("th",{scope:"row",children:wo(a)}),s.map(({name:i,of:l})=>{
let u=l(a);return t("td",{children:u===null?"none":r(u)},i)})]},a.from))})]})})}var zt=Fe(e=>e);function D({text:e}){let n=Se(zt)(e),o=no(n);return o!==n?t("span",{title:n,children:o}):t(b,{children:n})}var Ve=Fe([]),na=10;function Ae(){let e=Se(
Ve);return n=>{let o=e.indexOf(n.split(":")[0]??"");return o===-1?"chain-none":`chain-${o%na}`}}function G({id:e}){let n=Ae();return t("span",{class:"chain-name",
children:[t("i",{class:n(e)}),F(e.split(":")[0]??"")]})}var Yt=Fe(!1);function Re(e,n){return Se(Yt)?"The daemon does not answer, so nothing can be changed":n.includes(
e)?null:`Your token lacks the scope ${e}`}function N({tone:e,children:n}){return t("span",{class:`pill ${e}`,children:n})}function k(e){return t("section",{class:e.
wide?"card wide":"card",children:[t("header",{children:[t("h2",{children:e.link===void 0?e.title:t("a",{href:e.link,children:e.title})}),e.note===void 0?null:t(
"span",{class:"note",children:e.note})]}),e.children]})}function X({children:e,note:n}){return t("header",{class:"title",children:[t("h1",{tabIndex:-1,children:e}),
n===void 0?null:t("p",{class:"note",children:n})]})}function W({amount:e,asset:n,chain:o=!0,symbol:s=!0}){let r=$(n);return t("span",{class:"amount",title:`${e??
"no reading"} ${n}`,"data-exact":e??void 0,children:[t("b",{children:e===null?"no reading":C(e)}),s?` ${r.symbol}`:null,o?t("small",{children:[" ",r.chain]}):null]})}
var Qt=Fe(!1);function z({fiat:e}){return t("span",{title:`${e} usd`,"data-exact":e,children:_(e)})}function M({at:e,clock:n=!1}){let o=K(),s=Se(Qt)||n;return e===
null?t("span",{class:"quiet",children:"never"}):t("time",{dateTime:e,title:e,children:s?O(e,o):ct(e,o)})}function te({reasons:e,none:n=null}){let o=[...new Map(
e.map(s=>[s.message,s])).values()];return o.length===0?n===null?null:t("p",{class:"quiet",children:n}):t("ul",{class:"reasons",children:o.map(({code:s,message:r})=>t(
"li",{title:s,children:t(D,{text:r})},r))})}function ne({hash:e,link:n=null,what:o}){return t("span",{class:"hash",children:[n===null?t("code",{title:e,children:Wt(
e)}):t("a",{href:n,target:"_blank",rel:"noopener noreferrer",title:e,children:[t("code",{children:Wt(e)}),t("span",{class:"hidden",children:" (opens the explore\
r)"})]}),t(qe,{text:e,what:o})]})}function qe({text:e,what:n}){let[o,s]=v(!1);return t("button",{type:"button",class:"copy",onClick:()=>{navigator.clipboard?.writeText(
e).then(()=>{s(!0),setTimeout(()=>s(!1),1500)})},"aria-label":`Copy ${n}`,children:o?"copied":"copy"})}function P({live:e,children:n}){return e.value!==null?t(b,
{children:n(e.value)}):e.error===null?t(oa,{}):t("p",{class:"notice bad",children:e.error.message})}function oa(){return t("div",{class:"card skeleton",role:"st\
atus",children:[t("span",{class:"hidden",children:"Reading…"}),t("i",{}),t("i",{}),t("i",{})]})}function I({children:e}){return t("p",{class:"empty",children:e})}
function Y(e){return t("table",{class:e.figures?"figures":void 0,children:[t("caption",{class:"hidden",children:e.caption}),t("thead",{children:t("tr",{children:e.
columns.map(n=>t("th",{scope:"col",children:n},n))})}),t("tbody",{children:e.rows.map(({key:n,cells:o})=>t("tr",{children:o.map((s,r)=>t("td",{"data-label":e.columns[r],
children:t("div",{children:s})},e.columns[r]))},n))})]})}function ht({percent:e,label:n}){let o=e>=100?"bad":e>=80?"warn":"good";return t("svg",{class:`meter ${o}`,
viewBox:"0 0 100 6",preserveAspectRatio:"none",role:"img","aria-label":n,children:[t("rect",{class:"track",width:"100",height:"6"}),t("rect",{class:"fill",width:Math.
max(0,Math.min(100,e)),height:"6"})]})}function Pe({pairs:e}){return t("dl",{class:"pairs",children:e.map(([n,o])=>t("div",{children:[t("dt",{children:n}),t("dd",
{children:o})]},n))})}function vo(e){let n=x("books",2e4);return t(b,{children:[t(X,{note:"Swaps of the last 52 weeks, by the ledger. A week begins on Monday, 00:00 UTC.",children:"B\
ooks"}),t(P,{live:n,children:({weeks:o,rules:s,total:r,at:a})=>t(b,{children:[t("div",{class:"grid thirds",children:[t(Zt,{name:"Volume",value:_(r.volume),note:`${r.
orders} orders`}),t(Zt,{name:"Cost of swaps",value:_(r.swapCost),note:`${oe(r.costBps)} of the volume, network fees included`}),t(Zt,{name:"Network fees",value:_(
r.networkFees),note:r.unpriced===0?"all priced":`${r.unpriced} without a price are not in it`})]}),t("div",{class:"grid thirds",children:[t(en,{title:"Volume by\
 week",weeks:o,of:({volume:i})=>i}),t(en,{title:"Cost by week",weeks:o,of:({swapCost:i})=>i}),t(en,{title:"Network fees by week",weeks:o,of:i=>i.networkFees})]}),
t(k,{title:"By rule",note:t(M,{at:a}),wide:!0,children:s.length===0?t(I,{children:"No order in these weeks."}):t(ra,{lines:[...s,r]})})]})})]})}function Zt({name:e,
value:n,note:o}){return t("section",{class:"card figure",children:[t("h2",{children:e}),t("p",{class:"big",children:n}),t("p",{class:"note",children:o})]})}var sa=7*
864e5;function en(e){let n=e.weeks.map(o=>{let s=Date.parse(`${o.group}T00:00:00Z`),[r,a]=[s,s+sa].map(i=>new Date(i).toISOString());return{from:r??"",to:a??"",
value:Number(e.of(o))}});return t(k,{title:e.title,note:"usd",children:t(Me,{title:e.title,steps:n,as:"bars",show:o=>`$${j(o)}`,series:[{name:"usd",of:({value:o})=>o,
tone:"a"}]})})}function ra({lines:e}){let n=e.map(o=>({key:o.group,cells:[t("b",{children:o.group},"group"),Object.entries(o.counts).map(([s,r])=>`${r} ${se(s)}`).
join(", "),_(o.volume),_(o.swapCost),_(o.networkFees),oe(o.costBps)]}));return t(Y,{caption:"Swaps by rule",columns:["Rule","Orders","Volume","Cost","Network fe\
es","Cost of volume"],rows:n})}function gt(e,n,o,s){return e.map(({at:a,amount:i},l)=>{if(i===null)return"";let u=e[l-1]?.amount??null,c=o(e[l+1]?.at??n);return`${u===null?`M${o(a)} ${s(Number(
i))}`:`V${s(Number(i))}`}H${c}`}).join("")}function _o(e,n){return e.flatMap(({at:o,amount:s},r)=>s===null?[{start:o,end:e[r+1]?.at??n}]:[])}function ko(e,n){return e.
findLast(({at:o})=>Date.parse(o)<=n)?.amount??null}function So(e,n,o){return e.flatMap(({from:s,bound:r},a)=>{let i=e[a+1],l={startMs:Math.max(n,Date.parse(s)),
endMs:Math.min(o,i===void 0?o:Date.parse(i.from))};return r===null||l.startMs>=l.endMs?[]:[{bound:r,...l}]})}var le=92,yt=44,$o=44,tn=16,aa=18;function Oo(e){let{asset:n,since:o,bound:s}=e,{value:r}=x(`series/${encodeURIComponent(n)}?since=${o}`,3e4);if(r===null)return null;
let a=r.points.flatMap(({amount:i})=>i===null?[]:[Number(i)]);return a.length===0?t("p",{class:"note",children:"No reading in this time."}):t(ia,{...e,series:r,
known:a,bound:s})}function ia(e){let{series:n,known:o,bound:s,marks:r,price:a}=e,[i,l]=q(),{from:u,to:c,points:d}=n,p=d[0]?.at??u,f=Date.parse(p),m=Date.parse(c),
{low:h,high:y,bottom:w,top:g,y:S}=la(o,s),E=U=>yt+(l-yt-$o)*(U-f)/Math.max(1,m-f),T=U=>E(Date.parse(U)),{symbol:be}=$(n.asset),Xe=xo(String(h),String(y));return t(
"figure",{class:"chart history",ref:i,children:[t("svg",{width:l,height:le+tn+aa,role:"img","aria-label":`Readings from ${O(p)}: ${Xe} ${be}`,children:[t(ca,{bands:n.
bands,startMs:f,endMs:m,x:E,y:S}),t(ua,{x:E,y:S,low:w,high:g,startMs:f,endMs:m,width:l}),_o(d,c).map(U=>t("rect",{class:"gap",x:T(U.start),width:T(U.end)-T(U.start),
height:le},U.start)),t("path",{class:"line-a",d:gt(d,c,T,S)}),t(da,{points:d,x:E(m),y:S}),r.filter(({at:U})=>U>=p).map(U=>t(pa,{mark:U,x:T(U.at),symbol:be},`${U.
at} ${U.kind} ${U.order}`))]}),t(fa,{series:n,startMs:f,x:E,price:a}),t("figcaption",{class:"note",children:["Since ",t("span",{title:p,children:O(p)}),": ",Xe,
" ",be,s===null?"":` · band ${xo(s.min,s.max)}, target ${C(s.target)}`]})]})}function la(e,n){let o=Math.min(...e),s=Math.max(...e),r=Math.min(o,n===null?o:Number(
n.min)),a=Math.max(s,n===null?s:Number(n.target)),i=(a-r)*.12||a*.05||1,l=r-i,u=a+i;return{low:o,high:s,bottom:l,top:u,y:d=>Math.max(0,Math.min(le,le-le*(d-l)/(u-
l)))}}function xo(e,n){return n===null?`${C(e)} to any`:e===n?C(e):`${C(e)} to ${C(n)}`}function ua(e){let{x:n,y:o,low:s,high:r,startMs:a,endMs:i,width:l}=e,u=fe(
s,r,2);return t(b,{children:[u.map(c=>t("g",{children:[t("line",{class:"grid-line",x1:yt,x2:l-$o,y1:o(c),y2:o(c)}),t("text",{x:yt-6,y:o(c)+4,"text-anchor":"end",
children:j(c,(u[1]??0)-(u[0]??0))})]},c)),he(a,i,Math.max(2,Math.floor(l/70))).map(({ms:c,label:d})=>t("text",{x:n(c),y:le+tn+14,"text-anchor":"middle",children:d},
c))]})}function ca(e){let{x:n,y:o}=e,s=So(e.bands,e.startMs,e.endMs),r=s.at(-1)?.endMs===e.endMs?s.at(-1):void 0,a=n(e.endMs)+6;return t(b,{children:[s.map(({bound:i,
startMs:l,endMs:u})=>{let c=i.max===null?0:o(Number(i.max)),d=o(Number(i.min)),p=o(Number(i.target)),f=n(l),m=n(u);return t("g",{children:[t("rect",{class:"band\
-area",x:f,y:c,width:Math.max(0,m-f),height:Math.max(0,d-c)}),t("line",{class:"edge",x1:f,x2:m,y1:d,y2:d}),t("line",{class:"goal",x1:f,x2:m,y1:p,y2:p})]},l)}),r===
void 0?null:t("text",{x:a,y:o(Number(r.bound.min))+4,children:"min"}),r===void 0||r.bound.max===null||o(Number(r.bound.max))===0?null:t("text",{x:a,y:o(Number(r.
bound.max))+4,children:"max"}),r===void 0||o(Number(r.bound.min))-o(Number(r.bound.target))<12?null:t("text",{x:a,y:o(Number(r.bound.target))+4,children:"target"})]})}
function da(e){let n=e.points.at(-1)?.amount??null;return n===null?null:t("circle",{class:"dot-now",cx:e.x,cy:e.y(Number(n)),r:"3"})}var ma={in:{path:"m0 -5 4 8\
h-8z",word:"arrived"},out:{path:"m0 3 4 -8h-8z",word:"left"},outside:{path:"m0 -5 4.5 4.5-4.5 4.5-4.5 -4.5z",word:"from outside"},alarm:{path:"m-3.5 -4.5 7 7m0 \
-7-7 7",word:"alarm"},configuration:{path:"m-3 4v-10h7l-2 2.5 2 2.5h-7",word:"another configuration in force"}};function pa({mark:e,x:n,symbol:o}){let{kind:s,at:r,
amount:a,order:i}=e,{path:l,word:u}=ma[s],c=a===null?u:`${C(a)} ${o} ${u}`,d=i===null?"":`, order ${i.slice(0,8)}`;return t("path",{class:`mark ${s}`,d:l,transform:`\
translate(${n} ${le+tn/2+1})`,children:t("title",{children:`${O(r)}: ${c}${d}`})})}var je=240;function fa(e){let{series:n,startMs:o,x:s,price:r}=e,[a,i]=v(null),
l=Date.parse(n.to)-o,u=o+l*(a??je)/je,c=ko(n.points,u),{symbol:d}=$(n.asset),p=[O(new Date(u).toISOString()),c===null?"no reading":`${C(c)} ${d}`,...c===null||r===
null?[]:[_(String(Number(c)*Number(r)))]].join(" · "),f=m=>{let h=m.currentTarget instanceof Element?m.currentTarget.getBoundingClientRect():null;if(h===null||
h.width===0)return;let y=(m.clientX-h.left)/h.width;i(Math.round(je*Math.max(0,Math.min(1,y))))};return t(b,{children:[t("input",{type:"range",class:"scrub",min:"\
0",max:je,value:a??je,"aria-label":`Reading of ${d} at a time`,"aria-valuetext":p,onInput:m=>i(Number(m.currentTarget.value)),onPointerMove:f,onPointerLeave:()=>i(
null),onBlur:()=>i(null)}),a===null?null:t(b,{children:[t("svg",{class:"cross",width:s(u)+1,height:le,"aria-hidden":"true",children:t("line",{x1:s(u),x2:s(u),y2:le})}),
t("output",{class:"tip",children:p})]})]})}var ha="others";function Eo(e,n,o=220,s=8){let r=ga(e.filter(({value:y})=>y>0),s),a=r.reduce((y,{value:w})=>y+w,0),i=a===0?0:o/a,l=Co(r,"from",n,i),u=Co(r,"to",n,i),c={from:new Map,
to:new Map},d=(y,w,g)=>{let S=w.find(({chain:T})=>T===g[y])?.y??0,E=c[y].get(g[y])??0;return c[y].set(g[y],E+g.value*i),S+E},p=To(n),m=r.toSorted((y,w)=>p(y.from)-
p(w.from)||p(y.to)-p(w.to)).map(y=>({...y,top:d("from",l,y),bottom:d("to",u,y),height:Math.max(2,y.value*i)})),h=y=>{let w=y.at(-1);return w===void 0?0:Math.max(
w.y+w.height,w.y+34)};return{left:l,right:u,ribbons:m,height:Math.max(h(l),h(u))}}function ga(e,n){let o=new Map;for(let{from:i,to:l,value:u}of e)for(let c of new Set(
[i,l]))o.set(c,(o.get(c)??0)+u);let s=new Set([...o].toSorted(([,i],[,l])=>l-i).slice(0,o.size>n?n-1:n).map(([i])=>i)),r=i=>s.has(i)?i:ha,a=new Map;for(let{from:i,
to:l,value:u}of e){let c={from:r(i),to:r(l)},d=`${c.from} ${c.to}`;a.set(d,{...c,value:(a.get(d)?.value??0)+u})}return[...a.values()]}function To(e){return n=>e.
includes(n)?e.indexOf(n):e.length}function Co(e,n,o,s){let r=new Map;for(let l of e)r.set(l[n],(r.get(l[n])??0)+l.value);let a=To(o),i=[];for(let[l,u]of[...r].toSorted(
([c],[d])=>a(c)-a(d))){let c=i.at(-1),d=c===void 0?0:Math.max(c.y+c.height+10,c.y+34);i.push({chain:l,value:u,y:d,height:Math.max(2,u*s)})}return i}var bt=7;function wt({chains:e}){let n=Se(Ve),[o,s]=q(),r=e.map(({from:p,to:f,volumeFiat:m})=>({from:p,to:f,value:Number(m)})),{left:a,right:i,ribbons:l,height:u}=Eo(
r,n);if(l.length===0)return t(I,{children:"No swap was paid out in this time."});let c=Math.min(150,s*.3),d=l.map(({from:p,to:f,value:m})=>`${F(p)} to ${F(f)} ${_(
String(m))}`).join(", ");return t("figure",{class:"chart",ref:o,children:t("svg",{width:s,height:u+8,role:"img","aria-label":`Moved: ${d}`,children:[l.map(p=>t(
ya,{ribbon:p,x1:c,x2:s-c},`${p.from} ${p.to}`)),a.map(p=>t(Mo,{of:p,x:c-bt,labelX:c-bt-8,isLeft:!0},p.chain)),i.map(p=>t(Mo,{of:p,x:s-c,labelX:s-c+bt+8},p.chain))]})})}
function ya({ribbon:e,x1:n,x2:o}){let s=Ae(),{from:r,to:a,value:i,top:l,bottom:u,height:c}=e,d=(n+o)/2,p=`M${n} ${l}C${d} ${l} ${d} ${u} ${o} ${u}V${u+c}C${d} ${u+
c} ${d} ${l+c} ${n} ${l+c}Z`;return t("path",{class:`flow ${s(r)}`,d:p,children:t("title",{children:`${F(r)} → ${F(a)}: ${_(String(i))}`})})}function Mo(e){let n=Ae(),
{of:o,x:s,labelX:r,isLeft:a=!1}=e,i=a?"end":"start",l=o.y+Math.max(11,o.height/2-3);return t(b,{children:[t("rect",{class:`node ${n(o.chain)}`,x:s,y:o.y,width:bt,
height:o.height}),t("text",{class:"strong",x:r,y:l,"text-anchor":i,children:F(o.chain)}),t("text",{x:r,y:l+14,"text-anchor":i,children:["$",j(o.value)]})]})}function Ao({
chains:e}){return t(Y,{figures:!0,caption:"Own moves between chains",columns:["From → to","Orders","Moved","Cost","bps"],rows:e.map(({from:n,to:o,orders:s,volumeFiat:r,
costFiat:a,costBps:i})=>({key:`${n} ${o}`,cells:[t("span",{children:[t(G,{id:n})," → ",t(G,{id:o})]},"pair"),s,t(z,{fiat:r},"moved"),t(z,{fiat:a},"cost"),i??"\
–"]}))})}var ba={below:{tone:"bad",word:"below its band"},above:{tone:"warn",word:"above its band"},within:{tone:"good",word:"in its band"},unknown:{tone:"calm",word:"no\
t read yet"}};function Ro({amount:e,bound:n,asset:o}){let s=Number(n.min),r=Number(n.target),a=n.max===null?null:Number(n.max),i=e===null?null:Number(e),l=1.15*
Math.max(a??0,r*1.5,s,i??0,Number.MIN_VALUE),u=f=>100*f/l,{tone:c,word:d}=ba[n.place],p=`${d}: from ${C(n.min)} to ${n.max===null?"any":C(n.max)}, target ${C(n.
target)} ${$(o).symbol}`;return t("svg",{class:`band ${c}`,viewBox:"0 0 100 10",preserveAspectRatio:"none",role:"img","aria-label":p,children:[t("title",{children:p}),
t("rect",{class:"track",y:"3",width:"100",height:"4"}),t("rect",{class:"range",x:u(s),y:"1",width:Math.max(.5,(a===null?100:u(a))-u(s)),height:"8"}),i===null?null:
t("rect",{class:"fill",y:"3",width:u(i),height:"4"}),t("rect",{class:"target",x:u(r)-.2,width:"0.5",height:"10"})]})}var nn=62;function Po(){let{value:e}=x("series/total",6e4),[n,o]=q(),s=(e?.points??[]).flatMap(({amount:h})=>h===null?[]:[Number(h)]),[r]=e?.points??[];if(e===null||
r===void 0||s.length===0)return null;let a=Math.min(...s),i=Math.max(...s),l=(i-a)*.1||i*.01||1,u=Date.parse(r.at),c=Date.parse(e.to),d=h=>(o-56)*(h-u)/Math.max(
1,c-u),p=h=>4+nn*(i+l-h)/(i-a+2*l),f=fe(a-l,i+l,2),m=`${_(String(a))} to ${_(String(i))}`;return t("figure",{class:"chart total-plot",ref:n,children:[t("h2",{children:[
"Total, ",O(r.at)," to now"]}),t("svg",{width:o,height:nn+24,role:"img","aria-label":`Total in usd: ${m}`,children:[t("title",{children:m}),f.map(h=>t("g",{children:[
t("line",{class:"grid-line",x2:o-56,y1:p(h),y2:p(h)}),t("text",{x:o-50,y:p(h)+4,children:["$",j(h,(f[1]??0)-(f[0]??0))]})]},h)),he(u,c,4).map(({ms:h,label:y})=>t(
"text",{x:d(h),y:nn+20,"text-anchor":"middle",children:y},h)),t("path",{class:"line-a",d:gt(e.points,e.to,h=>d(Date.parse(h)),p)})]})]})}function Lo({overview:e,summary:n}){let{totalFiat:o,change:s,swaps:r,inFlight:a,unpriced:i,unread:l}=n,u=[...i,...l],c=new Set(u.map(d=>$(d).symbol));return t("\
section",{class:"card money-first","aria-label":"Money",children:[t("div",{children:[t("h2",{children:"Treasury"}),t("p",{class:"total",title:`${o} usd`,"data-e\
xact":o,children:_(o)}),t(wa,{change:s,total:o}),u.length===0?null:t("p",{class:"note",title:u.join(", "),children:["without ",[...c].join(", "),":"," ",l.length>
0?"no reading or no price":"no price"]})]}),t(Po,{}),t("dl",{class:"facts",children:[t(Ce,{name:"Moved in 24 h",value:_(r.volumeFiat),exact:r.volumeFiat,children:Do(
r.orders)}),t(Ce,{name:"Cost in 24 h",value:_(r.costFiat),exact:r.costFiat,children:r.costBps===null?"no swap yet":`${r.costBps} bps`}),t(Ce,{name:"In flight",value:_(
a.fiat),exact:a.fiat,children:Do(a.orders)}),t(Ce,{name:"Half done within",value:No(r.medianMs),children:r.p90Ms===null?"":`nine of ten ${No(r.p90Ms)}`}),t(va,{
gas:e.gas}),t(_a,{overview:e})]})]})}function Ce(e){return t("div",{children:[t("dt",{children:e.name}),t("dd",{class:e.tone,children:[t("span",{title:e.exact,"\
data-exact":e.exact,children:e.value})," ",t("small",{children:e.children})]})]})}function wa({change:e,total:n}){let o=K();if(e===null)return t("p",{class:"not\
e",children:"No older reading to compare with yet."});let{from:s,totalFiat:r,pricesFiat:a,outsideFiat:i,swapsFiat:l}=e;return t(b,{children:[t("p",{children:[t(
"b",{title:r,children:[Be(r)," (",Ue(r,n),")"]})," ",t("span",{class:"quiet",children:["since ",t("span",{title:s,children:O(s,o)})]})]}),t("p",{class:"note par\
ts",children:[t("span",{title:a,children:["prices ",Be(a)]}),t("span",{title:i,children:["paid in and out ",Be(i)]}),t("span",{title:l,children:["swaps and fees\
 ",Be(l)]})]})]})}function Do(e){return`${e} order${e===1?"":"s"}`}function No(e){return e===null?"–":B(e)}function va({gas:e}){let n=({amount:r,needed:a})=>r!==
null&&Number(r)<Number(a),[o]=e.toSorted((r,a)=>Number(n(a))-Number(n(r))||(r.daysLeft??Number.MAX_VALUE)-(a.daysLeft??Number.MAX_VALUE));if(o===void 0)return t(
Ce,{name:"Runs dry first",value:"–"});let s=n(o);return t(Ce,{name:"Runs dry first",value:s?"▲ too little":Xo(o.daysLeft),tone:s||(o.daysLeft??99)<7?"warn":
"",children:`${o.coin}, ${F(o.chain)}`})}function Xo(e){return e===null?"no use yet":e>365?"over a year":`${e} days`}function _a({overview:{services:e,nodes:n}}){
let o=[...e.filter(({state:s})=>s!=="good").map(({name:s,state:r})=>`${s} ${r}`),...n.filter(({state:s})=>s!=="good").map(({chain:s,state:r})=>`${F(s)} ${r}`)];
return t(Ce,{name:"Service and nodes",value:o.length===0?"✓ well":`▲ ${o[0]??""}`,tone:o.length===0?"":"warn",children:o.length===0?`${e.length+n.length} an\
swer`:o.length===1?"":`and ${o.length-1} more`})}function _t({overview:e,summary:n}){let{treasury:o,gas:s}=e,r=[...new Set(o.map(({asset:a})=>a.split(":")[0]??""))];
return t(k,{title:"Where the money is",link:"#/treasury",note:"bar from 0: band, target, balance",children:t("table",{class:"places",children:[t("caption",{class:"\
hidden",children:"Balances by chain and asset"}),t("thead",{children:t("tr",{children:["Asset","Balance","Band","Value","In 24 h","On its way","State"].map(a=>t(
"th",{scope:"col",children:a},a))})}),r.map(a=>t("tbody",{children:[t(Sa,{chain:a,holdings:o.filter(({asset:i})=>i.startsWith(`${a}:`)),summary:n,source:e.nodes.
find(i=>i.chain===a)??null}),o.filter(({asset:i})=>i.startsWith(`${a}:`)).map(i=>t($a,{holding:i,valued:n.assets.find(({asset:l})=>l===i.asset)??null,gas:s.find(
l=>l.chain===a)??null},i.asset))]},a))]})})}var ka=15*6e4;function Sa(e){let{chain:n,summary:o,source:s}=e,r=o.assets.filter(({asset:d})=>d.startsWith(`${n}:`)).
reduce((d,p)=>d+Number(p.fiat??0),0),[a]=e.holdings.map(({readAt:d})=>d??"").sort(),l=K()-Date.parse(a||"1970-01-01")>ka&&s?.state!=="good",u=s?.endpoints.find(
({error:d})=>d!==null)?.error??null,c=e.holdings.flatMap(({bounds:d})=>d.map(({rule:p})=>p));return t("tr",{class:l?"chain late":"chain",children:[t("th",{scope:"\
rowgroup",colSpan:3,children:[t(G,{id:n})," ",t("small",{children:[Ue(String(r),o.totalFiat)," of the total"]})]}),t("td",{children:_(String(r))}),t("td",{colSpan:3,
children:t("small",{children:[l?"▲ last read":"read"," ",t(M,{at:a||null}),l&&u!==null?`, ${u}`:"",l&&c.length>0?`; waiting: ${[...new Set(c)].join(", ")}`:""]})})]})}
var xa={below:"▼ below its band",above:"▲ above its band",within:"✓ in band",unknown:"no reading"};function $a(e){let{holding:n,valued:o,gas:s}=e,{asset:r,
amount:a,bounds:i}=n,{symbol:l}=$(r),u=s!==null&&s.coin.toUpperCase()===l,[c]=i;return t("tr",{children:[t("th",{scope:"row",children:l}),t("td",{children:t(W,{
amount:a,asset:r,chain:!1,symbol:!1})}),t("td",{class:"band-cell",children:c===void 0?t("small",{children:u?"coin for fees":"no band"}):t(Ro,{amount:a,bound:c,asset:r})}),
t("td",{title:o?.fiat??void 0,"data-exact":o?.fiat??void 0,children:o?.fiat==null?t("small",{children:"no price"}):_(o.fiat)}),t("td",{title:o?.change??void 0,children:o?.
change==null||Number(o.change)===0?"=":`${Number(o.change)>0?"+":""}${C(o.change)}`}),t("td",{class:Jo(o)?"some":"",children:t(Oa,{valued:o})}),t("td",{children:c===
void 0?u?Xo(s.daysLeft):"":t("span",{class:c.place,children:xa[c.place]})})]})}function vt(e){return Number(e)!==0}function Jo(e){return e!==null&&(vt(e.incoming)||
vt(e.outgoing))}function Oa({valued:e}){return e===null||!Jo(e)?t(b,{children:"–"}):t(b,{children:[vt(e.incoming)?t("span",{class:"block",title:e.incoming,children:[
"↓ in ",C(e.incoming)]}):null,vt(e.outgoing)?t("span",{class:"block",title:e.outgoing,children:["↑ out ",C(e.outgoing)]}):null]})}function Io({flows:e,span:n}){let{steps:o,total:s,maxCostBps:r}=e,a=i=>`$${j(i)}`;return t("div",{class:"grid thirds",children:[t(k,{title:`Cost, ${n}`,note:"■ \
swaps ■ network, usd",children:[t("p",{children:[t("b",{title:s.costFiat,children:_(s.costFiat)})," ",t("span",{class:"quiet",children:["for ",t("b",{title:s.
volumeFiat,children:_(s.volumeFiat)})," in ",s.completed," swaps"]})]}),t(Me,{title:"Cost in usd",steps:o,as:"bars",show:a,series:[{name:"swaps",of:i=>Number(i.
costFiat)-Number(i.feesFiat),tone:"a"},{name:"network",of:i=>Number(i.feesFiat),tone:"b"}]})]}),t(k,{title:"Cost of what moved",note:"bps",children:[t("p",{children:[
t("b",{children:s.costBps===null?"–":`${s.costBps} bps`})," ",t("span",{class:"quiet",children:"network fees included"})]}),t(Me,{title:"Cost in bps of what m\
oved",steps:o,as:"lines",show:i=>j(i),limit:r===null?null:{value:r,name:`limit ${r} bps`},series:[{name:"bps",of:({costBps:i})=>i,tone:"a"}]})]}),t(k,{title:"Ti\
me to completion",note:"— half · — 95 of 100",children:[t("p",{children:[t("span",{class:"quiet",children:"half within"})," ",t("b",{children:Ge(s.medianMs)}),
t("span",{class:"quiet",children:", 95 of 100 within"})," ",t("b",{children:Ge(s.p95Ms)})]}),t(Me,{title:"Time to completion",steps:o,as:"lines",show:Ge,series:[
{name:"half",of:({medianMs:i})=>i,tone:"a"},{name:"95 of 100",of:({p95Ms:i})=>i,tone:"b"}]})]})]})}var Ca=["Rule","Pair","Service","Time"];function Bo({flows:e,
span:n}){let[o,s]=v("Rule"),r=Ea(e,o);return t("section",{class:"card",children:[t("header",{children:[t("h2",{children:["Volume, cost and time, ",n]}),t("field\
set",{class:"segments",children:[t("legend",{class:"hidden",children:"By"}),Ca.map(a=>t("button",{type:"button","aria-pressed":a===o,onClick:()=>s(a),children:a},
a))]})]}),r.length===0?t(I,{children:"No order in this time."}):null,t(Y,{figures:!0,caption:`Volume, cost and time by ${o.toLowerCase()}`,columns:[o,"Orders","\
Moved","Cost","Of it network","bps","Half within","95 of 100"],rows:[...r,{name:"Total",line:e.total}].map(({name:a,line:i})=>({key:a,cells:Ta(a,i)}))}),e.total.
unpriced===0?null:t("p",{class:"note",children:[e.total.unpriced," amounts without a price are in no sum."]})]})}function Ea({rules:e,services:n,pairs:o,steps:s},r){
return r==="Rule"?e.map(a=>({name:a.name,line:a})):r==="Service"?n.map(a=>({name:a.name,line:a})):r==="Pair"?o.map(a=>({name:`${Fo(a.from)} → ${Fo(a.to)}`,line:a})):
s.filter(({orders:a})=>a>0).toReversed().map(a=>({name:a.from.replace("T00:00:00.000Z","").replace(":00.000Z","Z"),line:a}))}function Fo(e){let{symbol:n,chain:o}=$(
e);return`${n} ${o}`}function Ta(e,n){return[t("b",{children:e},"name"),n.orders,t(z,{fiat:n.volumeFiat},"moved"),t(z,{fiat:n.costFiat},"cost"),t(z,{fiat:n.feesFiat},
"fees"),n.costBps??"–",Ge(n.medianMs),Ge(n.p95Ms)]}function Ge(e){return e===null?"–":B(e)}var Uo={"24 h":1,"7 d":7,"30 d":30,"1 y":365},Ma=864e5;function Ho({overview:e}){let[n,o]=v("7 d"),s=on(n),{value:r}=x("summary",1e4),a=x(`flows?since=${s}`,2e4);
return t(P,{live:e,children:i=>t(b,{children:[t(X,{children:"Treasury"}),r===null?null:t(b,{children:[t(Aa,{overview:i,summary:r}),t("div",{class:"stack",children:t(
_t,{overview:i,summary:r})})]}),t(sn,{range:n,onChange:o,ranges:Object.keys(Uo)}),t(Ra,{treasury:i.treasury,summary:r,since:s,marks:a.value?.marks??[]}),t(P,{live:a,
children:l=>t(Pa,{flows:l,range:n})}),t(Na,{gas:i.gas})]})})}function on(e){let[n]=v(Date.now);return new Date(n-Uo[e]*Ma).toISOString()}function sn(e){return t(
"fieldset",{class:"segments",children:[t("legend",{class:"hidden",children:"Range of the plots"}),e.ranges.map(n=>t("button",{type:"button","aria-pressed":n===e.
range,onClick:()=>e.onChange(n),children:n},n))]})}function Aa({overview:e,summary:n}){let o=Ae(),r=[...new Set(e.treasury.map(({asset:l})=>l.split(":")[0]??""))].
map(l=>({chain:l,fiat:n.assets.filter(({asset:u})=>u.startsWith(`${l}:`)).reduce((u,{fiat:c})=>u+Number(c??0),0)})),a=Math.max(r.reduce((l,{fiat:u})=>l+u,0),Number.
MIN_VALUE),i=0;return t("section",{class:"card shares","aria-label":"Shares of the chains",children:[t("p",{class:"total",title:`${n.totalFiat} usd`,"data-exact":n.
totalFiat,children:_(n.totalFiat)}),t("svg",{viewBox:"0 0 1000 10",preserveAspectRatio:"none","aria-hidden":"true",children:r.map(({chain:l,fiat:u})=>{let c=i;return i+=
1e3*u/a,t("rect",{class:`node ${o(l)}`,x:c,width:Math.max(0,i-c-2),height:"10"},l)})}),t("ul",{children:[r.map(({chain:l,fiat:u})=>t("li",{children:[t(G,{id:l}),
" ",t("b",{children:_(String(u))})," ",t("small",{children:Ue(String(u),n.totalFiat)})]},l)),t("li",{children:["In flight ",t("b",{title:n.inFlight.fiat,children:_(
n.inFlight.fiat)})]})]})]})}function Ra(e){let{treasury:n,summary:o,since:s,marks:r}=e;return n.length===0?t(I,{children:"The configuration lists no asset."}):t(
k,{title:"Balance against its band",note:"▲ arrived ▼ left ◆ outside ✕ alarm ⚑ configuration · hatched: no reading of our nodes",children:t("div",{class:"\
multiples",children:n.map(({asset:a,amount:i,bounds:l,shares:u})=>{let c=o?.assets.find(d=>d.asset===a)??null;return t("section",{"aria-label":`${$(a).symbol} o\
n ${$(a).chain}`,children:[t("p",{class:"head",children:[t("span",{children:[t("b",{children:$(a).symbol})," ",t(G,{id:a})]}),t("span",{children:[t(W,{amount:i,
asset:a,chain:!1,symbol:!1})," ",c?.fiat==null?null:t("small",{title:c.fiat,children:_(c.fiat)})]})]}),t(Oo,{asset:a,since:s,bound:l[0]??null,marks:r.filter(d=>d.
asset===a||d.asset===null),price:c?.price??null}),u.map(({rule:d,percent:p})=>t("p",{class:"note",children:["Target of ",d,": ",p," of the treasury"]},d))]},a)})})})}
function Pa({flows:e,range:n}){let{chains:o,total:s,outside:r}=e,a=n==="1 y"?"31 d":n;return t(b,{children:[t("div",{class:"grid",children:[t(k,{title:`Flows, ${a}`,
note:t("b",{title:s.volumeFiat,children:_(s.volumeFiat)}),children:t(wt,{chains:o})}),t("div",{class:"column",children:[t(k,{title:"The same as a table",children:t(
Ao,{chains:o})}),t(k,{title:`Money from outside, ${a}`,note:"not part of the flows",children:r.length===0?t(I,{children:"Nothing was paid in or taken out."}):t(
Da,{outside:r})})]})]}),t(Io,{flows:e,span:a}),t(Bo,{flows:e,span:a})]})}function Da({outside:e}){let n=(o,s)=>Number(o)===0?"–":t("span",{title:`${o}, ${s??"\
no price"}`,children:[C(o)," ",t("small",{children:s===null?"no price":_(s)})]});return t(Y,{caption:"Money from outside",columns:["Asset","Paid in","Taken out"],
rows:e.map(o=>({key:o.asset,cells:[t("span",{children:[$(o.asset).symbol," ",t(G,{id:o.asset})]},"asset"),n(o.in,o.inFiat),n(o.out,o.outFiat)]}))})}function Na({
gas:e}){return t(k,{title:"Coin for fees",wide:!0,children:t(Y,{caption:"Coin for fees",columns:["Chain","Balance","Must stay","Lasts"],rows:e.map(({chain:n,coin:o,
amount:s,needed:r,daysLeft:a})=>{let i=s!==null&&Number(s)<Number(r);return{key:n,cells:[t(G,{id:n},"chain"),s===null?"not read yet":`${C(s)} ${o}`,C(r),i?t("b",
{class:"below",children:"▼ too little"},"low"):a===null?"no use yet":a>365?"over a year":`about ${a} days`]}})})})}function Wo({payoutDeadline:e},n){if(e===void 0)return null;let{at:o,height:s}=e,r=La(e);if(o===null)return`before its lock ends, at an unknown time; ${r}`;let a=Date.
parse(o)-(n??0),i=a>0?`${B(a)} left`:`over since ${B(-a)}`,l=[`height ${s??"unknown"}`,...n===null?[]:[i],"estimated"];return`before ${Zn(Date.parse(o))} (${l.join(
", ")}); ${r}`}function La({offerUnits:e,capUnits:n}){let o=n===null?"":`, and one may offer up to ${n}`;return e===null?`no redemption of ours is signed yet${o}${o===
""?"":" of the coin's smallest units"}`:`our newest redemption offers at most ${e}${o} of the coin's smallest units`}function Ko({secret:e,ownSecret:n}){if(n===void 0)return e==="service"?"chosen by the service":"not chosen yet";let{status:o,revealedAt:s}=n,r=s===null?"":` at ${s}`;
return{unknown:"our own, told to no other party",revealed:`our own, revealed${r}`,withheld:"our own, withheld for ever",lost:`our own, revealed${r}, and the pay\
out went back to the solver`}[o]}function Vo(e,n){let{usual:o,seen:s,createdAt:r,outcome:a,updatedAt:i}=e;if(o===null||a!==null&&a!=="completed")return[];let l=f=>f==null?null:Date.parse(f)-Date.
parse(r),u=[["To the deposit",l(s.sourceInitiated?.at),o.depositMs],["To the payout",l(s.destinationRedeemed?.at),o.payoutMs],["To the end",a===null?null:l(i),o.
endMs]],c=n-Date.parse(r),d=0,p=!1;return u.map(([f,m,h])=>{let y=d,g=m===null&&!p?Math.max(0,c-y):null;return p||=m===null,d=m??y+Math.max(h,g??0),{name:f,startMs:y,
tookMs:m===null?null:m-y,runsMs:g,usualMs:h}})}function De(e){return e<1e4?`${(e/1e3).toFixed(1)} s`:B(e)}function ge(e){let n=Z(null),o=Z(e.onClose);o.current=e.onClose,Yn(()=>{let r=n.current,a=new AbortController;return r?.addEventListener("close",()=>o.current(),
{signal:a.signal}),r?.showModal(),()=>{a.abort(),r?.close()}},[]);let s=r=>{r.key==="Escape"&&(r.preventDefault(),e.onClose())};return t("dialog",{ref:n,class:e.
class,"aria-label":e.label,"aria-labelledby":e.labelledBy,onKeyDown:s,children:e.children})}function Xa({change:e,onClose:n}){let[o]=v(We),[s,r]=v(""),[a,i]=v(!1),[l,u]=v(null),c=pe(),d=pe(),p=s.trim()===e.word;async function f(m){if(m.preventDefault(),
!(!p||a)){i(!0);try{let h=await Te(e.path,e.body,o);Oe(),n(),e.onDone?.(h)}catch(h){h instanceof R&&u(h),i(!1)}}}return t(ge,{labelledBy:c,onClose:n,children:t(
"form",{onSubmit:f,children:[t("h2",{id:c,children:e.title}),e.children,t("label",{for:d,children:["Type ",t("code",{class:"word",children:e.word})," to confirm"]}),
t("input",{id:d,value:s,autocomplete:"off",spellcheck:!1,onInput:m=>r(m.currentTarget.value)}),l===null?null:t("p",{class:"notice bad",role:"alert",children:l.message}),
t("footer",{children:[t("button",{type:"button",onClick:n,children:"Cancel"}),t("button",{type:"submit",class:e.danger?"main danger":"main",disabled:!p||a,children:a?
"Sending…":e.button})]})]})})}function re(e){let[n,o]=v(!1),s=Re(e.scope,e.scopes);return t(b,{children:[t("button",{type:"button",class:e.change.danger?"dang\
er":e.main?"main":"",disabled:s!==null,title:s??void 0,onClick:()=>o(!0),children:e.change.button}),n?t(Xa,{change:e.change,onClose:()=>o(!1)}):null]})}function qo({asset:e,source:n,price:o,agreed:s,deviationBps:r}){let a=r<0?"below":"above";return`The price source ${n} gives ${o} for ${e}, ${Math.abs(r)/100} %\
 ${a} the ${s} of the others, and does not count`}function jo({reference:e}){if(e===void 0)return[];let{costBps:n,outliers:o}=e,s=(n??0)<0?"more":"less",a=`By our own prices the quote pays ${Math.abs(n??0)/100}\
 % ${s} than it takes`;return[...n===null?[]:[a],...o.map(qo)]}var Ja=1e3,rn=4;function Go({order:e,scopes:n}){let[o,s]=v(!1),r=Re("approve",n);return t(b,{children:[t("button",{type:"button",class:"main","data-key":"approv\
e",disabled:r!==null,title:r??void 0,onClick:()=>s(!0),children:"Approve"}),o?t(Fa,{order:e,onClose:()=>s(!1)}):null]})}function Fa({order:e,onClose:n}){let o=pe(),
[s]=v(We),[r,a]=v(""),[i,l]=v(null),u=qa(e),c=u||r.trim()===e.destinationOwner.slice(-rn);async function d(){try{await Te(`orders/${e.id}/approve`,{intent:e.intent},
s),Oe(),n()}catch(p){p instanceof R&&l(p)}}return t(ge,{class:"approve",labelledBy:o,onClose:n,children:[t("h2",{id:o,tabIndex:-1,children:["Approve ",e.fiat===
null?"this order":_(e.fiat),"?"," ",t("small",{children:["ends ",t(M,{at:e.approveBefore})]})]}),t(Ba,{order:e,isOurs:u}),t(Ha,{order:e}),u?null:t(Ia,{typed:r,onType:a}),
i===null?null:t("p",{class:"notice bad",role:"alert",children:i.message}),t("footer",{children:[t("button",{type:"button",onClick:n,children:"Later"}),t(Va,{disabled:!c,
onHeld:()=>{d()}})]}),t("details",{children:[t("summary",{children:"All fields that are signed"}),t("dl",{class:"pairs small",children:Object.entries(e.intentFields??
{}).map(([p,f])=>t("div",{children:[t("dt",{children:p}),t("dd",{children:t("code",{children:f})})]},p))})]})]})}function Ia(e){let n=pe();return t(b,{children:[
t("label",{for:n,children:["Type the last ",rn," characters of the address"]}),t("input",{id:n,value:e.typed,maxLength:rn,autocomplete:"off",spellcheck:!1,onInput:o=>e.
onType(o.currentTarget.value)})]})}function Ba({order:e,isOurs:n}){let{destinationOwner:o,payee:s}=e,{value:r}=x("settings",6e4),a=dt(r).payeeOf(o);return t("p",
{class:n?"payee":"payee foreign",children:[n?"Pays our own wallet":"▲ Pays an address that is not this daemon's wallet",a===null?"":`: ${a}`,s===void 0?null:t(
"small",{children:[" · ",Ua(s,n)]}),t("code",{children:o.match(/.{1,4}/g)?.join(" ")})]})}function Ua({uses:e,of:n,since:o},s){return e>0&&o!==null?`used ${e===
1?"once":`${e} times`} since ${O(o)}`:s?"not used yet":n===0?"new payee":`new payee: not among the last ${n} payouts`}function Ha({order:e}){let n=$(e.from),o=$(
e.to),{route:s}=e,r=e.costParts.refundAtMostFiat;return t("dl",{class:"pairs",children:[t("div",{children:[t("dt",{children:"Sends"}),t("dd",{children:[t("b",{children:e.
amount})," ",n.symbol,", ",n.chain]})]}),t("div",{children:[t("dt",{children:"Receives"}),t("dd",{children:[t("b",{children:e.destinationAmount})," ",o.symbol,"\
, ",o.chain]})]}),t("div",{children:[t("dt",{children:"Costs"}),t("dd",{children:[e.costFiat===null?"unknown":_(e.costFiat)," (",oe(e.costBps),")"]})]}),t(Wa,{order:e}),
t("div",{children:[t("dt",{children:"Why it asks"}),t("dd",{children:[e.askedBy??e.rule," wants more than one order may send without a person"]})]}),t("div",{children:[
t("dt",{children:"At worst"}),t("dd",{children:[s===void 0?"the deposit comes back after its timelock":s.trust,s!==void 0||r===null?"":`, for a fee of up to ${_(
r)}`]})]}),t(Ka,{order:e})]})}function Wa({order:e}){let n=jo(e),o=(e.reference?.outliers.length??0)>0;return n.length===0?null:t("div",{children:[t("dt",{children:o?
"▲ Reference":"Reference"}),t("dd",{children:n.map(s=>t("span",{class:"block",children:t(D,{text:s})},s))})]})}function Ka({order:{people:e,askedBy:n}}){let o=e?.
needed??1,s=e?.approved??[];return t("div",{children:[t("dt",{children:"People"}),t("dd",{children:[s.length," of ",o," approved",s.map(({by:r,at:a})=>t("span",
{class:"block",title:a,children:["✓ ",r," ",t(M,{at:a})]},r)),n===void 0?null:t("small",{class:"block",children:[n," asked, and may not approve"]})]})]})}function Va(e){
let n=Z(0),[o,s]=v(!1),r=()=>{e.disabled||n.current!==0||(s(!0),n.current=window.setTimeout(()=>{a(),e.onHeld()},Ja))},a=()=>{clearTimeout(n.current),n.current=
0,s(!1)};L(()=>a,[]);let i=({key:l})=>l==="Enter"||l===" ";return t("button",{type:"button",class:o?"main hold holding":"main hold",disabled:e.disabled,onPointerDown:r,
onPointerUp:a,onPointerLeave:a,onKeyDown:l=>i(l)?r():void 0,onKeyUp:a,onBlur:a,onContextMenu:l=>l.preventDefault(),children:"Hold to approve"})}function qa({to:e,
destinationOwner:n}){let{value:o}=x("status",6e4),s=e.split(":")[0];return o?.chains.some(r=>r.chain===s&&r.account===n)??!1}function zo({order:e,scopes:n}){if(e.state==="awaiting-approval")return t(Ga,{order:e,scopes:n});if(!e.held&&e.state!=="disarmed")return null;let o=(r,a)=>{let i=r.
slice(0,1).toUpperCase()+r.slice(1);return{title:`${i} this order?`,word:r,button:i,path:`orders/${e.id}/${r}`,body:{},danger:r==="abandon",children:t("p",{children:a})}},
s=o("abandon","You answer for the end of this order: Ballast ends it once no deposit can land.");return t("div",{class:"actions",children:[e.held?t(b,{children:[
t(re,{change:o("retry","Ballast goes on from where the order was held."),scope:"operate",scopes:n,main:!0}),t(re,{change:o("refund","Ballast takes the deposit b\
ack as soon as the HTLC allows it."),scope:"operate",scopes:n})]}):null,t(re,{change:s,scope:"operate",scopes:n})]})}function ja({people:e}){if(e===void 0)return"";
let n=e.approved.map(({by:s})=>s).join(", "),o=e.needed-e.approved.length;return` · approved by ${n===""?"none":n}; ${o} more must approve`}function Ga({order:e,
scopes:n}){let o=`${e.amount} ${$(e.from).symbol}`,s={title:"Reject this order?",word:"reject",button:"Reject",path:`orders/${e.id}/reject`,body:{},danger:!0,children:t(
"p",{children:["Nothing was deposited. The order ends, and ",o," stay in the wallet."]})};return t("div",{class:"actions",children:[t(Go,{order:e,scopes:n}),t(re,
{change:s,scope:"approve",scopes:n}),t("span",{class:"note",children:["Approve before ",t(M,{at:e.approveBefore,clock:!0})," (",t(M,{at:e.approveBefore}),")",ja(
e)]})]})}function Yo({events:e,seen:n,outcome:o,state:s,approval:r,updatedAt:a,createdAt:i,route:l}){let u=(...h)=>e.find(({type:y})=>h.includes(y))?.at??null,c=s==="awa\
iting-approval"||r!==null,d=n.sourceRefunded!=null||s.startsWith("refund")||o==="refunded",p=[{name:"Requested",at:i},{name:"Quoted",at:u("quote.accepted")},{name:"\
Ordered",at:u("order.created")},{name:"Verified",at:u("deposit.verified")},...c?[{name:"Approved",at:r?.at??null}]:[],{name:es(l?.deposit,"Deposited"),at:n.sourceInitiated?.
at??null},...d?[{name:"Refunded",at:n.sourceRefunded?.at??null}]:za(l,n),{name:o===null?"Final":an(o),at:o===null?null:a}],f=p.findLastIndex(({at:h,passed:y=!1})=>h!==
null||y),m=o==="rejected"||o==="abandoned";return p.map((h,y)=>{if(m&&y===p.length-1)return{...h,state:"failed"};if(y<=f&&!(m&&h.at===null))return{...h,state:"d\
one"};let w=y===f+1;return{...h,state:w&&o===null?s==="held"?"failed":"now":"open"}}).filter(({at:h,state:y})=>!(o!==null&&h===null&&y==="open"))}function za(e,n){
return[e===void 0?{name:"Solver deposited",at:n.destinationInitiated?.at??null}:{name:an(e.voucher),at:null,passed:e.nonce!==null},{name:es(e?.payout,"Paid out"),
at:n.destinationRedeemed?.at??null}]}function Qo(e){let n=e.from.split(":")[0]??"",o=e.to.split(":")[0]??"",s=(a,i,l)=>({what:i,chain:l,service:e.reportedTxs[a],
seen:e.seen[a]??null}),{route:r}=e;return r!==void 0?[s("sourceInitiated",`Our ${r.deposit}`,n),s("destinationRedeemed",`The ${r.payout} to us`,o)]:[s("sourceIn\
itiated","Our deposit",n),s("destinationInitiated","The solver's deposit",o),s("destinationRedeemed","The payout to us",o),s("sourceRedeemed","The solver takes \
our deposit",n),s("sourceRefunded","The refund to us",n)]}function Zo({service:e,seen:n},o){return n!==null&&e.includes(n.tx)?{tone:"good",says:"agree"}:n!==null&&
e.length>0?{tone:"warn",says:"another transaction"}:n!==null?{tone:"good",says:"proven"}:e.length>0?{tone:o?"calm":"warn",says:"only reported"}:{tone:"calm",says:"\
not yet"}}function kt(e){return`${e.kind}: ${e.deposit}, ${e.voucher}, ${e.payout}`}function es(e,n){return e===void 0?n:an(e)}function an(e){return e.slice(0,1).
toUpperCase()+se(e).slice(1)}function ts(e){let[n]=Object.entries(Ya).filter(([s])=>s===e);return n!==void 0?{who:n[1][0],says:n[1][1]}:{who:e.startsWith("opera\
tor.")?"operator":"Ballast",says:e.replaceAll(/[._]/g," ")}}var Ya={"order.opened":["Ballast","opens the order"],"work.deferred":["Ballast","waits and looks aga\
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
LCs"],"order.unfunded":["chain","proves that the HTLC never had the deposit"]};var ln=22,un=104;function ns({order:e}){let[n,o]=q(),s=Vo(e,K());if(s.length===0)return null;let r=Math.max(1,...s.map(l=>l.startMs+Qa(l))),a=l=>l/r*Math.max(0,
o-un-2),i=s.map(l=>`${l.name}: ${Za(l)}`).join("; ");return t("figure",{class:"chart spans",ref:n,children:[t("svg",{width:o,height:s.length*ln,role:"img","aria\
-label":i,children:s.map(({name:l,startMs:u,tookMs:c,runsMs:d,usualMs:p},f)=>t("g",{transform:`translate(0 ${f*ln})`,children:[t("text",{y:ln-8,children:l}),t("\
rect",{class:c===null?"runs":"took",x:un+a(u),y:"6",width:Math.max(c===null&&d===null?0:1,a(c??d??0)),height:"10"}),t("rect",{class:"usual",x:un+a(u),y:"3",width:Math.
max(1,a(p)),height:"16"})]},l))}),t("figcaption",{class:"note",children:i})]})}function Qa({tookMs:e,runsMs:n,usualMs:o}){return Math.max(o,e??n??0)}function Za({
tookMs:e,runsMs:n,usualMs:o}){let s=`usually ${De(o)}`;return e!==null?`${De(e)}, ${s}`:n===null?s:`${De(n)} so far, ${s}`}function ss(e){let n=x(`orders/${encodeURIComponent(e.detail)}`,3e3);return t(P,{live:n,children:o=>t(ei,{order:o,desk:e})})}function ei({order:e,desk:n}){let o=`\
#/decisions/${encodeURIComponent(e.rule)}`,s=n.overview.value?.orders.find(({id:r})=>r===e.id)??null;return t(b,{children:[t(X,{note:t(b,{children:["Order ",t("\
code",{children:e.id.slice(0,8)})," of rule ",t("a",{href:o,children:e.rule}),", requested ",t(M,{at:e.createdAt})]}),children:[t(W,{amount:e.amount,asset:e.from}),
" →"," ",t(W,{amount:e.destinationAmount,asset:e.to})]}),t("section",{class:`card wide place ${xe(e.state)}`,children:[t("p",{children:t(N,{tone:xe(e.state),children:se(
e.state)})}),t("p",{class:"money",children:[t("span",{class:"quiet",children:"Where is the money?"})," ",t("b",{children:e.money})]}),s?.left==null?null:t("p",{
children:[t("b",{children:s.left})," left",s.ends===null?"":`: ${s.ends}`]}),t(te,{reasons:e.reasons.map(r=>n.known.humane(r,e))}),t(zo,{order:e,scopes:n.scopes})]}),
e.explained===void 0||e.explained.length===0?null:t(k,{title:"Why this way",note:`rule ${e.rule}`,wide:!0,children:e.explained.map(r=>t("p",{children:t(D,{text:r})},
r))}),t(k,{title:"The way of the order",wide:!0,children:[t(ti,{stages:Yo(e)}),t(ns,{order:e})]}),t(k,{title:e.route===void 0?"The service's word and the chain'\
s word":"The chains",note:"Ballast believes only the chain.",wide:!0,children:t(ni,{order:e,desk:n})}),t("div",{class:"grid even",children:[t(k,{title:"Transact\
ions",children:t(si,{order:e,desk:n})}),t(k,{title:"Terms",children:t(ri,{order:e})})]}),t(k,{title:"Everything that happened",note:`${e.events.length} events`,
wide:!0,children:t(ii,{order:e})})]})}function ti({stages:e}){return t("ol",{class:"stages",children:e.map(({name:n,at:o,state:s},r)=>{let a=e.slice(0,r).findLast(
l=>l.at!==null)?.at??null,i=o===null||a===null?null:Date.parse(o)-Date.parse(a);return t("li",{class:s,"aria-current":s==="now"?"step":void 0,children:[t("span",
{class:"mark","aria-hidden":"true"}),t("b",{children:n}),o===null?t("small",{children:s==="now"?"next":s==="done"?"passed":"not yet"}):t("small",{title:o,children:[
O(o),i===null||i<0?"":` · +${De(i)}`]})]},n)})})}function ni({order:e,desk:n}){let o=Qo(e).filter(({what:s,service:r,seen:a})=>r.length>0||a!==null||s!=="The r\
efund to us").map(({what:s,chain:r,service:a,seen:i})=>{let{tone:l,says:u}=Zo({service:a,seen:i},e.outcome!==null),c=[t("span",{children:[t("b",{children:s}),t(
"small",{class:"block",children:["on ",F(r)]})]},"what"),t(oi,{chain:r,txs:a,desk:n},"service"),i===null?t("span",{class:"quiet",children:"shows nothing"},"seen"):
t("span",{children:[t(ne,{hash:i.tx,link:n.known.linkOf(r,i.tx),what:"the transaction"}),t("small",{class:"block",children:[O(i.at),", ",i.final?"final":"not fi\
nal yet"]})]},"seen"),t(N,{tone:l,children:u},"judgement")];return{key:s,cells:c}});return t(Y,{caption:"The service's word and the chain's word",columns:["Abou\
t","The service says","Our own node shows","Together"],rows:o})}var os=3;function oi({chain:e,txs:n,desk:o}){if(n.length===0)return t("span",{class:"quiet",children:"\
says nothing"});let s=n.length-os;return t("span",{children:[n.slice(0,os).map(r=>t("span",{class:"block",children:t(ne,{hash:r,link:o.known.linkOf(e,r),what:"t\
he transaction"})},r)),s>0?t("small",{class:"block",children:["and ",s," more"]}):null]})}function si({order:e,desk:n}){let o=e.from.split(":")[0]??"";return e.
transactions.length===0?t("p",{class:"empty",children:e.deposit==="gasless"&&e.depositTx!==null?"Ballast signed no transaction of its own: the relay made the de\
posit and paid its fee.":"Ballast has signed no transaction for this order."}):t("ul",{class:"plain",children:e.transactions.map(({purpose:s,attempt:r,tx:a})=>t(
"li",{children:[t("b",{children:s})," ",t("small",{children:r>0?`attempt ${r+1}`:`on ${F(o)}`}),t(ne,{hash:a,link:n.known.linkOf(o,a),what:"the transaction"})]},
a))})}function ri({order:e}){let n=$(e.to).symbol,o=Wo(e,null),s=[["Order",t(ne,{hash:e.id,what:"the order's id"},"id")],["Order at the service",e.serviceOrderId===
null?"none":t(ne,{hash:e.serviceOrderId,what:"the service's id"},"s")],["Service",e.service??"none yet"],["Solver",e.solver===null?"none yet":t(ne,{hash:e.solver,
what:"the solver's id"},"solver")],...ai(e),...o===null?[]:[["Payout must be redeemed",o]],["Value",e.fiat===null?"unknown":_(e.fiat)],["Cost, network fees so f\
ar included",`${_(e.costFiat)} (quote: ${oe(e.costBps)})`],["Deposit",e.deposit==="gasless"?"by a relay, without a fee of ours":"by our own transaction"],["Pays\
 to",t(ne,{hash:e.destinationOwner,what:"the address"},"d")],["Fee that the payout may lose",e.payoutFee===null?"unknown":`${C(e.payoutFee)} ${n}`],["Approved",
e.approval===null?"no approval was needed or given":`by ${e.approval.by}, ${O(e.approval.at)}`],["Acts next",e.who]];return t(b,{children:[t(Pe,{pairs:s}),e.calls.
length===0?null:t(b,{children:[t("h3",{children:"Asked by people"}),t("ul",{class:"plain",children:e.calls.map(({at:r,caller:a,source:i,action:l})=>t("li",{children:[
t("b",{children:l})," by ",a," from ",i,", ",t(M,{at:r})]},`${r} ${l}`))})]})]})}function ai(e){let{route:n,refundableAtHeight:o}=e;return n!==void 0?[["Route",
kt(n)],["Depends on",n.trust]]:[["Route","two HTLCs of a swap service"],["Secret",Ko(e)],["Refund possible at height",o??"not known yet"]]}function ii({order:e}){
let[n,o]=v(!1),s=n?e.events:e.events.slice(-40);return t(b,{children:[e.events.length>s.length?t("button",{type:"button",onClick:()=>o(!0),children:["Show the ",
e.events.length-s.length," earlier events"]}):null,t("ol",{class:"events",children:s.map(({at:r,type:a,state:i},l)=>{let{who:u,says:c}=ts(a);return t("li",{class:u,
children:[t("time",{dateTime:r,title:r,children:O(r)}),t("span",{class:"who",children:u}),t("span",{children:[c," ",t("small",{children:["→ ",se(i)]})]})]},`${r}\
 ${l}`)})})]})}var rs={id:({id:e})=>e,requested:({createdAt:e})=>e,changed:({updatedAt:e})=>e,state:({state:e})=>e,rule:({rule:e})=>e,service:({service:e})=>e,sent:({amount:e})=>e,
sent_asset:({from:e})=>e,received:({destinationAmount:e})=>e,received_asset:({to:e})=>e,value_usd:({fiat:e})=>e,cost_usd:({costFiat:e})=>e,cost_bps:({costBps:e})=>e,
deposit_tx:({depositTx:e})=>e,payout_tx:({destinationTx:e})=>e};function as(e){return[Object.keys(rs),...e.map(o=>Object.values(rs).map(s=>String(s(o)??"")))].map(
o=>`${o.map(li).join(",")}\r
`).join("")}function li(e){let n=/^[=+@\t\r]|^-(?![\d.])/.test(e)?`'${e}`:e;return/[",\r\n]/.test(n)?`"${n.replaceAll('"','""')}"`:n}var ui=1e3;async function is(e,n){let o=[],s=null;do{let i=s===null?"":`&cursor=${s}`,l=await V("GET",`orders?${e}&limit=${ui}${i}`);o.push(...l.orders),n(o.length),
s=l.next}while(s!==null);let r=URL.createObjectURL(new Blob([as(o)],{type:"text/csv"})),a=document.createElement("a");a.href=r,a.download=`orders-${new Date().toISOString().
slice(0,10)}.csv`,a.click(),URL.revokeObjectURL(r)}var ci=1e3,di=6e4,mi="since=1970-01-01T00:00:00Z";function ls({query:e}){let[n,o]=v(null);if(L(()=>{let y=!1,w=async()=>{let E=e.includes("since=")?e:`${e}&${mi}`,
T=await V("GET",`report?${E}`).catch(()=>null);T!==null&&!y&&o({query:e,sums:T.total})},g=setTimeout(w,ci),S=setInterval(w,di);return()=>{y=!0,clearTimeout(g),clearInterval(
S)}},[e]),n?.query!==e)return null;let{counts:s,volumeFiat:r,costBps:a,toPayoutMs:i,unpriced:l,...u}=n.sums,{swapCostFiat:c,affiliateCostFiat:d,payoutCostFiat:p,
networkFeeFiat:f}=u,m=[c,d,p,f],h=l.swaps+l.fees;return t("p",{class:"sums",role:"status",children:[t("b",{children:"All of this filter:"}),t("span",{children:Object.
entries(s).map(([y,w])=>`${w} ${y}`).join(", ")||"no order"}),t("span",{children:[t(z,{fiat:r})," moved"]}),t("span",{children:[t(z,{fiat:m.reduce((y,w)=>y+Number(
w),0).toFixed(6)})," cost",a===null?"":`, ${a} bps`]}),i===null?null:t("span",{children:["paid out in ",B(i.median)," (median)"]}),h===0?null:t("span",{children:[
"▲ without ",h," that have no price"]})]})}var pi=["quoted","ordered","verified","signed"],fi={deposit:"deposited",voucher:"solver deposited",payout:"paid out"},hi={quoting:0,creating:1,verifying:2,"awai\
ting-approval":3,allowing:3,"gasless-signing":3,"deposit-planning":3,"deposit-signing":3,"deposit-sending":4,"gasless-submitting":4,"deposit-confirming":4,"gasl\
ess-confirming":4,funded:5,revealing:6,revealed:6,"redeem-reported":6,completed:7};function us(e){let{state:n,deposited:o,parts:s=fi}=e,r=[...pi,s.deposit,s.voucher,
s.payout],a=hi[n]??(o?5:3),i=["completed","refunded","rejected","abandoned"].includes(n),l=xe(n),u=r[a];return t("svg",{class:`steps ${l}`,viewBox:"0 0 69 6",role:"\
img","aria-label":i||u===void 0?`${a} of ${r.length} stages`:`${a} of ${r.length} stages, next: ${u}`,children:r.map((c,d)=>t("rect",{class:d<a?"passed":d===a&&
!i?"next":"track",x:d*10,width:"9",height:"6",rx:"1"},c))})}var gi=[{name:"all",query:""},{name:"needs you",query:"state=awaiting-approval"},{name:"open",query:"open=true"},{name:"held",query:"state=held"},{name:"complet\
ed",query:"state=completed"},{name:"refunded",query:"state=refunded"},{name:"rejected",query:"state=rejected"}],ds={"24 h":1,"7 days":7,"30 days":30,"1 year":365},
yi=864e5,cs=50,Ne="",bi=60,wi={state:"",rule:Ne,pair:Ne,service:Ne,since:Ne,text:""};function ms({overview:e}){let[n,o]=v(wi),[s,r]=v([]),a=ps(n),i=s.at(-1),l=x(
`orders?${a}&limit=${cs}${i===void 0?"":`&cursor=${i}`}`),u=Z(null);u.current=l.value??u.current;let c={...l,value:u.current};return t(b,{children:[t(X,{children:"\
Orders"}),t(_i,{filter:n,onChange:p=>{o(f=>({...f,...p})),r([])},overview:e.value,rows:u.current?.orders??[]}),t(P,{live:c,children:({orders:p,next:f})=>t("sect\
ion",{class:"card",children:[a===""?null:t(ls,{query:a}),t(cn,{orders:p.map(m=>({...m,since:m.updatedAt,left:null})),none:a===""?t(vi,{overview:e.value}):"No or\
der matches."}),t(xi,{first:s.length*cs,count:p.length,onNewer:s.length===0?null:()=>r(s.slice(0,-1)),onOlder:f===null?null:()=>r([...s,f])})]})})]})}function vi({
overview:e}){let[n]=e?.next??[];return n===void 0?t(b,{children:"No order yet. A rule or a new swap makes the first one."}):t(b,{children:["No order yet. The ru\
le ",n.rule," decides ",t(M,{at:n.at}),";"," ",t("a",{href:`#/try/${encodeURIComponent(n.rule)}`,children:"simulate it"})," now."]})}function ps({state:e,rule:n,
pair:o,service:s,since:r,text:a}){let[i="",l=""]=o.split(" "),u=ds[r],c={rule:n,from:i,to:l,service:s,since:u===void 0?"":`${new Date(Date.now()-u*yi).toISOString().
slice(0,16)}:00Z`,text:a.trim().toLowerCase()};return[...e===""?[]:[e],...Object.entries(c).filter(([,d])=>d!=="").map(([d,p])=>`${d}=${encodeURIComponent(p)}`)].
join("&")}function _i(e){let{filter:n,onChange:o,overview:s,rows:r}=e,a=x("flows",6e4).value,i=[...(s?.rules??[]).map(({id:c})=>c),...(a?.rules??[]).map(({name:c})=>c),
...r.map(({rule:c})=>c)],l=[...a?.pairs??[],...r].map(({from:c,to:d})=>`${c} ${d}`),u=[...(s?.services??[]).map(({name:c})=>c),...(a?.services??[]).map(({name:c})=>c).
filter(c=>c!=="none yet"),...r.flatMap(({service:c})=>c??[])];return t("div",{class:"filters",children:[t("fieldset",{class:"segments",children:[t("legend",{class:"\
hidden",children:"Show"}),gi.map(({name:c,query:d},p)=>t("button",{type:"button","data-key":p===0?"filter":void 0,"aria-pressed":d===n.state,onClick:()=>o({state:d}),
children:c},c))]}),t(St,{name:"Any time",value:n.since,values:Object.keys(ds),isSorted:!0,onChange:c=>o({since:c})}),t(St,{name:"Every rule",value:n.rule,values:i,
onChange:c=>o({rule:c})}),t(St,{name:"Every pair",value:n.pair,values:l,say:$i,onChange:c=>o({pair:c})}),t(St,{name:"Every service or route",value:n.service,values:u,
onChange:c=>o({service:c})}),t(ki,{onChange:c=>o({text:c})}),t(Si,{query:ps(n)})]})}function ki({onChange:e}){let n=Z(0);return t("label",{children:[t("span",{class:"\
hidden",children:"Search by order, rule or asset"}),t("input",{type:"search",placeholder:"Order, rule or asset",onInput:({currentTarget:{value:o}})=>{clearTimeout(
n.current),n.current=window.setTimeout(()=>e(o),bi)}})]})}function Si({query:e}){let[n,o]=v("Export CSV");return t("button",{type:"button","data-key":"export",onClick:()=>{
is(e,r=>o(`${r} orders…`)).then(()=>o("Export CSV"),r=>o(r instanceof R?r.message:"The export failed"))},children:n})}function xi(e){let{first:n,count:o,onNewer:s,
onOlder:r}=e;return t("p",{class:"pages",children:[t("span",{class:"quiet keys",children:[t("kbd",{children:"j"})," ",t("kbd",{children:"k"})," move ",t("kbd",{
children:"o"})," open ",t("kbd",{children:"f"})," filter ",t("kbd",{children:"e"})," export"]}),t("span",{class:"quiet",children:o===0?"":`${n+1}–${n+o}`}),t(
"button",{type:"button",disabled:s===null,onClick:()=>s?.(),children:"Newer"}),t("button",{type:"button",disabled:r===null,onClick:()=>r?.(),children:"Older"})]})}
function $i(e){let[n,o]=e.split(" ").map($);return`${n?.symbol} ${n?.chain} → ${o?.symbol} ${o?.chain}`}function St(e){let{name:n,value:o,values:s,isSorted:r=!1,
say:a=u=>u,onChange:i}=e,l=[...new Set([...o===Ne?[]:[o],...s])];return t("label",{children:[t("span",{class:"hidden",children:n}),t("select",{value:o,onChange:u=>i(
u.currentTarget.value),children:[t("option",{value:Ne,children:n}),(r?s:l.toSorted()).map(u=>t("option",{value:u,children:a(u)},u))]})]})}var Oi=["Opened","Orde\
r","Sends","From → to","Receives","Value","Cost","Stage","State","Took","Rule"];function cn({orders:e,none:n}){return e.length===0?t(I,{children:n}):t("table",
{class:"orders",children:[t("caption",{class:"hidden",children:"Orders"}),t("thead",{children:t("tr",{children:Oi.map(o=>t("th",{scope:"col",children:o},o))})}),
t("tbody",{children:e.map(o=>t(Ci,{order:o},o.id))})]})}function Ci({order:e}){let{id:n,from:o,to:s,state:r,fiat:a,costFiat:i=null,costBps:l=null}=e;return t("t\
r",{children:[t("td",{children:t(M,{at:e.createdAt})}),t("td",{children:t("a",{href:`#/orders/${n}`,class:"id","data-row":!0,children:n.slice(0,8)})}),t("td",{class:"\
number",children:t(W,{amount:e.amount,asset:o,chain:!1})}),t("td",{children:[t(G,{id:o})," ",t("span",{class:"quiet",children:"→"})," ",t(G,{id:s})]}),t("td",
{class:"number",children:e.destinationAmount===null?"–":t(W,{amount:e.destinationAmount,asset:s,chain:!1})}),t("td",{class:"number",title:a??void 0,"data-exac\
t":a??void 0,children:a===null?"–":_(a)}),t("td",{class:"number",title:i===null?void 0:`${i} usd`,children:l===null?"–":`${l} bps`}),t("td",{children:[t(us,
{state:r,deposited:e.deposited,parts:e.route}),e.route===void 0?null:t("small",{class:"block",children:kt(e.route)})]}),t("td",{title:e.money,children:[t(Ti,{state:r}),
e.left===null?null:t("small",{class:"block",children:[e.left," left"]})]}),t("td",{children:t(Ei,{order:e})}),t("td",{class:"rule",children:e.rule})]})}function Ei({
order:{createdAt:e,since:n,outcome:o}}){let s=K(),r=o!=null,a=r?Date.parse(n):s;return t("time",{dateTime:e,title:r?`${e} to ${n}`:`since ${e}`,children:B(Math.
max(0,a-Date.parse(e)))})}function Ti({state:e}){return e==="completed"?t(b,{children:"✓ completed"}):t(N,{tone:xe(e),children:se(e)})}var Mi="Nothing is ordered before you have seen the quote and typed the amount.";function gs(e){let n=(e.overview.value?.treasury??[]).map(({asset:w})=>w),[o,s]=v(
""),[r,a]=v(""),[i,l]=v(""),[u,c]=v(null),[d,p]=v(null),[f,m]=v(!1);function h(w){w(),c(null)}async function y(w){w.preventDefault(),m(!0),c(null),p(null);try{c(
await Ai({from:o,to:r,amount:i}))}catch(g){p(g instanceof R?g.message:"The page failed")}m(!1)}return t(b,{children:[t(X,{note:Mi,children:"New swap"}),t("div",
{class:"grid even",children:[t(k,{title:"Request",children:[t("form",{class:"fields",onSubmit:y,children:[t(fs,{label:"Send",id:"swap-from",value:o,assets:n,onChoose:w=>h(
()=>s(w))}),t(Ri,{asset:o,value:i,onType:w=>h(()=>l(w))}),t(fs,{label:"Receive",id:"swap-to",value:r,assets:n,onChoose:w=>h(()=>a(w))}),t("button",{type:"submit",
class:"main",disabled:o===""||r===""||i===""||f,children:f?"Asking…":"Get a quote"})]}),d===null?null:t("p",{class:"notice bad",role:"alert",children:d})]}),u===
null?null:t(Pi,{quote:u,desk:e})]})]})}async function Ai(e){return await V("GET",`quote?${new URLSearchParams(e)}`)}function Ri(e){let n=e.asset===""?"":`, in ${$(
e.asset).symbol}`;return t(b,{children:[t("label",{for:"swap-amount",children:["Amount",n]}),t("input",{id:"swap-amount",inputMode:"decimal",autocomplete:"off",
value:e.value,onInput:({currentTarget:o})=>e.onType(o.value.trim())})]})}function fs(e){return t(b,{children:[t("label",{for:e.id,children:e.label}),t("select",
{id:e.id,value:e.value,onChange:n=>e.onChoose(n.currentTarget.value),children:[t("option",{value:"",children:"Choose an asset"}),e.assets.map(n=>t("option",{value:n,
children:[$(n).symbol," on ",$(n).chain]},n))]})]})}function Pi({quote:e,desk:n}){let o={title:"Order this swap?",word:e.amount,button:"Order the swap",path:"sw\
ap",body:{from:e.from,to:e.to,amount:e.amount},onDone:s=>{location.hash=`#/orders/${s.id}`},children:t(b,{children:[t("p",{children:["Send ",t(W,{amount:e.amount,
asset:e.from})," and receive about"," ",t(W,{amount:e.receive,asset:e.to}),"."]}),t(hs,{sentences:e.worstCase})]})};return t(k,{title:"Quote",note:e.refused.length===
0?t(N,{tone:"good",children:"the guards allow it"}):t(N,{tone:"bad",children:"refused"}),children:[t("p",{class:"big",children:t(W,{amount:e.receive,asset:e.to})}),
t(Di,{quote:e}),t(hs,{sentences:e.worstCase}),t(te,{reasons:e.refused.map(s=>n.known.humane(s,e))}),t("div",{class:"actions",children:e.refused.length===0?t(re,
{change:o,scope:"operate",scopes:n.scopes,main:!0}):null})]})}function Di({quote:e}){return t("dl",{class:"pairs",children:[t("div",{children:[t("dt",{children:"\
Cost"}),t("dd",{children:[oe(e.costBps),e.sendsFiat===null||e.receivesFiat===null?"":`: ${_(e.sendsFiat)} for ${_(e.receivesFiat)}`]})]}),t("div",{children:[t("\
dt",{children:"Service and solver"}),t("dd",{children:[e.service??"none"," ",e.solver===null?null:t(ne,{hash:e.solver,what:"the solver's id"})]})]}),t("div",{children:[
t("dt",{children:"Network fees at most"}),t("dd",{children:e.fees===null?"cannot be estimated now":`${e.fees.deposit}; for a refund ${e.fees.refund}`})]}),t("di\
v",{children:[t("dt",{children:"Approval"}),t("dd",{children:e.needsApproval?"a person must approve the order":"not needed"})]})]})}function hs({sentences:e}){return t(
"div",{class:"notice warn",children:[t("b",{children:"The worst case"}),t("ul",{children:e.map(n=>t("li",{children:t(D,{text:n})},n))})]})}function ys({overview:e,summary:n}){let o=({order:a})=>n?.open.find(i=>i.order===a)?.fiat??null,s=e.tasks.toSorted((a,i)=>+(i.level==="trouble")-+(a.level==="tr\
ouble")||Number(o(i)??0)-Number(o(a)??0)),r=e.problems.filter(({needsPerson:a})=>!a);return s.length+r.length===0?t(k,{title:"Needs you",children:t("p",{class:"\
quiet",children:["✓ Nothing. ",e.verdict]})}):t(k,{title:s.length>0?"Needs you":"Worth knowing",note:s.length>1?"most at stake first":void 0,children:t("ul",{
class:"plain tasks",children:[...s,...r].map(a=>t(Li,{problem:a,stake:o(a)},`${a.code} ${a.sentence}`))})})}var Ni={trouble:"✕",attention:"▲"};function Li({
problem:e,stake:n}){let{level:o,sentence:s,meaning:r,todo:a,deadline:i,left:l,needsPerson:u}=e,c=u?xt(e):null;return t("li",{class:o,children:[t("span",{class:"\
shape","aria-hidden":"true",children:Ni[o]}),t("div",{children:[t("p",{children:[t("b",{children:t(D,{text:s})}),n===null?null:t("span",{class:"stake",children:_(
n)})]}),t("p",{class:"note",children:[r," ",t(D,{text:a}),u?null:" (ends by itself)"]}),t(dn,{problem:e})]}),i===null&&c===null?null:t("p",{class:"do",children:[
i===null?null:t("span",{children:["Time left: ",t("b",{children:l})]}),c===null?null:t("a",{class:"button main",href:c.href,children:c.name})]})]})}function dn({
problem:e}){let{command:n,needsPerson:o}=e;return n===null||o&&xt(e)!==null?null:t("details",{class:"small",children:[t("summary",{children:"On the daemon's mac\
hine"}),t("p",{class:"hash",children:[t("code",{children:n}),t(qe,{text:n,what:"the command"})]})]})}function xt({order:e,kind:n,about:o}){return e!==null?{name:n===
"approval"?"Review":"Open the order",href:`#/orders/${e}`}:n==="rule"||n==="pause"&&o?.startsWith("rule ")===!0?{name:"Open the rules",href:"#/rules"}:n==="limi\
t"?{name:"Open the limits",href:"#/limits"}:n==="gas"?{name:"Open the treasury",href:"#/treasury"}:n==="books"?{name:"Open the books",href:"#/books"}:null}var Xi="An alarm is open as long as its cause lasts. A pause by an alarm ends when a person acknowledges it (Resume, on the overview).";function ws({overview:e}){
let n=x("alerts?limit=100",1e4);return t(b,{children:[t(X,{note:Xi,children:"Alarms"}),t(P,{live:n,children:o=>{let s=o.alerts.filter(({closed:i})=>i===null),r=e.
value?.problems??[],a=o.alerts.filter(({closed:i})=>i!==null);return t(b,{children:[t(k,{title:s.length===0?"No alarm is open":`${s.length} open`,wide:!0,children:s.
length===0?t(I,{children:"Nothing needs you here."}):t(bs,{alerts:s,problems:r})}),a.length===0?null:t(k,{title:"Over",note:`${a.length} of the last 100`,wide:!0,
children:t(bs,{alerts:a})})]})}})]})}function bs({alerts:e,problems:n=[]}){return t("ul",{class:"plain alarms",children:e.map(({at:o,order:s,reason:r,closed:a})=>t(
"li",{children:[t("p",{children:[t(N,{tone:a===null?"bad":"calm",children:a===null?"open":`over after ${B(Date.parse(a)-Date.parse(o))}`})," ",t("b",{title:r.code,
children:t(D,{text:r.message})})]}),t("p",{class:"line quiet",children:[t("span",{title:o,children:O(o)}),t(M,{at:o}),s===null?null:t("a",{href:`#/orders/${s}`,
children:["Order ",s.slice(0,8)]})]}),t(Ji,{problem:n.find(i=>i.code===r.code&&i.order===s)})]},`${o} ${r.code} ${s}`))})}function Ji({problem:e}){if(e===void 0)
return null;let{meaning:n,todo:o}=e,s=xt(e);return t(b,{children:[t("p",{children:[n," ",t(D,{text:o})]}),s===null?null:t("a",{class:"button",href:s.href,children:s.
name}),t(dn,{problem:e})]})}function $t(e){return t("figure",{class:"calls",children:[t("svg",{viewBox:"0 0 144 12",role:"img","aria-label":e.words,children:e.marks.map(({kind:n,path:o,title:s},r)=>t(
"path",{class:n,d:o,transform:`translate(${r*6} 0)`,children:t("title",{children:s})},s))}),t("figcaption",{children:e.words})]})}function mn(e){let n=e.reduce((a,i)=>a+i.failed,0),o=e.reduce((a,i)=>a+i.answered,n);if(o===0)return"no call in 24 h";let{fault:s=null}=e.findLast(a=>a.fault!==
null)??{},r=`${o} call${o===1?"":"s"}`;return n===0?`${r}, all answered`:`▲ ${r}, ${n} failed: ${s}`}var vs=36e5,_s=24;function pn({hours:e}){let n=Math.floor(K()/vs)-_s+1,o=Array.from({length:_s},(s,r)=>{let a=(n+r)*vs,i=e.find(({at:u})=>Date.parse(u)===a),l=i===
void 0?"no call":mn([i]);return{...Fi(i),title:`${O(new Date(a).toISOString())}: ${l}`}});return t($t,{marks:o,words:mn(e)})}function Fi(e){return e===void 0?{kind:"\
none",path:"M0 11h5v1h-5z"}:e.failed===0?{kind:"well",path:"M0 0h5v12h-5z"}:{kind:"ill",path:"M0 6h5v6h-5z"}}function ks({overview:e}){let n=x("settings",6e4);return t(b,{children:[t(X,{note:"What Ballast may still sell, and what it has used.",children:"Limits"}),t(P,{
live:e,children:({limits:o})=>{let s=({used:r,unit:a})=>Number(r)===0&&a.includes(":");return t("div",{class:"grid even",children:[o.filter(r=>!s(r)).toSorted((r,a)=>a.
percent-r.percent).map(r=>t(Ii,{limit:r},r.name)),t(Bi,{limits:o.filter(s)})]})}}),t(P,{live:n,children:({guards:o})=>t(fn,{guards:o})})]})}function Ii({limit:e}){
let{name:n,used:o,max:s,left:r,unit:a,percent:i}=e,l=`${i}% used`;return t(k,{title:Ss(n),note:i>=80?t(N,{tone:i>=100?"bad":"warn",children:l}):l,children:[t("p",
{class:"big",children:[gn(r,a)," ",t("small",{children:"left"})]}),t(ht,{percent:i,label:l}),t("p",{class:"note",children:[hn(o,s,a)," used"]})]})}function Bi({
limits:e}){return e.length===0?null:t(k,{title:"Not used yet",children:t("dl",{class:"pairs",children:e.map(({name:n,left:o,unit:s})=>t("div",{children:[t("dt",
{children:Ss(n)}),t("dd",{children:[gn(o,s)," left"]})]},n))})})}function fn({guards:e}){return t(k,{title:"Every guard",note:"as the configuration in force say\
s",wide:!0,children:t("dl",{class:"pairs",children:e.map(({guard:n,means:o})=>t("div",{children:[t("dt",{children:t("code",{children:n})}),t("dd",{children:t(D,
{text:Ui(o)})})]},n))})})}function hn(e,n,o){return o==="usd"?`${_(e)} of ${_(n)}`:`${C(e)} of ${gn(n,o)}`}function gn(e,n){return n==="usd"?_(e):`${C(e)} ${n.includes(
":")?$(n).symbol:n}`}function Ui(e){let n=e.split(", ").map(r=>r.split(" ")),[[o=""]=[]]=n;return n.length>1&&n.every(([r,a="",...i])=>r===o&&a.includes(":")&&i.
length===0)?`${o} of each asset`:e}function Ss(e){let[n=""]=e.split(" ");if(!n.includes(":"))return e.slice(0,1).toUpperCase()+e.slice(1);let{symbol:o,chain:s}=$(
n);return`${o} on ${s}${e.slice(n.length)}`}var bn="ballast.looked",Hi=864e5;function xs({problems:e}){let n=K(),[o,s]=v(Vi);L(()=>{let f=()=>localStorage.setItem(bn,new Date().toISOString());return addEventListener(
"pagehide",f),()=>removeEventListener("pagehide",f)},[]);let{value:r}=x(`summary?since=${o}`,1e4);if(r===null)return t(k,{title:"Since you last looked",children:t(
"p",{class:"quiet",children:"Reading…"})});let{swaps:a,alarms:i,missed:l}=r,u=f=>a.counts[f]??0,c=u("rejected")+u("abandoned"),d=l.reduce((f,m)=>f+m.runs,0),p=()=>{
let f=new Date(n).toISOString();localStorage.setItem(bn,f),s(f)};return t(k,{title:"Since you last looked",note:t(M,{at:o}),children:[t("dl",{class:"facts",children:[
t("div",{children:[t("dt",{children:"Orders"}),t("dd",{children:a.orders})]}),t("div",{children:[t("dt",{children:"Moved"}),t("dd",{children:_(a.volumeFiat)})]}),
t("div",{children:[t("dt",{children:"Cost"}),t("dd",{children:_(a.costFiat)})]})]}),t("ul",{class:"plain small",children:[t(yn,{count:u("refunded"),one:"order r\
efunded",many:"orders refunded"}),t(yn,{count:c,one:"order ended without a swap",many:"orders ended without a swap"}),t(yn,{count:d,one:"planned run came to no \
swap",many:"planned runs came to no swap"}),t(Ki,{alarms:i.filter(f=>!e.some(m=>Wi(m,f)))}),i.length+c+d+u("refunded")===0?t("li",{class:"quiet",children:"✓ No \
refund, no refusal, no missed run, no alarm"}):null]}),t("button",{type:"button",onClick:p,children:"Mark as seen"})]})}function Wi(e,{code:n,order:o}){return e.
code===n&&e.order===o}function Ki({alarms:e}){let n=K();return t(b,{children:[e.slice(0,3).map(({at:o,sentence:s,order:r})=>t("li",{children:[t("span",{"aria-hi\
dden":"true",children:"▲"})," ",r===null?t(D,{text:s}):t("a",{href:`#/orders/${r}`,children:t(D,{text:s})})," ",t("small",{title:o,children:O(o,n)})]},`${o} ${s}`)),
e.length>3?t("li",{children:t("a",{href:"#/alarms",children:[e.length," alarms in all"]})}):null]})}function yn(e){return e.count===0?null:t("li",{children:[t("\
span",{"aria-hidden":"true",children:"▲"})," ",e.count," ",e.count===1?e.one:e.many]})}function Vi(){return localStorage.getItem(bn)??new Date(Date.now()-Hi).
toISOString()}function Es({overview:e}){let{value:n}=x("summary",5e3);return t(P,{live:e,children:o=>t(b,{children:[t(zi,{overview:o}),n===null?null:t(Lo,{overview:o,summary:n}),
t("div",{class:"grid",children:[t("div",{class:"column",children:[t(ys,{overview:o,summary:n}),n===null?null:t(_t,{overview:o,summary:n})]}),t("div",{class:"col\
umn",children:[t(xs,{problems:o.problems}),t(qi,{}),t(Yi,{overview:o}),t(Qi,{overview:o}),t(Zi,{overview:o})]}),t(ji,{overview:o,summary:n})]})]})})}function qi(){
let[e,n]=v("24 h"),{value:o}=x(`flows?since=${on(e)}`,2e4);return t("section",{class:"card",children:[t("header",{children:[t("h2",{children:t("a",{href:"#/trea\
sury",children:"Flows"})}),t(sn,{range:e,ranges:["24 h","7 d","30 d"],onChange:n})]}),o===null?t("p",{class:"quiet",children:"Reading…"}):t(wt,{chains:o.chains})]})}
var $s=6;function ji({overview:{orders:e},summary:n}){let o=e.slice(0,$s).map(s=>{let r=n?.open.find(a=>a.order===s.id);return{...s,deposited:r?.deposited??!1,createdAt:r?.
requestedAt??s.since,fiat:r?.fiat??null}});return t(k,{title:"Orders in flight",link:"#/orders",wide:!0,children:[t(cn,{orders:o,none:"No order is in flight."}),
e.length<=$s?null:t("p",{class:"rest",children:t("a",{href:"#/orders",children:["All ",e.length," orders in flight"]})})]})}var Gi={ok:"All is well",attention:"\
Needs attention",trouble:"Trouble"};function zi({overview:e}){let{level:n,mode:o,pause:s}=e;return t("section",{class:`verdict ${n}`,"aria-label":"Verdict",children:t(
"div",{children:[t("h1",{tabIndex:-1,children:[Gi[n]," · ",o??"unknown"," mode",s===null?"":" · paused"]}),s===null?null:t("p",{children:["Paused by ",s.by," ",
t(M,{at:s.at}),s.reason===null||s.by==="alarm"?".":`: ${s.reason}.`]})]})})}function Yi({overview:e}){return t(k,{title:"Next",link:"#/rules",children:[e.next.length===
0?t(I,{children:"No rule is due."}):null,t("dl",{class:"pairs",children:e.next.slice(0,5).map(({rule:n,at:o})=>t("div",{children:[t("dt",{children:t("a",{href:`\
#/decisions/${encodeURIComponent(n)}`,children:n})}),t("dd",{children:t(M,{at:o})})]},n))})]})}var Os=80;function Qi({overview:e}){let n=e.limits.toSorted((s,r)=>r.
percent-s.percent),o=n.filter(({percent:s})=>s>=Os).slice(0,3);return t(k,{title:"Limits used",link:"#/limits",children:[o.length>0?null:t("p",{class:"quiet",children:[
"✓ None above ",Os," %; the fullest has ",n[0]?.percent??0," %."]}),o.map(({name:s,used:r,max:a,unit:i,percent:l})=>t("div",{class:"limit",children:[t("p",{children:[
t(D,{text:s})," ",t("span",{class:"quiet",children:hn(r,a,i)})]}),t(ht,{percent:l,label:`${s}: ${l}%`})]},s))]})}var Cs={good:"good",slow:"warn",degraded:"warn",
resting:"warn",silent:"bad",failing:"bad",unknown:"calm"};function Zi({overview:e}){let{nodes:n,services:o}=e;return t(k,{title:"Nodes and services",children:t(
"dl",{class:"pairs",children:[n.map(({chain:s,state:r,lastAnswer:a,endpoints:i,needed:l})=>t("div",{children:[t("dt",{children:[F(s)," ",t("details",{class:"sma\
ll",children:[t("summary",{children:[i.length," node",i.length===1?"":"s",", ",l," must agree"]}),i.map(({host:u,hours:c})=>t("div",{children:[u,t(pn,{hours:c})]},
u))]})]}),t("dd",{children:[t(M,{at:a})," ",t(N,{tone:Cs[r]??"calm",children:r})]})]},s)),o.map(({name:s,state:r,lastAnswer:a,inFlight:i,hours:l})=>t("div",{children:[
t("dt",{children:["Service ",s," ",t("small",{children:[i," in flight"]}),t(pn,{hours:l})]}),t("dd",{children:[t(M,{at:a})," ",t(N,{tone:Cs[r]??"calm",children:r})]})]},
s))]})})}function ze(e){return[...Map.groupBy(e,el).values()].flatMap(o=>o.slice(0,1).map(s=>[s,o.length]))}function el({outcome:e,refused:n,...o}){let{rules:s,from:r,to:a,
destination:i,kind:l,amount:u}=o,d=e!=null&&"order"in e?"order":e;return JSON.stringify({rules:s,from:r,to:a,destination:i,kind:l,amount:u,refused:n,result:d})}
function Ot(e){return e===1?"":`${e} times `}function Ts(e){return[...Map.groupBy(e,({rule:o,verdict:s,reasons:r,proposals:a})=>JSON.stringify([o,s,r.map(({code:i})=>i),a.map(({from:i,to:l})=>[i,l])])).values()]}function Ct(){let{value:e}=x("rules",6e4);return n=>wn(e?.rules.find(({id:o})=>o===n)??{})}function wn({from:e,to:n}){return typeof e=="string"&&typeof n=="stri\
ng"?{from:e,to:n}:null}var tl="Why did a rule do something, or nothing? The same outcome is one line; a rule's own list has each decision.",nl=100;function Rs({detail:e,overview:n,known:o}){
let s=e===null?"":`rule=${encodeURIComponent(e)}&`,r=x(`decisions?${s}limit=${nl}`,1e4),a=Ct();return t(b,{children:[t(X,{note:tl,children:e===null?"Decisions":
`Decisions of ${e}`}),t("nav",{class:"filters","aria-label":"Rules",children:[t("a",{class:"chip",href:"#/decisions","aria-current":e===null?"page":void 0,children:"\
all rules"}),(n.value?.rules??[]).map(({id:i})=>t("a",{class:"chip",href:`#/decisions/${encodeURIComponent(i)}`,"aria-current":i===e?"page":void 0,children:i},i))]}),
t(P,{live:r,children:i=>t("section",{class:"card",children:[i.decisions.length===0?t(I,{children:"No decision yet."}):null,e===null||i.decisions.length===0?null:
t(sl,{rule:e}),(e===null?Ts(i.decisions):i.decisions.map(l=>[l])).map(l=>t(ol,{group:l,known:o,pairOf:a},l[0]?.id))]})})]})}function ol(e){let[n,...o]=e.group;if(n===
void 0)return null;let s=o.reduce((r,a)=>r+a.times,0);return t(b,{children:[t(Ms,{decision:n,known:e.known,pairOf:e.pairOf}),o.length===0?null:t("details",{class:"\
others",children:[t("summary",{children:[s," more like this, since ",O(o.at(-1)?.at??n.at)]}),o.map(r=>t(Ms,{decision:r,known:e.known,pairOf:e.pairOf},r.id))]})]})}
function Ms({decision:e,known:n,pairOf:o}){let{id:s,at:r,lastAt:a,times:i,rule:l,verdict:u,reasons:c,proposals:d,orders:p}=e,f=o(l)??d[0]??null;return t("articl\
e",{class:"proposal",children:[t("p",{class:"line",children:[t("b",{title:r,children:O(r)}),t("a",{href:`#/decisions/${encodeURIComponent(l)}`,children:l}),t(N,
{tone:u==="proposed"?"good":"calm",children:u==="proposed"?"proposed":"did nothing"}),i>1?t("span",{class:"quiet",children:[i," times, last ",t(M,{at:a})]}):null]}),
ze(d).map(([m,h])=>t("p",{class:"line",children:[Ot(h),t(W,{amount:m.amount,asset:m.from})," →"," ",t(W,{amount:m.receive,asset:m.to}),m.cost===null?null:t("s\
pan",{class:"quiet",children:["cost ",_(m.cost)]})]},`${m.from} ${m.to} ${m.amount}`)),t(te,{reasons:c.map(m=>n.humane(m,f))}),t("p",{class:"line quiet",children:p.
map(m=>t("a",{href:`#/orders/${m}`,children:["Order ",m.slice(0,8)]},m))}),t(al,{decision:s,known:n})]})}function sl({rule:e}){let[n,o]=v(null);return t("div",{
class:"proposal","aria-live":"polite",children:n===null||n==="asking"?t("button",{type:"button",disabled:n!==null,onClick:()=>{o("asking"),V("GET",`rules/${encodeURIComponent(
e)}/why`).catch(a=>a).then(o)},children:n===null?"Explain the last decision":"Reading the books…"}):n instanceof R?t("p",{class:"notice bad",children:n.message}):
t(rl,{decision:n.decisions[0]??null})})}function rl(e){let{proposals:n=[],changes:o=[]}=e.decision??{},s=[...ze(n).flatMap(([{explained:r=[]}])=>r),...o.map(r=>`\
It proposes (more) when ${r}.`)];return s.length===0?t("p",{class:"quiet",children:"There is no more to say than its reasons."}):t("ul",{class:"plain",children:s.
map(r=>t("li",{children:t(D,{text:r})},r))})}function al({decision:e,known:n}){let[o,s]=v(null);return t(b,{children:[t("button",{type:"button",onClick:()=>{V("\
GET",`decisions/${encodeURIComponent(e)}/replay`).catch(i=>i).then(s)},"aria-label":`Replay ${e}`,children:"Replay"}),t("div",{"aria-live":"polite",children:o===
null?null:t(il,{replay:o,known:n})})]})}function il({replay:e,known:n}){if(e instanceof R)return t("p",{class:"notice bad",children:e.message});let{same:o,again:s,
stored:r}=e;return o?t("p",{class:"notice",children:[t(N,{tone:"good",children:"same decision"})," The stored inputs give the stored result again."]}):t("div",{
class:"notice bad",children:[t("p",{children:[t("b",{children:"Another decision."})," The stored inputs give another result now."]}),t("div",{class:"grid even",
children:[t(As,{name:"Stored",of:r,known:n}),t(As,{name:"Now",of:s,known:n})]})]})}function As({name:e,of:n,known:o}){let s=n.proposals,r=s[0]??null;return t("s\
ection",{"aria-label":e,children:[t("h3",{children:e}),s.map(({from:a,to:i,units:l})=>t("p",{children:["Sell ",t(W,{amount:o.amountOf(l,a),asset:a})," for ",t(D,
{text:i})]},`${a} ${i} ${l}`)),t(te,{reasons:[...s.flatMap(({why:a})=>a),...n.reasons].map(a=>o.humane(a,r)),none:"No reason."})]})}var ll="What the rules would do if every rule decided now. Looking at it changes nothing.";function Ps({known:e}){let n=x("plan",15e3),o=Ct();return t(b,{children:[
t(X,{note:ll,children:"Plan"}),t(P,{live:n,children:({at:s,proposals:r,declined:a,paused:i,plan:l,mode:u})=>t(b,{children:[(i??[]).map(c=>t("p",{class:"notice w\
arn",children:t(D,{text:c})},c)),u==="observe"?t("p",{class:"notice warn",children:"Observe mode: Ballast records decisions and makes no order."}):null,t(k,{title:r.
length===0?"Nothing to swap now":`${r.length} swap${r.length===1?"":"s"}`,note:t(b,{children:["computed ",t(M,{at:s}),l.cost===null||r.length===0?"":`, cost abo\
ut ${_(l.cost)}`]}),wide:!0,children:[r.length===0?t(I,{children:"Each rule says below why it asks for nothing."}):null,ze(r).map(([c,d])=>t(cl,{proposal:c,times:d,
known:e},ul(c)))]}),t("div",{class:"grid even",children:a.map(({rule:c,reasons:d})=>t(k,{title:c,link:`#/decisions/${encodeURIComponent(c)}`,children:t(te,{reasons:d.
map(p=>e.humane(p,o(c))),none:"It proposes a swap."})},c))})]})})]})}function ul({rules:e,from:n,to:o,amount:s}){return`${e.join()} ${n} ${o} ${s}`}function cl({
proposal:e,times:n,known:o}){let{amount:s,from:r,receive:a,to:i,rules:l,cost:u,why:c,refused:d,explained:p=[]}=e;return t("article",{class:"proposal",children:[
t("p",{class:"line",children:[Ot(n),t(W,{amount:s,asset:r})," → ",t(W,{amount:a,asset:i}),d.length===0?t(N,{tone:"good",children:"would be ordered"}):t(N,{tone:"\
bad",children:"refused"}),t("span",{class:"quiet",children:[l.join(", "),u===null?"":` · cost ${_(u)}${n>1?" each":""}`]})]}),p.map(f=>t("p",{class:"quiet",children:f},
f)),t(te,{reasons:[...c,...d].map(f=>o.humane(f,e))})]})}function Ds(e,n,o=Date.now()){let s=n.flatMap(({id:r,deadline:a,ends:i})=>a===null?[]:[{at:a,kind:"end",words:`${r.slice(0,8)}: ${i}`}]);return[...e.map(r=>({at:r,
kind:"run",words:"run"})),...s].filter(({at:r})=>Date.parse(r)>=o&&Date.parse(r)<=o+864e5).toSorted((r,a)=>Date.parse(r.at)-Date.parse(a.at))}var Et={swap:"swapped",nothing:"nothing to do",refused:"refused",missed:"missed"};function Ns(e){let n=r=>e.filter(({outcome:a})=>r===null||a===r).reduce((a,{times:i})=>a+
i,0),s=Object.keys(Et).filter(r=>n(r)>0).map(r=>`${n(r)} ${Et[r]}`);return e.length===0?"no run yet":`Last ${n(null)} runs: ${s.join(", ")}`}var dl={swap:"M0 0h5v12h-5z",nothing:"M0 5h5v2h-5z",refused:"M2.5 1l2.5 10h-5z",missed:"M0 2l5 8m0 -8l-5 8"};function Ls(e){let n=e.runs.map(o=>{let{at:s,lastAt:r,
times:a,outcome:i}=o,l=[`${O(r)}: ${Et[i]}`,...a>1?[`${a} times since ${O(s)}`]:[],...i==="swap"?[]:[e.whyOf(o)]];return{kind:i,path:dl[i],title:l.join(", ")}});
return t($t,{marks:n,words:Ns(e.runs)})}var Ye=16,Xs=864e5,ml=3;function Js({coming:e}){let[n,o]=q(),s=K(),r=u=>Math.max(0,o*(u-s)/Xs),a=e.slice(0,ml).map(({at:u,words:c})=>`${O(u)} ${c}`),i=e.length-
a.length,l=`Next 24 hours: ${a.join(", ")}${i>0?`, ${i} more`:""}`;return t("figure",{class:"chart upcoming",ref:n,children:[t("svg",{width:o,height:Ye+16,role:"\
img","aria-label":l,children:[t("line",{class:"grid-line",x2:o,y1:Ye,y2:Ye}),e.map(({at:u,kind:c,words:d})=>t("path",{class:c==="run"?"run-tick":"mark out",d:c===
"run"?"M0 -12V0":"m0 -1 4 -8h-8z",transform:`translate(${r(Date.parse(u))} ${Ye})`,children:t("title",{children:`${O(u)} ${d}`})},`${u} ${d}`)),he(s,s+Xs,Math.max(
2,Math.floor(o/80))).map(({ms:u,label:c})=>t("text",{x:r(u),y:Ye+13,"text-anchor":"middle",children:c},u))]}),t("figcaption",{class:"note",children:l})]})}var pl=2e4;function vn({scope:e,paused:n,scopes:o,children:s}){let r=K(),[a,i]=v(null),[l,u]=v(null),c=Re("operate",o),d=a===null?0:a+pl-r;async function p(f){try{
await Te(f,e),u(null),i(f==="pause"?Date.now():null),Oe()}catch(m){m instanceof R&&u(m)}}return t("span",{class:"actions",children:[l===null?null:t("span",{class:"\
notice bad",role:"alert",children:l.message}),n&&d>0?t("button",{type:"button",onClick:()=>{p("resume")},children:["Undo (",Math.ceil(d/1e3)," s)"]}):n?s:t("but\
ton",{type:"button",class:"stop","data-key":e.rule===void 0?"pause":void 0,disabled:c!==null,title:c??"No new order and no new deposit. Orders that have deposit\
ed go on.",onClick:()=>{p("pause")},children:"Pause"})]})}function Fs({overview:e,scopes:n}){return t(vn,{scope:{},paused:e.pause!==null,scopes:n,children:t(fl,
{overview:e,scopes:n})})}function fl({overview:e,scopes:n}){let o=e.pause?.alarms??[],[s,r]=v([]),a={title:"Resume?",word:"resume",button:"Resume",path:"resume",
body:{acknowledge:s},children:o.length===0?t("p",{children:"Rules make orders again at their next time."}):t("fieldset",{children:[t("legend",{children:"Acknowl\
edge each alarm that you have dealt with"}),o.map(({id:i,message:l})=>t("label",{class:"check",children:[t("input",{type:"checkbox",checked:s.includes(i),onChange:u=>{
let c=s.filter(d=>d!==i);r(u.currentTarget.checked?[...c,i]:c)}}),l]},i))]})};return t(re,{change:a,scope:"operate",scopes:n})}function Tt(e,n){let{kind:o}=e,s=l=>String(e[l]??""),r=l=>n.speak(s(l)),a=(l,u)=>{let c=l==null?null:n.amountOf(String(l),u);return c===null?"any":C(c)},i=typeof e.
everyMs=="number"?`looks each ${B(e.everyMs)}`:`runs at ${s("schedule")} (${s("timezone")})`;if(o==="recurring")return`Swaps ${hl(e.amount,u=>a(u,s("from")))} o\
f ${r("from")} to ${r("to")}; ${i}.`;if(o==="band"){let[l,u,c]=["minUnits","targetUnits","maxUnits"].map(f=>a(e[f],s("asset"))),d=_n(", bought with",e.sources,n)+
_n(", sold for",e.sinks,n),p=`between ${l} and ${c}, with ${u} as the target`;return`Keeps ${r("asset")} ${p}${d}; ${i}.`}if(o==="sweep"){let l=a(e.keepUnits,s(
"from"));return`Swaps all of ${r("from")} above ${l} to ${r("to")}; ${i}.`}if(o==="gas"){let l=`the network fees of ${s("days")} days and of ${s("orders")} orde\
rs`,u=_n(", bought with",e.sources,n);return`Keeps ${l} in ${r("asset")}${u}; ${i}.`}if(o==="weights"){let l=kn(e.toleranceBps);return`Keeps ${gl(e.weights,n)} \
within ${l}; ${i}.`}return`A rule of the kind ${o}; ${i}.`}function hl(e,n){let o=e;return o?.kind==="share"?kn(o.bps):o?.kind==="fiat"?`${_(String(Number(o.fiat)/
1e6))} worth`:n(o?.units)}function kn(e){return`${Number(e)/100}%`}function _n(e,n,{speak:o}){let r=(Array.isArray(n)?n:[]).map(a=>typeof a=="string"?a:String(Is(
a)));return r.length===0?"":`${e} ${r.map(o).join(" or ")}`}function Is(e){return e?.asset}function gl(e,{speak:n}){return(Array.isArray(e)?e:[]).map(s=>{let{bps:r}=s;
return`${kn(r)} in ${n(String(Is(s)))}`}).join(", ")}function Bs({overview:e,scopes:n,known:o}){let s=x("rules",3e4),r=x("flows",3e4);return t(b,{children:[t(X,{note:"Each rule with its last decision, and why it d\
ecided so.",children:"Rules"}),t(P,{live:e,children:({rules:a,orders:i})=>t("div",{class:"grid even",children:[a.map(l=>t(yl,{rule:l,flights:i.filter(u=>u.rule===
l.id),scopes:n,fields:s.value?.rules.find(({id:u})=>u===l.id)??null,known:o,week:r.value?.rules.find(({name:u})=>u===l.id)??null},l.id)),a.length===0?t(I,{children:"\
The configuration has no rules."}):null]})})]})}function yl({rule:e,flights:n,scopes:o,fields:s,known:r,week:a}){let{id:i,kind:l,paused:u,verdict:c,reasons:d}=e,
p=Ds(s?.upcoming??[],n),f={title:`Resume the rule ${i}?`,word:"resume",button:"Resume",path:"resume",body:{rule:i},children:t("p",{children:"The rule decides ag\
ain at its next time."})};return t(k,{title:i,note:se(l),link:`#/decisions/${encodeURIComponent(i)}`,children:[s===null?null:t("p",{class:"sentence",children:Tt(
s,r)}),t(bl,{rule:e,inFlight:n.length}),s===null?null:t(Ls,{runs:s.runs,whyOf:({reasons:m})=>m.map(h=>r.humane(h,wn(s)).message).join("; ")}),p.length===0||u?null:
t(Js,{coming:p}),a===null?null:t("p",{class:"quiet",children:["In 7 days: ",a.completed," of ",a.orders," orders completed ·"," ",t(z,{fiat:a.volumeFiat})," mo\
ved · ",t(z,{fiat:a.costFiat})," cost",a.costBps===null?"":`, ${a.costBps} bps`]}),t("p",{children:c===null?t("span",{class:"quiet",children:"It has not decide\
d yet."}):c==="proposed"?t("b",{children:"It proposed a swap."}):t("b",{children:"It did nothing, because:"})}),t(te,{reasons:d}),t("div",{class:"actions",children:[
t(vn,{scope:{rule:i},paused:u,scopes:o,children:t(re,{change:f,scope:"operate",scopes:o})}),t("a",{class:"button",href:`#/decisions/${encodeURIComponent(i)}`,children:"\
All decisions"}),t("a",{class:"button",href:`#/try/${encodeURIComponent(i)}`,children:"Try a change"})]})]})}function bl({rule:e,inFlight:n}){let{enabled:o,paused:s,
next:r,last:a}=e;return t("p",{class:"line",children:[o?s?t(N,{tone:"warn",children:"paused"}):t(N,{tone:"good",children:"on"}):t(N,{tone:"calm",children:"not e\
nabled"}),t("span",{children:["Next: ",t(M,{at:r})]}),t("span",{children:["Last: ",t(M,{at:a})]}),n===0?null:t("span",{children:[n," in flight"]})]})}var Qe=120,ye=44,Sn=44,wl=20;function Us({plot:e,at:n,days:o}){let[s,r]=q(),{symbol:a}=$(e.asset),i=e.subjects[n]??{points:[],bound:null},{bottom:l,top:u}=vl(e.
subjects),c=Math.max(1,i.points.length-1),d=g=>ye+(r-ye-Sn)*g/c,p=g=>Math.max(0,Math.min(Qe,Qe-Qe*(g-l)/(u-l))),f=g=>i.points.map((S,E)=>`${d(E)} ${p(g(S))}`),m=Math.
min(...i.points.map(({p5:g})=>g)),h=Math.max(...i.points.map(({p95:g})=>g)),y=`${C(String(m))} to ${C(String(h))} ${a}`,w=fe(l,u,3);return t("figure",{class:"ch\
art",ref:s,children:[t("svg",{width:r,height:Qe+wl,role:"img","aria-label":`Simulated balance over ${o} days, nine of ten runs: ${y}`,children:[i.bound===null?null:
t(_l,{bound:i.bound,y:p,right:r-Sn}),w.map(g=>t("g",{children:[t("line",{class:"grid-line",x1:ye,x2:r-Sn,y1:p(g),y2:p(g)}),t("text",{x:ye-6,y:p(g)+4,"text-ancho\
r":"end",children:j(g,(w[1]??0)-(w[0]??0))})]},g)),[0,.5,1].map(g=>t("text",{x:d(g*c),y:Qe+15,"text-anchor":"middle",children:[Math.round(g*o*10)/10," d"]},g)),
t("path",{class:"fan",d:`M${f(({p95:g})=>g).join("L")}L${f(({p5:g})=>g).toReversed().join("L")}Z`}),t("path",{class:"line-a",d:`M${f(({p50:g})=>g).join("L")}`})]}),
t("figcaption",{class:"note",children:["Nine of ten runs: ",y]})]})}function vl(e){let n=e.flatMap(({points:a,bound:i})=>[...a.flatMap(({p5:l,p95:u})=>[l,u]),...i===
null?[]:[Number(i.min),Number(i.target)]]),o=Math.min(...n),s=Math.max(...n),r=(s-o)*.1||s*.05||1;return{bottom:Math.max(0,o-r),top:s+r}}function _l(e){let{bound:n,
y:o,right:s}=e,r=n.max===null?0:o(Number(n.max)),a=o(Number(n.min)),i=o(Number(n.target));return t(b,{children:[t("rect",{class:"band-area",x:ye,y:r,width:Math.
max(0,s-ye),height:Math.max(0,a-r)}),t("line",{class:"edge",x1:ye,x2:s,y1:a,y2:a}),t("line",{class:"goal",x1:ye,x2:s,y1:i,y2:i}),t("text",{x:s+6,y:a+4,children:"\
min"}),a-i<12?null:t("text",{x:s+6,y:i+4,children:"target"})]})}var kl={band:[["min","minUnits","Refill below","asset"],["target","targetUnits","Refill or drain to","asset"],["max","maxUnits","Drain above","asset"],["least",
"leastUnits","Smallest order","asset"]],sweep:[["keep","keepUnits","Keep","from"],["least","leastUnits","Smallest order","from"]]};function Hs(e,n){let r=[...(kl[e.
kind]??[]).map(([a,i,l,u])=>{let c=e[i]??null,d=c===null?null:n.amountOf(String(c),String(e[u]));return{key:a,label:l,text:d??""}}),...Sl(e,n)];return r.length===
0?[]:[...r,{key:"max_cost",label:"Highest cost",text:xl(e.maxCost)}]}function Sl(e,n){return e.kind==="weights"?[{key:"tolerance",label:"Tolerance",text:Ws(e.toleranceBps)}]:
e.kind==="recurring"?[{key:"amount",label:"Amount",text:$l(e.amount,String(e.from),n)}]:[]}function xl(e){let n=e;return n?.kind==="share"?`${n.bps}bps`:n?.kind===
"fiat"?Ks(n.fiat):""}function $l(e,n,o){let s=e;return s?.kind==="share"?Ws(s.bps):s?.kind==="fiat"?Ks(s.fiat):o.amountOf(String(s?.units??0),n)??""}function Ws(e){
return`${Number(e)/100}%`}function Ks(e){return`${$e(BigInt(String(e)),6)} usd`}function Vs(e,n){return js(e,n).map(({key:o,text:s})=>`${o}=${s}`).join(",")}function qs(e,n,o){
let s=js(n,o).map(({key:r,text:a})=>`    ${r}: "${a}"`);return[`  - id: ${e}`,...s].join(`
`)}function js(e,n){return e.flatMap(({key:o,text:s})=>{let r=n[o]?.trim()??"";return r===""||r===s?[]:[{key:o,text:r}]})}var Mt=1e6;function xn(e,n){let[o,s]=e.subjects.map(({summary:u})=>u);if(o===void 0||s===void 0)return[];let r=(u,c,d)=>{let p=c(o),f=c(s);return{name:u,now:d(p),
changed:d(f),difference:Cl(f-p,d)}},a=u=>_(u.toFixed(2)),i=o.rules.some(u=>u.rule===n),l=r("Time off its goal",u=>Ol(u,n),oe);return[r("Swaps",({moves:u})=>u.p50,
String),r("Moved",({volumeFiat:u})=>Number(u.p50)/Mt,a),r("Cost",({feesFiat:u})=>Number(u.p50)/Mt,a),r("Of it network fees",({networkFeesFiat:u})=>Number(u.p50)/
Mt,a),r("Refunded",({refunded:u})=>u.p50,String),...i?[l]:[]]}function Gs(e,n,o){let s=xn(e,n),[r,a]=e.subjects.map(({summary:w})=>w);if(r===void 0||a===void 0)
return"The change was not simulated.";let i=a.moves.p50-r.moves.p50,l=(Number(a.feesFiat.p50)-Number(r.feesFiat.p50))/Mt,u=i===0?"As many swaps":`${Math.abs(i)}\
 ${i<0?"fewer":"more"} swap${Math.abs(i)===1?"":"s"}`,c=Math.abs(l)<.005?"the same cost":`${_(Math.abs(l).toFixed(2))} ${l<0?"less":"more"} cost`,d=s.find(({name:w})=>w===
"Time off its goal"),p=d===void 0?"":d.now===d.changed?`; the rule is off its goal ${d.changed} of the time, as now`:`; the rule is off its goal ${d.changed} of\
 the time instead of ${d.now}`,f=e.comparison?.cheaper===null&&Math.abs(l)>=.005?" The runs do not agree which is cheaper.":"",{days:m}=e.scenario,h=`${m} day${m===
1?"":"s"}`,y=m<o?` The rules look too often to simulate ${o} days within a minute, so this is of ${h}.`:"";return`${u} and ${c} in ${h}${p}.${f}${y}`}function Ol({
rules:e},n){return e.find(o=>o.rule===n)?.outsideBps.p50??0}function Cl(e,n){let o=n(Math.abs(e));return o===n(0)?"same":`${e<0?"▾":"▴"} ${o}`}var El="Runs the rules with and without a change in the same random markets. Nothing is changed: the file is yours to edit.",Tl=[7,30,90],Ml=5;function zs({detail:e,
known:n}){let o=x("rules",6e4);return t(b,{children:[t(X,{note:El,children:["Try a change of ",e]}),t(P,{live:o,children:({rules:s})=>{let r=s.find(({id:i})=>i===
e),a=r===void 0?[]:Hs(r,n);return r===void 0||a.length===0?t(I,{children:"This page cannot try a change of such a rule."}):t(Al,{id:r.id,sentence:Tt(r,n),keys:a})}})]})}
function Al(e){let{id:n,sentence:o,keys:s}=e,[r,a]=v({}),[i,l]=v(30),[u,c]=v(null),d=Vs(s,r);return t(b,{children:[t(k,{title:"The change",wide:!0,children:[t("\
p",{class:"sentence",children:o}),t("form",{class:"fields trial",onSubmit:async f=>{f.preventDefault(),c("asking"),c(await Rl(n,d,i,qs(n,s,r)))},children:[s.map(
({key:f,label:m,text:h})=>t("div",{children:[t("label",{for:`try-${f}`,children:[m," ",t("span",{class:"quiet",children:h===""?"not set":`now ${h}`})]}),t("inpu\
t",{id:`try-${f}`,autocomplete:"off",value:r[f]??h,onInput:({currentTarget:y})=>a({...r,[f]:y.value})})]},f)),t("div",{class:"line",children:[Tl.map(f=>t("butto\
n",{type:"button",class:"chip","aria-pressed":f===i,onClick:()=>l(f),children:[f," days"]},f)),t("button",{type:"submit",class:"main",disabled:d===""||u==="aski\
ng",children:u==="asking"?"Simulating…":"Simulate"})]})]}),u instanceof R?t("p",{class:"notice bad",role:"alert",children:u.message}):null]}),t("div",{"aria-l\
ive":"polite",children:u===null||u==="asking"||u instanceof R?null:t(Pl,{id:n,result:u,isOld:u.change!==d})})]})}async function Rl(e,n,o,s){let r=new URLSearchParams(
{rule:e,change:n,days:String(o),seeds:String(Ml)});try{let a=await V("GET",`simulate?${r}`);return{change:n,text:s,askedDays:o,found:a}}catch(a){if(a instanceof
R)return a;throw a}}function Pl(e){let{id:n,result:o,isOld:s}=e,{found:r,text:a,askedDays:i}=o,{days:l}=r.scenario;return t("div",{class:"grid halves",children:[
s?t("p",{class:"notice warn wide",children:"This is of the change before; simulate again."}):null,t("section",{class:"card wide","aria-label":"What the change w\
ould do",children:[t("p",{class:"sentence",children:t("b",{children:Gs(r,n,i)})}),t("p",{class:"note",children:[r.seeds.count," runs in random markets, the same\
 for both. The real one is another."]})]}),r.plots.flatMap(u=>["As it is","With the change"].map((c,d)=>t(k,{title:c,note:$(u.asset).symbol,children:t(Us,{plot:u,
at:d,days:l})},`${u.asset} ${c}`))),t(k,{title:"Side by side",note:"the middle run",children:t(Dl,{compared:xn(r,n)})}),t(k,{title:"For the file",note:t(qe,{text:a,
what:"the change"}),children:[t("pre",{class:"file",children:a}),t("p",{class:"note",children:["Then ",t("code",{children:"ballast check"})," and ",t("code",{children:"\
ballast reload"}),"."]})]})]})}function Dl({compared:e}){return t(Y,{caption:"The rules as they are and with the change",figures:!0,columns:["","As it is","Chan\
ged","Difference"],rows:e.map(({name:n,now:o,changed:s,difference:r})=>({key:n,cells:[n,o,s,r]}))})}var Nl="The configuration that the daemon has in force now. To change it, edit the file and reload; no secret is shown here.";function Ys({overview:e}){let n=x(
"settings",6e4);return t(b,{children:[t(X,{note:Nl,children:"Settings"}),t(P,{live:n,children:o=>t("div",{class:"grid even",children:[t(k,{title:"Daemon",children:t(
Pe,{pairs:[["treasury",o.treasury],["version",e.value?.daemon.version??"unknown"],["configuration",t(ne,{hash:o.configHash,what:"the hash of the configuration"},
"hash")],...o.settings.map(({name:s,means:r})=>[s,r])]})}),t(k,{title:"Chains",children:t(Pe,{pairs:o.chains.map(({chain:s,family:r,nativeCoin:a,endpoints:i,agree:l})=>[
F(s),`${r}, coin ${a.symbol}, ${i} node${i===1?"":"s"} of which ${l} must agree`])})}),t(k,{title:"Services and access",children:t(Pe,{pairs:[...o.services.map(
({name:s,host:r})=>[`service ${s}`,r]),...o.tokens.map(({name:s,scopes:r})=>[`token ${s}`,r.join(", ")])]})}),t(fn,{guards:o.guards})]})})]})}var Ll=1500,Qs="ballast.keys";function $n(){return localStorage.getItem(Qs)!=="off"}function Zs(e){localStorage.setItem(Qs,e?"on":"off")}function er(e){let n=Z(
e);n.current=e,L(()=>{let o="",s=0,r=a=>{if((a.ctrlKey||a.metaKey)&&a.key.toLowerCase()==="k"){a.preventDefault(),n.current["/"]?.();return}if(a.ctrlKey||a.metaKey||
a.altKey||!$n()||Xl(a))return;let i=`${o} ${a.key}`,l=Date.now()-s<Ll&&i in n.current,u=n.current[l?i:a.key];o=l?"":a.key,s=Date.now(),u!==void 0&&u()!==!1&&a.preventDefault()};
return document.addEventListener("keydown",r),()=>document.removeEventListener("keydown",r)},[])}function Xl({target:e}){return document.querySelector("dialog[o\
pen]")!==null?!0:e instanceof Element&&e.closest("input, select, textarea")!==null}function Ze(e){let n=[...document.querySelectorAll("main [data-row]")],o=n.findIndex(
r=>r.matches(":focus")),s=n[o===-1?e===1?0:n.length-1:o+e];return s?.focus(),s?.scrollIntoView({block:"nearest"}),n.length>0}function Le(e){let n=document.querySelector(
`[data-key="${e}"]`);n?.focus(),n instanceof HTMLButtonElement&&n.click()}function tr(){let{activeElement:e}=document;e instanceof HTMLElement&&e.dataset.row!==
void 0&&e.click()}var Jl=[["g h","Overview"],["g t","Treasury"],["g o","Orders"],["g r","Rules"],["g s","Settings"],["/ or Ctrl K","Find or do"],["j k, ↓ ↑","Next and previou\
s line of a list"],["o, Enter","Open it"],["a","Approve, in an order"],["f","Filter"],["e","Export"],["p p","Pause everything"],[".","Times as clock times, or a\
s ages"],["?","This list"]];function nr({onClose:e}){let[n,o]=v($n);return t(ge,{labelledBy:"key-help",onClose:e,children:[t("h2",{id:"key-help",children:"Keys"}),
t("dl",{class:"pairs",children:Jl.map(([s,r])=>t("div",{children:[t("dt",{children:t("kbd",{children:s})}),t("dd",{children:r})]},s))}),t("label",{class:"check",
children:[t("input",{type:"checkbox",checked:n,onChange:({currentTarget:{checked:s}})=>{Zs(s),o(s)}}),"Single keys act outside of fields"]}),t("footer",{children:t(
"button",{type:"button",onClick:e,children:"Close"})})]})}function or(e,n,o){let s=n.toLowerCase().split(/\s+/),r=e.filter(({name:l})=>s.every(u=>l.toLowerCase().includes(u))),[a=""]=/^[0-9a-f]{32}$/.exec(n.trim())??[],
i={name:`Order ${a}`,act:()=>o(a)};return(a===""?r:[i,...r]).slice(0,9)}function sr(e){let{commands:n,onClose:o}=e,s=pe(),[r,a]=v(""),[i,l]=v(0),u=or(n,r,e.onOrder),c=p=>{p!==void 0&&(o(),p.act())},d=p=>{let f={ArrowDown:1,ArrowUp:-1}[p.
key];f!==void 0&&(p.preventDefault(),l((i+f+u.length)%Math.max(u.length,1))),p.key==="Enter"&&(p.preventDefault(),c(u[i]))};return t(ge,{class:"palette",label:"\
Find or do",onClose:o,children:[t("input",{type:"text",role:"combobox","aria-label":"Find or do","aria-expanded":"true","aria-controls":s,"aria-activedescendant":u.
length===0?void 0:`${s}-${i}`,placeholder:"A view, an order, a rule, an act",value:r,autocomplete:"off",spellcheck:!1,onInput:p=>{a(p.currentTarget.value),l(0)},
onKeyDown:d}),t("div",{id:s,role:"listbox","aria-label":"Found",children:u.map((p,f)=>t("button",{type:"button",id:`${s}-${f}`,role:"option",tabIndex:-1,"aria-s\
elected":f===i,onClick:()=>c(p),children:[p.name,p.keys===void 0?null:t("kbd",{children:p.keys})]},p.name))}),u.length===0?t("p",{class:"empty",children:"Nothin\
g has these words."}):null]})}var Fl={overview:"M2.5 7.5 8 3l5.5 4.5M4 7v6h3v-3.5h2V13h3V7",orders:"M2 5.5h10m-2.5-3 3 3-3 3M14 10.5H4m2.5-3-3 3 3 3",treasury:"M2.5 3h11v9h-11zM4 12v1.5M12 1\
2v1.5M8 5.5a2 2 0 1 0 .01 0",rules:"M2 4.5h3m3 0h6M6.5 3v3M2 11.5h6m3 0h3M9.5 10v3",alarms:"M8 2.5a4 4 0 0 0-4 4V10l-1.5 2h11L12 10V6.5a4 4 0 0 0-4-4M7 14h2",settings:"\
M8 5.5a2.5 2.5 0 1 0 .01 0M8 1.5v2m0 9v2m6.5-6.5h-2m-9 0h-2M12.6 3.4l-1.4 1.4m-6.4 6.4-1.4 1.4m0-9.2 1.4 1.4m6.4 6.4 1.4 1.4",find:"M7 2.5a4.5 4.5 0 1 0 .01 0M1\
0.3 10.3 14 14",pause:"M5.5 3v10M10.5 3v10"};function On({name:e}){return t("svg",{class:"icon",viewBox:"0 0 16 16","aria-hidden":"true",children:t("path",{d:Fl[e]})})}function rr(e){let{overview:n}=e,[o,s]=v(!1);L(()=>s(!1),[e.shown]);let r={orders:n?.orders.length,alarms:n?.alarms.length};return t("nav",{class:o?"side open":
"side","aria-label":"Views",children:t("div",{class:"rail",children:[t("a",{class:"brand",href:"#/",children:[t("img",{src:"/icon.svg",alt:"",width:"26",height:"\
26"}),t("span",{children:["Ballast",t("small",{children:e.treasury??""})]})]}),t("ul",{children:e.entries.map(({id:a,name:i,icon:l})=>t("li",{children:t("a",{href:`\
#/${a}`,"aria-current":a===e.shown?"page":void 0,children:[t(On,{name:l}),i,r[a]?t("span",{class:`count ${a}`,children:r[a]}):null]})},a))}),t("button",{type:"b\
utton",class:"more","aria-expanded":o,onClick:()=>s(!o),children:o?"Less":"More"}),n===null?null:t(Il,{overview:n})]})})}function Il({overview:{services:e,nodes:n}}){
let o=n.filter(({state:s})=>s!=="good");return t("dl",{class:"pulse",children:[e.map(({name:s,state:r})=>t("div",{children:[t("dt",{children:["Service ",s]}),t(
"dd",{children:r==="good"?"✓ good":`▲ ${r}`})]},s)),t("div",{title:o.map(({chain:s,state:r})=>`${F(s)} ${r}`).join(", "),children:[t("dt",{children:"Chains"}),
t("dd",{children:[o.length===0?"✓":"▲"," ",n.length-o.length," of ",n.length," good"]})]})]})}function ar(e){let{account:n,overview:o}=e,s=()=>{po().then(e.
onLeave)};return t("header",{class:"top",children:[t("p",{class:"state",children:o===null?null:t(b,{children:[t("span",{class:`dot ${o.level}`}),o.pause===null?
`${o.mode??"unknown"} mode`:"paused"]})}),t("button",{type:"button",class:"find",onClick:e.onFind,"aria-label":"Find or do","aria-keyshortcuts":"/ Control+K",children:[
t(On,{name:"find"}),t("span",{children:"Find or do…"}),t("kbd",{children:"/"})]}),t("a",{class:"button",href:"#/swap",children:"New swap"}),o===null?null:t(Fs,
{overview:o,scopes:n.scopes}),t(Bl,{}),n.csrf===null?null:t("button",{type:"button",onClick:s,title:`Logged in with the token ${n.name}: ${n.scopes.join(", ")}`,
children:"Log out"})]})}function Bl(){let[e,n]=v(localStorage.getItem("ballast.theme")??"system");L(()=>{e==="system"?delete document.documentElement.dataset.theme:
document.documentElement.dataset.theme=e,localStorage.setItem("ballast.theme",e)},[e]);let o={light:"Light",dark:"Dark"}[e]??"Auto",s={system:"light",light:"dar\
k",dark:"system"}[e]??"system";return t("button",{type:"button",class:"theme",onClick:()=>n(s),"aria-label":`${o} colours. Change to ${s}`,children:o})}function ir({parts:e,shown:n,label:o}){return t("nav",{class:"filters tabs","aria-label":o,children:e.map(({id:s,name:r})=>t("a",{class:"chip",href:`#/${s}`,"ar\
ia-current":s===n?"page":void 0,children:r},s))})}var et=[{id:"",name:"Overview",icon:"overview",show:Es},{id:"orders",name:"Orders",icon:"orders",show:ms},{id:"treasury",name:"Treasury",icon:"treasury",show:Ho},
{id:"books",name:"Books",icon:"treasury",of:"treasury",show:vo},{id:"rules",name:"Rules",icon:"rules",show:Bs},{id:"plan",name:"Plan",icon:"rules",of:"rules",show:Ps},
{id:"decisions",name:"Decisions",icon:"rules",of:"rules",show:Rs},{id:"limits",name:"Limits",icon:"rules",of:"rules",show:ks},{id:"alarms",name:"Alarms",icon:"a\
larms",show:ws},{id:"settings",name:"Settings",icon:"settings",show:Ys}],Ul={swap:"New swap",try:"Try a change"};function lr(){let[e,n]=v("asking"),[o,s]=v(0);return L(
()=>{co().then(n,()=>setTimeout(()=>s(a=>a+1),2e3))},[o]),e==="asking"?t("main",{class:"login",children:t("p",{class:"quiet",children:o===0?"Reading…":"The da\
emon does not answer. The page tries again every two seconds."})}):e===null?t(bo,{onLogin:n}):t(Hl,{account:e,onLeave:()=>{ho(),ee.loggedOut=!1,n(null)}})}function Hl({
account:e,onLeave:n}){let o=x("overview",3e3),s=x("settings",6e4),[r="",a=null]=yo(),i=Z(!1);L(()=>{let g=new AbortController;return go(g.signal),document.addEventListener(
"copy",jl,{signal:g.signal}),()=>g.abort()},[]);let l=ee.loggedOut;L(()=>{l&&n()},[l]);let u=et.find(({id:g})=>g===r),c=Ul[r]??u?.name??"Not found";L(()=>{document.
title=`${c} · Ballast`,i.current&&document.querySelector("h1")?.focus({preventScroll:!0}),i.current=!0,scrollTo(0,0)},[r,a]);let d={overview:o,known:dt(s.value),
scopes:e.scopes,detail:a},p=Yl()&&o.value!==null,[f,m]=v(!1),[h,y]=v(null);return er(Kl({find:()=>y("palette"),help:()=>y("help"),swapTimes:()=>m(g=>!g)})),t(Wl,
{known:d.known,isStale:p,asClock:f,children:[t("div",{class:"frame",children:[t("button",{type:"button",class:"skip",onClick:Gl,children:"Skip to the content"}),
t(rr,{entries:et.filter(({of:g})=>g===void 0),shown:r==="try"?"rules":u?.of??r,overview:o.value,treasury:s.value?.treasury??null}),t("div",{class:"body",children:[
t(ar,{account:e,overview:o.value,onFind:()=>y("palette"),onLeave:n}),t(Ql,{overview:o.value,isStale:p}),t("main",{id:"content",tabIndex:-1,children:t(ql,{view:r,
detail:a,desk:d},`${r}/${a}`)})]})]}),h==="palette"?t(sr,{commands:Vl(o.value,()=>y("help")),onOrder:g=>ae(`orders/${g}`),onClose:()=>y(null)}):null,h==="help"?
t(nr,{onClose:()=>y(null)}):null]})}function Wl(e){return t(zt.Provider,{value:e.known.speak,children:t(Ve.Provider,{value:e.known.chains,children:t(Yt.Provider,
{value:e.isStale,children:t(Qt.Provider,{value:e.asClock,children:e.children})})})})}function ae(e){location.hash=`#/${e}`}function Kl(e){return{"g h":()=>ae(""),
"g t":()=>ae("treasury"),"g o":()=>ae("orders"),"g r":()=>ae("rules"),"g s":()=>ae("settings"),"p p":()=>Le("pause"),"/":e.find,"?":e.help,".":e.swapTimes,j:()=>Ze(
1),k:()=>Ze(-1),ArrowDown:()=>Ze(1),ArrowUp:()=>Ze(-1),o:tr,a:()=>Le("approve"),f:()=>Le("filter"),e:()=>Le("export")}}function Vl(e,n){let o={"":"g h",treasury:"\
g t",orders:"g o",rules:"g r",settings:"g s"};return[...et.map(({id:s,name:r})=>({name:r,keys:o[s],act:()=>ae(s)})),{name:"New swap",act:()=>ae("swap")},{name:"\
Pause everything",keys:"p p",act:()=>Le("pause")},{name:"Keys",keys:"?",act:n},...(e?.orders??[]).map(({id:s,from:r,to:a})=>({name:`Order ${s.slice(0,8)} ${r} →\
 ${a}`,act:()=>ae(`orders/${s}`)})),...(e?.rules??[]).map(({id:s})=>({name:`Rule ${s}`,act:()=>ae(`decisions/${encodeURIComponent(s)}`)}))]}function ql({view:e,
detail:n,desk:o}){if(e==="orders"&&n!==null)return t(ss,{...o,detail:n});if(e==="swap")return t(gs,{...o});if(e==="try")return t(zs,{...o});let s=et.find(({id:i})=>i===
e);if(s===void 0)return t("h1",{tabIndex:-1,children:"There is no such view"});let r=s.of??s.id,a=et.filter(({id:i,of:l})=>i===r||l===r);return t(b,{children:[a.
length<2?null:t(ir,{parts:a,shown:e,label:"Parts of this view"}),t(s.show,{...o})]})}function jl(e){let n=getSelection(),[o,s]=[n?.anchorNode,n?.focusNode].map(
r=>r?.parentElement?.closest("[data-exact]")??null);o==null||o!==s||(e.clipboardData?.setData("text/plain",o.dataset.exact??""),e.preventDefault())}function Gl(){
document.querySelector("#content")?.focus()}var zl=1e4;function Yl(){let[e,n]=v(!1);return L(()=>{let o=setInterval(()=>n(ee.failing||Date.now()-ee.lastMs>zl),500);
return()=>clearInterval(o)},[]),e}function Ql(e){let{overview:n,isStale:o}=e,s=K();return L(()=>{document.body.classList.toggle("old",o)},[o]),t("div",{role:"st\
atus",children:o&&n!==null?t("p",{class:"notice bad stale",children:[t("b",{children:"This is not live."})," The daemon last answered"," ",ct(new Date(ee.lastMs).
toISOString(),s),". You see the state of"," ",O(n.at,s),"."]}):null})}var ur=document.querySelector("#app");ur!==null&&In(t(lr,{}),ur);
