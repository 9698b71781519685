/** Says that the browser is too old if the page's modules have not started. Not a module, and in words of old browsers. */

window.addEventListener("load", function () {
  var notice = document.getElementById("old-browser");
  if (notice !== null && !document.documentElement.hasAttribute("data-started")) notice.removeAttribute("hidden");
});
