/** @module-tag long */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'

const root = fileURLToPath(new URL('../..', import.meta.url))
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

interface Manifest {
  name: string
  private?: boolean
  exports: Record<string, unknown>
  publishConfig: { exports: Record<string, unknown> }
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

const packages = globSync('packages/*/package.json', { cwd: root })
  .sort()
  .map((path) => ({ folder: join(root, dirname(path)), manifest: readJson(join(root, path)) as Manifest }))
  .filter(({ manifest }) => !manifest.private)

/** Run by themselves, with a viem of their own: nobody hands them a client or an account. */
const programs = ['@lanyard/mcp']
const isLibrary = ({ manifest }: { manifest: Manifest }) => !programs.includes(manifest.name)

const entries = packages
  .filter(isLibrary)
  .flatMap(({ manifest }) =>
    Object.keys(manifest.publishConfig.exports).map((entry) => manifest.name + entry.slice(1)),
  )

const directory = mkdtempSync(join(tmpdir(), 'lanyard-published-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Runs a program that must succeed, without the environment variables of this run's package manager. */
function run(cwd: string, program: string, ...parameters: readonly string[]): string {
  const { status, stdout, stderr, error } = execute(cwd, program, parameters)
  expect(status, `${program} ${parameters.join(' ')}\n${stdout}${stderr}${error?.message ?? ''}`).toBe(0)
  return stdout
}

function execute(cwd: string, program: string, parameters: readonly string[]) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(config_user_agent|lifecycle|package)/.test(name)),
  )
  return spawnSync(program, parameters, { cwd, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}

/** Compilers and versions of Node, each in its own folder. */
const compilers = { 5.9: 'typescript@~5.9', 6: 'typescript@6', 7: 'typescript@7' }
const nodes = { 20: 'node@20', 22: 'node@22', 24: 'node@24' }
const tool = (specifier: string, bin: string) =>
  join(directory, specifier.replace(/\W+/g, '-'), 'node_modules', '.bin', bin)

/** The oldest and the newest viem that the packages support. */
const viemRanges = [...new Set(packages.flatMap(({ manifest }) => manifest.peerDependencies?.viem ?? []))]
const oldestViem = viemRanges.map((range) => range.replace('^', ''))

/** A consumer's program: it uses every entry, together with its own viem. */
const program = `
import { type AccountOwner, computeAccountAddress } from '@lanyard/accounts'
import { hashBytes } from '@lanyard/accounts/long-hashes'
import { isFast } from '@lanyard/accounts/recover'
import { decodeRevert } from '@lanyard/bundler'
import { createLanyardClient, LanyardApiError, type LanyardClient, signBuild } from '@lanyard/client'
import type { AppRouter } from '@lanyard/client/trpc'
import { createLanyardProvider } from '@lanyard/connect'
import { protocolVersion } from '@lanyard/connect/protocol'
import { lanyard } from '@lanyard/connect/wagmi'
import { type EndpointOutput, endpoints, errorTable } from '@lanyard/contracts'
import { isUniqueViolation, type OpenDatabase } from '@lanyard/database'
import { devAccounts } from '@lanyard/devnet'
import { type Network, presetNames } from '@lanyard/networks'
import { sessionKeysAbi } from '@lanyard/onchain'
import { LanyardProvider, type SendCalls } from '@lanyard/react'
import { sessionKeyId } from '@lanyard/session-keys'
import { parseKeySource } from '@lanyard/signers'
import { planOrder } from '@lanyard/smart-balance'
import { toLanyardSmartAccount } from '@lanyard/viem'
import { type Abi, type Address, createPublicClient, type Hex, http, type PublicClient } from 'viem'
import { createBundlerClient } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { mainnet } from 'viem/chains'

const key: Hex = \`0x\${'11'.repeat(32)}\`
const signer = privateKeyToAccount(key)
const owner: AccountOwner = { kind: 'eoa', address: signer.address }
const address: Address = computeAccountAddress(owner)
const client = createPublicClient({ chain: mainnet, transport: http('http://127.0.0.1:1') })
const service: LanyardClient = createLanyardClient({ baseUrl: 'http://127.0.0.1:1' })
const abi: Abi = sessionKeysAbi

export type Networks = EndpointOutput<typeof endpoints.system.networks>
export type Router = AppRouter['_def']
export type Sent = Awaited<ReturnType<SendCalls['send']>>
export async function usesEachOther(network: Network, { pool }: OpenDatabase) {
  const account = await toLanyardSmartAccount({ client, owner: signer })
  const request = { network: '1', walletAddress: account.address, transactionDetails: [] }
  const build = await service.smartAccount.build(request)
  const signature: Hex = await signBuild({ build, request, signer })
  const theirs: PublicClient = network.client
  return [createBundlerClient({ account, client, transport: http() }), signature, theirs, pool]
}
// @ts-expect-error the types are there: a number is not an address
void (() => computeAccountAddress({ kind: 'eoa', address: 1 }))

const values = [
  ...[hashBytes, isFast, decodeRevert, LanyardApiError, createLanyardProvider, protocolVersion, lanyard, errorTable],
  ...[isUniqueViolation, devAccounts, presetNames, sessionKeyId, parseKeySource, planOrder, abi],
  ...[LanyardProvider],
]
if (values.some((value) => value === undefined)) throw new Error('an export is undefined')
console.log(address)
`

const tarballs = new Map<string, string>()

describe.each(packages)('$manifest.name', ({ folder, manifest }) => {
  test('behavior: npm pack fails, and says what to run', () => {
    const { status, stderr } = execute(folder, 'npm', ['pack', '--pack-destination', directory])
    expect(status).not.toBe(0)
    expect(stderr).toContain(`${manifest.name} is packed by pnpm only: run \`npx pnpm pack\``)
    expect(globSync(`${manifest.name.replace('@', '').replace('/', '-')}-*.tgz`, { cwd: directory })).toEqual(
      [],
    )
  })

  test('behavior: pnpm pack builds it; the manifest matches the tarball, and has versions', () => {
    rmSync(join(folder, 'dist'), { recursive: true, force: true })
    // prepack prints before the JSON.
    const printed = run(folder, 'pnpm', 'pack', '--json', '--pack-destination', directory)
    const tarball: string = JSON.parse(printed.slice(printed.indexOf('{'))).filename
    const packed: Manifest = JSON.parse(run(directory, 'tar', '-xzOf', tarball, 'package/package.json'))
    expect(packed.exports).toEqual(manifest.publishConfig.exports)
    expect(JSON.stringify([packed.dependencies, packed.peerDependencies])).not.toMatch(/workspace:|catalog:/)
    expect('viem' in (packed.dependencies ?? {})).toBe(!isLibrary({ manifest }))
    const files = run(directory, 'tar', '-tzf', tarball).split('\n')
    expect(files.filter((file) => /\/src\/|\.test\.|\/test\//.test(file))).toEqual([])
    tarballs.set(manifest.name, `file:${tarball}`)
  })
})

/** Tested versions, for the table that the last test prints. */
const versions: Record<string, string> = {}

test.each(Object.entries({ ...compilers, ...nodes }))('behavior: the registry has %s: %s', (_, specifier) => {
  const folder = join(directory, specifier.replace(/\W+/g, '-'))
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }))
  run(folder, 'npm', 'install', '--no-audit', '--no-fund', specifier)
  const bin = specifier.startsWith('node') ? 'node' : 'tsc'
  versions[specifier] = run(folder, tool(specifier, bin), '--version').replace(/^\D+/, '').trim()
})

/** Each `moduleResolution` with its matching `module`. */
const resolutions = [
  ['nodenext', 'nodenext'],
  ['node16', 'node16'],
  ['bundler', 'esnext'],
] as const

/**
 * How each package manager gets the tarballs, which depend on each other by versions that no registry has
 * yet.
 */
const managers = {
  npm: {
    viem: oldestViem[0] ?? '',
    write: (folder: string, manifest: object, overrides: object) =>
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, overrides })),
    install: ['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts'],
  },
  pnpm: {
    viem: viemRanges[0] ?? '',
    write: (folder: string, manifest: object, overrides: object) => {
      writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
      writeFileSync(join(folder, 'pnpm-workspace.yaml'), stringify({ packages: ['.'], overrides }))
    },
    install: ['pnpm', 'install', '--ignore-scripts'],
  },
} as const

test('behavior: all packages have the same viem range', () => {
  expect(viemRanges).toHaveLength(1)
})

describe.each(['npm', 'pnpm'] as const)('installed by %s', (manager) => {
  const folder = join(directory, manager)

  test('behavior: a project gets only its own copy of viem', () => {
    const { viem, write, install } = managers[manager]
    mkdirSync(folder)
    const others = {
      '@trpc/server': '^11.0.0',
      '@types/node': '^24.0.0',
      '@types/react': '^19.0.0',
      wagmi: '^3.0.0',
      viem,
    }
    const libraries = [...tarballs].filter(([name]) => !programs.includes(name))
    const dependencies = { ...Object.fromEntries(libraries), ...others }
    const manifest = { name: 'consumer', private: true, type: 'module', dependencies }
    write(folder, manifest, Object.fromEntries(tarballs))
    const [command, ...parameters] = install
    run(folder, command, ...parameters)
    const found = run(folder, 'find', '.', '-path', '*/node_modules/viem/package.json', '-not', '-type', 'l')
    const copies = found
      .trim()
      .split('\n')
      .map((path) => realpathSync(join(folder, path)))
    expect(copies).toEqual([realpathSync(join(folder, 'node_modules/viem/package.json'))])
    versions[`viem by ${manager}`] = readJson(copies[0] ?? '').version
    writeFileSync(join(folder, 'program.ts'), program)
    const imports = entries.map((entry) => `await import('${entry}')`)
    writeFileSync(join(folder, 'entries.js'), imports.join('\n'))
  })

  test.each(
    Object.entries(compilers).flatMap(([version, compiler]) =>
      resolutions.map(([moduleResolution, module]) => ({ version, compiler, moduleResolution, module })),
    ),
  )('behavior: TypeScript $version compiles a program, $moduleResolution', (one) => {
    const { compiler, module, moduleResolution } = one
    const options = { module, moduleResolution, target: 'es2024', lib: ['es2024', 'dom'], types: ['node'] }
    const compilerOptions = { ...options, strict: true, skipLibCheck: false, outDir: 'out' }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
    rmSync(join(folder, 'out'), { recursive: true, force: true })
    const { stdout } = execute(folder, tool(compiler, 'tsc'), ['--project', '.', '--pretty', 'false'])
    // Declarations of other packages have their own errors: PGlite's lack Emscripten's types, and wagmi's
    // lack React's.
    const errors = stdout.split('\n').filter((line) => line.includes('error TS'))
    const ours = errors.filter((line) => !/node_modules/.test(line) || line.includes('/@lanyard/'))
    expect(ours, stdout).toEqual([])
    expect(existsSync(join(folder, 'out/program.js')), stdout).toBe(true)
  })

  test.each(Object.entries(nodes))('behavior: Node %s runs it, and imports every entry', (_, node) => {
    expect(run(folder, tool(node, 'node'), 'out/program.js').trim()).toMatch(/^0x[0-9a-fA-F]{40}$/)
    run(folder, tool(node, 'node'), 'entries.js')
  })
})

describe.each(programs)('%s, installed by itself', (name) => {
  const folder = join(directory, 'program')

  test('behavior: npm installs one viem, and each Node runs the program and imports its entry', () => {
    mkdirSync(folder)
    const dependencies = { [name]: tarballs.get(name) }
    managers.npm.write(folder, { private: true, type: 'module', dependencies }, Object.fromEntries(tarballs))
    const [command, ...parameters] = managers.npm.install
    run(folder, command, ...parameters)
    const copies = run(folder, 'find', '.', '-path', '*/node_modules/viem/package.json').trim().split('\n')
    expect(copies).toEqual(['./node_modules/viem/package.json'])
    const manifest: { bin: Record<string, string> } = readJson(
      join(folder, 'node_modules', name, 'package.json'),
    )
    for (const node of Object.values(nodes)) {
      run(folder, tool(node, 'node'), '--input-type=module', '--eval', `await import('${name}')`)
      for (const file of Object.values(manifest.bin))
        expect(run(folder, tool(node, 'node'), join('node_modules', name, file), '--help')).toMatch(
          /^lanyard-mcp: /,
        )
    }
  })
})

describe('@lanyard/react with its oldest peers', () => {
  const folder = join(directory, 'oldest-peers')
  const own = join(root, 'packages/react')
  const { peerDependencies } = readJson(join(own, 'package.json'))
  /** The lowest version of each range. */
  const oldest = Object.fromEntries(
    Object.entries<string>(peerDependencies).map(([name, range]) => [name, /[\d.]+/.exec(range)?.[0]]),
  )

  test('behavior: passes its tests', () => {
    mkdirSync(join(folder, 'src'), { recursive: true })
    cpSync(join(own, 'test'), join(folder, 'test'), { recursive: true })
    writeFileSync(join(folder, 'src/index.ts'), "export * from '@lanyard/react'\n")
    const tools = ['@testing-library/dom', '@testing-library/react', 'happy-dom', 'vitest']
    const versionOf = (name: string) => readJson(join(own, 'node_modules', name, 'package.json')).version
    const dependencies = {
      ...oldest,
      ...Object.fromEntries(tarballs),
      ...Object.fromEntries(tools.map((name) => [name, versionOf(name)])),
      'react-dom': oldest.react,
    }
    managers.npm.write(folder, { private: true, type: 'module', dependencies }, Object.fromEntries(tarballs))
    const [command, ...parameters] = managers.npm.install
    run(folder, command, ...parameters)
    expect(readJson(join(folder, 'node_modules/react/package.json')).version).toBe(oldest.react)
    const vitest = join(folder, 'node_modules/.bin/vitest')
    run(folder, vitest, 'run', 'test/hooks.test.tsx', '--reporter=json', '--outputFile=report.json')
    expect(readJson(join(folder, 'report.json'))).toMatchObject({ success: true, numPendingTests: 0 })
  })
})

test('behavior: the program uses every entry', () => {
  expect(entries.filter((entry) => !program.includes(`'${entry}'`))).toEqual([])
  console.log(JSON.stringify(versions))
})
