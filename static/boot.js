// Runs before anything is painted, so that a dark page never flashes white. Everything else about the theme is in theme.js.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem("lpmm-theme");
  } catch (error) {
    // Storage may be forbidden; then the system decides.
  }
  var dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
