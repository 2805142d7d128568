import { z } from 'zod'
import { keySource, variables } from './variables.ts'

/**
 * The variables of the command line: the service's variables for networks, role holders and the database, and
 * its own.
 */
export const cliVariables = z.object({
  ...variables.pick({
    NETWORKS_FILE: true,
    RP_ID: true,
    ORIGINS: true,
    IOS_APPS: true,
    ANDROID_APPS: true,
    IDENTITY_PROVIDERS: true,
    PRICE_SOURCE: true,
    POLICIES_FILE: true,
    BRAND_FILE: true,
    RESERVED_USERNAMES: true,
    DATABASE_URL: true,
    DATA_DIR: true,
    MIGRATE_ON_START: true,
    TOKEN_KEY: true,
    WEBHOOK_PRIVATE_RANGES: true,
    RELAYER_PRIVATE_KEYS: true,
    RELAYER_TREASURY_PRIVATE_KEY: true,
    LIQUIDITY_WARNING: true,
    OPERATOR_PRIVATE_KEY: true,
    ATTESTOR_PRIVATE_KEYS: true,
    SETTLER_PRIVATE_KEY: true,
    TOP_UP_PRIVATE_KEY: true,
    TOP_UP_PER_HOUR: true,
    KEYSTORE_PASSPHRASE: true,
    KEYSTORE_PASSPHRASE_FILE: true,
    SIGNER_URL: true,
    SIGNER_TOKEN_FILE: true,
    SIGNER_CA_FILE: true,
    SIGNER_CERT_FILE: true,
    SIGNER_KEY_FILE: true,
    SIGNER_TIMEOUT: true,
    KMS_ENDPOINT: true,
    CONSOLE_ORIGIN: true,
  }).shape,
  /** Who runs the command, for the audit log, where the system's user name does not say it. */
  AUDIT_ACTOR: z
    .string()
    .regex(/^[\w.@+-]{1,64}$/, 'Expected a name such as alice or alice@bank.example')
    .optional(),
  /** The owner of SmartBalance. Never in the service's own environment: it controls roles and liquidity. */
  DEPLOYER_PRIVATE_KEY: keySource.optional(),
  /** The key that `lanyard keystore create --import` encrypts. */
  IMPORT_PRIVATE_KEY: keySource.optional(),
})

export type CliVariables = z.output<typeof cliVariables>
