/**
 * Projects outside the workspace that use the tarballs of our packages as apps do. Each function throws an error with the output
 * of what failed.
 */
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compile, root, run } from './pack-packages.mjs'

const npmInstall = ['install', '--no-audit', '--no-fund', '--ignore-scripts']

/** Installs what a project depends on. Our packages depend on each other by versions that no registry has yet. */
async function install(folder, manifest, tarballs, options = []) {
  await mkdir(folder, { recursive: true })
  const project = { name: 'consumer', private: true, type: 'module', ...manifest, overrides: tarballs }
  await writeFile(join(folder, 'package.json'), JSON.stringify(project))
  await run('npm', [...npmInstall, ...options], folder)
}

const readJson = async (path) => JSON.parse(await readFile(join(root, path), 'utf8'))

/** The versions in which an example has what it depends on, with our packages as tarballs. */
async function dependenciesOf(example, tarballs, left = []) {
  const { dependencies, devDependencies } = await readJson(`${example}/package.json`)
  const catalog = await readFile(join(root, 'pnpm-workspace.yaml'), 'utf8')
  const versionOf = ([name, version]) =>
    version === 'catalog:' ? new RegExp(`^ {2}"?${name}"?: (\\S+)$`, 'm').exec(catalog)?.[1] : version
  const all = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) => !left.includes(name))
  return Object.fromEntries(all.map((one) => [one[0], tarballs[one[0]] ?? versionOf(one)]))
}

/** Names that a README's example takes as given. */
const given = {
  '@lanyard/connect': 'declare const button: HTMLButtonElement',
  '@lanyard/database': `declare const url: string, address: import('viem').Address`,
  '@lanyard/onchain': `declare const publicClient: import('viem').PublicClient, requiredPrefund: bigint, value: bigint, gasCap: bigint
declare const entryPoint: import('viem').Address, entryPointCodeAddress: import('viem').Address, sender: import('viem').Address
declare const packedUserOperation: any, entryPointCode: import('viem').Hex`,
  '@lanyard/signers': `declare const token: string, order: import('viem').TypedDataDefinition`,
  '@lanyard/viem': `declare const rpcUrl: string, bundlerUrl: string, key: import('viem').Hex, to: import('viem').Address`,
}

/**
 * Compiles the first example of each README for ES2017, the target that Next.js writes: there, a bigint literal is an error.
 *
 * @returns the names of the packages whose README has an example
 */
export async function compileReadmes(packages, folder) {
  const files = []
  for (const { path, manifest } of packages) {
    const readme = await readFile(join(path, 'README.md'), 'utf8')
    const [, kind, code] = /^```(tsx?)\n([\s\S]*?)^```/m.exec(readme) ?? []
    if (!code) continue
    const file = `readme-${manifest.name.split('/')[1]}.${kind}`
    await writeFile(join(folder, file), `${given[manifest.name] ?? ''}\n${code}\nexport {}\n`)
    files.push(file)
  }
  const compilerOptions = {
    ...{ target: 'es2017', lib: ['es2023', 'esnext.disposable', 'dom'], module: 'esnext' },
    ...{ moduleResolution: 'bundler', jsx: 'react-jsx', strict: true, noEmit: true, skipLibCheck: true },
    types: ['node'],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  await compile(folder)
  return files.length
}

/** Builds examples/embedded-app with Vite. */
export async function buildByVite(folder, tarballs) {
  const example = 'examples/embedded-app'
  await cp(join(root, example), folder, { recursive: true, filter: isSource })
  await install(folder, { devDependencies: await dependenciesOf(example, tarballs) }, tarballs)
  await typecheckCopy(folder, example)
  await run('npx', ['--no-install', 'vite', 'build'], folder)
  await assertNotEmpty(join(folder, 'dist/assets'))
}

/** Builds the app of docs/guides/next-js.md with Next.js, which writes its own settings of TypeScript. */
export async function buildByNext(folder, tarballs) {
  await cp(join(root, 'packages/react/test/next-app'), join(folder, 'app'), { recursive: true })
  const { devDependencies } = await readJson('packages/react/package.json')
  const names = ['react', 'react-dom', '@types/react', '@types/react-dom', '@tanstack/react-query']
  const versions = Object.fromEntries(names.map((name) => [name, devDependencies[name]]))
  const { viem, typescript } = await dependenciesOf('packages/react', tarballs)
  const others = { next: nextVersion, typescript, viem, '@types/node': '^24.0.0' }
  const dependencies = { ...versions, ...others, '@lanyard/react': tarballs['@lanyard/react'] }
  await install(folder, { dependencies }, tarballs, ['--omit=optional'])
  await run('npx', ['--no-install', 'next', 'build'], folder, { NEXT_TELEMETRY_DISABLED: '1', CI: '1' })
  await stat(join(folder, '.next/BUILD_ID'))
}

/** The version that the guide names. */
const nextVersion = '16.4.6'

/** Bundles examples/expo-app with Metro, for Android. */
export async function bundleByMetro(folder, tarballs) {
  const example = 'examples/expo-app'
  await cp(join(root, example), folder, { recursive: true, filter: isSource })
  const left = ['@lanyard/testing', 'vitest']
  await install(folder, { devDependencies: await dependenciesOf(example, tarballs, left) }, tarballs)
  // As in a project that is not part of this repository.
  await writeFile(
    join(folder, 'metro.config.cjs'),
    `module.exports = require('@react-native/metro-config').getDefaultConfig(__dirname)\n`,
  )
  const options = ['--platform', 'android', '--out', 'bundle.js', '--config', 'metro.config.cjs']
  await run('npx', ['--no-install', 'metro', 'build', 'index.js', ...options], folder)
  const bundle = await readFile(join(folder, 'bundle.js'), 'utf8')
  if (!bundle.includes('lanyard.react.accounts')) throw new Error('The bundle of Metro lacks @lanyard/react')
}

const isSource = (path) => !/[\\/](node_modules|dist|artifacts|test)$/.test(path)

/** The examples extend the settings of this repository. */
async function typecheckCopy(folder, example) {
  const settings = await readJson(`${example}/tsconfig.json`)
  const base = await readJson('tsconfig.base.json')
  const compilerOptions = { ...base.compilerOptions, ...settings.compilerOptions }
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ ...settings, extends: undefined, compilerOptions }),
  )
  await compile(folder)
}

async function assertNotEmpty(folder) {
  if ((await readdir(folder)).length === 0) throw new Error(`${folder} is empty`)
}
