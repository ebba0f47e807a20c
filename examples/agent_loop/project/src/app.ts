import { join } from "./utils/paths.ts";

// TODO: read the configuration
console.log(join("a", "b"));
