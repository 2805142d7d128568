/**
 * What a service prints when it is ready, as a banner or as a line of its log: its URL, or without the role `api` a text that ends
 * in `without HTTP`.
 */
export const readyLine = /Lanyard is ready:\s+(http[^\s"]+|[^"\n]* without HTTP)/
