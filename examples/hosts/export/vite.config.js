import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  publicDir: "../shared/public",
  plugins: [react()],
  // The development server would move it away from its WebAssembly and its worker. The build needs nothing.
  optimizeDeps: { exclude: ["firstlight"] },
});
