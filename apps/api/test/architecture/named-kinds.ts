import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const root = join(import.meta.dirname, '../../../..')

/** Words that contain `safe` and mean no Safe; `safe_op_hash` is a column that holds what any kind of account signs. */
const otherWords = /safe_?integer|safeParse|unsafe|timingSafeEqual|^safe_op_hash$/i
/** Here, `safe` is the block tag of JSON-RPC. */
const blockTags = ['packages/networks/src/chain-transport.ts', 'packages/networks/src/finalized-block.ts']
const notCounted = /^packages\/(contracts|client|onchain|devnet)\/|[./]generated[./]|\.test\.tsx?$|\.d\.ts$/

const safeFolders = ['packages/accounts/src/safe/', 'apps/api/src/domain/accounts/safe/']

/** Source files outside their own folders that name Safe in code, or a kind of signer as a string, each with the names. */
export function findNamedKinds() {
  const paths = globSync('{apps,packages}/*/src/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (name) => name === 'node_modules' || name === 'dist',
  })
  const found = paths
    .filter((path) => !notCounted.test(path))
    .sort()
    .map((path) => ({ path, ...namesIn(path, readFileSync(join(root, path), 'utf8')) }))
  return {
    safe: found
      .filter(({ path, safe }) => safe.length > 0 && !safeFolders.some((folder) => path.startsWith(folder)))
      .map(({ path, safe }) => `${path}: ${safe.join()}`),
    signers: found
      .filter(({ path, signers }) => signers.length > 0 && !path.includes('/signers/'))
      .map(({ path, signers }) => `${path}: ${signers.join()}`),
  }
}

/** The names in one file. Comments, texts and the paths of imports do not count. */
export function namesIn(path: string, text: string) {
  const safe = new Set<string>()
  const signers = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && /safe/i.test(node.text) && !otherWords.test(node.text)) safe.add(node.text)
    if (ts.isStringLiteralLike(node)) {
      if (node.text === 'safe' && !blockTags.includes(path)) safe.add("'safe'")
      if (node.text === 'eoa' || node.text === 'passkey') signers.add(`'${node.text}'`)
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false))
  return { safe: [...safe], signers: [...signers] }
}
