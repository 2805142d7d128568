export { compressFolder, precompress } from './compress-folder.ts'
export { isStale } from './is-stale.ts'
