// What a deletion would do, told before it is done.
import { get } from "./api.js";
import { language, t } from "./i18n.js";

/** One sentence about deleting these records. @param {...string} ids @returns {Promise<string>} */
export async function preview(...ids) {
  const { removes, keeps } = await get("/deletion", { ids: ids.join(",") });
  const kept = keeps.paragraphs + keeps.facts + keeps.entities;
  const parts = [t("delete.preview", removes), kept ? t("delete.keeps", { n: kept }) : ""].filter(Boolean);
  return parts.join(language === "zh" ? "；" : "; ");
}
