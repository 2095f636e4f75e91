import {explore} from "./x-debug.ts"; console.time("e"); explore(); console.timeEnd("e")
