import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vite";

export default defineConfig({
  publicDir: "../shared/public",
  plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith("firstlight-") } } })],
  // The development server would move it away from its WebAssembly and its worker. The build needs nothing.
  optimizeDeps: { exclude: ["firstlight"] },
});
