/** A guard of the contracts, and what it is replaced with. */
export interface BrokenGuard {
  /** What it allows. */
  readonly name: string
  readonly file: string
  /** Occurs once in the file. */
  readonly original: string
  readonly replacement: string
}

/** Broken guards, each of which an invariant campaign must notice (docs/audit/invariants.md). */
export const brokenGuards: readonly BrokenGuard[] = [
  {
    name: 'never Unfunded',
    file: 'contracts/smart-balance/Claims.sol',
    original: 'if (_isPayable(claimAmount)) {',
    replacement: 'if (claimAmount == 0 || claimAmount != 0) {',
  },
  {
    name: 'always Unfunded',
    file: 'contracts/smart-balance/Claims.sol',
    original: 'if (_isPayable(claimAmount)) {',
    replacement: 'if (claimAmount == 0) {',
  },
  {
    name: 'an outcome is overwritten',
    file: 'contracts/smart-balance/Claims.sol',
    original: 'if (record.outcome != Outcome.None) return;',
    replacement: '',
  },
  {
    name: 'claims twice',
    file: 'contracts/smart-balance/Claims.sol',
    original: `if (orderHash == 0 || record.outcome != Outcome.None) revert NothingToClaim(msg.sender, nonce);
        uint256 terms = _next(slot).asUint256().tload();
        slot.asBytes32().tstore(0);`,
    replacement: `if (orderHash == 0) revert NothingToClaim(msg.sender, nonce);
        uint256 terms = _next(slot).asUint256().tload();`,
  },
  {
    name: 'the cap is not counted',
    file: 'contracts/smart-balance/Administration.sol',
    original: 'current.spent += uint104(amount);',
    replacement: '',
  },
  {
    name: 'liquidity is not checked',
    file: 'contracts/smart-balance/Vault.sol',
    original: `if (amount > available) revert InsufficientLiquidity(available, amount);
        _endShortfall();
        _transfer(to, amount, _owed());`,
    replacement: `if (amount > available + 50e6) revert InsufficientLiquidity(available, amount);
        _endShortfall();
        _transfer(to, amount, 0);`,
  },
  {
    name: 'a debit stays in the sum',
    file: 'contracts/smart-balance/Vault.sol',
    original: '_totals.deposits -= amount;',
    replacement: '',
  },
  {
    name: 'a debit is collected again',
    file: 'contracts/smart-balance/Settlement.sol',
    original: ' - before.amount;',
    replacement: ';',
  },
  {
    name: 'two orders of one nonce',
    file: 'contracts/smart-balance/Settlement.sol',
    original: 'if (before.order != _shortHash(orderHash)) revert OtherOrderSettled();',
    replacement: '',
  },
  {
    name: 'an unproven outcome',
    file: 'contracts/smart-balance/Settlement.sol',
    original: 'if (!verifier.verify(chainId, orderHash, outcome_, proof)) revert OutcomeNotProven();',
    replacement: '',
  },
  {
    name: 'a missing user signature at the source',
    file: 'contracts/smart-balance/Settlement.sol',
    original: 'if (!isSigned) revert NotSignedByUser();',
    replacement: '',
  },
  {
    name: 'an unpinned signer',
    file: 'contracts/smart-balance/Settlement.sol',
    original: 'signerUntil(account, order.signer.id) < order.validUntil',
    replacement: 'order.validUntil == 0',
  },
  {
    name: 'settles after the window',
    file: 'contracts/smart-balance/Settlement.sol',
    original: 'if (block.timestamp > closedAt) revert SettlementClosed(closedAt);',
    replacement: '',
  },
  {
    name: 'settles during a pause',
    file: 'contracts/smart-balance/Administration.sol',
    original:
      'if (block.timestamp < settlementPausedUntil) revert SettlementIsPaused(settlementPausedUntil);',
    replacement: '',
  },
  {
    name: 'a failure owes the debit',
    file: 'contracts/smart-balance/Settlement.sol',
    original: '(outcome_ == Outcome.Claimed ? debit.amount : debit.failFee)',
    replacement: 'debit.amount',
  },
  {
    name: 'the exit stays above the balance',
    file: 'contracts/smart-balance/Settlement.sol',
    original: 'if (account.exiting > account.balance) account.exiting = account.balance;',
    replacement: '',
  },
  {
    name: 'withdraw of what exits',
    file: 'contracts/smart-balance/Withdrawals.sol',
    original: 'account.balance - account.exiting;',
    replacement: 'account.balance;',
  },
  {
    name: 'a co-signature is used twice',
    file: 'contracts/smart-balance/Withdrawals.sol',
    original: 'usedWithdrawal[digest] = true;',
    replacement: '',
  },
  {
    name: 'an exit before its time',
    file: 'contracts/smart-balance/Exits.sol',
    original: 'if (block.timestamp < account.exitReadyAt) revert ExitNotReady(account.exitReadyAt);',
    replacement: '',
  },
  {
    name: 'an exit of more than the balance',
    file: 'contracts/smart-balance/Exits.sol',
    original: 'if (amount > account.balance) revert InsufficientBalance(account.balance, amount);',
    replacement: '',
  },
  {
    name: 'an earlier share does not count',
    file: 'contracts/smart-balance/Exits.sol',
    original: 'if (isShort) _setPaidShort(msg.sender, received);',
    replacement: '',
  },
  {
    name: 'an ended shortfall still counts',
    file: 'contracts/smart-balance/Vault.sol',
    original: `_totals.paidShort = 0;
        ++_shortfall;`,
    replacement: '',
  },
  {
    name: 'any recipient of a session',
    file: 'contracts/session-keys/Execution.sol',
    original: '(named == counterparty || named == address(0))',
    replacement: 'named != address(1)',
  },
  {
    name: 'an allowance is not counted',
    file: 'contracts/session-keys/Execution.sol',
    original: 'spending.spent = spent + uint128(amount);',
    replacement: '',
  },
  {
    name: 'an approval stays',
    file: 'contracts/session-keys/Execution.sol',
    original: `_call(call.to, 0, abi.encodeCall(IERC20.approve, (spender, 0)), index);
        if (IERC20(call.to).allowance(msg.sender, spender) != 0) revert ApprovalRemains(call.to, spender);`,
    replacement: 'spender;',
  },
  {
    name: 'more operations than allowed',
    file: 'contracts/session-keys/Validation.sol',
    original: 'head.sequence < first || head.sequence - first >= terms.maxOperations',
    replacement: 'head.sequence < first',
  },
  {
    name: 'any value',
    file: 'contracts/session-keys/Execution.sol',
    original: 'if (call.value <= rule.maxValue) return amount;',
    replacement: 'return amount;',
  },
  {
    name: 'any signature of a session',
    file: 'contracts/session-keys/Validation.sol',
    original: 'if (!isSigned) revert NotSignedByKey();',
    replacement: '',
  },
  {
    name: 'any signature of a change',
    file: 'contracts/Ownership.sol',
    original: 'IOwnedSafe(account).checkSignatures(hash, preimage, signatures);',
    replacement: '',
  },
  {
    name: 'the module approves',
    file: 'contracts/Ownership.sol',
    original: 'if (signatures[v] == 0x01) revert ApprovedHash();',
    replacement: '',
  },
  {
    name: 'any sequence',
    file: 'contracts/Ownership.sol',
    original: 'if (sequence != state.sequence) revert WrongSequence(sequence, state.sequence);',
    replacement: '',
  },
  {
    name: 'a message applies again',
    file: 'contracts/Ownership.sol',
    original: '_moveTo(account, state, state.sequence + 1);',
    replacement: '_moveTo(account, state, state.sequence);',
  },
  {
    name: 'a change of another account',
    file: 'contracts/ownership/libraries/OwnershipHashes.sol',
    original: 'abi.encode(_OWNER_CHANGE, account,',
    replacement: 'abi.encode(_OWNER_CHANGE, address(0),',
  },
  {
    name: 'a recovery of another account',
    file: 'contracts/ownership/libraries/OwnershipHashes.sol',
    original: 'abi.encode(_RECOVERY, account,',
    replacement: 'abi.encode(_RECOVERY, address(0),',
  },
  {
    name: 'a change cancels nothing',
    file: 'contracts/Ownership.sol',
    original: `state.number = 0;
        _endRecovery(account, state);`,
    replacement: 'state.number = 0;',
  },
  {
    name: 'a number starts again',
    file: 'contracts/Ownership.sol',
    original: '_useNumber(state, number, state.number + 1);',
    replacement: '_useNumber(state, number, state.number);',
  },
  {
    name: 'guardians that are not in force',
    file: 'contracts/ownership/Guardians.sol',
    original: 'if (keccak256(abi.encode(set)) != state.guardians) revert OtherGuardians(account);',
    replacement: '',
  },
  {
    name: 'too few guardians',
    file: 'contracts/ownership/Guardians.sol',
    original: 'signatures.length < set.threshold',
    replacement: 'signatures.length == 0',
  },
  {
    name: 'a guardian counts twice',
    file: 'contracts/ownership/Guardians.sol',
    original: 'guardian > previous && _isMember',
    replacement: '_isMember',
  },
  {
    name: 'whoever is no guardian',
    file: 'contracts/ownership/Guardians.sol',
    original: '_isMember(set.members, guardian)\n                && ',
    replacement: '',
  },
  {
    name: 'any signature of a guardian',
    file: 'contracts/ownership/libraries/GuardianCheck.sol',
    original: '&& recovered == guardian',
    replacement: '',
  },
  {
    name: 'a recovery before its delay',
    file: 'contracts/Ownership.sol',
    original: 'if (block.timestamp < state.recoveryReadyAt) revert RecoveryNotReady(state.recoveryReadyAt);',
    replacement: '',
  },
  {
    name: 'other owners than the guardians signed',
    file: 'contracts/Ownership.sol',
    original: 'if (state.recovery != hash) revert NoRecovery(account, hash);',
    replacement: 'if (state.recovery == 0) revert NoRecovery(account, hash);',
  },
  {
    name: 'a recovery of former guardians',
    file: 'contracts/ownership/Guardians.sol',
    original: `state.nextGuardiansFrom = 0;
        _endRecovery(account, state);`,
    replacement: 'state.nextGuardiansFrom = 0;',
  },
  {
    name: 'guardians change during a recovery',
    file: 'contracts/ownership/Guardians.sol',
    original: 'if (from <= block.timestamp) {',
    replacement: 'if (from <= block.timestamp || from > 0) {',
  },
  {
    name: 'guardians postpone their end',
    file: 'contracts/ownership/Guardians.sol',
    original: 'state.nextGuardiansFrom != 0 ? state.nextGuardiansFrom : state.recoveryReadyAt',
    replacement: 'state.recoveryReadyAt',
  },
  {
    name: 'the last owner goes',
    file: 'contracts/ownership/SafeOwners.sol',
    original: `if (others < threshold) revert TooFewOwners(account);
        _removeAfter(account, previous, owner, threshold);`,
    replacement: '_removeAfter(account, previous, owner, threshold);',
  },
  {
    name: 'the module counts as an owner',
    file: 'contracts/ownership/SafeOwners.sol',
    original: ' && owners[i] != address(this)',
    replacement: '',
  },
  {
    name: 'a replaced owner stays',
    file: 'contracts/ownership/SafeOwners.sol',
    original: 'if (!isSame) _remove(account, old);',
    replacement: '',
  },
  {
    name: 'owners stay after a recovery',
    file: 'contracts/ownership/SafeOwners.sol',
    original: 'else _removeAfter(account, previous, owners[i], 1);',
    replacement: '',
  },
  {
    name: 'the wrong previous owner',
    file: 'contracts/ownership/SafeOwners.sol',
    original: 'previous = i == 0 ? _SENTINEL : owners[i - 1];',
    replacement: 'previous = i == 0 ? _SENTINEL : owners[0];',
  },
  {
    name: 'a pin of a removed owner stays',
    file: 'contracts/ownership/SafeOwners.sol',
    original: `_removeAddress(account, removed);
        _unpin(account, _pinOf(owner));`,
    replacement: '_removeAddress(account, removed);',
  },
  {
    name: 'a pin of a lost owner stays',
    file: 'contracts/ownership/SafeOwners.sol',
    original: `_changeThreshold(account, newThreshold);
        _raise(account, PINS);`,
    replacement: '_changeThreshold(account, newThreshold);',
  },
  {
    name: 'sessions survive',
    file: 'contracts/ownership/SafeOwners.sol',
    original: 'abi.encodeCall(IEpochs.raise, (kind))',
    replacement: 'abi.encodeCall(IEpochs.raise, (PINS))',
  },
  {
    name: 'another threshold',
    file: 'contracts/ownership/SafeOwners.sol',
    original: '(IOwnedSafe.addOwnerWithThreshold, (added, threshold))',
    replacement: '(IOwnedSafe.addOwnerWithThreshold, (added, 2))',
  },
  {
    name: 'another kind of the same data',
    file: 'contracts/ownership/libraries/OwnershipHashes.sol',
    original: 'abi.encode(_OWNER_CHANGE, account, sequence, kind, keccak256(data))',
    replacement: 'abi.encode(_OWNER_CHANGE, account, sequence, bytes32(0), keccak256(data))',
  },
  {
    name: 'other data',
    file: 'contracts/ownership/libraries/OwnershipHashes.sol',
    original: 'sequence, kind, keccak256(data))',
    replacement: 'sequence, kind, data.length)',
  },
  {
    name: 'an approval behind the first signature',
    file: 'contracts/Ownership.sol',
    original: `for (uint256 i; i < threshold; ++i) {
            uint256 v`,
    replacement: `for (uint256 i; i < 1; ++i) {
            uint256 v`,
  },
  {
    name: 'longer signatures',
    file: 'contracts/Ownership.sol',
    original:
      'if (signatures.length > threshold * MAX_SIGNATURE_LENGTH) revert SignatureTooLong(signatures.length);',
    replacement: '',
  },
  {
    name: 'data where none belongs',
    file: 'contracts/Ownership.sol',
    original: 'if (data.length != 0) revert UnexpectedData(kind);',
    replacement: '',
  },
  {
    name: 'a module that is disabled',
    file: 'contracts/ownership/SafeOwners.sol',
    original: '!isKnown || !safe.isModuleEnabled(address(this))',
    replacement: '!isKnown',
  },
  {
    name: 'a number too high',
    file: 'contracts/ownership/Guardians.sol',
    original: 'number < lowest || number - highest > _MAX_STEP',
    replacement: 'number < lowest',
  },
  {
    name: 'a cancellation of less',
    file: 'contracts/Ownership.sol',
    original: '_useNumber(state, number, state.number);',
    replacement: 'if (number > state.number) _useNumber(state, number, state.number);',
  },
  {
    name: 'a cancellation leaves what runs',
    file: 'contracts/Ownership.sol',
    original: `emit RecoveriesCancelled(account, sequence, number, guardians, signatures);
        _endRecovery(account, state);`,
    replacement: 'emit RecoveriesCancelled(account, sequence, number, guardians, signatures);',
  },
  {
    name: 'numbers outlast their sequence',
    file: 'contracts/Ownership.sol',
    original: `state.number = 0;
`,
    replacement: `
`,
  },
  {
    name: 'a recovery lasts',
    file: 'contracts/ownership/Guardians.sol',
    original: 'if (_isOver(state.recoveryReadyAt)) _endRecovery(account, state);',
    replacement: '',
  },
  {
    name: 'the threshold is not signed',
    file: 'contracts/ownership/libraries/OwnershipHashes.sol',
    original: 'abi.encode(_RECOVERY, account, sequence, number, _hashOf(newOwners), newThreshold)',
    replacement: 'abi.encode(_RECOVERY, account, sequence, number, _hashOf(newOwners), uint256(0))',
  },
  {
    name: 'too few new owners',
    file: 'contracts/Ownership.sol',
    original: '_countDistinct(account, newOwners) < newThreshold',
    replacement: 'newOwners.length < newThreshold',
  },
  {
    name: 'a recovery sets no threshold',
    file: 'contracts/ownership/SafeOwners.sol',
    original: `_changeThreshold(account, newThreshold);
        _raise(account, PINS);`,
    replacement: '_raise(account, PINS);',
  },
  {
    name: 'a threshold above the owners',
    file: 'contracts/ownership/SafeOwners.sol',
    original: `if (others < threshold) revert TooFewOwners(account);
        if (threshold > 1) {`,
    replacement: 'if (threshold > 1) {',
  },
  {
    name: 'SessionKeys stays above 1',
    file: 'contracts/ownership/SafeOwners.sol',
    original: 'if (IOwnedSafe(account).isOwner(SESSION_KEYS)) {',
    replacement: 'if (threshold == 0) {',
  },
  {
    name: 'pins and sessions stay above 1',
    file: 'contracts/ownership/SafeOwners.sol',
    original: `_raise(account, PINS);
            _raise(account, SESSIONS);
        }`,
    replacement: '}',
  },
  {
    name: 'pins above 1',
    file: 'contracts/ownership/SafeOwners.sol',
    original: 'if (threshold > 1 || SMART_BALANCE',
    replacement: 'if (SMART_BALANCE',
  },
  {
    name: 'sessions survive a removal',
    file: 'contracts/ownership/SafeOwners.sol',
    original: `if (!_isPinOfSharedSigner(account, pin)) _unpin(account, pin);
        }
        _raise(account, SESSIONS);`,
    replacement: `if (!_isPinOfSharedSigner(account, pin)) _unpin(account, pin);
        }`,
  },
  {
    name: 'the pin behind a signer contract stays',
    file: 'contracts/ownership/SafeOwners.sol',
    original: 'if (!_isPinOfSharedSigner(account, pin)) _unpin(account, pin);',
    replacement: '',
  },
  {
    name: 'the pin of a passkey that owns goes',
    file: 'contracts/ownership/SafeOwners.sol',
    original: 'if (!_isPinOfSharedSigner(account, pin)) _unpin',
    replacement: '_unpin',
  },
  {
    name: 'the first passkey owns by its signer contract',
    file: 'contracts/ownership/SafeOwners.sol',
    original: 'if (removed == SHARED_SIGNER) _removeAddress(account, _signerOf(owner.key));',
    replacement: '',
  },
  {
    name: 'a passkey replaces itself',
    file: 'contracts/ownership/SafeOwners.sol',
    original: 'removed == kept || (removed == SHARED_SIGNER && _signerOf(old.key) == kept)',
    replacement: 'removed == kept',
  },
  {
    name: 'anyone signs as an added owner',
    file: 'contracts/Ownership.sol',
    original: 'if (!_refuses(account, state, added)) _add(account, added);',
    replacement: '_add(account, added);',
  },
  {
    name: 'anyone signs as a new owner',
    file: 'contracts/Ownership.sol',
    original: 'if (!_refuses(account, state, added)) _replace(account, old, added);',
    replacement: '_replace(account, old, added);',
  },
  {
    name: 'a recovery to anyone starts',
    file: 'contracts/Ownership.sol',
    original: 'if (forgeable < newOwners.length) revert ForgeableOwner(newOwners[forgeable]);',
    replacement: 'forgeable;',
  },
  {
    name: 'a recovery to anyone is executed',
    file: 'contracts/Ownership.sol',
    original: `if (forgeable < newOwners.length) emit OwnerRefused(account, sequence, newOwners[forgeable]);
        else _replaceAll`,
    replacement: `forgeable;
        _replaceAll`,
  },
  {
    name: 'the question keeps its threshold',
    file: 'contracts/ownership/SafeOwners.sol',
    original: 'else _removeAfter(account, _SENTINEL, asked, threshold);',
    replacement: 'else _removeAfter(account, _SENTINEL, asked, 1);',
  },
  {
    name: 'the question keeps its owner',
    file: 'contracts/ownership/SafeOwners.sol',
    original: 'else _removeAfter(account, _SENTINEL, asked, threshold);',
    replacement: 'else _changeThreshold(account, threshold);',
  },
  {
    name: 'a sequence that is no later one',
    file: 'contracts/Ownership.sol',
    original:
      'if (sequence <= current || sequence - current > _MAX_RESYNC) revert InvalidResync(sequence, current);',
    replacement: '',
  },
  {
    name: 'a sequence too far',
    file: 'contracts/Ownership.sol',
    original: 'sequence <= current || sequence - current > _MAX_RESYNC',
    replacement: 'sequence <= current',
  },
  {
    name: 'an epoch goes on',
    file: 'contracts/Epochs.sol',
    original: '_epochs[kind][msg.sender] = epoch + 1;',
    replacement: '',
  },
  {
    name: 'an epoch has no end',
    file: 'contracts/Epochs.sol',
    original: '_ends[kind][epoch][msg.sender] = end;',
    replacement: '',
  },
]
