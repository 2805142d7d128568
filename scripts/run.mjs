/**
 * `npm start`, `npm test`, `npm run dev` and `npm run bench` on a machine with only Node 20 and npm: installs
 * the dependencies in the lockfile, then starts the repository's own Node. It is plain JavaScript without
 * dependencies, since it runs before anything is installed.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')
const pnpm = 'pnpm@12.21.0'

/** Runs the packages' test scripts through turbo, and prints a summary at the end. */
const tests = (scripts, more) => testTool('main.ts', [scripts, ...more])

const testTool = (file, parameters) => ({
  program: join(bin, 'node'),
  parameters: [`tools/testing/src/${file}`, ...parameters],
  env: lowMemoryEnv,
})

/**
 * Settings for an environment that runs all day: compiled modules are cached for the next start, and memory
 * that is no longer needed is returned (otherwise glibc keeps an arena for each thread).
 */
const lowMemoryEnv = {
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'lanyard-compile'),
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

/** On the local networks, the console of operators runs too; elsewhere only where ROLES names it. */
const localRoles = !('NETWORKS_FILE' in process.env)
  ? { ROLES: 'api,worker,attestor,settler,topUp,admin' }
  : {}

/**
 * The program of each command. It runs in the repository's root, with the repository's own tools first on the
 * path.
 */
const commands = {
  start: (more) => ({
    program: join(bin, 'node'),
    // Otherwise the young generation alone grows to 128 MB during the start, and stays at that size.
    parameters: ['--max-semi-space-size=16', 'apps/api/src/main.ts', ...more],
    // The banner has all the necessary information; LOG_LEVEL=info shows every request.
    env: { ...lowMemoryEnv, LOG_LEVEL: 'warn', ...localRoles },
  }),
  dev: (more) => ({
    program: join(bin, 'node'),
    parameters: ['--watch', 'apps/api/src/main.ts', ...more],
    env: { ...lowMemoryEnv, LOG_LEVEL: 'warn', ...localRoles },
  }),
  /** `npm test -- --filter @lanyard/api` runs one package; `npm test -- --force` ignores the cache. */
  test: (more) => tests('test', more),
  /** Also runs the fast tier, unless `--rest` says that it has just run. */
  'test:all': (more) =>
    more.includes('--rest')
      ? tests(
          'test:all',
          more.filter((option) => option !== '--rest'),
        )
      : tests('test,test:all', more),
  'test:long': (more) => tests('test:long', more),
  /** Repeats the files that failed in the last two tiers, each alone. */
  'test:again': (more) => testTool('repeat/main.ts', more),
  /** The fast tier with a third of the processor, in random order. */
  'test:slow': (more) => testTool('slow/main.ts', more),
  /** `npm run bench -- gas` runs one benchmark. */
  bench: (more) => ({ program: join(bin, 'node'), parameters: ['tools/bench/src/main.ts', ...more] }),
}

/** Contains the digest of the installed lockfile: file times mean nothing after a checkout. */
const marker = join(root, 'node_modules', '.lanyard-lockfile')

const lockfileDigest = () =>
  createHash('sha256')
    .update(readFileSync(join(root, 'pnpm-lock.yaml')))
    .digest('hex')

const isInstalled = () =>
  existsSync(join(bin, 'node')) && existsSync(marker) && readFileSync(marker, 'utf8') === lockfileDigest()

/**
 * Runs a program to its end and forwards signals; resolves to its exit code.
 *
 * @param options.onLine - called with each line of a quiet program
 */
function run(program, parameters, { quiet = false, env = {}, onLine = () => {} } = {}) {
  const child = spawn(program, parameters, {
    cwd: root,
    // The channel closes when this process ends, for whatever reason.
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...env, ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
    shell: process.platform === 'win32',
  })
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
    for (const line of String(chunk).split('\n')) if (line.trim()) onLine(line.trim())
  })
  child.stderr?.on('data', (chunk) => {
    output += chunk
  })
  // A terminal sends Ctrl+C to the child too. Signals sent to this process alone are forwarded.
  const passOn = (signal) => {
    if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, passOn)
  // If npm was killed, it could not forward its signal. Another process then becomes the parent of this one.
  const parent = process.ppid
  const orphaned = setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500)
  return new Promise((resolve) => {
    const done = (code) => {
      clearInterval(orphaned)
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, passOn)
      resolve({ code, output })
    }
    child.once('error', (error) => {
      output += error.message
      done(1)
    })
    child.once('exit', (code, signal) =>
      done(code ?? 128 + ({ SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }[signal] ?? 1)),
    )
  })
}

/** Says what is being done, and every few seconds how far it is. */
function announce(what) {
  const began = Date.now()
  let detail = ''
  process.stdout.write(`${what}…\n`)
  const seconds = () => `${Math.round((Date.now() - began) / 1000)} s`
  const timer = setInterval(() => {
    process.stdout.write(`  ${what}: ${seconds()}${detail && `, ${detail}`}\n`)
  }, 5_000)
  return {
    say: (line) => {
      detail = line
    },
    end: (ended = 'done') => {
      clearInterval(timer)
      process.stdout.write(`${what}: ${ended} in ${seconds()}\n`)
    },
  }
}

async function install() {
  if (isInstalled()) return
  const progress = announce('Installing dependencies (once)')
  const { code, output } = await run(
    'npx',
    ['-y', pnpm, 'install', '--frozen-lockfile', '--reporter=append-only'],
    {
      quiet: true,
      onLine: (line) => /^Progress: /.test(line) && progress.say(line.slice('Progress: '.length)),
    },
  )
  progress.end(code === 0 ? 'done' : 'failed')
  if (code === 0) {
    writeFileSync(marker, lockfileDigest())
    return
  }
  process.stderr.write(`${output.trimEnd().split('\n').slice(-30).join('\n')}\n\n`)
  process.stderr.write(`Dependencies could not be installed (npx ${pnpm} install --frozen-lockfile).\n`)
  process.exit(code)
}

/** The pages that the command needs, built if they are missing or older than their sources. */
async function buildPages() {
  const build = (page) =>
    run(join(bin, 'node'), [`apps/${page}/scripts/build-if-stale.ts`], { quiet: true, env: lowMemoryEnv })
  // Trying the service does not wait for the documentation; /docs says so until it is built. Only the slower tests read it.
  if (name === 'start' || name === 'dev') void build('docs')
  const pages = [
    'wallet',
    'recovery',
    // The fast tests do not look at the console.
    ...(name === 'test' || name === 'test:slow' ? [] : ['console']),
    ...(name === 'test:all' || name === 'test:long' ? ['docs'] : []),
  ]
  const progress = announce(`Building the pages that are out of date (${pages.join(', ')})`)
  const results = await Promise.all(pages.map((page) => build(page)))
  const failed = results.find(({ code }) => code !== 0)
  progress.end(failed ? 'failed' : 'done')
  if (!failed) return
  process.stderr.write(failed.output)
  process.exit(failed.code)
}

const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const needed = Number(engines.node.replace(/\D/g, ''))
if (Number(process.versions.node.split('.')[0]) < needed) {
  process.stderr.write(`Node ${needed} or later is needed; this is ${process.version}.\n`)
  process.exit(1)
}

const [name = '', ...more] = process.argv.slice(2)
if (!Object.hasOwn(commands, name)) {
  process.stderr.write(`Usage: node scripts/run.mjs ${Object.keys(commands).join('|')}\n`)
  process.exit(1)
}
await install()
if (name !== 'bench' && name !== 'test:again') await buildPages()
const { program, parameters, env } = commands[name](more)
const { code } = await run(program, parameters, { env })
process.exit(code)
