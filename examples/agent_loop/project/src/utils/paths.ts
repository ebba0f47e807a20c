export const join = (...parts: string[]) => parts.join("/");
