// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Session} from "../../session-keys/Session.sol";
import {SessionSignature} from "../../session-keys/libraries/SessionSignature.sol";
import {Sessions} from "../../session-keys/Sessions.sol";
import {Validation} from "../../session-keys/Validation.sol";
import {ISafeAccount, SessionKeysTest} from "./SessionKeysTest.sol";

contract IsValidSignatureTest is SessionKeysTest {
    uint256 private constant P256_N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551;

    function setUp() public override {
        super.setUp();
        _grant(_session());
        _grant(account, _p256Key(), _session());
    }

    function test_default() public {
        assertEq(_handled(_build(_draft(_increment()))), "", "no revert");
        assertEq(counter.count(), 1, "counted");
        assertEq(_handled(_build(_draft(_increment()))), "", "the next nonce, warm account");
        assertEq(counter.count(), 2, "counted again");
    }

    function test_default_p256() public {
        assertEq(_handled(_build(_draftOf(account, P256_KEY, _increment()))), "", "no revert");
        assertEq(counter.count(), 1, "counted");
    }

    /// @dev WebCrypto does not normalise s; the tests' signer returns the low form, so the other form is tested, too.
    function test_behavior_p256WithHighS() public view {
        Draft memory draft = _draftOf(account, P256_KEY, _increment());
        PackedUserOperation memory op = _unsigned(draft);
        bytes memory data = _dataOf(op);
        bytes memory signature = _sessionSignature(draft, keccak256(data));
        uint256 at = signature.length - 96;
        uint256 s;
        assembly ("memory-safe") {
            let slot := add(add(signature, 32), at)
            s := mload(slot)
            mstore(slot, sub(P256_N, s))
        }
        _expectMagic(data, signature);
    }

    function test_behavior_dataIsTheModulesHashInput() public view {
        PackedUserOperation memory op = _build(_draft(_increment()));
        assertEq(uint256(keccak256(_dataOf(op))), uint256(module.getOperationHash(op)), "hash");
    }

    function test_behavior_sessionsPaymaster() public {
        Session memory session = _session();
        session.paymaster = address(0x9A7);
        session.feePerOperation = 0;
        _grant(session);
        Draft memory draft = _draft(_increment());
        draft.paymasterAndData = abi.encodePacked(address(0x9A7), uint128(1e6), uint128(1e6), "any");
        bytes memory data = _dataOf(_unsigned(draft));
        _expectMagic(data, _sessionSignature(draft, keccak256(data)));
    }

    function test_behavior_maximumFee() public {
        Draft memory draft = _draft(_increment());
        draft.verificationGasLimit = 4_000_000;
        draft.callGasLimit = 5_000_000;
        draft.preVerificationGas = 1_000_000;
        assertEq(_handled(_build(draft)), "", "0.01 ether exactly");
        draft.sequence += 1;
        draft.callGasLimit += 1;
        _expectRefusal(
            draft, abi.encodeWithSelector(Validation.FeeTooHigh.selector, 0.01 ether + 1 gwei, 0.01 ether)
        );
    }

    function test_error_NoSession() public {
        Draft memory draft = _draft(_increment());
        vm.prank(account);
        sessionKeys.revoke(_key());
        _expectRefusal(draft, abi.encodeWithSelector(Sessions.NoSession.selector, account, _key()));
    }

    function test_error_OutsideValidity() public {
        bytes memory refusal = abi.encodeWithSelector(Validation.OutsideValidity.selector);
        Draft memory draft = _draft(_increment());
        draft.validUntil += 1;
        _expectRefusal(draft, refusal);
        draft.validUntil = 0;
        _expectRefusal(draft, refusal);
        draft = _draft(_increment());
        draft.validAfter -= 1;
        _expectRefusal(draft, refusal);
    }

    function test_error_OperationsExhausted() public {
        Draft memory draft = _draft(_increment());
        draft.sequence = 9;
        bytes memory data = _dataOf(_unsigned(draft));
        _expectMagic(data, _sessionSignature(draft, keccak256(data)));
        draft.sequence = 10;
        _expectRefusal(draft, abi.encodeWithSelector(Validation.OperationsExhausted.selector));
    }

    function test_error_OtherPaymaster() public {
        Draft memory draft = _draft(_increment());
        draft.paymasterAndData = abi.encodePacked(address(0x9A7), uint128(0), uint128(0));
        _expectRefusal(draft, abi.encodeWithSelector(Validation.OtherPaymaster.selector, address(0x9A7)));
        // EntryPoint takes 0 for no paymaster; the account would then pay for the limits.
        draft.paymasterAndData = abi.encodePacked(address(0), uint128(1e6), uint128(1e6));
        _expectRefusal(draft, abi.encodeWithSelector(Validation.OtherPaymaster.selector, address(0)));
    }

    function test_error_FeeTooHigh() public {
        Draft memory draft = _draft(_increment());
        draft.maxFeePerGas = type(uint128).max;
        draft.callGasLimit = type(uint128).max;
        draft.verificationGasLimit = 0;
        draft.preVerificationGas = 0;
        uint256 fee = uint256(type(uint128).max) * type(uint128).max;
        _expectRefusal(draft, abi.encodeWithSelector(Validation.FeeTooHigh.selector, fee, 0.01 ether));
    }

    function test_error_OtherOperation() public {
        Draft memory draft = _draft(_increment());
        PackedUserOperation memory op = _unsigned(draft);
        op.callData = abi.encodeCall(module.executeUserOp, (RECIPIENT, 1 ether, "", 0));
        bytes memory data = _dataOf(op);
        bytes memory signature = _sessionSignature(draft, keccak256(data));
        vm.prank(account);
        vm.expectRevert(abi.encodeWithSelector(Validation.OtherOperation.selector));
        sessionKeys.isValidSignature(data, signature);
    }

    function test_error_NotSignedByKey() public {
        Draft memory draft = _draft(_increment());
        draft.signingKey = THIRD_PARTY_KEY;
        _expectRefusal(draft, abi.encodeWithSelector(Validation.NotSignedByKey.selector));
        // A valid signature by a P-256 key that is not the session's.
        draft.signingKey = P256_KEY;
        _expectRefusal(draft, abi.encodeWithSelector(Validation.NotSignedByKey.selector));
        draft = _draftOf(account, P256_KEY, _increment());
        draft.signingKey = SESSION_KEY;
        _expectRefusal(draft, abi.encodeWithSelector(Validation.NotSignedByKey.selector));
    }

    function test_error_NotSignedByKey_length() public {
        Draft memory draft = _draft(_increment());
        bytes memory data = _dataOf(_unsigned(draft));
        bytes memory signature = _sessionSignature(draft, keccak256(data));
        vm.prank(account);
        vm.expectRevert(abi.encodeWithSelector(Validation.NotSignedByKey.selector));
        sessionKeys.isValidSignature(data, bytes.concat(signature, hex"00"));
    }

    function testFuzz_error_cutShort(uint256 length) public {
        Draft memory draft = _draft(_increment());
        bytes memory data = _dataOf(_unsigned(draft));
        bytes memory signature = _sessionSignature(draft, keccak256(data));
        length = bound(length, 0, signature.length - 1);
        assembly ("memory-safe") {
            mstore(signature, length)
        }
        bytes4 refusal = length >= _partsEnd(draft)
            ? Validation.NotSignedByKey.selector
            : SessionSignature.MalformedSessionSignature.selector;
        vm.prank(account);
        vm.expectRevert(abi.encodeWithSelector(refusal));
        sessionKeys.isValidSignature(data, signature);
    }

    /// @dev Every bit of the signature counts.
    function testFuzz_error_mutated(uint256 seed) public {
        Draft memory draft = _draft(_increment());
        bytes memory data = _dataOf(_unsigned(draft));
        bytes memory signature = _sessionSignature(draft, keccak256(data));
        uint256 i = bound(seed >> 8, 0, signature.length - 1);
        signature[i] ^= bytes1(uint8(1 << (seed % 8)));
        vm.prank(account);
        vm.expectRevert();
        sessionKeys.isValidSignature(data, signature);
    }

    /// @dev The offset at which the key's signature begins.
    function _partsEnd(Draft memory draft) private pure returns (uint256) {
        return 132 + 4 + _encodeCalls(draft).length + 4 + draft.paymasterAndData.length;
    }

    /// @dev Through the Safe, which anyone may ask.
    function _expectMagic(bytes memory data, bytes memory signature) private view {
        ISafeAccount(account).checkSignatures(keccak256(data), data, _inSafe(signature));
    }
}
