/** Style sheets, which the bundler puts beside the page. */
declare module "*.css"
