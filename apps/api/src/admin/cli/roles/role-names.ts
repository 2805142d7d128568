/** Roles that a contract gives to addresses. */
export const roles = ['operator', 'settler', 'attestor'] as const
export type Role = (typeof roles)[number]

/** The environment variable of the service with the key of a role's holder. */
export const variableOf = {
  operator: 'OPERATOR_PRIVATE_KEY',
  settler: 'SETTLER_PRIVATE_KEY',
  attestor: 'ATTESTOR_PRIVATE_KEYS',
} as const satisfies Record<Role, string>
