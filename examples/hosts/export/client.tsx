import "../shared/page.css";

import { hydrateRoot } from "react-dom/client";

import { Page } from "./Page.tsx";

const page = document.getElementById("page");
if (page) hydrateRoot(page, <Page />);
