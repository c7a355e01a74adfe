// Speaks to the server: one function a verb; a refusal becomes a Problem with the server's own sentence.

/** The space this page shows. */
export const space = document.documentElement.dataset.space ?? "default";

const ROOT = "/api/v1";
const HERE = `${ROOT}/spaces/${encodeURIComponent(space)}`;

/** A refusal: `code` for programs, `message` for people. */
export class Problem extends Error {
  /** @param {number} status @param {any} document */
  constructor(status, document) {
    super(document?.detail ?? document?.title ?? `HTTP ${status}`);
    this.status = status;
    /** @type {string} */
    this.code = document?.code ?? (status === 0 ? "network" : "http");
    this.more = document ?? {};
  }
}

/**
 * @param {string} method
 * @param {string} address
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
async function ask(method, address, body, signal) {
  /** @type {RequestInit} */
  const options = { method, signal, headers: { Accept: "application/json" } };
  if (body !== undefined) {
    options.headers = { Accept: "application/json", "Content-Type": "application/json" };
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(address, options);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem(0, null);
  }
  const document = await response.json().catch(() => null);
  if (!response.ok) throw new Problem(response.status, document);
  return document;
}

/** @param {Record<string, string | number | boolean | undefined>} [query] */
function search(query) {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  return given.length ? `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}` : "";
}

/** @param {string} path @param {Record<string, any>} [query] @param {AbortSignal} [signal] */
export const get = (path, query, signal) => ask("GET", HERE + path + search(query), undefined, signal);
/** @param {string} path @param {unknown} [body] @param {AbortSignal} [signal] */
export const post = (path, body, signal) => ask("POST", HERE + path, body, signal);
/** @param {string} path @param {unknown} body */
export const patch = (path, body) => ask("PATCH", HERE + path, body);
/** @param {string} path */
export const remove = (path) => ask("DELETE", HERE + path);

/** All spaces. */
export const spaces = () => ask("GET", `${ROOT}/spaces`);
/** @param {{name?: string, sample?: boolean}} wish */
export const createSpace = (wish) => ask("POST", `${ROOT}/spaces`, wish);

/** The address of a page. @param {string} page @param {Record<string, any>} [query] @param {string} [of] */
export const pageOf = (page, query, of = space) => `/s/${encodeURIComponent(of)}/${page}${search(query)}`;

/**
 * Send files; `onProgress` gets the sent part, 0 to 1.
 * @param {File[]} files
 * @param {(part: number) => void} onProgress
 * @returns {Promise<any>}
 */
export function upload(files, onProgress) {
  const form = new FormData();
  for (const file of files) form.append("files", file, file.name);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => event.lengthComputable && onProgress(event.loaded / event.total));
    request.addEventListener("error", () => reject(new Problem(0, null)));
    request.addEventListener("load", () =>
      request.status < 300 ? resolve(request.response) : reject(new Problem(request.status, request.response)),
    );
    request.open("POST", `${HERE}/sources`);
    request.setRequestHeader("Accept", "application/json");
    request.send(form);
  });
}
