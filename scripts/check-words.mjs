/**
 * Finds words for which there is one better term, in identifiers, comments, texts and file names:
 * `pnpm check:words`. The glossary in CONTRIBUTING.md explains the terms. A finding names the file, the line,
 * the word and the term to use.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Patterns are case-sensitive if only an identifier is meant. Interface names, columns and queue names are
 * not renamed.
 */
const words = [
  { word: /foresee\w*|foreseen/gi, say: 'speculative estimate' },
  { word: /\bfindMeans\b|\bMeans\b(?! *\|)/g, say: 'spendable balance' },
  { word: /\bbriefly\b|withoutHurry|impatient/gi, say: 'withTimeout, pool with time-outs' },
  { word: /\bmend(?:s|ed|ing)?\b|\bmend[A-Z]\w*|\bmend-/g, say: 'repair, fix' },
  { word: /\bputs? off\b|\bputOff\w*|\bput-off\b/g, say: 'schedule retry' },
  { word: /readTogether|read-together/g, say: 'multicall at block' },
  { word: /begunRequest|begun request/gi, say: 'request context' },
  { word: /\baskedAt\b/g, say: 'route policy' },
  { word: /\bhand(?:s|ed|ing)? (?:it |them )?over\b|handOver|deliverFirst/g, say: 'send, pass, transfer' },
  { word: /\b[bB]elieved?\b|\bisBelieved\b/g, say: 'confirmed, verified, accepted' },
  { word: /whenWritten|whenSigned/g, say: 'onPersisted, onSigned' },
  { word: /AtTheirDearest|at-their-dearest/g, say: 'worst-case gas' },
  { word: /\bmortal\w*/gi, say: 'fatal error' },
  { word: /\b(?:most|longest)[A-Z]\w*|\bfirst(?:Pause|Backoff)\b/g, say: 'maxX, initialBackoff' },
  { word: /\binTurn\b/g, say: 'runSerially' },
  { word: /\b(?:smartBalance|sessionKeys)On\b/g, say: 'getSmartBalance, getSessionKeys' },
  { word: /\bleave-error\b|\bLeaveError\b|\bleavePage\b|apps\/leave\b/g, say: 'recovery, RecoveryError' },
  { word: /strangers?/gi, say: 'third party' },
  { word: /\bwhom\b/gi, say: 'who' },
  { word: /\b[fF]or ever\b|\bforEver\b/g, say: 'forever' },
  { word: /\bshall\b/gi, say: 'must, will' },
  { word: /\bbut for\b/gi, say: 'without, except' },
  { word: /scenes?(?![a-z])/gi, say: 'fixture' },
  { word: /\b[sS]tor(?:y|ies)\b|[a-z](?:Story|Stories)\b/g, say: 'fixture, journey' },
  { word: /\barenas?\b|Arena\b/gi, say: 'fixture' },
  { word: /harness/gi, say: 'fixture' },
  { word: /[sS]tand-ins?\b|[sS]tandIn/g, say: 'fake, placeholder' },
  { word: /\banew\b/gi, say: 'again, from scratch' },
  {
    word: /\bpresent (?:prices?|holder|delay|fees?|cost|minute|hour|state|value)\b/g,
    say: 'current',
  },
  { word: /\b6-decimals\b/g, say: '6-decimal' },
  { word: /\btwo looks\b/gi, say: 'polls, checks' },
  { word: /\bwhat (?:became|becomes|came) of\b/gi, say: 'outcome, status, result' },
  { word: /\bis good for (?:one|five|nothing|no)\b/gi, say: 'is valid for' },
  { word: /\b(?:const|let) it\b(?= [=:])/g, say: 'a name that says what it is' },
]

/** Where a word may stay, and why. */
const allowed = [
  { path: /^scripts\/check-words\.mjs$/, why: 'the list itself' },
  { path: /^CHANGELOG\.md$/, why: 'names of earlier versions' },
  { path: /\.svg$/, why: 'pictures' },
  {
    path: /^docs\/(cli|configuration|errors|licences|promises)\.md$|^docs\/endpoints\//,
    why: 'generated: the source is read',
  },
  {
    path: /(^|\/)generated\/|\.generated\.|openapi\.json$|^pnpm-lock\.yaml$/,
    why: 'generated: the source is read',
  },
  { path: /^scripts\/run\.mjs$/, text: /arena/i, why: "glibc's own word" },
  {
    path: /^docs\/(architecture\.md|decisions\/003)/,
    text: /foresee/,
    why: 'the name of a file in apps/api',
  },
  { path: /^docs\/(networks|operations)\.md$/, text: /Means/, why: 'heading of a column' },
  {
    path: /^packages\/database\/src\/migrations\//,
    text: /became of/,
    why: 'a migration that was applied stays as it was',
  },
  {
    path: /^apps\/api\/src\/transport\/http\/recovery-page/,
    text: /leave/,
    why: 'the path that earlier recovery kits name',
  },
]

const isText = /\.(ts|tsx|mjs|js|json|md|css|html|yaml|yml|svg)$|^\.ci\/run$/
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => isText.test(file) && existsSync(join(root, file)))

const isAllowed = (file, text) =>
  allowed.some((entry) => entry.path.test(file) && (entry.text === undefined || entry.text.test(text)))

const findings = files.flatMap((file) => {
  if (isAllowed(file, '')) return []
  const lines = [file, ...readFileSync(join(root, file), 'utf8').split('\n')]
  return lines.flatMap((line, number) =>
    words.flatMap(({ word, say }) => {
      const found = [...new Set(line.match(word) ?? [])].filter((text) => !isAllowed(file, text))
      const place = number === 0 ? `${file} (file name)` : `${file}:${number}`
      return found.map((text) => `${place}: "${text.trim()}": say ${say}`)
    }),
  )
})

if (findings.length > 0) {
  process.stderr.write(
    `${findings.join('\n')}\n\n${findings.length} words have a better term (CONTRIBUTING.md, Glossary).\n`,
  )
  process.exitCode = 1
} else process.stdout.write(`words: ${files.length} files read\n`)
