// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

/// @notice Adds to the EOA's account one of a passkey, with a deposit and a pin on A, and its authenticator's
/// signatures.
abstract contract PasskeyTest is SmartBalanceTest {
    uint256 private constant PASSKEY = 0x9A55;
    uint256 private constant P256_N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551;
    string internal constant FIELDS = '"origin":"https://wallet.example","crossOrigin":false';

    bytes internal passkey;
    address internal passkeyAccount;

    function setUp() public virtual override {
        super.setUp();
        (uint256 x, uint256 y) = vm.publicKeyP256(PASSKEY);
        uint176 verifiers = uint176(uint160(p256Verifier));
        passkeyAccount = _createPasskeySafe(x, y, verifiers);
        passkey = abi.encodePacked(uint8(1), x, y, verifiers);
        _on(A);
        _depositAndPin(300e6);
        _deposit(passkeyAccount, 300e6);
        vm.prank(passkeyAccount);
        smartBalance.addSigner(_signerId(passkey));
        _on(O);
    }

    function _passkeyDraft() internal view returns (Draft memory draft) {
        draft = _draft();
        draft.account = passkeyAccount;
        draft.signer = passkey;
    }

    /// @dev The result of validation for signatures; 0: valid; 1: SIG_VALIDATION_FAILED.
    function _validation(PackedUserOperation memory op) internal returns (uint160) {
        vm.prank(address(entryPoint));
        (, uint256 validationData) = smartBalance.validatePaymasterUserOp(op, 0, 0);
        return uint160(validationData);
    }

    function _signWithPasskey(Draft memory draft) internal view returns (PackedUserOperation memory) {
        return _signWithPasskey(draft, 0x05, false, FIELDS);
    }

    /// @param flags Flags of the authenticator data: 1 = user present, 4 = user verified.
    /// @param otherS Returns (r, n − s).
    /// @param fields Fields of clientDataJSON after the challenge.
    function _signWithPasskey(Draft memory draft, uint8 flags, bool otherS, string memory fields)
        internal
        view
        returns (PackedUserOperation memory)
    {
        return _signWithPasskey(draft, _authenticatorData(flags), otherS, fields);
    }

    function _signWithPasskey(
        Draft memory draft,
        bytes memory authenticatorData,
        bool otherS,
        string memory fields
    ) internal view returns (PackedUserOperation memory op) {
        op = _buildUnsigned(draft);
        op.signature = abi.encodePacked(uint48(0), uint48(0));
        bytes memory assertion = _assert(module.getOperationHash(op), authenticatorData, otherS, fields);
        op.signature = abi.encodePacked(
            op.signature, uint256(uint160(sharedSigner)), uint256(65), uint8(0), assertion.length, assertion
        );
    }

    /// @dev WebAuthn L3 §6.1: rpIdHash, flags, counter.
    function _authenticatorData(uint8 flags) internal pure returns (bytes memory) {
        return abi.encodePacked(sha256("wallet.example"), flags, uint32(0));
    }

    function _assert(bytes32 challenge, bytes memory authenticatorData, bool otherS, string memory fields)
        private
        pure
        returns (bytes memory)
    {
        bytes memory clientData = abi.encodePacked(
            '{"type":"webauthn.get","challenge":"', _base64Url(challenge), '",', fields, "}"
        );
        (bytes32 r, bytes32 s) =
            vm.signP256(PASSKEY, sha256(abi.encodePacked(authenticatorData, sha256(clientData))));
        if (otherS) s = bytes32(P256_N - uint256(s));
        return abi.encode(authenticatorData, fields, r, s);
    }

    /// @dev RFC 4648 §5 of 32 bytes, without padding, written independently of the library.
    function _base64Url(bytes32 value) private pure returns (bytes memory text) {
        bytes memory alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        text = new bytes(43);
        for (uint256 i; i < 43; ++i) {
            // 42 groups of 6 bits, and 4 bits at the end.
            uint256 group = i < 42 ? uint256(value) >> (250 - 6 * i) : uint256(value) << 2;
            text[i] = alphabet[group & 63];
        }
    }
}
