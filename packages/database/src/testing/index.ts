export { describeEachEngine } from './describe-each-engine.ts'
export { freshDatabase, type TestDatabase, testEngines } from './fresh-database.ts'
export { findPostgresBinaries } from './postgres-binaries.ts'
export { startTemporaryCluster, type TemporaryCluster } from './temporary-cluster.ts'
