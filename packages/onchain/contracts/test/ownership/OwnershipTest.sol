// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {
    GuardianSet,
    GuardianSignature,
    IOwnership,
    Owner,
    OwnershipState
} from "../../interfaces/IOwnership.sol";
import {OwnershipSurroundings} from "../../ownership/SafeOwners.sol";
import {IOwnedSafe, ISignerFactory} from "../../ownership/Surroundings.sol";
import {Signers} from "../../smart-balance/Signers.sol";
import {ISafeAccount, SessionKeysTest} from "../session-keys/SessionKeysTest.sol";

/// @dev The part of SmartBalance that keeps pins.
contract Pins is Signers {
    constructor(address epochs) Signers(epochs) {}
}

interface INetworks {
    function snapshotState() external returns (uint256 id);
    function revertToState(uint256 id) external returns (bool success);
}

/// @notice Two Safes with sessions, one of an EOA and one of a passkey, that have the module; three guardians.
abstract contract OwnershipTest is SessionKeysTest {
    bytes32 internal constant ADD = "addOwner";
    bytes32 internal constant REMOVE = "removeOwner";
    bytes32 internal constant REPLACE = "replaceOwner";
    bytes32 internal constant SET_THRESHOLD = "setThreshold";
    bytes32 internal constant SET_GUARDIANS = "setGuardians";
    bytes32 internal constant REVOKE_SESSIONS = "revokeSessions";
    bytes32 internal constant CANCEL = "cancel";

    uint256 internal constant NEW_OWNER_KEY = 0xAEE;
    uint256 internal constant PASSKEY = 0x9A55;
    uint256 internal constant OTHER_PASSKEY = 0x9A552;
    uint32 internal constant DELAY = 3 days;
    uint256 internal constant GUARDIANS = 3;

    IOwnership internal ownership;
    ISignerFactory internal signerFactory;
    Pins internal pins;
    address internal passkeyAccount;
    /// @dev In the order of their addresses.
    uint256[] internal guardianKeys;

    function setUp() public virtual override {
        super.setUp();
        signerFactory = ISignerFactory(
            _create(
                _code(
                    "node_modules/@safe-global/safe-passkey/build/artifacts/contracts/SafeWebAuthnSignerFactory.sol/SafeWebAuthnSignerFactory.json"
                ),
                ""
            )
        );
        pins = new Pins(address(epochs));
        ownership = IOwnership(
            _create(
                _creationCode("Ownership"),
                abi.encode(
                    OwnershipSurroundings(
                        address(sessionKeys),
                        address(pins),
                        sharedSigner,
                        address(signerFactory),
                        address(epochs)
                    )
                )
            )
        );
        (uint256 x, uint256 y) = vm.publicKeyP256(PASSKEY);
        passkeyAccount = _createPasskeySafe(x, y, _verifiers());
        _enable(account);
        _enable(passkeyAccount);
        for (uint256 key = 1; guardianKeys.length < GUARDIANS; ++key) {
            if (guardianKeys.length == 0 || vm.addr(key) > vm.addr(guardianKeys[guardianKeys.length - 1])) {
                guardianKeys.push(key);
            }
        }
    }

    function _enable(address safe) internal {
        vm.prank(safe);
        ISafeAccount(safe).enableModule(address(ownership));
    }

    // Owners

    function _verifiers() internal view returns (uint176) {
        return uint176(uint160(p256Verifier));
    }

    function _eoa(uint256 key) internal pure returns (Owner memory) {
        return _named(vm.addr(key));
    }

    function _named(address owner) internal pure returns (Owner memory) {
        return Owner(0, abi.encodePacked(owner));
    }

    function _passkey(uint256 key) internal view returns (Owner memory) {
        (uint256 x, uint256 y) = vm.publicKeyP256(key);
        return Owner(1, abi.encodePacked(x, y, _verifiers()));
    }

    function _signerOf(uint256 key) internal view returns (address) {
        (uint256 x, uint256 y) = vm.publicKeyP256(key);
        return signerFactory.getSigner(x, y, _verifiers());
    }

    function _only(Owner memory owner) internal pure returns (Owner[] memory owners) {
        owners = new Owner[](1);
        owners[0] = owner;
    }

    function _owns(address safe, address owner) internal view returns (bool) {
        return IOwnedSafe(safe).isOwner(owner);
    }

    function _ownerHash(address safe) internal view returns (bytes32 sum) {
        address[] memory owners = IOwnedSafe(safe).getOwners();
        // The order of the Safe's list does not matter.
        for (uint256 i; i < owners.length; ++i) {
            sum = bytes32(uint256(sum) ^ uint256(keccak256(abi.encode(owners[i]))));
        }
    }

    function _sequence() internal view returns (uint64) {
        return ownership.stateOf(account).sequence;
    }

    // Changes

    function _sign(uint256 key, uint64 sequence, bytes32 kind, bytes memory data)
        internal
        view
        returns (bytes memory)
    {
        return _keySignature(key, ownership.changeHash(account, sequence, kind, data));
    }

    /// @dev Applies the next change of the EOA's account.
    function _change(bytes32 kind, bytes memory data) internal {
        ownership.applyChange(account, _sequence(), kind, data, _sign(OWNER_KEY, _sequence(), kind, data));
    }

    /// @dev A contract signature: signer, offset 65, v = 0, then the assertion.
    function _signWithPasskey(address signer, uint256 key, bytes32 hash)
        internal
        pure
        returns (bytes memory)
    {
        bytes memory assertion = _assertion(key, hash);
        return abi.encodePacked(uint256(uint160(signer)), uint256(65), uint8(0), assertion.length, assertion);
    }

    /// @dev WebAuthn L3 §6.1, §5.8.1.1: user present and verified.
    function _assertion(uint256 key, bytes32 hash) internal pure returns (bytes memory) {
        bytes memory authenticatorData = abi.encodePacked(sha256("wallet.example"), uint8(5), uint32(0));
        string memory fields = '"origin":"https://wallet.example","crossOrigin":false';
        bytes memory clientData = abi.encodePacked(
            '{"type":"webauthn.get","challenge":"',
            Base64.encodeURL(abi.encodePacked(hash)),
            '",',
            fields,
            "}"
        );
        (bytes32 r, bytes32 s) =
            vm.signP256(key, sha256(abi.encodePacked(authenticatorData, sha256(clientData))));
        return abi.encode(authenticatorData, fields, r, s);
    }

    // Guardians

    /// @dev Two of three, three days.
    function _guardians() internal view returns (GuardianSet memory set) {
        set = GuardianSet(new address[](GUARDIANS), 2, DELAY);
        for (uint256 i; i < GUARDIANS; ++i) {
            set.members[i] = vm.addr(guardianKeys[i]);
        }
    }

    function _guardian(address member) internal pure returns (GuardianSet memory set) {
        set = GuardianSet(new address[](1), 1, DELAY);
        set.members[0] = member;
    }

    function _setGuardians(GuardianSet memory set) internal {
        _change(SET_GUARDIANS, abi.encode(set));
    }

    /// @dev By the guardians from..from + count − 1.
    function _signRecovery(Owner[] memory newOwners, uint256 from, uint256 count)
        internal
        view
        returns (GuardianSignature[] memory signatures)
    {
        return _byGuardians(
            ownership.recoveryHash(account, _sequence(), _nextNumber(), newOwners, 1), from, count
        );
    }

    function _byGuardians(bytes32 hash, uint256 from, uint256 count)
        internal
        view
        returns (GuardianSignature[] memory signatures)
    {
        signatures = new GuardianSignature[](count);
        for (uint256 i; i < count; ++i) {
            uint256 key = guardianKeys[from + i];
            signatures[i] = GuardianSignature(vm.addr(key), _keySignature(key, hash));
        }
    }

    function _nextNumber() internal view returns (uint64) {
        return ownership.stateOf(account).number + 1;
    }

    function _start(Owner[] memory newOwners) internal {
        ownership.startRecovery(
            account,
            _sequence(),
            _nextNumber(),
            newOwners,
            1,
            _guardians(),
            _signRecovery(newOwners, 0, 2)
        );
    }

    function _error(bytes4 selector) internal view returns (bytes memory) {
        return abi.encodeWithSelector(selector, account);
    }

    // Networks: one EVM at different times. What is in memory survives.

    function _snapshot() internal returns (uint256) {
        return INetworks(address(vm)).snapshotState();
    }

    function _goTo(uint256 network, uint256 chainId) internal {
        assertTrue(INetworks(address(vm)).revertToState(network), "reverted");
        vm.chainId(chainId);
    }
}
