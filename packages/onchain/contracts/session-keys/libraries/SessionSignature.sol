// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title The session's data in place of an owner's signature
/// @notice The Safe passes only the 66 bytes that were hashed, so the signature carries the data from which a session
/// operation is built. Packed: key (32) ‖ sequence u64 ‖ validAfter u48 ‖ validUntil u48 ‖ verificationGasLimit u128 ‖
/// callGasLimit u128 ‖ preVerificationGas u128 ‖ maxPriorityFeePerGas u128 ‖ maxFeePerGas u128 ‖ length u32, calls ‖
/// length u32, paymasterAndData ‖ the key's signature. `calls` is the calldata of `execute` after its key.
/// @dev Everything else in a session operation is fixed, so the contract builds the operation instead of parsing one,
/// and the encoding of another call cannot be mistaken for it.
library SessionSignature {
    /// @notice Thrown if a part is truncated.
    error MalformedSessionSignature();

    uint256 private constant HEAD = 132;

    /// @dev The fixed-size fields.
    struct Head {
        bytes32 key;
        /// The lower 64 bits of the nonce; the others follow from the session.
        uint64 sequence;
        uint48 validAfter;
        uint48 validUntil;
        uint128 verificationGasLimit;
        uint128 callGasLimit;
        uint128 preVerificationGas;
        uint128 maxPriorityFeePerGas;
        uint128 maxFeePerGas;
    }

    /// @dev Reverts with MalformedSessionSignature.
    function parse(bytes calldata signature)
        internal
        pure
        returns (
            Head memory head,
            bytes calldata calls,
            bytes calldata paymasterAndData,
            bytes calldata keySignature
        )
    {
        if (signature.length < HEAD) revert MalformedSessionSignature();
        head.key = bytes32(signature[:32]);
        head.sequence = uint64(bytes8(signature[32:40]));
        head.validAfter = uint48(bytes6(signature[40:46]));
        head.validUntil = uint48(bytes6(signature[46:52]));
        head.verificationGasLimit = uint128(bytes16(signature[52:68]));
        head.callGasLimit = uint128(bytes16(signature[68:84]));
        head.preVerificationGas = uint128(bytes16(signature[84:100]));
        head.maxPriorityFeePerGas = uint128(bytes16(signature[100:116]));
        head.maxFeePerGas = uint128(bytes16(signature[116:132]));
        (calls, keySignature) = _split(signature[HEAD:]);
        (paymasterAndData, keySignature) = _split(keySignature);
    }

    /// @dev Splits a part with a length prefix from the bytes that follow it.
    function _split(bytes calldata packed) private pure returns (bytes calldata part, bytes calldata rest) {
        if (packed.length < 4) revert MalformedSessionSignature();
        uint256 end = 4 + uint256(uint32(bytes4(packed)));
        if (packed.length < end) revert MalformedSessionSignature();
        return (packed[4:end], packed[end:]);
    }
}
