// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Execution} from "../../session-keys/Execution.sol";
import {Call, Rule, RuleKind, Session} from "../../session-keys/Session.sol";
import {Reentrant} from "./Reentrant.sol";
import {ISafeAccount, SessionKeysTest} from "./SessionKeysTest.sol";

/// @dev Attacks that have broken such modules elsewhere, made by the holder of the session's key, each with its guard.
/// Attacks on what the Safe asks are in attacks.signer.t.sol, escapes from the rules in attacks.escapes.t.sol.
contract AttacksTest is SessionKeysTest {
    function setUp() public override {
        super.setUp();
        _grant(_session());
    }

    /// @dev Guard: execution counts, and reverts on excess; validation has run before for the whole bundle.
    function test_attack2_oneBundleExceedsTheAllowance() public {
        PackedUserOperation[] memory ops = new PackedUserOperation[](10);
        for (uint64 i; i < 10; ++i) {
            Draft memory draft = _draft(_transfer(RECIPIENT, 30e6));
            draft.sequence = i;
            ops[i] = _build(draft);
        }
        entryPoint.handleOps(ops, BUNDLER);
        assertEq(token.balanceOf(RECIPIENT), 90e6, "three of ten transfers");
        assertEq(_spent(1), 90e6, "counted");
        assertEq(entryPoint.getNonce(account, _draft(_increment()).nonceKey) & 0xff, 10, "all were included");
    }

    /// @dev Guard: the same, over as many bundles as the session has operations.
    function testFuzz_attack2_operationsExceedTheAllowance(uint256 seed) public {
        for (uint256 i; i < 10; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint256 amount = bound(seed, 0, 60e6);
            _handle(_build(_draft(seed % 2 == 0 ? _transfer(RECIPIENT, amount) : _approve(SPENDER, amount))));
        }
        uint256 out = token.balanceOf(RECIPIENT) + token.allowance(account, SPENDER);
        assertTrue(out <= _spent(1) && _spent(1) <= 100e6, "within the allowance");
    }

    /// @dev Guard: everything reverts, including the counts.
    function test_attack2_failedCallRestores() public {
        Call[] memory calls = new Call[](2);
        calls[0] = _transfer(RECIPIENT, 10e6)[0];
        calls[1] = _calls(RECIPIENT, 0.1 ether, "")[0];
        vm.deal(account, 0.05 ether);
        bytes memory reason = _handled(_build(_draft(calls)));
        assertEq(reason, abi.encodeWithSelector(Execution.CallFailed.selector, 1, ""), "no funds");
        assertEq(_spent(0) + _spent(1), 0, "nothing counted");
        assertEq(token.balanceOf(RECIPIENT), 0, "nothing moved");
    }

    /// @dev Guard: an amount of 0 spends nothing, but still needs a rule.
    function test_attack2_zeroAmounts() public {
        _execute(_transfer(RECIPIENT, 100e6));
        _execute(_transfer(RECIPIENT, 0));
        _execute(_approve(SPENDER, 0));
        _execute(_calls(RECIPIENT, 0, ""));
        vm.expectPartialRevert(Execution.CallNotAllowed.selector);
        _execute(_transfer(address(0xA11CE00), 0));
    }

    /// @dev Guard: an empty batch is rejected, not executed.
    function test_attack2_emptyBatch() public {
        bytes memory reason = _handled(_build(_draft(new Call[](0))));
        assertEq(reason, abi.encodeWithSelector(Execution.NoCalls.selector), "reason");
    }

    /// @dev Guard: allowances are per session and count per account.
    function test_attack5_twoSessionsTwoAccounts() public {
        _grant(account, _keyOf(OTHER_SESSION_KEY), _session());
        _grant(otherAccount, _key(), _session());
        // Another account's operation with the nonce and the signature of this one.
        PackedUserOperation memory op = _build(_draft(_increment()));
        op.sender = otherAccount;
        vm.expectRevert();
        _handle(op);
        // The other session's key under this session's name and nonce.
        Draft memory draft = _draft(_increment());
        draft.signingKey = OTHER_SESSION_KEY;
        _expectRefused(_build(draft));
        draft = _draftOf(account, OTHER_SESSION_KEY, _increment());
        draft.nonceKey = _draft(_increment()).nonceKey;
        PackedUserOperation memory other = _unsigned(draft);
        _expectRefused(_sign(_draftOf(account, OTHER_SESSION_KEY, _increment()), other));
        // Executing this session's call under that session's name.
        draft = _draft(_increment());
        draft.key = _keyOf(OTHER_SESSION_KEY);
        _expectRefused(_sign(_draft(_increment()), _unsigned(draft)));
        // What one session spends, the other does not spend.
        _execute(_transfer(RECIPIENT, 100e6));
        vm.prank(account);
        sessionKeys.execute(_keyOf(OTHER_SESSION_KEY), _transfer(RECIPIENT, 100e6));
        assertEq(_spent(1), 100e6, "its own");
        assertEq(sessionKeys.sessionOf(otherAccount, _key()).left[1], 100e6, "another account's");
    }

    /// @dev Guard: EntryPoint checks the operation's validity against the clock; validation checks it against the
    /// session's.
    function test_attack5_expiry() public {
        uint256 start = block.timestamp;
        PackedUserOperation memory op = _build(_draft(_increment()));
        bytes memory expired =
            abi.encodeWithSignature("FailedOp(uint256,string)", 0, "AA22 expired or not due");
        vm.warp(start - 1);
        vm.expectRevert(expired);
        _handle(op);
        vm.warp(start + 1 days + 1);
        vm.expectRevert(expired);
        _handle(op);
        vm.warp(start + 1 days);
        _handle(op);
        assertEq(counter.count(), 1, "in the last second");
    }

    /// @dev Guard: the hash that the key signed contains the validity, in addition to the bits of the signature.
    function testFuzz_attack5_otherBitsOfTheOperation(uint8 field, uint256 seed) public {
        PackedUserOperation memory op = _build(_draft(_increment()));
        bytes32 bit = bytes32(1 << (seed % 256));
        field %= 7;
        if (field == 0) op.signature[seed % 12] ^= bytes1(uint8(1 << (seed % 8)));
        if (field == 1) op.nonce ^= 1 << (64 + seed % 192);
        if (field == 2) op.callData[seed % op.callData.length] ^= bytes1(uint8(1 << (seed % 8)));
        if (field == 3) op.accountGasLimits ^= bit;
        if (field == 4) op.preVerificationGas ^= uint256(bit);
        if (field == 5) op.gasFees ^= bit;
        if (field == 6) op.paymasterAndData = abi.encodePacked(address(0), uint128(1), uint128(1));
        vm.expectRevert();
        _handle(op);
    }

    /// @dev Guard: EntryPoint executes after it has validated the whole bundle, so execution checks again.
    function test_attack6_revokedInTheSameBundle() public {
        PackedUserOperation[] memory ops = new PackedUserOperation[](2);
        Draft memory draft = _draft(_increment());
        ops[0] = _ownersOperation(abi.encodeCall(sessionKeys.revoke, (_key())));
        ops[1] = _build(draft);
        entryPoint.handleOps(ops, BUNDLER);
        assertEq(counter.count(), 0, "not executed");
        assertEq(entryPoint.getNonce(account, draft.nonceKey) & 0xff, 1, "although included");
    }

    /// @dev Guard: a new grant has new nonces, so unsent operations of an earlier session are invalid.
    function test_attack6_operationOfAnEarlierSession() public {
        PackedUserOperation memory op = _build(_draft(_increment()));
        vm.prank(account);
        sessionKeys.revoke(_key());
        _expectRefused(op);
        _grant(_session());
        _expectRefused(op);
    }

    /// @dev Guard: counters and rules belong to the session's id.
    function test_attack6_noStaleCounters() public {
        _handle(_build(_draft(_transfer(RECIPIENT, 100e6))));
        vm.prank(account);
        sessionKeys.revoke(_key());
        Session memory session = _sessionWith(_tokenRule(IERC20.transfer.selector, SPENDER));
        session.allowances[1].amount = 70e6;
        _grant(session);
        assertEq(sessionKeys.sessionOf(account, _key()).left[1], 70e6, "everything is left");
        assertEq(sessionKeys.sessionOf(account, _key()).operationsLeft, 10, "including operations");
        vm.expectPartialRevert(Execution.CallNotAllowed.selector);
        _execute(_transfer(RECIPIENT, 1));
        _execute(_transfer(SPENDER, 70e6));
    }

    /// @dev Guard: OpenZeppelin's set, emptied in any order.
    function testFuzz_attack6_theSetCanBeEmptied(uint8 count, uint256 seed) public {
        vm.prank(account);
        sessionKeys.revoke(_key());
        count = uint8(bound(count, 1, 12));
        for (uint256 i; i < count; ++i) {
            _grant(account, bytes32(i + 1), _session());
        }
        for (uint256 left = count; left > 0; --left) {
            bytes32[] memory keys = sessionKeys.keysOf(account);
            assertEq(keys.length, left, "left");
            seed = uint256(keccak256(abi.encode(seed)));
            vm.prank(account);
            sessionKeys.revoke(keys[seed % left]);
        }
        assertEq(sessionKeys.keysOf(account).length, 0, "empty");
    }

    /// @dev Guards: fee ≤ feePerOperation, sequence < maxOperations; reverted operations count, too.
    function test_attack7_feeDrain() public {
        Draft memory draft = _draft(_calls(RECIPIENT, 99 ether, ""));
        draft.callGasLimit = 9_000_000;
        draft.verificationGasLimit = 500_000;
        draft.preVerificationGas = 500_000;
        draft.maxFeePerGas += 1;
        _expectRefused(_build(draft));
        draft.maxFeePerGas -= 1;
        uint256 before = account.balance;
        for (uint64 i; i < 10; ++i) {
            draft.sequence = i;
            _handle(_build(draft));
        }
        draft.sequence = 10;
        _expectRefused(_build(draft));
        uint256 cost = before - account.balance;
        assertTrue(cost <= 10 * 0.01 ether, "maxOperations x feePerOperation");
        assertTrue(cost > 0, "paid by the account");
    }

    /// @dev Guards: a caller without a session is rejected; EntryPoint and the Safe have their own guards.
    function test_attack8_reentry() public {
        Reentrant target = new Reentrant();
        Session memory session = _session();
        session.rules[1] = Rule(RuleKind.Call, address(target), Reentrant.work.selector, address(0), 0);
        _grant(session);
        target.arm(
            address(sessionKeys), abi.encodeCall(sessionKeys.execute, (_key(), _transfer(RECIPIENT, 1)))
        );
        target.arm(address(sessionKeys), abi.encodeCall(sessionKeys.grant, (_key(), session)));
        target.arm(address(sessionKeys), abi.encodeCall(sessionKeys.revoke, (_key())));
        target.arm(
            account,
            abi.encodeWithSignature(
                "execTransactionFromModule(address,uint256,bytes,uint8)", RECIPIENT, 1 ether, "", 0
            )
        );
        PackedUserOperation[] memory ops = new PackedUserOperation[](1);
        Draft memory draft = _draft(_transfer(RECIPIENT, 1));
        draft.sequence = 1;
        ops[0] = _build(draft);
        target.arm(address(entryPoint), abi.encodeCall(entryPoint.handleOps, (ops, BUNDLER)));

        Call[] memory calls = _calls(address(target), 0, abi.encodeCall(Reentrant.work, ()));
        assertEq(_handled(_build(_draft(calls))), "", "no revert");
        assertEq(target.tried(), 5, "tried");
        assertEq(target.succeeded(), 0, "none succeeded");
        assertEq(_spent(1), 0, "nothing spent");
    }

    /// @dev Guard: nothing of the Safe stays changed; the contract keeps no power over it.
    function test_attack10_removal() public {
        PackedUserOperation memory op = _build(_draft(_increment()));
        vm.startPrank(account);
        sessionKeys.revoke(_key());
        (bool removed,) = account.call(
            abi.encodeWithSignature(
                "removeOwner(address,address,uint256)", address(1), address(sessionKeys), 1
            )
        );
        (bool disabled,) = account.call(
            abi.encodeWithSignature("disableModule(address,address)", address(1), address(sessionKeys))
        );
        vm.stopPrank();
        assertTrue(removed && disabled, "removed");
        assertTrue(!ISafeAccount(account).isOwner(address(sessionKeys)), "not an owner");
        _expectRefused(op);
        _grant(_session());
        _expectRefused(_build(_draft(_increment())));
        vm.expectRevert("GS104");
        _execute(_increment());
        _handle(_ownersOperation(abi.encodeCall(sessionKeys.revoke, (_key()))));
        assertEq(sessionKeys.keysOf(account).length, 0, "the owner acts as before");
    }

    /// @dev The owner's own operation, on nonce key 0, as for a grant or a revocation.
    function _ownersOperation(bytes memory data) private view returns (PackedUserOperation memory op) {
        op.sender = account;
        op.nonce = entryPoint.getNonce(account, 0);
        op.callData = abi.encodeCall(module.executeUserOp, (address(sessionKeys), 0, data, 0));
        op.accountGasLimits = bytes32(uint256(500_000) << 128 | 500_000);
        op.gasFees = bytes32(uint256(1) << 128 | 1 gwei);
        op.signature = new bytes(12);
        op.signature = bytes.concat(op.signature, _keySignature(OWNER_KEY, module.getOperationHash(op)));
    }
}
