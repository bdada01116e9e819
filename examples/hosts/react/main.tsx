import "firstlight/element";
import "../shared/page.css";

import { createRoot } from "react-dom/client";

import { App } from "./App.tsx";

const page = document.getElementById("page");
if (page) createRoot(page).render(<App />);
