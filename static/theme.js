// Light or dark: the system's wish until somebody chooses. A canvas reads its colours again on `lpmm-theme`.

const root = document.documentElement;

/** @param {"light" | "dark"} theme */
function put(theme) {
  root.dataset.theme = theme;
  document.dispatchEvent(new CustomEvent("lpmm-theme"));
}

/** @param {HTMLElement} button */
export function bindTheme(button) {
  const show = () => {
    const dark = root.dataset.theme === "dark";
    button.setAttribute("aria-pressed", String(dark));
    button.textContent = dark ? "☀\ufe0e" : "☾"; // the text form of the sun, not the coloured one
  };
  button.addEventListener("click", () => {
    const theme = root.dataset.theme === "dark" ? "light" : "dark";
    localStorage.setItem("lpmm-theme", theme);
    put(theme);
    show();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => {
    if (localStorage.getItem("lpmm-theme")) return;
    put(event.matches ? "dark" : "light");
    show();
  });
  show();
}

/** The value of a token. @param {string} name */
export const token = (name) => getComputedStyle(root).getPropertyValue(name).trim();
