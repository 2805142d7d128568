/** Starts a temporary PostgreSQL with the binaries given as argument, prints its URL, and waits to be killed. */
import { startTemporaryCluster } from '../src/testing/temporary-cluster.ts'

const cluster = await startTemporaryCluster(process.argv[2] ?? '')
console.log(cluster.url)
setInterval(() => {}, 60_000)
