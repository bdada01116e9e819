/** What this product measures: the address that its own chat uses. */
export const ENDPOINT = "https://api.example.com/v1/chat/completions";
export const MODEL = "acme-1";
