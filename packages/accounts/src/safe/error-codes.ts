/** Error codes of Safe 1.4.1 (safe-smart-account, docs/error_codes.md). */
const safeCodes: Readonly<Record<string, string>> = {
  GS000: 'could not finish initialization',
  GS001: 'the threshold is not set',
  GS002: 'the call to the initializer has no code behind it',
  GS010: 'not enough gas to execute the Safe transaction',
  GS011: 'could not pay the gas costs with ether',
  GS012: 'could not pay the gas costs with the token',
  GS013: 'the call failed',
  GS020: 'the signatures are too short',
  GS021: 'invalid contract signature location: inside the static part',
  GS022: 'invalid contract signature location: length not present',
  GS023: 'invalid contract signature location: data not complete',
  GS024: 'invalid contract signature',
  GS025: 'the hash was not approved',
  GS026: 'invalid owner',
  GS030: 'only owners can approve a hash',
  GS031: 'this method can only be called by the Safe itself',
  GS100: 'modules are already initialized',
  GS101: 'invalid module address',
  GS102: 'the module was already added',
  GS103: 'invalid pair of modules',
  GS104: 'this method can only be called from an enabled module',
  GS105: 'invalid starting point for fetching modules',
  GS106: 'invalid page size for fetching modules',
  GS200: 'owners are already set up',
  GS201: 'the threshold cannot exceed the number of owners',
  GS202: 'the threshold must be at least 1',
  GS203: 'invalid owner address',
  GS204: 'this address is already an owner',
  GS205: 'invalid pair of owners',
  GS300: 'the guard does not implement IERC165',
  GS400: 'the fallback handler cannot be the Safe itself',
}

/** Adds to an account's reason for a revert what it means; any other text stays as it is. */
export function explainAccountError(reason: string): string {
  const explanation = safeCodes[reason]
  return explanation ? `${reason}: ${explanation}` : reason
}
