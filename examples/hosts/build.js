// Builds the five pages, each into a folder of its own: `node build.js [FOLDER]`, by default `dist`.

import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { build } from "vite";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, "dist"));
const page = (name) => ({ root: join(here, name), logLevel: "warn" });

/** A page that Vite builds with nothing but its own configuration. */
async function built(name) {
  await build({ ...page(name), build: { outDir: join(out, name), emptyOutDir: true } });
}

/** No bundler: the files as they are, and the package's folder beside them. */
async function plain() {
  await cp(join(here, "plain"), join(out, "plain"), { recursive: true });
  await cp(join(here, "shared/public"), join(out, "plain"), { recursive: true });
  await cp(join(here, "shared/page.css"), join(out, "plain/page.css"));
  await cp(join(here, "node_modules/firstlight"), join(out, "plain/firstlight"), { recursive: true });
}

/** The page is made into HTML here, once, and goes on in the browser. */
async function exported() {
  const server = join(here, "node_modules/.export");
  await built("export");
  await build({ ...page("export"), publicDir: false, build: { ssr: "server.tsx", outDir: server, emptyOutDir: true } });
  const { html } = await import(pathToFileURL(join(server, "server.js")).href);
  const file = join(out, "export/index.html");
  const shell = await readFile(file, "utf8");
  if (!shell.includes("<!--page-->")) throw new Error("the shell has no place for the page");
  await writeFile(file, shell.replace("<!--page-->", () => html));
}

await rm(out, { recursive: true, force: true });
for (const [name, make] of [["plain", plain], ["react", built], ["vue", built], ["svelte", built], ["export", exported]]) {
  const begun = performance.now();
  await make(name);
  console.log(`${name}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}
