// What the browser gives to an extension; its own types are not worth a dependency.
declare var chrome: any;
/** What `page/*.js` leave in the page's isolated world for one another. */
declare var goldpanPage: any;
