import { renderToString } from "react-dom/server";

import { Page } from "./Page.tsx";

/** The page as HTML, made while building. */
export const html = renderToString(<Page />);
