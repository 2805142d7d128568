// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {MAX_VALIDITY} from "../Constants.sol";
import {Debit, Order, Signer} from "./Order.sol";

/// @title The order inside `paymasterAndData`
/// @dev After the 52 bytes of ERC-4337 (paymaster, its two gas limits):
/// `0x01 | claimAmount u128 | validUntil u48 | n u8 | n × (chainId u64, amount u128, failFee u64) |
///  signer: 0x00 address20, or 0x01 x32 y32 verifiers22 | operatorSignature65`.
library PaymasterData {
    /// @notice Thrown if the bytes are not exactly one order: another version, signer tag or length, or a validUntil
    /// below MAX_VALIDITY, which has no validAfter (and of which EntryPoint takes 0 for "no end").
    error MalformedPaymasterData();

    uint8 internal constant VERSION = 0x01;
    uint256 private constant DEBITS_OFFSET = 76;
    uint256 private constant OWNER_LENGTH = 1 + 20;
    uint256 private constant PASSKEY_LENGTH = 1 + 32 + 32 + 22;
    uint256 private constant SIGNATURE_LENGTH = 65;

    /// @notice The paymaster in these bytes.
    function paymasterOf(bytes calldata data) internal pure returns (address) {
        if (data.length < 20) revert MalformedPaymasterData();
        return address(bytes20(data[:20]));
    }

    /// @notice Decodes all of `paymasterAndData`; rejects any bytes that it does not decode.
    function decode(bytes calldata data) internal pure returns (Order memory order) {
        if (data.length <= DEBITS_OFFSET || uint8(data[52]) != VERSION) revert MalformedPaymasterData();
        order.paymasterGasLimits = bytes32(data[20:52]);
        order.claimAmount = uint128(bytes16(data[53:69]));
        order.validUntil = uint48(bytes6(data[69:75]));
        if (order.validUntil < MAX_VALIDITY) revert MalformedPaymasterData();

        uint256 signerOffset = DEBITS_OFFSET + uint256(uint8(data[75])) * 32;
        if (data.length <= signerOffset) revert MalformedPaymasterData();
        order.debits = _decodeDebits(data[DEBITS_OFFSET:signerOffset]);

        uint256 signatureOffset = signerOffset + _signerLength(uint8(data[signerOffset]));
        if (data.length != signatureOffset + SIGNATURE_LENGTH) revert MalformedPaymasterData();
        order.signer = _decodeSigner(data[signerOffset:signatureOffset]);
        order.operatorSignature = data[signatureOffset:];
    }

    function _decodeDebits(bytes calldata data) private pure returns (Debit[] memory debits) {
        debits = new Debit[](data.length / 32);
        for (uint256 i; i < debits.length; ++i) {
            uint256 word = uint256(bytes32(data[i * 32:]));
            // The casts split the word into its three fields.
            debits[i] = Debit(uint64(word >> 192), uint128(word >> 64), uint64(word));
        }
    }

    function _signerLength(uint8 tag) private pure returns (uint256) {
        if (tag == 0) return OWNER_LENGTH;
        if (tag == 1) return PASSKEY_LENGTH;
        revert MalformedPaymasterData();
    }

    function _decodeSigner(bytes calldata data) private pure returns (Signer memory signer) {
        if (uint8(data[0]) == 0) {
            signer.id = bytes32(uint256(uint160(bytes20(data[1:]))));
        } else {
            signer.isPasskey = true;
            signer.x = bytes32(data[1:33]);
            signer.y = bytes32(data[33:65]);
            signer.id = keccak256(data[1:]);
        }
    }
}
