// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {Settling} from "../../smart-balance/Settlement.sol";
import {PasskeyTest} from "./PasskeyTest.sol";

/// @dev Each variant of an owner's signature, through the real Safe on O and again on A.
contract OwnerSignatureTest is PasskeyTest {
    /// @dev v + 4 over the prefixed hash, as wallets sign with personal_sign.
    function test_behavior_personalSign() public {
        Draft memory draft = _draft();
        PackedUserOperation memory op = _buildUnsigned(draft);
        op.signature = abi.encodePacked(uint48(0), uint48(0));
        bytes32 safeOpHash = module.getOperationHash(op);
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(OWNER_KEY, keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", safeOpHash)));
        op.signature = abi.encodePacked(op.signature, r, s, v + 4);
        _expectSettled(draft, op);
    }

    /// @dev The validity that the user signs, in addition to the order's.
    function test_behavior_validityInTheSignature() public {
        Draft memory draft = _draft();
        PackedUserOperation memory op = _buildUnsigned(draft);
        op.signature = abi.encodePacked(uint48(block.timestamp), draft.validUntil);
        op.signature = bytes.concat(op.signature, _sign(OWNER_KEY, module.getOperationHash(op)));
        _expectSettled(draft, op);
    }

    /// @dev Attack 5. The Safe reads the first 65 bytes and ignores the rest, so one consent would have many encodings.
    function test_attack5_trailingByte() public {
        PackedUserOperation memory op = _build(_draft());
        assertEq(_validation(op), 0, "the signature itself");
        op.signature = bytes.concat(op.signature, hex"00");
        assertEq(_validation(op), 1, "SIG_VALIDATION_FAILED");
    }

    function test_behavior_passkey() public {
        Draft memory draft = _passkeyDraft();
        _expectSettled(draft, _signWithPasskey(draft));
    }

    /// @dev Authenticators return a high s half of the time. The Safe accepts both forms, so this contract must, too.
    function test_behavior_passkeyOtherS() public {
        Draft memory draft = _passkeyDraft();
        _expectSettled(draft, _signWithPasskey(draft, 0x05, true, FIELDS));
    }

    function test_error_passkeyWithoutUserPresence() public {
        PackedUserOperation memory op = _signWithPasskey(_passkeyDraft(), 0x04, false, FIELDS);
        assertEq(_validation(op), 1, "SIG_VALIDATION_FAILED");
    }

    function test_error_passkeyWithoutUserVerification() public {
        PackedUserOperation memory op = _signWithPasskey(_passkeyDraft(), 0x01, false, FIELDS);
        assertEq(_validation(op), 1, "SIG_VALIDATION_FAILED");
    }

    /// @dev Safe's v is 0 for a contract's signature; the other bytes are valid.
    function test_error_passkeyWithAnotherV() public {
        PackedUserOperation memory op = _signWithPasskey(_passkeyDraft());
        assertEq(_validation(op), 0, "the signature itself");
        op.signature[12 + 64] = 0x01;
        assertEq(_validation(op), 1, "SIG_VALIDATION_FAILED");
    }

    /// @dev Attack 5. The Safe takes the length from the signature and ignores the rest.
    function test_attack5_passkeyTrailingByte() public {
        PackedUserOperation memory op = _signWithPasskey(_passkeyDraft());
        assertEq(_validation(op), 0, "the signature itself");
        op.signature = bytes.concat(op.signature, hex"00");
        assertEq(_validation(op), 1, "SIG_VALIDATION_FAILED");
    }

    /// @dev Ends one byte before the end of the assertion's length.
    function test_error_passkeyTooShort() public {
        PackedUserOperation memory op = _signWithPasskey(_passkeyDraft());
        bytes memory signature = op.signature;
        assembly ("memory-safe") {
            mstore(signature, 108) // 12 bytes of validity, 96 of the signature
        }
        assertEq(_validation(op), 1, "SIG_VALIDATION_FAILED");
    }

    /// @dev One byte shorter than the standard's shortest.
    function test_error_passkeyWithShortAuthenticatorData() public {
        bytes memory authenticatorData = _authenticatorData(0x05);
        assembly ("memory-safe") {
            mstore(authenticatorData, 36)
        }
        PackedUserOperation memory op = _signWithPasskey(_passkeyDraft(), authenticatorData, false, FIELDS);
        assertEq(_validation(op), 1, "SIG_VALIDATION_FAILED");
    }

    /// @dev No normal form exists for an s that is not below the order.
    function test_error_passkeyWithSAboveTheOrder() public {
        PackedUserOperation memory op = _signWithPasskey(_passkeyDraft());
        for (uint256 i; i < 32; ++i) {
            op.signature[12 + 97 + 96 + i] = 0xff;
        }
        assertEq(_validation(op), 1, "SIG_VALIDATION_FAILED");
    }

    /// @dev MAX_SIGNATURE_LENGTH bounds the gas of settlement.
    function test_behavior_passkeyOfTheMaximumLength() public {
        assertEq(_validation(_signedInLength(2_048)), 0, "the longest");
        assertEq(_validation(_signedInLength(2_049)), 1, "SIG_VALIDATION_FAILED");
    }

    /// @dev A recovery that fails returns address 0.
    function test_error_brokenSignatureOfNobody() public {
        Draft memory draft = _draft();
        draft.signer = abi.encodePacked(uint8(0), address(0));
        PackedUserOperation memory op = _buildUnsigned(draft);
        op.signature = new bytes(12 + 65);
        assertEq(_validation(op), 1, "SIG_VALIDATION_FAILED");
    }

    /// @dev Every bit of a passkey's signature except the signer contract's address, which settlement does not need.
    function testFuzz_error_passkeyMutated(uint256 seed) public {
        Draft memory draft = _passkeyDraft();
        PackedUserOperation memory op = _signWithPasskey(draft);
        uint256 i = bound(seed >> 8, 44, 12 + 97 + 4 * 32 - 1);
        op.signature[i] ^= bytes1(uint8(1 << (seed % 8)));
        vm.prank(address(entryPoint));
        try smartBalance.validatePaymasterUserOp(op, 0, 0) returns (bytes memory, uint256 validationData) {
            assertEq(uint160(validationData), 1, "SIG_VALIDATION_FAILED");
        } catch {}
    }

    /// @dev A valid signature of a passkey with long fields, without the padding of abi.encode at its end.
    function _signedInLength(uint256 length) private view returns (PackedUserOperation memory op) {
        bytes memory fields = new bytes(length - 12 - 97 - 4 * 32 - 96 - 32);
        for (uint256 i; i < fields.length; ++i) {
            fields[i] = "x";
        }
        op = _signWithPasskey(_passkeyDraft(), 0x05, false, string(fields));
        bytes memory signature = op.signature;
        assembly ("memory-safe") {
            mstore(signature, length)
            mstore(add(signature, 109), sub(length, 109)) // the assertion's length
        }
    }

    function _expectSettled(Draft memory draft, PackedUserOperation memory op) private {
        bytes32 orderHash = _orderHash(draft, op);
        _handle(op);
        assertTrue(_outcome(draft.account, draft.nonce) == Outcome.Claimed, "claimed");
        _on(A);
        Settling memory item = Settling(O, _signed(op), Outcome.Claimed, _attest(orderHash, Outcome.Claimed));
        assertEq(_settle(item), 101e6, "settled");
    }
}
