/** Opens the PGlite directory given as argument, reports that, and holds it until it is killed. */
import { openDatabase } from '../src/index.ts'

await openDatabase({ dataDir: process.argv[2] })
console.log('open')
setInterval(() => {}, 60_000)
