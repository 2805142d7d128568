/**
 * The layers of apps/api/src, from the top. Imports only go down this list, type imports included, and folders on one line do
 * not import each other. docs/architecture.md has the picture.
 */
const layers = [
  ['main\\.ts$'],
  ['app/'],
  ['transport/', 'console/', 'admin/'],
  ['http/'],
  ['routers/'],
  ['acts/'],
  ['pipeline/'],
  [
    'domain/smart-balance/',
    'domain/session-keys/',
    'domain/owners/',
    'domain/messages/',
    'domain/events/',
    'domain/operators/',
    'domain/ledger/',
    'domain/prices/',
  ],
  ['domain/gas-policies/'],
  ['domain/operations/'],
  ['domain/accounts/'],
  ['platform/'],
]

/** The layers of the smart balance, from the top: a folder imports only those after it. */
const smartBalance = ['settlement', 'orders', 'quotes', 'ledger', 'model']

/**
 * The layers of apps/wallet/src, from the top; `@lanyard/ui` is below them. Folders on one line do not import each other. Features,
 * from `owners` to `connections`, are what an owner can do beyond one operation.
 */
const walletLayers = [
  ['main\\.tsx$'],
  ['app\\.tsx$', 'connect/'],
  ['shell/'],
  ['screens/'],
  ['owners/', 'recovery/'],
  ['guardians/', 'session-keys/', 'smart-balance/', 'connections/'],
  ['operation/', 'messages/'],
  ['signers/'],
  ['calls/', 'recipients/', 'holdings/', 'login/'],
  ['passkey/', 'events/'],
  ['sign-in/'],
  ['networks/'],
  ['api/'],
  ['errors/'],
  ['amounts/'],
  ['i18n/'],
]

const consoleLayers = [['main\\.tsx$'], ['app\\.tsx$'], ['shell/'], ['screens/'], ['ui/'], ['api/']]

const api = '^apps/api/src/'
/** The rules that keep the folders of an application in their layers. */
const layerRules = (name, root, list) => {
  const anyOf = (folders) => `${root}(${folders.join('|')})`
  const nameOf = (folder) => folder.replace(/\W+$/, '').replaceAll(/\W+/g, '-')
  return [
    ...list.slice(1).map((folders, index) => ({
      name: `${name}${nameOf(folders[0])}-imports-down`,
      severity: 'error',
      comment: 'Move it to its layer, or declare the interface that is needed in the lower one.',
      from: { path: anyOf(folders) },
      to: { path: anyOf(list.slice(0, index + 1).flat()) },
    })),
    ...list
      .filter((folders) => folders.length > 1)
      .flatMap((folders) =>
        folders.map((folder) => ({
          name: `${name}no-import-between-neighbours-of-${nameOf(folder)}`,
          severity: 'error',
          comment: 'What stands side by side is put together above: in a procedure, or on a screen.',
          from: { path: anyOf([folder]) },
          to: { path: anyOf(folders.filter((other) => other !== folder)) },
        })),
      ),
    {
      name: `${name}files-have-a-layer`,
      severity: 'error',
      comment: 'A new folder takes its place in the list of layers.',
      from: { path: root, pathNot: anyOf(list.flat()) },
      to: {},
    },
  ]
}

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'Two files that need each other are one idea, or lack the interface between them.',
      from: {},
      to: { circular: true },
    },
    ...layerRules('layer-', api, layers),
    ...layerRules('wallet-', '^apps/wallet/src/', walletLayers),
    ...layerRules('console-', '^apps/console/src/', consoleLayers),
    ...smartBalance.slice(1).map((folder, index) => ({
      name: `smart-balance-${folder}-imports-down`,
      severity: 'error',
      comment: 'The order is ledger ← quotes ← orders ← settlement; what all of them share is in model.',
      from: { path: `${api}domain/smart-balance/${folder}/` },
      to: { path: `${api}domain/smart-balance/(${smartBalance.slice(0, index + 1).join('|')})/` },
    })),
    {
      name: 'operations-name-no-feature',
      severity: 'error',
      comment: 'A feature registers what it holds of operations: app/operation-features.ts.',
      from: { path: `${api}domain/operations/` },
      to: { path: '^packages/(session-keys|smart-balance)/|@lanyard/(session-keys|smart-balance)' },
    },
    {
      name: 'packages-import-no-app',
      severity: 'error',
      comment: 'What a package needs of an application belongs into a package.',
      from: { path: '^packages/[^/]+/src/' },
      to: { path: '@lanyard/(api|wallet|console|recovery|docs)(/|$)|^apps/' },
    },
    {
      name: 'no-src-of-another-package',
      severity: 'error',
      comment: 'Import what the package exports, or export it.',
      from: {},
      to: { path: '^@lanyard/[^/]+/(src|test)/' }, // nothing that a package exports has such a path
    },
    {
      name: 'no-other-package-by-path',
      severity: 'error',
      comment: 'Import what the package exports, by its name.',
      from: { path: '^(apps|packages|tools|examples)/([^/]+)/' },
      to: {
        path: '^(apps|packages|tools|examples)/',
        pathNot: ['^$1/$2/', '/package\\.json$'],
        dependencyTypes: ['local'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['\\.test\\.tsx?$', '/dist/', '/generated/', '\\.sol$'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    // Another package is what its package.json exports, not the folder that the link leads to.
    preserveSymlinks: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
    skipAnalysisNotInRules: true,
  },
}
