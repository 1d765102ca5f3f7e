// Builds the page's script and styles into the Python package, with the licences of what is inlined in front.
import { build } from "esbuild";
import { readFile, readdir, writeFile } from "node:fs/promises";

const OUT = new URL("../src/angularpu/explore/bundle/", import.meta.url);
const result = await build({
  entryPoints: { workbench: "src/main.ts" },
  bundle: true,
  minify: true,
  charset: "ascii",
  format: "iife",
  target: "es2022",
  legalComments: "none",
  metafile: true,
  write: false,
  outdir: "out",
});

async function licences() {
  const inlined = new Set();
  for (const input of Object.keys(result.metafile.inputs)) {
    const found = input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/);
    if (found) inlined.add(found[1]);
  }
  const texts = [];
  for (const name of [...inlined].sort()) {
    const folder = `node_modules/${name}`;
    const about = JSON.parse(await readFile(`${folder}/package.json`, "utf-8"));
    const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
    const text = file ? await readFile(`${folder}/${file}`, "utf-8") : about.license;
    texts.push(`${name} ${about.version}\n${text.trim()}`);
  }
  return texts.join("\n\n").replaceAll("*/", "* /");
}

for (const file of result.outputFiles) {
  const name = file.path.endsWith(".css") ? "workbench.css" : "workbench.js";
  // A closing tag in the program would end the element that it stands in.
  const text = file.text.replaceAll("</script", "<\\/script").replaceAll("</style", "<\\/style").replaceAll("<!--", "<\\!--");
  const notice = name.endsWith(".js") ? `/*! Built from workbench/ by make page. Inlined:\n\n${await licences()}\n*/\n` : "";
  await writeFile(new URL(name, OUT), notice + text);
  console.log(name, (notice + text).length);
}
