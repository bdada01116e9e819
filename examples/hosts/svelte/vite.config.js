import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  publicDir: "../shared/public",
  plugins: [svelte()],
  // The development server would move it away from its WebAssembly and its worker. The build needs nothing.
  optimizeDeps: { exclude: ["firstlight"] },
});
